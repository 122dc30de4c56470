import { describe, expect, it } from 'vitest'
import { weightedGreedySet } from '../../../../workers/algorithms/quality/greedy-set.ts'
import { reduceWeighted } from '../../../../workers/algorithms/quality/reduced-graph.ts'
import { WeightedSearch } from '../../../../workers/algorithms/quality/weighted-search.ts'
import { cliqueCover } from '../../../../workers/algorithms/quality/set-bounds.ts'
import {
  isMaximalIndependent,
  randomSmallGraph,
  randomStream,
  smallGraph,
  type SmallGraph,
} from '../../../support/graphs.ts'
import { adjacencyOf, graphOf, idsOf, isIndependent, listedStates, searched } from '../../../support/set-searches.ts'

const GRAPHS = 60
const pause = (): void => {}
const quality = { steps: 200, limitMs: Infinity }

/** The largest weight by trying all sets, as bits of at most 14 vertices. */
function heaviest({ vertices, neighbours }: SmallGraph, weights: Float64Array): number {
  const near = neighbours.map((list) => list.reduce((bits, u) => bits | (1 << u), 0))
  const best = (v: number, open: number): number => {
    if (v === vertices) return 0
    const without = best(v + 1, open)
    return (open & (1 << v)) === 0 ? without : Math.max(without, weights[v]! + best(v + 1, open & ~near[v]!))
  }
  return best(0, -1)
}

/** Whole, with many equal ones, or of all sizes. */
function randomWeights(vertices: number, seed: number): Float64Array {
  const random = randomStream(seed + 1000)
  return Float64Array.from({ length: vertices }, () =>
    seed % 3 === 0 ? Math.floor(4 * random()) : seed % 3 === 1 ? Math.floor(1000 * random()) : 10 * random(),
  )
}

const total = (members: ReadonlySet<number>, weights: Float64Array): number =>
  [...members].reduce((sum, v) => sum + weights[v]!, 0)

