import { describe, expect, it } from 'vitest'
import { edgeTies, edgeWeights } from '../../../../workers/contract/jobs.ts'
import type { MatchState } from '../../../../workers/algorithms/computed-matching.ts'
import { type MatchingCase, computedMatching, matesOf } from '../../../support/computed-matching.ts'
import { randomSmallGraph, smallGraph } from '../../../support/graphs.ts'
import { localRanks } from '../../../support/local-ranks.ts'
import { WeightedOnDisk, edgesInOrder, greedyMatching } from '../../../support/matching.ts'

const GRAPHS = Number(process.env['ANTICLIQUE_TEST_GRAPHS'] ?? 24)

/** What rank 0 has. */
async function acrossRanks(path: string, ranks: number, wanted: MatchingCase) {
  const made = await Promise.all(
    localRanks(ranks).map((exchange) => {
      const first = exchange.rank === 0
      const own = { start: first ? wanted.start : undefined, checkpointer: first ? wanted.checkpointer : undefined }
      return computedMatching(path, ['cpu:0'], { ...wanted, ...own, streams: true, exchange })
    }),
  )
  return made[0]!
}

describe('a matching across ranks', () => {
  it(`is that of the serial loop on ${GRAPHS} random graphs with many equal weights: 1 to 7 ranks, also resumed`, async () => {
    let [pairs, kept] = [0, 0]
    for (let seed = 0; seed < GRAPHS; seed++) {
      const { shape, graph } = randomSmallGraph(seed, 400)
      const weightOf = (u: number, v: number): number => (1 + ((u * v + u + v) % 3)) / 4
      const onDisk = new WeightedOnDisk(graph, weightOf)
      const weights = edgeWeights[Math.floor(seed / 10) % 3]!
      const ties = edgeTies[Math.floor(seed / 30) % 3]!
      const order = { weights, ties, seed: seed % 5, threshold: seed % 7 === 0 ? 0.5 : undefined }
      const mates = greedyMatching(graph.vertices, edgesInOrder(graph, order, weightOf))
      const ranks = 1 + (seed % 7)
      const rooms = [1 << 20, 4096, 0]
      const changed = { roomBytes: rooms[seed % 3]!, unitsAPiece: 1 + (seed % 5), threads: 1 }
      const states: MatchState[] = []
      const checkpointer = { isDue: () => true, keep: (state: MatchState) => void states.push(structuredClone(state)) }
      const wanted = { order, candidates: 1 + (seed % 8), changed, checkpointer }
      const what = `${shape}, seed ${seed}, ${weights}, ${ties}, ${ranks} ranks, ${JSON.stringify(changed)}`
      const found = await acrossRanks(onDisk.path, ranks, wanted)
      expect(matesOf(found), what).toEqual(mates)
      const start = states[seed % Math.max(1, states.length)]
      const resumed = await acrossRanks(onDisk.path, 1 + ((seed + 3) % 4), {
        ...wanted,
        start,
        checkpointer: undefined,
      })
      expect(matesOf(resumed), `resumed: ${what}`).toEqual(mates)
      pairs += found.matching.summary().pairs
      kept += states.length
      onDisk.remove()
    }
    expect(pairs).toBeGreaterThan(30 * GRAPHS)
    expect(kept).toBeGreaterThan(GRAPHS)
  })

  it(`is that of the serial loop where the first rank does the rounds, on ${GRAPHS} random graphs: 1 to 5 ranks, also resumed`, async () => {
    let [passes, kept] = [0, 0]
    for (let seed = 0; seed < GRAPHS; seed++) {
      const { shape, graph } = randomSmallGraph(seed, 400)
      const weightOf = (u: number, v: number): number => (1 + ((u * v + u + v) % 3)) / 4
      const onDisk = new WeightedOnDisk(graph, weightOf)
      const order = { weights: edgeWeights[seed % 3]!, ties: edgeTies[Math.floor(seed / 3) % 3]!, seed: seed % 5 }
      const mates = greedyMatching(graph.vertices, edgesInOrder(graph, order, weightOf))
      const device = { device: 'cpu:0', batchPieces: 1 + (seed % 4), deviceBytes: 0, budgetBytes: 0 }
      const changed = {
        workers: [{ ...device, gpu: 'rounds' as const }],
        ...{ keepsLists: false, roomBytes: [1 << 20, 4096, 64][seed % 3]!, unitsAPiece: 1 + (seed % 5), threads: 1 },
      }
      const states: MatchState[] = []
      const checkpointer = { isDue: () => true, keep: (state: MatchState) => void states.push(structuredClone(state)) }
      const wanted = { order, candidates: 1 + (seed % 8), changed, checkpointer }
      const what = `${shape}, seed ${seed}, ${order.weights}, ${order.ties}, ${JSON.stringify(changed)}`
      const found = await acrossRanks(onDisk.path, 1 + (seed % 5), wanted)
      expect(matesOf(found), what).toEqual(mates)
      const start = states[seed % Math.max(1, states.length)]
      const again = await acrossRanks(onDisk.path, 1 + ((seed + 3) % 4), { ...wanted, start, checkpointer: undefined })
      expect(matesOf(again), `resumed: ${what}`).toEqual(mates)
      passes += found.passes
      kept += states.length
      onDisk.remove()
    }
    expect(passes).toBeGreaterThan(GRAPHS)
    expect(kept).toBeGreaterThan(GRAPHS / 2)
  })

  it('is that of one process where chains are too long for the rounds of the first rank', async () => {
    const n = 3000
    const graph = smallGraph(
      n,
      Array.from({ length: n - 1 }, (_, v) => [v, v + 1] as const),
    )
    const onDisk = new WeightedOnDisk(graph, (u, v) => Math.max(u, v))
    const order = { weights: 'column', ties: 'id', seed: 0 } as const
    const device = { device: 'cpu:0', gpu: 'rounds' as const, batchPieces: 1, deviceBytes: 0, budgetBytes: 0 }
    const changed = { workers: [device], keepsLists: false, roomBytes: 1 << 20, unitsAPiece: 4, threads: 1 }
    const found = await acrossRanks(onDisk.path, 3, { order, candidates: 2, changed })
    const mates = greedyMatching(
      n,
      edgesInOrder(graph, order, (u, v) => Math.max(u, v)),
    )
    expect(matesOf(found)).toEqual(mates)
    onDisk.remove()
  })

  it('is that of one process where processors take the first rounds together', async () => {
    for (const seed of [16, 17, 18]) {
      const { graph } = randomSmallGraph(seed, 60_000)
      const onDisk = new WeightedOnDisk(graph, (u, v) => 1 + ((u + v) % 5))
      const order = { weights: edgeWeights[seed % 3]!, ties: edgeTies[seed % 3]!, seed } as const
      const alone = await computedMatching(onDisk.path, ['cpu:0'], { order })
      expect(alone.open[0]).toBeGreaterThan(20_000)
      const changed = { roomBytes: 1 << 22, unitsAPiece: 5, threads: 2 }
      const found = await acrossRanks(onDisk.path, 1 + (seed % 2), { order, changed })
      expect(matesOf(found)).toEqual(matesOf(alone))
      onDisk.remove()
    }
  })
})
