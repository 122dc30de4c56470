import { rmSync } from 'node:fs'
import { expect, it } from 'vitest'
import { quietJob } from '../../../../../workers/base/job.ts'
import { GaloisGr } from '../../../../../workers/graph/galois-gr.ts'
import { checkAggregates } from '../../../../../workers/algorithms/others/distance-mis/check-aggregates.ts'
import { addWeights } from '../../../../support/dataset-folders.ts'
import { type SmallGraph, randomSmallGraph, smallGraph, writeGraphFolder } from '../../../../support/graphs.ts'
import { valuesRun } from '../../../../support/values-run.ts'

const GRAPHS = Number(process.env['ANTICLIQUE_TEST_GRAPHS'] ?? 24)
const aggregates = { algorithm: 'mis2-aggregates', priority: 'random' } as const

/** Members of a distance-2 set of the vertices without an aggregate, by the algorithm for sets. */
async function rootsAmong(graph: SmallGraph, isFree: (v: number) => boolean, seed: number): Promise<Set<number>> {
  const edges = graph.neighbours.flatMap((list, v) =>
    list.filter((u) => u < v && isFree(u) && isFree(v)).map((u) => [u, v] as const),
  )
  const place = writeGraphFolder(smallGraph(graph.vertices, edges))
  const { values } = await valuesRun(place, graph.vertices, { ...aggregates, algorithm: 'distance-mis', seed })
  rmSync(place.folder, { recursive: true })
  return new Set([...values].filter(isFree))
}

/** Kelley and Rajamanickam's Algorithm 3, a line at a time. */
async function expectedOf(graph: SmallGraph, seed: number): Promise<number[]> {
  const values = graph.neighbours.map(() => -1)
  let count = 0
  for (const least of [0, 2]) {
    const before = [...values]
    const free = (v: number) => graph.neighbours[v]!.filter((u) => before[u] === -1)
    for (const root of [...(await rootsAmong(graph, (v) => before[v] === -1, seed))].sort((a, b) => a - b)) {
      if (free(root).length < least) continue
      for (const v of [root, ...free(root)]) values[v] = count
      count++
    }
  }
  const before = [...values]
  const sizeOf = (aggregate: number) => before.filter((value) => value === aggregate).length
  const edgesTo = (v: number, aggregate: number) => graph.neighbours[v]!.filter((u) => before[u] === aggregate).length
  for (const [v, value] of before.entries()) {
    if (value !== -1) continue
    const beside = [...new Set(graph.neighbours[v]!.map((u) => before[u]!))].filter((aggregate) => aggregate !== -1)
    values[v] = beside.sort((a, b) => edgesTo(v, b) - edgesTo(v, a) || sizeOf(a) - sizeOf(b) || a - b)[0]!
  }
  return values
}

it(`are those of the paper for any workers and batches, verified, on ${GRAPHS} random graphs`, async () => {
  let second = 0
  for (let number = 0; number < GRAPHS; number++) {
    const { graph, shape } = randomSmallGraph(900 + number, 150)
    const place = writeGraphFolder(graph)
    const way = { seed: number % 3, partitions: 1 + (number % 3), batches: 1 + (number % 4) }
    const { outcome, values } = await valuesRun(place, graph.vertices, { ...aggregates, ...way })
    expect([...values], `${number} ${shape}`).toEqual(await expectedOf(graph, way.seed))
    expect(outcome.verification, shape).toMatchObject({ verified: true })
    second += outcome.counters['secondRoots'] ?? 0
    rmSync(place.folder, { recursive: true })
  }
  expect(second).toBeGreaterThan(0)
})

it('with a threshold are those of the strong edges alone', async () => {
  let weak = 0
  for (let number = 0; number < 20; number++) {
    const { graph, shape } = randomSmallGraph(1200 + number, 100)
    const weightOf = (u: number, v: number): number => (((u + 1) * (v + 1) * 7919) % 16) - 4
    const sums = graph.neighbours.map((list, v) => list.reduce((sum, u) => sum + Math.abs(weightOf(u, v)), 0))
    const isStrong = (u: number, v: number): boolean => weightOf(u, v) ** 2 >= 0.0625 * (sums[u]! * sums[v]!)
    const edges = graph.neighbours.flatMap((list, v) => list.filter((u) => u < v).map((u) => [u, v] as const))
    const strong = smallGraph(
      graph.vertices,
      edges.filter(([u, v]) => isStrong(u, v)),
    )
    weak += edges.filter(([u, v]) => !isStrong(u, v)).length
    const place = addWeights(writeGraphFolder(graph), graph, weightOf)
    const way = { seed: number % 3, threshold: 0.25, partitions: 1 + (number % 2), batches: 1 + (number % 3) }
    const { outcome, values } = await valuesRun(place, graph.vertices, { ...aggregates, ...way })
    expect([...values], `${number} ${shape}`).toEqual(await expectedOf(strong, way.seed))
    expect(outcome.verification, shape).toMatchObject({ verified: true })
    rmSync(place.folder, { recursive: true })
  }
  expect(weak).toBeGreaterThan(100)
})

it('names what breaks a law', () => {
  //  0 - 1 - 2 - 3
  const path = smallGraph(
    4,
    [0, 1, 2].map((v) => [v, v + 1] as const),
  )
  const place = writeGraphFolder(path)
  const file = GaloisGr.inFolder(place.folder)
  const broken = (...values: number[]) => {
    const { witness } = checkAggregates(file, Uint32Array.from(values), 0, quietJob)
    return witness?.sentence(witness.vertices.map(String))
  }
  expect(broken(0, 0, 1, 1)).toBeUndefined()
  expect(broken(0, 1, 1, 0)).toBe('vertices 0 and 3 are in one aggregate that is not connected')
  expect(broken(0, 0, 0, 1)).toBe('vertex 3 is an aggregate of its own, and has an edge that counts')
  expect(broken(0, 0, 2, 2)).toBe('aggregates have no numbers from 0 on')
  expect(broken(0, 0, 9, 9)).toBe('aggregates have no numbers from 0 on')
  file.close()
  rmSync(place.folder, { recursive: true })
})
