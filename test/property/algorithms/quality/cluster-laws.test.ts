import { describe, expect, it } from 'vitest'
import { BitGraph, BranchAndBound } from '../../../../workers/algorithms/quality/branch-and-bound.ts'
import { Cluster } from '../../../../workers/algorithms/quality/cluster.ts'
import { LocalSearch } from '../../../../workers/algorithms/quality/local-search.ts'
import { SwappableSet } from '../../../../workers/algorithms/quality/swappable-set.ts'
import { Xorshift } from '../../../../workers/generate/random.ts'
import { exactIndependence } from '../../../support/exact-independent-set.ts'
import {
  greedySet,
  isMaximalIndependent,
  randomSmallGraph,
  randomStream,
  type SmallGraph,
  smallGraph,
} from '../../../support/graphs.ts'
import { adjacencyOf, idsOf, isIndependent } from '../../../support/set-searches.ts'

const GRAPHS = 200

function bitGraph({ vertices, neighbours }: SmallGraph): BitGraph {
  const graph = new BitGraph(Math.max(1, vertices))
  graph.reset(vertices)
  neighbours.forEach((list, v) => list.forEach((u) => graph.addArc(v, u)))
  return graph
}

function induced({ neighbours }: SmallGraph, ids: readonly number[]): SmallGraph {
  const places = new Map(ids.map((v, i) => [v, i]))
  const edges = ids.flatMap((v, i) =>
    neighbours[v]!.flatMap((u) => (places.has(u) && u > v ? [[i, places.get(u)!] as const] : [])),
  )
  return smallGraph(ids.length, edges)
}

/** Points of the unit square, joined where they are close. */
function closePoints(points: number, radius: number, seed: number): SmallGraph {
  const random = randomStream(seed)
  const at = Array.from({ length: points }, () => [random(), random()] as const)
  const edges: [number, number][] = []
  for (let u = 0; u < points; u++)
    for (let v = 0; v < u; v++)
      if (Math.hypot(at[u]![0] - at[v]![0], at[u]![1] - at[v]![1]) < radius) edges.push([v, u])
  return smallGraph(points, edges)
}

describe('branch and bound', () => {
  it(`finds a largest set of ${GRAPHS} random graphs, and that none is larger`, () => {
    let compared = 0
    for (let seed = 0; seed < GRAPHS; seed++) {
      const { shape, graph } = randomSmallGraph(seed, 45)
      const exact = exactIndependence(graph.neighbours)
      if (graph.vertices === 0 || exact === null) continue
      const solver = new BranchAndBound(45, 1e6)
      expect(solver.solve(bitGraph(graph), 0)).toBe(true)
      expect(solver.found.length, `${shape}, seed ${seed}`).toBe(exact)
      expect(isIndependent(graph, new Set(solver.found))).toBe(true)
      expect(solver.solve(bitGraph(graph), exact)).toBe(true)
      expect(solver.found).toEqual([])
      compared++
    }
    expect(compared).toBeGreaterThan(GRAPHS / 2)
  })

  it('tells where it ended early', () => {
    const solver = new BranchAndBound(200, 3)
    expect(solver.solve(bitGraph(closePoints(200, 0.15, 1)), 0)).toBe(false)
  })

  it(`needs none but the undominated vertices of ${GRAPHS} random graphs`, () => {
    let left = 0
    for (let seed = 0; seed < GRAPHS; seed++) {
      const { shape, graph } = randomSmallGraph(seed, 45)
      const kept = bitGraph(graph).undominated()
      left += graph.vertices - kept.length
      const [whole, part] = [graph, induced(graph, kept)].map(({ neighbours }) => exactIndependence(neighbours))
      if (whole !== null && part !== null) expect(part, `${shape}, seed ${seed}`).toBe(whole)
    }
    expect(left).toBeGreaterThan(GRAPHS)
  })
})

describe('clusters', () => {
  it('get larger sets, mostly the largest, and leave the members around them as they are', () => {
    let [solved, largest] = [0, 0]
    for (let seed = 0; seed < 60; seed++) {
      const graph = closePoints(300, 0.1 + 0.002 * seed, seed)
      const members = greedySet(graph, [...graph.neighbours.keys()])
      const set = new SwappableSet(adjacencyOf(graph))
      for (const v of members) set.add(v)
      const cluster = new Cluster(adjacencyOf(graph))
      const gain = cluster.solve(set, seed, 10, new Xorshift(seed))
      if (gain === undefined) continue
      solved++
      const before = cluster.vertices.filter((v) => members.has(v)).length
      const joined = cluster.vertices.filter((_, i) => cluster.isJoined(i))
      expect(before).toBeLessThanOrEqual(10)
      expect(joined.length).toBe(before + gain)
      const exact = exactIndependence(induced(graph, cluster.vertices).neighbours, 1e6)!
      expect(joined.length).toBeLessThanOrEqual(exact)
      if (joined.length === exact) largest++
      const anew = new Set([...members].filter((v) => !cluster.vertices.includes(v)).concat(joined))
      expect(anew.size).toBe(members.size + gain)
      expect(isIndependent(graph, anew)).toBe(true)
    }
    expect(solved).toBeGreaterThan(30)
    // A larger one is taken where branch and bound ends early.
    expect(largest).toBeGreaterThan(0.8 * solved)
  })

  it('of a dense graph lead a search to more than steps alone, the same each time', () => {
    const graph = closePoints(500, 0.2, 7)
    const search = (steps: number) => {
      const members = new Uint8Array(graph.vertices)
      new LocalSearch(adjacencyOf(graph)).run(members, 5, { steps, pause: () => false })
      return idsOf(members)
    }
    const [before, after] = [search(2 ** 16), search(2 ** 16 + 2 ** 11)]
    expect(isMaximalIndependent(graph, after)).toBe(true)
    expect(after.size).toBeGreaterThanOrEqual(before.size)
    expect(search(2 ** 16 + 2 ** 11)).toEqual(after)
  })
})