describe('heavy sets', () => {
  it(`of ${GRAPHS} random graphs: reductions keep the heaviest, bounds are true, and the search finds it`, async () => {
    let [met, smaller] = [0, 0]
    for (let seed = 0; seed < GRAPHS; seed++) {
      const { shape, graph } = randomSmallGraph(seed, 14)
      const what = `${shape}, seed ${seed}`
      if (graph.vertices > 14) continue
      const weights = randomWeights(graph.vertices, seed)
      const exact = heaviest(graph, weights)
      const adjacency = adjacencyOf(graph)
      expect(cliqueCover(adjacency, pause, weights).bound, what).toBeGreaterThanOrEqual(exact - 1e-6)
      const reduced = reduceWeighted(adjacency, weights, pause)
      expect(reduced.gain + heaviest(graphOf(reduced.adjacency), reduced.weights), what).toBeCloseTo(exact, 6)
      const greedy = weightedGreedySet(reduced.adjacency, reduced.weights, pause)
      const all = idsOf(reduced.expand(greedy))
      expect(total(all, weights), what).toBeCloseTo(reduced.gain + total(idsOf(greedy), reduced.weights), 6)
      const found = await searched(graph, [], { weights, quality })
      expect(isMaximalIndependent(graph, found.members), what).toBe(true)
      expect(total(found.members, weights), what).toBeCloseTo(exact, 6)
      expect(found.sizes.at(-1), what).toBeCloseTo(exact, 6)
      expect(found.bound, what).toBeGreaterThanOrEqual(exact - 1e-6)
      expect(found.bound, what).toBeGreaterThanOrEqual(total(found.members, weights))
      expect(await searched(graph, [], { weights, quality }), what).toEqual(found)
      if (found.bound! < exact + 1e-6 && graph.vertices > 6) met++
      if (reduced.ids.length < graph.vertices) smaller++
    }
    expect(met).toBeGreaterThan(GRAPHS / 4)
    expect(smaller).toBeGreaterThan(GRAPHS / 3)
  })

  it('keep and leave out what the lists say, and are refused where the lists of the graph do not fit', async () => {
    for (let seed = 0; seed < 60; seed++) {
      const { shape, graph } = randomSmallGraph(seed, 60)
      if (graph.vertices < 8) continue
      const { kept, left, states, exclude } = listedStates(graph, seed)
      const weights = randomWeights(graph.vertices, seed)
      const { members, sizes } = await searched(graph, [], { weights, states }, exclude)
      expect(members.has(kept) && !members.has(left), `${shape}, seed ${seed}`).toBe(true)
      expect(isIndependent(graph, members), `${shape}, seed ${seed}`).toBe(true)
      expect(total(members, weights), `${shape}, seed ${seed}`).toBeCloseTo(sizes.at(-1)!, 6)
      await expect(searched(graph, [], { weights, fits: () => false })).rejects.toThrow(/do not fit/)
    }
  })

  //  hub - left - right - hub, many times
  it('compare the neighbours of a hub with few others, and look at the clock before the first step', () => {
    const pairs = 40_000
    const edges = Array.from({ length: pairs }, (_, i) => 2 * i).flatMap((v) => [
      [2 * pairs, v] as const,
      [v, v + 1] as const,
      [v + 1, 2 * pairs + 1] as const,
    ])
    const graph = adjacencyOf(smallGraph(2 * pairs + 2, edges))
    const weights = Float64Array.from({ length: graph.vertices }, (_, v) => (v < 2 * pairs ? 1 + (v % 13) / 26 : pairs))
    const members = weightedGreedySet(graph, weights, pause)
    let [looks, reads] = [0, 0]
    // A comparison reads a weight; those of all pairs would be billions.
    const counted = new Proxy(weights, {
      get: (of, key) => {
        if (++reads > 100 * graph.vertices) throw new Error('a hub is compared in all pairs')
        return Reflect.get(of, key) as unknown
      },
    })
    const made = new WeightedSearch(graph, counted).run(members, 1, { steps: 0, pause: () => ++looks < 0 })
    expect(idsOf(members)).toEqual(new Set([2 * pairs, 2 * pairs + 1]))
    expect(made).toBe(0)
    expect(looks).toBeGreaterThan(10)
    expect(reads).toBeGreaterThan(graph.vertices)
  })

  it('change all places along a path on which members and others alternate', () => {
    const path = adjacencyOf(
      smallGraph(
        7,
        [0, 1, 2, 3, 4, 5].map((v) => [v, v + 1] as const),
      ),
    )
    const weights = Float64Array.from({ length: 7 }, (_, v) => (v % 2 === 1 ? 4 : 3.1))
    const members = Uint8Array.from({ length: 7 }, (_, v) => v % 2)
    const search = new WeightedSearch(path, weights)
    search.run(members, 1, { steps: 0, pause: () => false })
    expect(idsOf(members)).toEqual(new Set([0, 2, 4, 6]))
    expect(search.best).toBeCloseTo(12.4, 9)
  })

  it('of a large graph, by climbs and walks, become heavier, and are the same by the same steps', () => {
    const side = 260
    const cells = Array.from({ length: side * side }, (_, v) => v)
    const edges = cells.flatMap((v) => [
      ...(v % side < side - 1 ? [[v, v + 1] as const] : []),
      ...(v + side < side * side ? [[v, v + side] as const] : []),
    ])
    const lattice = smallGraph(side * side, edges)
    const weights = randomWeights(side * side, 1)
    const found = (steps: number): Uint8Array => {
      const graph = adjacencyOf(lattice)
      const members = weightedGreedySet(graph, weights, pause)
      const search = new WeightedSearch(graph, weights)
      expect(search.run(members, 1, { steps, pause: () => false })).toBe(steps)
      expect(isIndependent(lattice, idsOf(members))).toBe(true)
      expect(total(idsOf(members), weights)).toBeCloseTo(search.best, 3)
      return members
    }
    const [settled, searched] = [found(0), found(40_000)]
    expect(total(idsOf(searched), weights)).toBeGreaterThan(1.002 * total(idsOf(settled), weights))
    expect(found(40_000)).toEqual(searched)
  })
})
