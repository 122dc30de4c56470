import { describe, expect, it } from 'vitest'
import { residences } from '../../../workers/algorithms/ld-gpu/plan-match.ts'
import { CpuDevice } from '../../../workers/device/cpu-device.ts'
import { edgeTies, edgeWeights } from '../../../workers/jobs.ts'
import { randomSmallGraph } from '../../support/graphs.ts'
import { WeightedOnDisk, edgesInOrder, greedyMatching, newPointersOf } from '../../support/matching.ts'

const GRAPHS = 200

describe('LD-GPU with several workers', () => {
  it(`makes the matching of the serial loop in the same rounds on ${GRAPHS} random graphs, with 2 to 8 workers and 1 to 40 batches`, async () => {
    const device = new CpuDevice('cpu:0')
    let pairs = 0
    let [exchanged, whole] = [0, 0]
    for (let seed = 0; seed < GRAPHS; seed++) {
      const { shape, graph } = randomSmallGraph(seed, seed % 5 === 0 ? 3000 : 400)
      const weightOf = (u: number, v: number): number => (1 + ((u * v + u + v) % 3)) / 4
      const onDisk = new WeightedOnDisk(graph, weightOf)
      const [weights, ties] = [edgeWeights[Math.floor(seed / 10) % 3]!, edgeTies[Math.floor(seed / 30) % 3]!]
      const threshold = seed % 3 === 0 ? 0.5 : undefined
      const order = { weights, ties, seed: seed % 5, threshold }
      const edges = edgesInOrder(graph, order, weightOf)
      const mates = greedyMatching(graph.vertices, edges)
      const news = newPointersOf(graph.vertices, edges)
      const rounds = news.length
      let arcs: readonly number[] | undefined
      for (const [workers, batches] of [
        [2 + (seed % 7), 2 + (seed % 39)],
        [8, 40],
      ] as const) {
        const kind = residences[(seed + workers) % 3]!
        const found = await onDisk.match(device, order, Math.max(batches, workers), kind, workers)
        const what = `${shape}, seed ${seed}, ${weights}, ${ties}, ${workers} workers, ${batches} batches, ${kind}`
        expect(found.mates, what).toEqual(mates)
        expect(found.rounds, what).toBe(rounds)
        expect(found.allArcs, what).toEqual((arcs ??= found.allArcs))
        const bytes = news.map((count) => 4 * count)
        if (kind === 'none') expect(found.exchangedOfRounds.slice(1), what).toEqual(bytes.slice(1))
        pairs += found.pairs
        exchanged += found.exchanged
        whole += 4 * graph.vertices * (rounds + 1)
      }
      onDisk.remove()
    }
    expect(pairs).toBeGreaterThan(100 * GRAPHS)
    // What changed is less than all pointers in every round.
    expect(exchanged).toBeGreaterThan(0)
    expect(exchanged).toBeLessThan(0.8 * whole)
  })
})
