import { describe, expect, it } from 'vitest'
import { LocalSearch } from '../../../../workers/algorithms/quality/local-search.ts'
import { Region } from '../../../../workers/algorithms/quality/region.ts'
import { SwappableSet } from '../../../../workers/algorithms/quality/swappable-set.ts'
import { Xorshift } from '../../../../workers/generate/random.ts'
import { exactIndependence } from '../../../support/exact-independent-set.ts'
import {
  greedySet,
  isMaximalIndependent,
  randomSmallGraph,
  type SmallGraph,
  smallGraph,
} from '../../../support/graphs.ts'
import { adjacencyOf, idsOf, isIndependent } from '../../../support/set-searches.ts'

const GRAPHS = 150
const SIDE = 24

/** A lattice of triangles, some vertices of which are missing. */
function mesh(): SmallGraph {
  const random = new Xorshift(3)
  const isThere = Array.from({ length: SIDE * SIDE }, () => random.draw(12) > 0)
  const edges: [number, number][] = []
  for (let v = 0; v < SIDE * SIDE; v++)
    for (const [right, down] of [
      [1, 0],
      [0, 1],
      [1, 1],
    ] as const) {
      const u = v + right + SIDE * down
      if ((v % SIDE) + right < SIDE && u < SIDE * SIDE && isThere[v] && isThere[u]) edges.push([v, u])
    }
  return smallGraph(SIDE * SIDE, edges)
}

function held(graph: SmallGraph, members: Iterable<number>): SwappableSet {
  const set = new SwappableSet(adjacencyOf(graph))
  for (const v of members) set.add(v)
  return set
}

/** What a set becomes where a region was decided anew. */
function decided(members: ReadonlySet<number>, region: Region): Set<number> {
  const all = new Set(members)
  for (const v of region.vertices) all.delete(v)
  region.vertices.forEach((v, i) => {
    if (region.isJoined(i)) all.add(v)
  })
  return all
}

describe('regions', () => {
  it(`of ${GRAPHS} random graphs get independent sets of as many members as is told, mostly the largest`, () => {
    let [solved, best, compared] = [0, 0, 0]
    for (let seed = 0; seed < GRAPHS; seed++) {
      const { shape, graph } = randomSmallGraph(seed, 60)
      if (graph.vertices === 0) continue
      const members = greedySet(graph, [...graph.neighbours.keys()])
      const region = new Region(adjacencyOf(graph), 60)
      const most = seed % 2 === 0 ? 60 : 12
      const gain = region.solve(held(graph, members), seed % graph.vertices, most, new Xorshift(seed))
      if (gain === undefined) continue
      solved++
      const anew = decided(members, region)
      expect(isIndependent(graph, anew), `${shape}, seed ${seed}`).toBe(true)
      expect(anew.size - members.size, `${shape}, seed ${seed}`).toBe(gain)
      const exact = exactIndependence(graph.neighbours)
      if (exact === null || region.vertices.length < graph.vertices) continue
      compared++
      if (anew.size === exact) best++
    }
    expect(solved).toBeGreaterThan(GRAPHS / 2)
    expect(compared).toBeGreaterThan(10)
    expect(best).toBeGreaterThan(0.9 * compared)
  })

  it('leave members around them as they are', () => {
    const graph = mesh()
    const members = greedySet(graph, [...graph.neighbours.keys()])
    const region = new Region(adjacencyOf(graph), 100)
    const gain = region.solve(held(graph, members), (SIDE * SIDE) / 2, 100, new Xorshift(1))
    expect(gain).toBeGreaterThanOrEqual(0)
    expect(region.vertices.length).toBeGreaterThan(40)
    expect(region.vertices.length).toBeLessThanOrEqual(100)
    expect(isIndependent(graph, decided(members, region))).toBe(true)
  })

  it('of a mesh lead a search to more than steps alone, the same each time', () => {
    const graph = mesh()
    const search = (steps: number) => {
      const members = new Uint8Array(graph.vertices)
      new LocalSearch(adjacencyOf(graph)).run(members, 5, { steps, pause: () => false })
      return idsOf(members)
    }
    const [before, after] = [search(2 ** 16), search(2 ** 18)]
    expect(isMaximalIndependent(graph, after)).toBe(true)
    expect(after.size).toBeGreaterThanOrEqual(before.size)
    expect(search(2 ** 18)).toEqual(after)
  })

  it('do not hold up a search where vertices have too many neighbours for any', () => {
    const pairs = Array.from({ length: 80 }, (_, u) =>
      Array.from({ length: 80 }, (_, v) => [u, 80 + v] as const),
    ).flat()
    const graph = smallGraph(160, pairs)
    const members = new Uint8Array(160)
    const steps = 2 ** 17 + 100
    expect(new LocalSearch(adjacencyOf(graph)).run(members, 1, { steps, pause: () => false })).toBe(steps)
    expect(idsOf(members).size).toBe(80)
  })
})
