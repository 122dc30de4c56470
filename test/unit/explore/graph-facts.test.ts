import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { quietJob } from '../../../workers/base/job.ts'
import { graphFacts } from '../../../workers/explore/graph-facts.ts'
import { addWeights } from '../../support/dataset-folders.ts'
import { randomSmallGraph, smallGraph, writeGraphFolder, type SmallGraph } from '../../support/graphs.ts'

const of = (graph: SmallGraph) =>
  graphFacts({ ...writeGraphFolder(graph), weightRange: null, onlyKept: false }, quietJob)!

/** Sizes, found by a search from each vertex. */
function sizesOf({ neighbours }: SmallGraph): number[] {
  const seen = new Set<number>()
  return neighbours.flatMap((_, start) => {
    if (seen.has(start)) return []
    const reached = [start]
    seen.add(start)
    for (const v of reached)
      for (const u of neighbours[v]!)
        if (!seen.has(u)) {
          seen.add(u)
          reached.push(u)
        }
    return [reached.length]
  })
}

function clusteringOf({ neighbours }: SmallGraph): number {
  const shares = neighbours.map((list) => {
    const pairs = list.flatMap((a, i) => list.slice(i + 1).map((b) => [a, b] as const))
    const closed = pairs.filter(([a, b]) => neighbours[a]!.includes(b)).length
    return pairs.length === 0 ? 0 : closed / pairs.length
  })
  return shares.reduce((sum, share) => sum + share, 0) / Math.max(1, shares.length)
}

describe('facts of a graph', () => {
  test('components and largest degrees are those of a search and a sort, on random graphs', () => {
    let several = 0
    for (let seed = 0; seed < 40; seed++) {
      const { graph } = randomSmallGraph(seed, 200)
      const { components, top } = of(graph)
      const sizes = sizesOf(graph).sort((a, b) => b - a)
      several += sizes.length > 1 ? 1 : 0
      expect(components).toEqual({
        count: sizes.length,
        single: sizes.filter((size) => size === 1).length,
        largest: sizes.slice(0, 10),
      })
      const degrees = graph.neighbours.map((list, id) => ({ id, degree: list.length }))
      const sorted = degrees.filter(({ degree }) => degree > 0).sort((a, b) => b.degree - a.degree || a.id - b.id)
      expect(top.map(({ id, degree }) => ({ id, degree }))).toEqual(sorted.slice(0, 10))
    }
    expect(several).toBeGreaterThan(5)
  })

  test('clustering is exact where every pair of neighbours is looked at', () => {
    // Circulant graphs: vertices at a distance of at most k, so of degree 2k and with many triangles.
    for (const k of [1, 2, 3, 4]) {
      const edges = Array.from({ length: 60 }, (_, v) => Array.from({ length: k }, (_, i) => [v, (v + i + 1) % 60]))
      const graph = smallGraph(60, edges.flat() as [number, number][])
      expect(of(graph).clustering).toEqual({ sampled: 60, mean: expect.closeTo(clusteringOf(graph), 12) as number })
    }
    const clique = smallGraph(
      30,
      Array.from({ length: 30 }, (_, a) => Array.from({ length: a }, (_, b) => [a, b] as [number, number])).flat(),
    )
    expect(of(clique).clustering.mean).toBe(1)
    expect(of(smallGraph(4, [])).clustering).toEqual({ sampled: 4, mean: 0 })
    expect(of(smallGraph(0, [])).clustering).toEqual({ sampled: 0, mean: 0 })
  })

  test('each edge is in one bin of weights, equal or in equal ratios', () => {
    const graph = smallGraph(
      101,
      Array.from({ length: 100 }, (_, i) => [i, i + 1] as const),
    )
    const ranges = [
      (i: number): number => 1 + i,
      (i: number): number => 10 ** (i / 25),
      (): number => 7,
      (i: number): number => i - 50,
    ]
    for (const weight of ranges) {
      const place = writeGraphFolder(graph)
      const weighted = addWeights(place, graph, (u, v) => weight(Math.min(u, v)))
      const all = Array.from({ length: 100 }, (_, i) => Math.fround(weight(i)))
      const weightRange = { smallest: Math.min(...all), largest: Math.max(...all) }
      const bins = graphFacts({ ...weighted, weightRange, onlyKept: false }, quietJob)!.weights!
      expect(bins.reduce((sum, { edges }) => sum + edges, 0)).toBe(100)
      expect(bins[0]!.from).toBeCloseTo(weightRange.smallest)
      expect(bins.at(-1)!.to).toBeCloseTo(weightRange.largest)
      for (const [i, { from, to, edges }] of bins.entries()) {
        if (i > 0) expect(from).toBe(bins[i - 1]!.to)
        // But for those that rounding puts beside their bin.
        const within = all.filter((one) => one >= from && (one < to || i === bins.length - 1)).length
        expect(Math.abs(within - edges)).toBeLessThanOrEqual(1)
      }
    }
  })

  test('few whole weights are counted one by one, those that no edge has among them', () => {
    const graph = smallGraph(
      41,
      Array.from({ length: 40 }, (_, i) => [i, i + 1] as const),
    )
    const binsOf = (weight: (i: number) => number) => {
      const place = addWeights(writeGraphFolder(graph), graph, (u, v) => weight(Math.min(u, v)))
      const all = Array.from({ length: 40 }, (_, i) => weight(i))
      const weightRange = { smallest: Math.min(...all), largest: Math.max(...all) }
      return graphFacts({ ...place, weightRange, onlyKept: false }, quietJob)!.weights!
    }
    expect(binsOf((i) => [-1, 2, 2, 3][i % 4]!)).toEqual(
      [10, 0, 0, 20, 10].map((edges, i) => ({ from: i - 1, to: i - 1, edges })),
    )
    // One that is not whole, though both ends are.
    expect(binsOf((i) => [1, 1.5, 4][i % 3]!)).toHaveLength(40)
  })

  test('they are kept, and counted anew for another graph or where what is kept is damaged', () => {
    const place = writeGraphFolder(randomSmallGraph(5, 100).graph)
    const args = { ...place, weightRange: null, onlyKept: true }
    expect(graphFacts(args, quietJob)).toBeNull()
    const counted = graphFacts({ ...args, onlyKept: false }, quietJob)
    expect(counted).not.toBeNull()
    expect(graphFacts(args, quietJob)).toEqual(counted)
    const file = join(place.folder, 'facts.json')
    const damaged = readFileSync(file)
    damaged[20]! ^= 1
    writeFileSync(file, damaged)
    expect(graphFacts(args, quietJob)).toBeNull()
    expect(graphFacts({ ...args, onlyKept: false }, quietJob)).toEqual(counted)
  })

  test('they are counted where the library cannot be written', () => {
    const place = writeGraphFolder(randomSmallGraph(5, 100).graph)
    mkdirSync(join(place.folder, 'facts.json', 'no file'), { recursive: true })
    const args = { ...place, weightRange: null }
    expect(graphFacts({ ...args, onlyKept: false }, quietJob)).not.toBeNull()
    expect(graphFacts({ ...args, onlyKept: true }, quietJob)).toBeNull()
  })
})
