import { describe, expect, it, vi } from 'vitest'
import { hardGraph } from '../../../../bench/hard-graphs.mjs'
import {
  type CliqueLists,
  CliqueSearch,
  searchableCliques,
} from '../../../../workers/algorithms/quality/clique-search.ts'
import { bestSize, conflictState } from '../../../../workers/algorithms/quality/conflict-search.ts'
import { ConflictSearches } from '../../../../workers/algorithms/quality/conflict-searches.ts'
import { smallCliqueCover } from '../../../../workers/algorithms/quality/set-bounds.ts'
import { exactIndependence } from '../../../support/exact-independent-set.ts'
import { isMaximalIndependent, randomSmallGraph, type SmallGraph, smallGraph } from '../../../support/graphs.ts'
import { adjacencyOf, idsOf } from '../../../support/set-searches.ts'

const cores = vi.hoisted(() => ({ count: 1 }))
vi.mock('../../../../workers/algorithms/plan-request.ts', async (load) => ({
  ...(await load<object>()),
  threadsOf: () => cores.count,
}))

const GRAPHS = 80
const never = (): boolean => false

function found(graph: SmallGraph, steps: number, seed: number, cliques?: CliqueLists): Set<number> {
  const members = new Uint8Array(graph.vertices)
  const searches = new ConflictSearches(adjacencyOf(graph), steps, undefined, cliques)
  try {
    expect(searches.run(members, seed, { steps, pause: never })).toBeLessThanOrEqual(steps)
    expect(searches.best).toBe(idsOf(members).size)
    return idsOf(members)
  } finally {
    searches.end()
  }
}

const hard = (name: string): SmallGraph => {
  const { vertices, edges } = hardGraph(name)
  return smallGraph(vertices, edges)
}

describe('searches of conflicts', () => {
  it(`find a largest set of ${GRAPHS} random graphs, mostly, the same each time`, () => {
    let [compared, largest] = [0, 0]
    for (let seed = 0; seed < GRAPHS; seed++) {
      const { shape, graph } = randomSmallGraph(seed, 60)
      const set = found(graph, 2000, seed)
      expect(isMaximalIndependent(graph, set), `${shape}, seed ${seed}`).toBe(true)
      expect(found(graph, 2000, seed)).toEqual(set)
      const exact = exactIndependence(graph.neighbours)
      if (exact === null) continue
      compared++
      expect(set.size, `${shape}, seed ${seed}`).toBeLessThanOrEqual(exact)
      if (set.size === exact) largest++
    }
    expect(compared).toBeGreaterThan(GRAPHS / 2)
    expect(largest).toBeGreaterThan(0.95 * compared)
  })

  it('reach the largest codes and planted sets', () => {
    const known = { '1dc.256': 30, '2dc.256': 7, '1tc.256': 63, '1et.256': 50, '1zc.256': 36, 'frb20-1': 20 }
    for (const [name, size] of Object.entries(known)) expect(found(hard(name), 30_000, 1).size, name).toBe(size)
  })

  it('choose a vertex of each clique of a cover, and never lose to the set that they begin from', () => {
    const cover = (graph: SmallGraph) => smallCliqueCover(adjacencyOf(graph), never)
    for (let seed = 0; seed < GRAPHS; seed++) {
      const { shape, graph } = randomSmallGraph(seed, 60)
      const cliques = searchableCliques(cover(graph), cover(graph).count - 1)
      if (cliques === undefined) continue
      const state = conflictState(adjacencyOf(graph))
      const search = new CliqueSearch(adjacencyOf(graph), cliques, state)
      const start = found(graph, 1, seed)
      search.begin(Uint8Array.from(graph.neighbours.keys(), (v) => (start.has(v) ? 1 : 0)))
      search.run(500, seed, 0)
      const set = idsOf(state.best)
      expect(
        [...set].filter((v) => graph.neighbours[v]!.some((u) => set.has(u))),
        `${shape}, seed ${seed}`,
      ).toEqual([])
      expect([bestSize(state), set.size >= start.size]).toEqual([set.size, true])
    }
    const planted = hard('frb40-1')
    expect(cover(planted).count).toBe(40)
    expect(found(planted, 2 ** 20, 4, searchableCliques(cover(planted), 38)).size).toBe(40)
    expect(searchableCliques(cover(planted), 20)).toBeUndefined()
  })

  it('find the same set by one thread and by three', () => {
    const graph = hard('frb30-2')
    const cliques = searchableCliques(smallCliqueCover(adjacencyOf(graph), never), 28)
    const alone = found(graph, 2 ** 18, 5, cliques)
    cores.count = 3
    expect(found(graph, 2 ** 18, 5, cliques)).toEqual(alone)
    cores.count = 1
    expect(alone.size).toBeGreaterThanOrEqual(29)
  })

  it('have nothing to do where all are members, or there is no vertex, and stop where they are told', () => {
    for (const vertices of [0, 1, 40]) expect(found(smallGraph(vertices, []), 100, 1).size).toBe(vertices)
    for (const complete of [2, 3, 30]) {
      const edges = Array.from({ length: complete ** 2 }, (_, i) => [i % complete, Math.floor(i / complete)] as const)
      const graph = smallGraph(
        complete,
        edges.filter(([u, v]) => u < v),
      )
      expect(found(graph, 100, 1).size).toBe(1)
    }
    const graph = hard('1dc.128')
    const members = new Uint8Array(graph.vertices)
    let looks = 0
    const made = new ConflictSearches(adjacencyOf(graph), 1e9).run(members, 1, {
      steps: 1e9,
      pause: () => ++looks === 3,
    })
    expect([looks, made < 1e6]).toEqual([3, true])
    expect(isMaximalIndependent(graph, idsOf(members))).toBe(true)
  })
})
