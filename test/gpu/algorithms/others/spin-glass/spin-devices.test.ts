import { rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Device } from '../../../../../workers/device/device.ts'
import { openDevice } from '../../../../../workers/device/open-device.ts'
import { hasGpu } from '../../../../support/devices-here.ts'
import {
  randomSmallGraph,
  randomStream,
  type SmallGraph,
  smallGraph,
  writeGraphFolder,
} from '../../../../support/graphs.ts'
import { modelOf, programOf, spinsHere, torus } from '../../../../support/spins.ts'

const GRAPHS = Number(process.env['ANTICLIQUE_TEST_GRAPHS'] ?? 12)

/** Three vertices beside 100 to 2,500 others: the list of one is read by its own row of the kernel, those of two are staged, one in pieces. */
function hubs(): SmallGraph {
  const random = randomStream(44)
  const edges = [2500, 250, 100].flatMap((degree, hub) =>
    Array.from({ length: degree }, (_, i): [number, number] => [hub, 3 + i]),
  )
  for (let i = 0; i < 600; i++) edges.push([3 + Math.floor(2500 * random()), 3 + Math.floor(2500 * random())])
  return smallGraph(2503, edges)
}

describe.runIf(hasGpu)('spins on a GPU', () => {
  let gpu: Device
  beforeAll(async () => void (gpu = await openDevice('gpu:0')))
  afterAll(() => gpu.close())

  it(`are those of the processor, alone and beside it, on a lattice, hubs and ${GRAPHS} random graphs`, async () => {
    const random = Array.from({ length: GRAPHS }, (_, number) => randomSmallGraph(number, 300))
    const four = Array.from({ length: 4 }, () => ({ graph: hubs(), shape: 'hubs' }))
    for (const [number, { graph, shape }] of [
      ...random,
      { graph: torus(8, 4, 6), shape: 'torus' },
      ...four,
    ].entries()) {
      const { folder } = writeGraphFolder(graph)
      const model = modelOf((['bimodal', 'ising', 'max-cut', 'independent-set'] as const)[number % 4]!, number)
      const program = programOf({ sweeps: 6, method: number % 2 === 0 ? 'tempering' : 'annealing' })
      const expected = await spinsHere(folder, model, program)
      const way = { workers: 1 + (number % 3), batches: 1 + (number % 2) }
      const found = await spinsHere(folder, model, program, {
        ...way,
        deviceOf: (worker) => (worker === 0 ? gpu : undefined),
      })
      expect(found.outcome.lowest, shape).toEqual(expected.outcome.lowest)
      expect(found.outcome.means, shape).toEqual(expected.outcome.means)
      if (way.workers === 1) expect(found.best, shape).toBe(expected.best)
      rmSync(folder, { recursive: true })
    }
  })
})
