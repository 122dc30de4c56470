import { describe, expect, it } from 'vitest'
import { AnnealedSearch } from '../../../../workers/algorithms/quality/annealing.ts'
import { LocalSearch } from '../../../../workers/algorithms/quality/local-search.ts'
import {
  greedySet,
  isMaximalIndependent,
  randomSmallGraph,
  randomStream,
  type SmallGraph,
  smallGraph,
} from '../../../support/graphs.ts'
import { adjacencyOf, graphOf, idsOf } from '../../../support/set-searches.ts'

const GRAPHS = 150
const never = (): boolean => false

/** Ends drawn at random, and a lattice of triangles with holes. */
function drawn(vertices: number, edges: number): SmallGraph {
  const random = randomStream(5)
  const draw = (): number => Math.floor(vertices * random())
  return smallGraph(
    vertices,
    Array.from({ length: edges }, () => [draw(), draw()] as const).filter(([u, v]) => u !== v),
  )
}

function mesh(side: number): SmallGraph {
  const random = randomStream(3)
  const isThere = Array.from({ length: side * side }, () => random() > 0.1)
  const edges: [number, number][] = []
  for (let v = 0; v < side * side; v++)
    for (const [right, down] of [
      [1, 0],
      [0, 1],
      [1, 1],
    ] as const) {
      const u = v + right + side * down
      if ((v % side) + right < side && u < side * side && isThere[v] && isThere[u]) edges.push([v, u])
    }
  return smallGraph(side * side, edges)
}

const bytesOf = (graph: SmallGraph, members: ReadonlySet<number>): Uint8Array =>
  Uint8Array.from(graph.neighbours, (_, v) => (members.has(v) ? 1 : 0))

const greedyOf = (graph: SmallGraph): Set<number> => greedySet(graph, [...graph.neighbours.keys()])

/** The set after so many steps, of which annealing takes a share. */
function annealed(graph: SmallGraph, share: number, steps: number, seed = 1): Set<number> {
  const members = bytesOf(graph, greedyOf(graph))
  const search = new AnnealedSearch(adjacencyOf(graph), share)
  search.run(members, seed, { steps, pause: never, fraction: (made) => made / steps })
  expect(search.best).toBe(idsOf(members).size)
  return idsOf(members)
}

describe('annealing', () => {
  it(`leaves ${GRAPHS} random sets independent, maximal and no smaller, the same each time, and lists with the same neighbours`, () => {
    let grown = 0
    for (let seed = 0; seed < GRAPHS; seed++) {
      const { shape, graph } = randomSmallGraph(seed, 130)
      const start = greedyOf(graph)
      const adjacency = adjacencyOf(graph)
      const [first, second] = [0, 1].map(() => {
        const members = bytesOf(graph, start)
        new AnnealedSearch(adjacency, 1).run(members, seed, { steps: 40, pause: never, fraction: (made) => made / 40 })
        return idsOf(members)
      }) as [Set<number>, Set<number>]
      expect(isMaximalIndependent(graph, first), `${shape}, seed ${seed}`).toBe(true)
      // The order of the lists is another one by now.
      expect(second, `${shape}, seed ${seed}`).toEqual(first)
      expect(graphOf(adjacency).neighbours.map((list) => list.toSorted((u, v) => u - v))).toEqual(graph.neighbours)
      expect(first.size).toBeGreaterThanOrEqual(start.size)
      if (first.size > start.size) grown++
    }
    expect(grown).toBeGreaterThan(GRAPHS / 5)
  })

  it('comes closer to the best than local search in as many steps: ends drawn at random, meshes', () => {
    for (const graph of [drawn(3000, 24_000), mesh(60)]) {
      const steps = graph.vertices
      const members = bytesOf(graph, greedyOf(graph))
      new LocalSearch(adjacencyOf(graph)).run(members, 1, { steps, pause: never })
      const best = annealed(graph, 3 / 4, steps)
      expect(isMaximalIndependent(graph, best)).toBe(true)
      expect(best.size).toBeGreaterThan(idsOf(members).size)
    }
  })

  it('ends where it is told, with the larger set of the first and the last', () => {
    const graph = drawn(3000, 24_000)
    const start = annealed(graph, 3 / 4, 3000)
    for (const looks of [1, 2, 40]) {
      const members = bytesOf(graph, start)
      let left = looks
      const limits = { steps: 1e6, pause: () => --left === 0, fraction: (made: number) => made / 1e6 }
      const made = new AnnealedSearch(adjacencyOf(graph), 1).run(members, 2, limits)
      expect(made).toBeLessThan(1e6)
      expect(left).toBe(0)
      // It is hot, and smaller: what there was stays.
      expect(idsOf(members)).toEqual(start)
    }
  })

  it('has nothing to do where there is no vertex, or all are members', () => {
    for (const vertices of [0, 1, 32, 33]) {
      const graph = smallGraph(vertices, [])
      expect(annealed(graph, 1, 1e9).size).toBe(vertices)
    }
  })
})
