import { describe, expect, it } from 'vitest'
import type { SearchSoFar } from '../../../../workers/algorithms/quality/search-start.ts'
import { Reduction, isReducible } from '../../../../workers/algorithms/quality/reduction.ts'
import {
  cliqueCover,
  peeledSet,
  relaxation,
  smallCliqueCover,
} from '../../../../workers/algorithms/quality/set-bounds.ts'
import { exactIndependence } from '../../../support/exact-independent-set.ts'
import {
  greedySet,
  isMaximalIndependent,
  randomSmallGraph,
  randomStream,
  smallGraph,
  writeGraphFolder,
} from '../../../support/graphs.ts'
import { adjacencyOf, graphOf, idsOf, isIndependent, listedStates, searched } from '../../../support/set-searches.ts'
import { valuesRun } from '../../../support/values-run.ts'

const GRAPHS = Number(process.env['ANTICLIQUE_TEST_GRAPHS'] ?? 32)
const pause = (): void => {}

/** Six neighbours drawn by each vertex, or more. */
function drawnGraph(vertices: number, seed: number, drawn = 6) {
  const random = randomStream(seed)
  return smallGraph(
    vertices,
    Array.from({ length: drawn * vertices }, (_, i) => [i % vertices, Math.floor(vertices * random())] as const),
  )
}

describe('reductions', () => {
  it(`of ${GRAPHS} random graphs leave kernels whose largest sets become those of the graphs`, () => {
    let [smaller, empty] = [0, 0]
    for (let seed = 0; seed < GRAPHS; seed++) {
      const { shape, graph } = randomSmallGraph(seed, 90)
      const exact = exactIndependence(graph.neighbours)
      if (exact === null) continue
      const reduction = new Reduction(adjacencyOf(graph))
      reduction.run(pause)
      const reduced = reduction.reduced()
      const found = exactIndependence(graphOf(reduced.adjacency).neighbours)
      expect(reduced.gain + found!, `${shape}, seed ${seed}`).toBe(exact)
      const greedy = greedySet(graphOf(reduced.adjacency), [...reduced.ids.keys()])
      const members = Uint8Array.from(reduced.ids, (_, i) => (greedy.has(i) ? 1 : 0))
      const all = idsOf(reduced.expand(members))
      expect(isIndependent(graph, all), `${shape}, seed ${seed}`).toBe(true)
      expect(all.size, `${shape}, seed ${seed}`).toBe(reduced.gain + greedy.size)
      if (reduced.ids.length < graph.vertices) smaller++
      if (reduced.ids.length === 0 && graph.vertices > 10) empty++
    }
    expect(smaller).toBeGreaterThan(GRAPHS / 3)
    expect(empty).toBeGreaterThan(GRAPHS / 20)
  })

  it('reach every kind of path: cycles, odd and even, with ends joined or not', async () => {
    for (let length = 3; length < 12; length++) {
      for (const [ends, extra] of [
        ['apart', []],
        ['joined', [[0, 1]]],
        ['one', 'one'],
      ] as const) {
        const [a, b] = ends === 'one' ? [0, 0] : [0, 1]
        // Ends of degree three or more: each is in a clique of four of its own.
        const cliques = [0, 1].flatMap((end, i) => [2, 3, 4].map((k) => [end, k + 3 * i] as const))
        const inner = [2, 5].flatMap((k) => [[k, k + 1] as const, [k, k + 2] as const, [k + 1, k + 2] as const])
        const path = Array.from({ length }, (_, i) => 8 + i)
        const along = path.slice(1).map((v) => [v - 1, v] as const)
        const joins = [[a, path[0]!] as const, [b, path.at(-1)!] as const]
        const edges = [...cliques, ...inner, ...along, ...joins, ...(extra === 'one' ? [] : extra)]
        const neighbours: number[][] = Array.from({ length: 8 + length }, () => [])
        for (const [u, v] of edges) {
          neighbours[u]!.push(v)
          neighbours[v]!.push(u)
        }
        const graph = { vertices: neighbours.length, neighbours: neighbours.map((list) => list.sort((u, v) => u - v)) }
        const { members } = await searched(graph, [])
        expect(members.size, `${length} between ${ends}`).toBe(exactIndependence(graph.neighbours))
      }
    }
  })

  it('leave a graph: no loops, lists that agree', () => {
    const stream = randomStream(23)
    const random = (below: number) => Math.floor(below * stream())
    let left = 0
    for (let i = 0; i < GRAPHS; i++) {
      // Triangles and longer cycles hang at the vertices of a graph that reductions do not end.
      const vertices = 12
      const edges: [number, number][] = []
      for (let v = 0; v < vertices; v++)
        for (const step of [1, 2, 5]) if (random(8) > 0) edges.push([v, (v + step) % vertices])
      let next = vertices
      for (let v = 0; v < vertices; v++) {
        if (random(3) > 0) continue
        const length = 2 + random(4)
        for (let k = 0; k <= length; k++) edges.push([k === 0 ? v : next + k - 1, k === length ? v : next + k])
        next += length
      }
      const reduction = new Reduction(adjacencyOf(smallGraph(next, edges)))
      reduction.run(pause)
      const lists = graphOf(reduction.reduced().adjacency).neighbours
      lists.forEach((list, v) => {
        expect(list).not.toContain(v)
        for (const u of list) expect(lists[u]).toContain(v)
      })
      left += lists.length
    }
    expect(left).toBeGreaterThan(GRAPHS)
  })
})

