import { describe, expect, it } from 'vitest'
import { edgeTies, edgeWeights } from '../../../../workers/contract/jobs.ts'
import { computedMatching, matesOf } from '../../../support/computed-matching.ts'
import { randomSmallGraph } from '../../../support/graphs.ts'
import { WeightedOnDisk, edgesInOrder, greedyMatching, roundsOf } from '../../../support/matching.ts'

const GRAPHS = Number(process.env['ANTICLIQUE_TEST_GRAPHS'] ?? 48)

describe('LD-GPU on processors', () => {
  it(`makes the matching of the serial loop in the rounds of the paper on ${GRAPHS} random graphs with many equal weights`, async () => {
    let pairs = 0
    let passes = 0
    for (let seed = 0; seed < GRAPHS; seed++) {
      const { shape, graph } = randomSmallGraph(seed, 400)
      const weightOf = (u: number, v: number): number => (1 + ((u * v + u + v) % 3)) / 4
      const onDisk = new WeightedOnDisk(graph, weightOf)
      const weights = edgeWeights[Math.floor(seed / 10) % 3]!
      const ties = edgeTies[Math.floor(seed / 30) % 3]!
      const threshold = seed % 7 === 0 ? 0.5 : undefined
      const order = { weights, ties, seed: seed % 5, threshold }
      const edges = edgesInOrder(graph, order, weightOf)
      const mates = greedyMatching(graph.vertices, edges)
      const rounds = roundsOf(graph.vertices, edges)
      const candidates = 1 + (seed % 8)
      for (const changed of [
        { keepsLists: true },
        { keepsLists: false, roomBytes: 1 << 20 },
        { keepsLists: false, roomBytes: 4096 * (seed % 3), unitsAPiece: 1 + (seed % 5) },
      ]) {
        const found = await computedMatching(onDisk.path, ['cpu:0'], { order, candidates, changed })
        const what = `${shape}, seed ${seed}, ${weights}, ${ties}, ${candidates} candidates, ${JSON.stringify(changed)}`
        expect(matesOf(found), what).toEqual(mates)
        if (changed.keepsLists) expect(found.open.length, what).toBe(rounds)
        pairs += found.matching.summary().pairs
        passes += found.passes
      }
      onDisk.remove()
    }
    expect(pairs).toBeGreaterThan(100 * GRAPHS)
    expect(passes).toBeGreaterThan(4 * GRAPHS)
  })

  it('is one in the rounds of one thread for any number of threads, chunks, budgets and processors', async () => {
    for (const seed of [16, 17, 18, 19]) {
      const { graph, shape } = randomSmallGraph(seed, 60_000)
      const onDisk = new WeightedOnDisk(graph, (u, v) => 1 + ((u + v) % 5))
      const order = { weights: edgeWeights[seed % 3]!, ties: edgeTies[(seed + 1) % 3]!, seed } as const
      const alone = await computedMatching(onDisk.path, ['cpu:0'], { order, changed: { threads: 1 } })
      expect(alone.matching.summary().pairs).toBeGreaterThan(1000)
      for (const [devices, changed] of [
        [['cpu:0'], { threads: 3 }],
        [['cpu:0', 'cpu:1'], { threads: 2, unitsAPiece: 7 }],
        [['cpu:0'], { threads: 2, keepsLists: false, roomBytes: 1 << 14 }],
      ] as const) {
        const found = await computedMatching(onDisk.path, devices, { order, candidates: 1 + (seed % 4), changed })
        const what = `${shape}, ${JSON.stringify(changed)}`
        expect(found.matching.summary(), what).toEqual(alone.matching.summary())
        if (!('keepsLists' in changed)) expect(found.open, what).toEqual(alone.open)
      }
      onDisk.remove()
    }
  })
})
