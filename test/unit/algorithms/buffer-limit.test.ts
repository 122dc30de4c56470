import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { planArcBatches } from '../../../workers/algorithms/plan-arcs.ts'
import { planRescan } from '../../../workers/algorithms/reproductions/ld-gpu/rescan.ts'
import { planPaper } from '../../../workers/algorithms/reproductions/mg-mis/plan-paper.ts'
import { limitsOf } from '../../../workers/device/device.ts'
import { GaloisGr } from '../../../workers/graph/galois-gr.ts'
import { randomStream, smallGraph, writeGraphFolder } from '../../support/graphs.ts'
import { gpuFacts } from '../../support/gpu-facts.ts'

const VERTICES = 400
const all = { first: 0, end: VERTICES }
let folder = ''
let graph: GaloisGr
beforeAll(() => {
  const random = randomStream(5)
  const pick = (): number => Math.floor(random() * VERTICES)
  const edges = Array.from({ length: 2400 }, (): [number, number] => [pick(), pick()]).filter(([u, v]) => u !== v)
  folder = writeGraphFolder(smallGraph(VERTICES, edges)).folder
  graph = GaloisGr.open(join(folder, 'graph.gr'))
})
afterAll(() => {
  graph.close()
  rmSync(folder, { recursive: true })
})

/** The arcs of the vertices from one bound to the next. */
const arcsBetween = (bounds: readonly number[]): number[] => {
  const offsets = graph.readOffsets(0, VERTICES)
  return bounds.slice(1).map((end, i) => offsets[end]! - offsets[bounds[i]!]!)
}

describe('no buffer is larger than the device allows, however much memory it has', () => {
  it.each([600, 1000, 4000])('arcs of a batch of MG-MIS: %i bytes', (maxBufferBytes) => {
    const limits = { batches: 1, maxBufferBytes, maxBatchBytes: Infinity }
    const batches = planArcBatches(graph, all, limits)
    expect(batches.length).toBeGreaterThanOrEqual((4 * graph.arcs) / maxBufferBytes)
    for (const { arcs } of batches) expect(4 * arcs).toBeLessThanOrEqual(maxBufferBytes)
    const bounds = [...batches.map(({ first }) => first), VERTICES]
    expect(arcsBetween(bounds)).toEqual(batches.map(({ arcs }) => arcs))
    expect(planArcBatches(graph, all, { ...limits, maxBufferBytes: 4 * graph.arcs })).toHaveLength(1)
  })

  it('arcs of one vertex that no buffer holds are refused', () => {
    const limits = { batches: 1, maxBufferBytes: 16, maxBatchBytes: Infinity }
    expect(() => planArcBatches(graph, all, limits)).toThrow(/arcs of one vertex need more memory than a batch/)
  })

  it('messages of MG-MIS, which are as long on a rank with much memory as on one with little', () => {
    const devices = [0, 1].map((n) => limitsOf(gpuFacts(n, 100)))
    const words = (...budgets: number[]) => planPaper({ priority: 'hash' }, graph, devices, budgets).bufferWords
    expect([words(9600, 1e9), words(1e9, 9600), words(1e9, 1e9)]).toEqual([150, 150, 400])
  })

  it.each([1000, 4000])('a batch of LD-GPU that rescans: %i bytes', (bytes) => {
    const order = { weights: 'unit', ties: 'id', seed: 0 } as const
    const batches = (maxBindingBytes: number) =>
      planRescan({}, graph, order, [{ ...gpuFacts(0, 100), maxBindingBytes }])[0]!.batches
    for (const { arcs } of batches(bytes)) expect(4 * arcs).toBeLessThanOrEqual(bytes)
    expect(batches(4 * graph.arcs)).toHaveLength(1)
  })
})