describe('bounds', () => {
  it(`of ${GRAPHS} random graphs are true, and often met`, () => {
    let met = 0
    for (let seed = 0; seed < GRAPHS; seed++) {
      const { shape, graph } = randomSmallGraph(seed, 90)
      const exact = exactIndependence(graph.neighbours)
      if (exact === null) continue
      const adjacency = adjacencyOf(graph)
      const covers = [cliqueCover(adjacency, pause), smallCliqueCover(adjacency, pause)]
      expect(covers[1]!.count).toBeLessThanOrEqual(covers[0]!.count)
      const bound = Math.min(covers[1]!.bound, relaxation(adjacency, pause))
      expect(bound, `${shape}, seed ${seed}`).toBeGreaterThanOrEqual(exact)
      const peeled = peeledSet(adjacency, pause)
      expect(peeled.bound, `${shape}, seed ${seed}`).toBeGreaterThanOrEqual(exact)
      expect(adjacency).toEqual(adjacencyOf(graph))
      expect(isMaximalIndependent(graph, idsOf(peeled.members)), `${shape}, seed ${seed}`).toBe(true)
      if (Math.min(bound, peeled.bound) === exact && graph.vertices > 10) met++
    }
    expect(met).toBeGreaterThan(GRAPHS / 4)
  })
})

