import { describe, expect, it, vi } from 'vitest'
import { matchSecond } from '../../../kernels/match-second.ts'
import { CpuDevice } from '../../../workers/device/cpu-device.ts'
import { edgeTies, edgeWeights } from '../../../workers/jobs.ts'
import { randomSmallGraph } from '../../support/graphs.ts'
import type { Matched } from '../../support/matching.ts'
import { WeightedOnDisk, edgesInOrder, greedyMatching, roundsOf } from '../../support/matching.ts'

const GRAPHS = 400

describe('LD-GPU, ordered, on the CPU device', () => {
  it(`makes the matching of the serial loop in the rounds of the paper on ${GRAPHS} random graphs with many equal weights`, async () => {
    const device = new CpuDevice('cpu:0')
    const overHeads = vi.spyOn(matchSecond, 'twin')
    let pairs = 0
    let starved = 0
    for (let seed = 0; seed < GRAPHS; seed++) {
      const { shape, graph } = randomSmallGraph(seed, 400)
      const weightOf = (u: number, v: number): number => (1 + ((u * v + u + v) % 3)) / 4
      const onDisk = new WeightedOnDisk(graph, weightOf)
      const weights = edgeWeights[Math.floor(seed / 10) % 3]!
      const ties = edgeTies[Math.floor(seed / 30) % 3]!
      const order = { weights, ties, seed: seed % 5 }
      const edges = edgesInOrder(graph, order, weightOf)
      const mates = greedyMatching(graph.vertices, edges)
      const rounds = roundsOf(graph.vertices, edges)
      let first: Matched | undefined
      for (const [batches, kind] of [
        [1, 'whole'],
        [7, 'whole'],
        [3, 'heads'],
        [40, 'none'],
      ] as const) {
        const found = await onDisk.match(device, order, batches, kind)
        const what = `${shape}, seed ${seed}, ${weights}, ${ties}, ${batches} batches, ${kind}`
        expect(found.mates, what).toEqual(mates)
        expect(found.rounds, what).toBe(rounds)
        first ??= found
        expect(found.open, what).toEqual(first.open)
        expect(found.allArcs, what).toEqual(first.allArcs)
        pairs += found.pairs
        if (kind === 'none') starved += found.hostMs > 0 ? 1 : 0
      }
      onDisk.remove()
    }
    expect(pairs).toBeGreaterThan(100 * GRAPHS)
    expect(starved).toBeGreaterThan(GRAPHS / 4)
    // One batch of three in one round would be one call.
    expect(overHeads.mock.calls.length).toBeGreaterThan(3 * GRAPHS)
  })
})
