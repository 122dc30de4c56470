import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasTensorCores } from '../../../../workers/algorithms/tc-mis/tiles-on-device.ts'
import { computeWith } from '../../../../workers/algorithms/run.ts'
import { tcMis } from '../../../../workers/algorithms/tc-mis/tc-mis.ts'
import { CpuDevice } from '../../../../workers/device/cpu-device.ts'
import type { Device } from '../../../../workers/device/device.ts'
import { openDevice } from '../../../../workers/device/open-device.ts'
import { importGraph } from '../../../../workers/import/import-graph.ts'
import { quietJob } from '../../../../workers/base/job.ts'
import { type Counting, type Heuristic, type RunArgs, heuristics } from '../../../../workers/contract/jobs.ts'
import { hasGpu } from '../../../support/devices-here.ts'
import { randomSmallGraph, smallGraph, writeGraphFolder } from '../../../support/graphs.ts'
import { graphFile, knownGraphs } from '../../../support/known-graphs.ts'
import { scratchFolder } from '../../../support/scratch-folder.ts'

/** A software adapter takes minutes for the thousand that a GPU does in seconds. */
const GRAPHS = Number(process.env['ANTICLIQUE_TEST_GRAPHS'] ?? 20)
const cpu = new CpuDevice('cpu:0')

function argsOf(folder: string, checksum: string, priority: Heuristic): RunArgs {
  const resultFile = join(folder, 'set')
  return { folder, checksum, algorithm: 'tc-mis', device: 'cpu:0', priority, seed: 0, verify: false, resultFile }
}

/** Everything about a run that no device may change: the sets, the rounds, and the tiles that were read. */
async function traceOf(device: Device, args: RunArgs) {
  const { result, series, roundCounts, counters } = await computeWith(tcMis, args, quietJob, device)
  return { result, series, roundCounts, tilesRead: counters['tilesRead'] }
}

describe.runIf(hasGpu)('TC-MIS on the GPU device', () => {
  let gpu: Device
  let countings: Counting[]
  beforeAll(async () => {
    gpu = await openDevice('gpu:0')
    countings = hasTensorCores(gpu.facts) ? ['tensor', 'integer'] : ['integer']
    console.log(`TC-MIS tests run on ${gpu.facts.name} (${gpu.facts.driver})`)
  })
  afterAll(() => gpu.close())

  it(`does in every round what the CPU device does, on ${GRAPHS} random graphs`, async () => {
    let members = 0
    for (let number = 0; number < GRAPHS; number++) {
      const { shape, graph } = randomSmallGraph(number, 500)
      const { folder, checksum } = writeGraphFolder(graph)
      const priority = heuristics[number % 3]!
      const seeds = [1, 1, 3, 7, 16][Math.floor(number / 3) % 5]!
      const args = {
        ...argsOf(folder, checksum, priority),
        seeds,
        seed: number % 5,
        batches: 1 + (number % 4),
      }
      const expected = await traceOf(cpu, args)
      for (const counting of countings) {
        const found = await traceOf(gpu, { ...args, counting })
        expect(found, `${shape}, graph ${number}, ${counting}, ${priority}, ${seeds} seeds`).toEqual(expected)
      }
      if (expected.result.kind === 'independent-set') members += expected.result.size
      rmSync(folder, { recursive: true })
    }
    expect(members).toBeGreaterThan(GRAPHS * 20)
  })

  it('cuts the row blocks of hubs into many chunks', async () => {
    // Each hub has 30,000 neighbours; under h1 one of the two is before most of them.
    const n = 30_002
    const graph = smallGraph(
      n,
      Array.from({ length: 2 * (n - 2) }, (_, i): [number, number] => [i % 2, 2 + (i >>> 1)]),
    )
    const { folder, checksum } = writeGraphFolder(graph)
    for (const priority of heuristics)
      for (const seed of [0, 5]) {
        const args = { ...argsOf(folder, checksum, priority), seed, seeds: seed === 5 ? 16 : 1 }
        expect(await traceOf(gpu, args), `${priority}, seed ${seed}`).toEqual(await traceOf(cpu, args))
      }
    rmSync(folder, { recursive: true })
  })
})

const scratch = scratchFolder('tc')

describe('graphs with known answers', () => {
  it.each(knownGraphs())('%s: h3 makes the set of ECL-MIS on every device', async (name, facts) => {
    const folder = join(scratch, name)
    const { checksum } = await importGraph({ source: graphFile(name), folder }, quietJob)
    const devices = hasGpu ? [cpu, await openDevice('gpu:0')] : [cpu]
    for (const device of devices) {
      const args = { ...argsOf(folder, checksum, 'h3'), verify: true }
      const { result, verification } = await computeWith(tcMis, args, quietJob, device)
      expect(result, device.facts.id).toMatchObject(facts.eclMis)
      expect(verification?.verified).toBe(true)
    }
    for (const device of devices.slice(1)) device.close()
  })
})
