import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Device } from '../../../workers/device/device.ts'
import { CpuDevice } from '../../../workers/device/cpu-device.ts'
import { openDevice } from '../../../workers/device/open-device.ts'
import { edgeTies, edgeWeights } from '../../../workers/jobs.ts'
import { randomSmallGraph } from '../../support/graphs.ts'
import { WeightedOnDisk, edgesInOrder, greedyMatching, roundsOf } from '../../support/matching.ts'

const GRAPHS = 30

describe.skipIf(process.env['ANTICLIQUE_GPU_TESTS'] === 'absent')('LD-GPU, ordered, on the GPU device', () => {
  let gpu: Device
  const others: Device[] = []
  beforeAll(async () => {
    gpu = await openDevice('gpu:0')
    for (let i = 0; i < 3; i++) others.push(await openDevice('gpu:0'))
  })
  afterAll(() => [gpu, ...others].forEach((device) => device.close()))

  it(`makes the matching of the serial loop in the rounds of the paper on ${GRAPHS} random graphs`, async () => {
    let pairs = 0
    for (let seed = 0; seed < GRAPHS; seed++) {
      const { shape, graph } = randomSmallGraph(seed, 600)
      const weightOf = (u: number, v: number): number => (1 + ((u * v + u + v) % 3)) / 4
      const onDisk = new WeightedOnDisk(graph, weightOf)
      const weights = edgeWeights[Math.floor(seed / 10) % 3]!
      const ties = edgeTies[Math.floor(seed / 30) % 3]!
      const threshold = seed % 3 === 0 ? 0.5 : undefined
      const order = { weights, ties, seed: seed % 5, threshold }
      const edges = edgesInOrder(graph, order, weightOf)
      const mates = greedyMatching(graph.vertices, edges)
      const rounds = roundsOf(graph.vertices, edges)
      const kinds = ['whole', 'heads', 'none', 'heads'] as const
      for (const [batches, kind, workers] of [
        [1, 'whole', 1],
        [1 + (seed % 40), kinds[seed % 4]!, 1],
        [8, kinds[(seed + 1) % 4]!, 2 + (seed % 3)],
      ] as const) {
        const found = await onDisk.match([gpu, ...others], order, batches, kind, workers)
        const what = `${shape}, seed ${seed}, ${weights}, ${ties}, ${batches} batches, ${kind}, ${workers} workers`
        expect(found.mates, what).toEqual(mates)
        expect(found.rounds, what).toBe(rounds)
        pairs += found.pairs
      }
      onDisk.remove()
    }
    expect(pairs).toBeGreaterThan(100 * GRAPHS)
  })

  it('counts the same rounds, open vertices and arcs as the CPU device where lists overflow', async () => {
    const cpu = new CpuDevice('cpu:0')
    for (const seed of [16, 17, 18]) {
      const { graph } = randomSmallGraph(seed, 40_000)
      expect(graph.vertices).toBeGreaterThan(5000)
      const onDisk = new WeightedOnDisk(graph, () => 1)
      for (const ties of edgeTies) {
        const order = { weights: ties === 'id' ? 'random3' : 'unit', ties, seed: 1 } as const
        const [a, b] = [await onDisk.match(cpu, order, 1, 'whole'), await onDisk.match(gpu, order, 3, 'whole')]
        expect(b.hash).toBe(a.hash)
        expect({ rounds: b.rounds, open: b.open, arcs: b.arcs }).toEqual({
          rounds: a.rounds,
          open: a.open,
          arcs: a.arcs,
        })
        expect(a.pairs).toBeGreaterThan(1000)
      }
      onDisk.remove()
    }
  })
})