describe('search for a large set', () => {
  it(`makes ${GRAPHS} random sets the largest there are, and says so`, async () => {
    let [grown, compared] = [0, 0]
    for (let seed = 0; seed < GRAPHS; seed++) {
      const { shape, graph } = randomSmallGraph(seed, 120)
      const start = greedySet(graph, [...graph.neighbours.keys()])
      const found = await searched(graph, start)
      expect(isMaximalIndependent(graph, found.members), `${shape}, seed ${seed}`).toBe(true)
      expect(found.members.size, `${shape}, seed ${seed}`).toBe(found.sizes.at(-1))
      expect(found.members.size - start.size).toBe(found.gain)
      expect(found.gain).toBeGreaterThanOrEqual(0)
      expect(await searched(graph, start)).toEqual(found)
      const exact = exactIndependence(graph.neighbours)
      if (exact === null) continue
      expect([found.members.size, found.bound], `${shape}, seed ${seed}`).toEqual([exact, exact])
      if (found.gain > 0) grown++
      compared++
    }
    expect(grown).toBeGreaterThan(GRAPHS / 5)
    expect(compared).toBeGreaterThan(0.8 * GRAPHS)
  })

  it('proves largest sets of small graphs, in parts, and gives up where that takes long', async () => {
    const random = randomStream(1)
    const draw = (): number => Math.floor(88 * random())
    const drawn = Array.from({ length: 220 }, () => [draw(), draw()] as const).filter(([u, v]) => u !== v)
    // Twice the same, apart.
    const edges = [...drawn, ...drawn.map(([u, v]) => [u + 88, v + 88] as const)]
    const { bound, members, steps } = await searched(smallGraph(176, edges), [])
    const largest = 2 * exactIndependence(smallGraph(88, drawn).neighbours)!
    expect([members.size, bound, steps]).toEqual([largest, largest, 0])
    const large = await searched(drawnGraph(400, 2), [])
    expect(large.bound).toBeGreaterThan(large.members.size)
    expect(large.steps).toBe(300)
  })

  it('keeps and leaves out what the lists say, whatever may be held', async () => {
    let grown = 0
    for (let seed = 0; seed < 100; seed++) {
      const { shape, graph } = randomSmallGraph(seed, 120)
      if (graph.vertices < 8) continue
      const { kept, left, states, exclude } = listedStates(graph, seed)
      // Greedy from the last.
      const order = [...graph.neighbours.keys(), kept].filter((v) => v !== left)
      const start = greedySet(graph, order)
      const fits = seed % 2 === 0 ? () => true : (open: number) => open < 10
      const { members, gain } = await searched(graph, start, { states, fits }, exclude)
      expect(isIndependent(graph, members), `${shape}, seed ${seed}`).toBe(true)
      expect(members.has(kept) && !members.has(left), `${shape}, seed ${seed}`).toBe(true)
      expect(members.size, `${shape}, seed ${seed}`).toBeGreaterThanOrEqual(start.size)
      const isFree = (v: number) => v !== left && !members.has(v) && graph.neighbours[v]!.every((u) => !members.has(u))
      expect([...graph.neighbours.keys()].filter(isFree), `${shape}, seed ${seed}`).toEqual([])
      if (gain > 0) grown++
    }
    expect(grown).toBeGreaterThan(10)
  })

  it('decides what cannot be held in passes, without a false bound', async () => {
    let held = 0
    for (let seed = 0; seed < 80; seed++) {
      const { shape, graph } = randomSmallGraph(seed, 80)
      const { members, bound, kernelVertices } = await searched(graph, [], { fits: (open) => open <= 12 })
      expect(isMaximalIndependent(graph, members), `${shape}, seed ${seed}`).toBe(true)
      const exact = exactIndependence(graph.neighbours)
      if (exact !== null && bound !== undefined) expect(bound, `${shape}, seed ${seed}`).toBeGreaterThanOrEqual(exact)
      if (bound === undefined) held++
      expect(kernelVertices).toBeLessThanOrEqual(12)
      // Where the states alone take more than there is.
      const unheld = await searched(graph, [], { fits: () => false })
      expect(isMaximalIndependent(graph, unheld.members), `${shape}, seed ${seed}`).toBe(true)
      expect(unheld.kernelVertices).toBe(0)
    }
    expect(held).toBeGreaterThan(10)
  })

  it('says nothing of a reduced graph where vertices were decided without proof', async () => {
    const graph = drawnGraph(200, 3)
    const place = writeGraphFolder(graph)
    const counted = async (memoryBytes?: number) => {
      const args = { algorithm: 'ecl-mis', priority: 'degree', quality: 'better', memoryBytes } as const
      return (await valuesRun(place, graph.vertices, args)).outcome.counters
    }
    expect(await counted()).toMatchObject({ kernelVertices: 200 })
    const counters = await counted(20_000)
    expect(counters['searchSteps']).toBe(0)
    expect(counters).not.toHaveProperty('kernelVertices')
  })

  it('leaves large graphs whole that reductions find nothing in, and ends what takes long within its time', async () => {
    const random = randomStream(11)
    const draw = (count: number) => Math.floor(count * random())
    const uniform = smallGraph(
      5000,
      Array.from({ length: 40_000 }, () => [draw(5000), draw(5000)] as const).filter(([u, v]) => u !== v),
    )
    const tree = smallGraph(
      5000,
      Array.from({ length: 4999 }, (_, i) => [i + 1, draw(i + 1)] as const),
    )
    expect([isReducible(adjacencyOf(uniform)), isReducible(adjacencyOf(tree))]).toEqual([false, true])
    const start = greedySet(uniform, [...uniform.neighbours.keys()])
    for (const limitMs of [Infinity, 0]) {
      const { members, kernelVertices, bound } = await searched(uniform, start, { quality: { steps: 300, limitMs } })
      expect(isMaximalIndependent(uniform, members)).toBe(true)
      expect(members.size).toBeGreaterThanOrEqual(start.size)
      expect(kernelVertices).toBe(5000)
      if (bound !== undefined) expect(bound).toBeGreaterThanOrEqual(members.size)
    }
    // Reductions that end at once leave a reduced graph, of which a set of the tree is made all the same.
    const cut = await searched(tree, [0], { quality: { steps: 0, limitMs: 0 } })
    expect(isMaximalIndependent(tree, cut.members)).toBe(true)
  })

  it('goes on from where another attempt was after an epoch', async () => {
    // Six neighbours drawn by each: no reduction applies, and a proof takes long.
    const graph = drawnGraph(300, 5)
    const quality = { steps: 2 ** 18 + 500, limitMs: Infinity }
    const attempts: { from: SearchSoFar; members: Set<number> }[] = []
    const whole = await searched(graph, [], { quality }, undefined, (from, set) => {
      attempts.push({ from: { ...from, sizes: [...from.sizes] }, members: new Set(set.members()) })
    })
    expect(whole.kernelVertices).toBe(300)
    expect(whole.sizes).toHaveLength(2)
    const { from, members } = attempts[0]!
    expect(from.steps).toBeGreaterThanOrEqual(2 ** 18)
    expect(await searched(graph, members, { quality, from })).toEqual(whole)
  })

  it('cools half of a step a vertex of a large graph of long lists, and then searches conflicts, resumed or not', async () => {
    const graph = drawnGraph(2 ** 14 + 100, 7, 18)
    const quality = { steps: 2 ** 14 + 100, limitMs: Infinity }
    const attempts: { from: SearchSoFar; members: Set<number> }[] = []
    const whole = await searched(graph, [], { quality }, undefined, (from, set) => {
      attempts.push({ from: { ...from, sizes: [...from.sizes] }, members: new Set(set.members()) })
    })
    expect(isMaximalIndependent(graph, whole.members)).toBe(true)
    const [cooled, ended] = [attempts[0]!, attempts.at(-1)!]
    expect([cooled.from.steps < quality.steps / 2, ended.from.steps]).toEqual([true, quality.steps])
    expect(ended.members.size).toBeGreaterThan(cooled.members.size)
    expect(await searched(graph, cooled.members, { quality, from: cooled.from })).toEqual(whole)
  })

  it('goes on from the set of another attempt, not from one of minimum degrees that is as large', async () => {
    for (let seed = 0; seed < 12; seed++) {
      const graph = drawnGraph(24 + seed, seed)
      const from = { before: 0, steps: 40, sizes: [0], elapsedMs: 1 }
      const start = (await searched(graph, [], { quality: { steps: 40, limitMs: Infinity } })).members
      const kept = (await searched(graph, start, { quality: { steps: 40, limitMs: Infinity }, from })).members
      expect(kept, `seed ${seed}`).toEqual(start)
    }
  })
})
