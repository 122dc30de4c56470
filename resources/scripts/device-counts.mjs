// What the benchmarks of several devices share: which devices, how many at a time, how often, on how large an R-MAT graph.
import { parseArgs } from 'node:util'

const MIB = 2 ** 20
const shared = {
  devices: { type: 'string', default: 'gpu:0,gpu:1,gpu:2,gpu:3' },
  counts: { type: 'string', default: '1,2,4' },
  scale: { type: 'string', default: '24' },
  'edge-factor': { type: 'string', default: '16' },
  memory: { type: 'string' },
  json: { type: 'string' },
}

/** The options of the command line, with `more` of a benchmark's own, by its names for numbers and lists; `memoryBytes` is undefined where none is given. */
export function deviceCounts(more) {
  const { values } = parseArgs({ options: { ...shared, ...more } })
  return {
    ...values,
    devices: values.devices.split(','),
    counts: values.counts.split(',').map(Number),
    repeats: Number(values.repeats),
    scale: Number(values.scale),
    edgeFactor: Number(values['edge-factor']),
    memoryBytes: values.memory === undefined ? undefined : Number(values.memory) * MIB,
  }
}

/** "gpu:0 NVIDIA H200 (driver), gpu:1 ...", of a run's outcome. */
export const deviceText = (outcome) =>
  outcome.devices.map(({ id, name, driver }) => `${id} ${name} (${driver})`).join(', ')
