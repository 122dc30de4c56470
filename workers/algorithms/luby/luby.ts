import { IN, lubyRound } from '../../../kernels/luby/luby-round.ts'
import { type JobContext, throwIfCancelled } from '../../base/job.ts'
import { Failure } from '../../base/failure.ts'
import type { RoundCount } from '../../contract/jobs.ts'
import { limitsOf } from '../../device/device-memory.ts'
import type { Device, DeviceBuffer } from '../../device/device.ts'
import { type GaloisGr, idleRound } from '../../graph/galois-gr.ts'
import { VertexSet } from '../../graph/vertex-set.ts'
import type { Algorithm, Answer, Run } from '../algorithm.ts'
import { deviceBudget } from '../budgets.ts'
import { type PlanEstimate, type PlanRequest, attempt, availableOn, computeStep } from '../estimate.ts'
import { sizeInWords } from '../plan-refusal.ts'
import { NO_LISTS } from '../run-lists.ts'
import { setAnswer, setResult, improvePasses, requireSetQuality } from '../set-answer.ts'

/** Luby's algorithm (SIAM Journal on Computing, 1986) on a graph that one device holds, with new random priorities in each round. */
export const luby: Algorithm = {
  requireOptions: (options) => {
    requireSetQuality(options)
    if (!options.device.includes(',') && (options.partitions ?? 1) === 1) return
    throw new Failure({
      code: 'usage',
      what: 'Luby runs on one device',
      remedy: 'Name one device, or use mg-mis for several.',
    })
  },
  plan,
  improvePasses,
  severalGpus: 'impossible',
  kernels: () => [lubyRound],
  compute,
}

/** Offsets, targets, and a word of state for each vertex. */
const bytesFor = ({ vertices, arcs }: Pick<GaloisGr, 'vertices' | 'arcs'>): number => 4 * (2 * vertices + arcs + 2)

function plan({ options, size, devices }: PlanRequest): PlanEstimate {
  const [device] = devices as [PlanRequest['devices'][0]]
  const { vertices, arcs, exact } = size
  const deviceBytes = bytesFor(size)
  const budget = Math.min(deviceBudget(device, options.memoryBytes), 4 * 2 ** 32)
  const { refusal } = attempt(() => {
    if (deviceBytes > budget || 4 * arcs > limitsOf(device).maxBufferBytes)
      throw new Failure({
        code: 'usage',
        where: device.id,
        what: `the graph takes ${sizeInWords(deviceBytes, budget)} of the device's memory, and ${sizeInWords(budget, deviceBytes)} may be used`,
        remedy: 'Use ecl-mis, which streams what does not fit.',
      })
  })
  const availableBytes = availableOn(device, options.memoryBytes)
  const lanes = [
    { device: device.id, shareBytes: 4 * (vertices + arcs), holds: 'share', deviceBytes, availableBytes },
  ] as const
  const planned = { batches: 1, hostBytes: 12 * vertices, deviceBytes, lanes, resident: true }
  const steps = [computeStep(planned, Math.ceil(vertices / 8))]
  return { devices: [device], steps, batches: 1, lanes, prepared: false, exact, refusal }
}

async function compute(run: Run, job: JobContext): Promise<Answer> {
  const { args, graph, device } = run
  const { vertices, arcs } = graph
  const openedMs = performance.now()
  const buffers = await load(graph, device)
  try {
    await device.takeKernelMs()
    const startMs = performance.now()
    const prepareMs = startMs - openedMs
    const roundCounts = await rounds(run, buffers, job)
    const states = await device.read(buffers.states, 0, vertices)
    const computeMs = performance.now() - startMs
    const set = new VertexSet(vertices)
    states.forEach((state, v) => state === IN && set.add(v))
    await run.checked()
    const kernelMs = await device.takeKernelMs()
    const plan = { vertices, arcs, batches: 1, hostBytes: 12 * vertices, deviceBytes: bytesFor(graph) }
    const record = (improved: VertexSet) => ({
      devices: [device.facts],
      options: { seed: args.seed, memoryBytes: args.memoryBytes ?? null },
      result: setResult(improved),
      rounds: roundCounts.length,
      roundCounts,
      counters: {},
      series: [],
      time: { prepareMs, computeMs, kernelMs, exchangeMs: 0, readMs: 0 },
      bytes: { read: 8 * vertices + 4 * arcs, ...device.copied, exchanged: 0 },
      passes: 1,
      plan,
    })
    const workers = [{ device: device.facts, spans: [] }]
    return setAnswer(run, { set, lists: NO_LISTS, checkpoint: undefined, workers, record }, job)
  } finally {
    for (const buffer of Object.values(buffers)) device.release(buffer)
  }
}

type Buffers = Readonly<Record<'offsets' | 'targets' | 'states' | 'counters', DeviceBuffer>>

/** Rounds until no vertex is active; how many are after each. */
async function rounds({ args, graph, device }: Run, buffers: Buffers, job: JobContext): Promise<RoundCount[]> {
  const { vertices } = graph
  const counts: RoundCount[] = []
  for (let left = vertices, round = 1; left > 0; round++) {
    throwIfCancelled(job.signal)
    const draw = (Math.imul(args.seed, 0x9e3779b9) + Math.imul(round, 0x85ebca6b)) >>> 0
    device.clear(buffers.counters, 0, 1)
    for (const joins of [1, 0]) device.launch(lubyRound, vertices, { vertices, draw, joins }, buffers)
    const [active = 0] = await device.read(buffers.counters, 0, 1)
    // The vertex of the highest priority joins in every round of a symmetric graph.
    if (active >= left) throw idleRound(graph.path, round)
    left = active
    counts.push({ round, undecided: left })
    job.progress({
      phase: 'round',
      done: vertices - left,
      total: vertices,
      unit: 'vertices',
      round,
      decided: vertices - left,
    })
  }
  return counts
}

async function load(graph: GaloisGr, device: Device): Promise<Buffers> {
  const { vertices, arcs } = graph
  const offsets = await device.share('offsets', Uint32Array.from(graph.readOffsets(0, vertices)))
  const targets = await device.allocate('targets', Math.max(1, arcs))
  const states = await device.allocate('states', Math.max(1, vertices))
  const counters = await device.allocate('counters', 1)
  device.clear(states, 0, vertices)
  await device.fill(targets, arcs, (bytes, at) => {
    const first = at / 4
    bytes.set(new Uint8Array(graph.readTargets(first, first + bytes.length / 4).buffer))
  })
  return { offsets, targets, states, counters }
}
