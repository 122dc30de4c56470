import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CpuDevice } from '../../../../workers/device/cpu-device.ts'
import type { Device } from '../../../../workers/device/device.ts'
import { openDevice } from '../../../../workers/device/open-device.ts'
import { edgeTies, edgeWeights } from '../../../../workers/contract/jobs.ts'
import { hasGpu } from '../../../support/devices-here.ts'
import { computedMatching, matesOf } from '../../../support/computed-matching.ts'
import { randomSmallGraph, smallGraph } from '../../../support/graphs.ts'
import { localRanks } from '../../../support/local-ranks.ts'
import { WeightedOnDisk, edgesInOrder, greedyMatching, roundsOf } from '../../../support/matching.ts'

const GRAPHS = Number(process.env['ANTICLIQUE_TEST_GRAPHS'] ?? 12)

/** A GPU in software takes seconds for the kernels of a rule, which differ by weights and by ties: each of both is in one rule here. */
const rules = edgeWeights.map((weights, i) => ({ weights, ties: edgeTies[i]! }))

describe.runIf(hasGpu)('LD-GPU on the GPU device', () => {
  let gpu: Device
  beforeAll(async () => (gpu = await openDevice('gpu:0')))
  afterAll(() => gpu.close())

  it(`makes the matching of the serial loop in the rounds of the paper on ${GRAPHS} random graphs`, async () => {
    let pairs = 0
    for (let seed = 0; seed < GRAPHS; seed++) {
      const { shape, graph } = randomSmallGraph(seed, 300)
      const weightOf = (u: number, v: number): number => (1 + ((u * v + u + v) % 3)) / 4
      const onDisk = new WeightedOnDisk(graph, weightOf)
      const { weights, ties } = rules[seed % 3]!
      const threshold = Math.floor(seed / 3) % 2 === 0 ? 0.5 : undefined
      const order = { weights, ties, seed: seed % 5, threshold }
      const edges = edgesInOrder(graph, order, weightOf)
      const found = await computedMatching(onDisk.path, [gpu], { order, candidates: [4, 1, 8][seed % 3]! })
      const what = `${shape}, seed ${seed}, ${weights}, ${ties}`
      expect(matesOf(found), what).toEqual(greedyMatching(graph.vertices, edges))
      expect(found.open.length, what).toBe(roundsOf(graph.vertices, edges))
      pairs += found.matching.summary().pairs
      onDisk.remove()
    }
    expect(pairs).toBeGreaterThan(20 * GRAPHS)
  })

  it('counts the same rounds and open vertices as processors, one after another or all at once', async () => {
    for (const [i, seed] of [16, 18, 17].entries()) {
      const { graph } = randomSmallGraph(seed, 20_000)
      expect(graph.vertices).toBeGreaterThan(2500)
      const onDisk = new WeightedOnDisk(graph, () => 1)
      const order = { ...rules[i]!, seed: 1 }
      const a = await computedMatching(onDisk.path, ['cpu:0'], { order })
      expect(a.matching.summary().pairs).toBeGreaterThan(1000)
      for (const device of [gpu, new CpuDevice('cpu:1')]) {
        const changed = { workers: [{ device: 'gpu:0', gpu: 'rounds' as const, deviceBytes: 0, budgetBytes: 0 }] }
        const b = await computedMatching(onDisk.path, [device], { order, changed })
        expect(b.matching.summary()).toEqual(a.matching.summary())
        expect(b.open).toEqual(a.open)
      }
      onDisk.remove()
    }
  })

  it('looks at lists that pass through it beside processors, or alone', async () => {
    for (const seed of [16, 17]) {
      const { graph } = randomSmallGraph(seed, 20_000)
      const onDisk = new WeightedOnDisk(graph, (u, v) => 1 + ((u + v) % 5))
      const order = { ...rules[seed % 3]!, seed }
      const alone = await computedMatching(onDisk.path, ['cpu:0'], { order })
      expect(alone.matching.summary().pairs).toBeGreaterThan(1000)
      const share = { deviceBytes: 0, budgetBytes: 0 }
      const scans = { ...share, device: 'gpu:0', gpu: 'scan' as const, batchPieces: 4 }
      const hosts = { ...share, device: 'cpu:0', gpu: undefined }
      for (const workers of [[scans], [scans, hosts]]) {
        const changed = { workers, keepsLists: false, roomBytes: 1 << 22, unitsAPiece: 5, threads: 2 }
        const found = await computedMatching(onDisk.path, [gpu], { order, changed })
        expect(found.matching.summary()).toEqual(alone.matching.summary())
        expect(found.workers[0]!.toDevice).toBeGreaterThan(4 * graph.vertices)
      }
      onDisk.remove()
    }
  })

  it('finds no pairs without edges, beside processors or alone', async () => {
    const onDisk = new WeightedOnDisk(smallGraph(31, []), () => 1)
    const order = { weights: 'unit', ties: 'hash', seed: 0 } as const
    const share = { deviceBytes: 0, budgetBytes: 0 }
    const scans = { ...share, device: 'gpu:0', gpu: 'scan' as const, batchPieces: 4 }
    const hosts = { ...share, device: 'cpu:0', gpu: undefined }
    for (const workers of [[scans], [scans, hosts]]) {
      const changed = { workers, keepsLists: false, roomBytes: 1 << 20, unitsAPiece: 1, threads: 2 }
      const found = await computedMatching(onDisk.path, [gpu], { order, changed })
      expect(matesOf(found)).toEqual(greedyMatching(31, []))
      expect(found.workers[0]!.device.id).toBe('gpu:0')
    }
    onDisk.remove()
  })

  it('looks at the lists of a rank, and does the rounds of all ranks', async () => {
    const { graph } = randomSmallGraph(16, 40_000)
    const onDisk = new WeightedOnDisk(graph, (u, v) => 1 + ((u + v) % 5))
    const order = { ...rules[2]!, seed: 3 }
    const alone = await computedMatching(onDisk.path, ['cpu:0'], { order })
    const devices = [gpu, await openDevice('gpu:0')]
    for (const use of ['scan', 'rounds'] as const) {
      const worker = { device: 'gpu:0', gpu: use, batchPieces: 4, deviceBytes: 0, budgetBytes: 0 }
      const changed = { workers: [worker], keepsLists: false, roomBytes: 1 << 22, unitsAPiece: 5, threads: 1 }
      const [first, ...others] = await Promise.all(
        localRanks(2).map((exchange, rank) =>
          computedMatching(onDisk.path, [devices[rank]!], { order, changed, exchange }),
        ),
      )
      expect(matesOf(first!)).toEqual(matesOf(alone))
      for (const { workers } of [first!, ...others]) expect(workers[0]!.toDevice).toBeGreaterThan(graph.vertices)
    }
    devices[1]!.close()
    onDisk.remove()
  })
})
