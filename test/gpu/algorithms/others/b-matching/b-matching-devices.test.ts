import { rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pairWorks, sharePairs } from '../../../../../workers/algorithms/others/b-matching/b-matching.ts'
import { capacitiesFrom } from '../../../../../workers/graph/capacities.ts'
import type { Device } from '../../../../../workers/device/device.ts'
import { openDevice } from '../../../../../workers/device/open-device.ts'
import type { GaloisGr } from '../../../../../workers/graph/galois-gr.ts'
import { pairsOfPartners } from '../../../../../workers/graph/pair-list.ts'
import { hasGpu } from '../../../../support/devices-here.ts'
import { graphsForDevices, writeGraphFolder } from '../../../../support/graphs.ts'
import { rangesHere } from '../../../../support/range-workers.ts'

const GRAPHS = Number(process.env['ANTICLIQUE_TEST_GRAPHS'] ?? 8)

describe.runIf(hasGpu)('a b-matching on a GPU', () => {
  let gpu: Device
  beforeAll(async () => void (gpu = await openDevice('gpu:0')))
  afterAll(() => gpu.close())

  it(`is that of the processor, in as many rounds, alone and beside it, on ${GRAPHS} random graphs`, async () => {
    let pairs = 0
    for (const [number, { graph, shape }] of graphsForDevices(GRAPHS, 600).entries()) {
      const { folder } = writeGraphFolder(graph)
      // Picks of 60 and more are sorted as a heap.
      const capacities = Float64Array.from({ length: graph.vertices }, (_, v) => [0, 1, 3, 60, 600][(v + number) % 5]!)
      const order = { weights: 'random3', ties: number % 2 === 0 ? 'hash' : 'degree', seed: number } as const
      const share = (file: GaloisGr) => sharePairs(file, capacitiesFrom(capacities), order)
      const way = { workers: 1 + (number % 3), share, batches: 1 + (number % 2) }
      const expected = await rangesHere(folder, way, pairWorks)
      const found = await rangesHere(folder, way, pairWorks, (worker) => (worker === 0 ? gpu : undefined))
      const listOf = ({ shared: { starts, partners, residual } }: typeof found): Uint32Array =>
        pairsOfPartners(starts, partners, residual).words
      expect(listOf(found), shape).toEqual(listOf(expected))
      expect(found.outcome, shape).toEqual(expected.outcome)
      pairs += listOf(found).length / 2
      rmSync(folder, { recursive: true })
    }
    expect(pairs).toBeGreaterThan(100 * GRAPHS)
  })
})
