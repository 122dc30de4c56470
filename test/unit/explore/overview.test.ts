import { describe, expect, it } from 'vitest'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { quietJob } from '../../../workers/base/job.ts'
import { COORDINATES_FILE, type Overview, type ResultPlace } from '../../../workers/contract/jobs.ts'
import { AdjacencyReader, sampleVertices } from '../../../workers/explore/adjacency-reader.ts'
import { contractLists } from '../../../workers/explore/contract-lists.ts'
import { layOut, layOutBeside, layoutOf } from '../../../workers/explore/force-layout.ts'
import { neighbourhood } from '../../../workers/explore/neighbourhood.ts'
import { openNodes } from '../../../workers/explore/opened-nodes.ts'
import { overview } from '../../../workers/explore/overview.ts'
import {
  coarsen,
  contractBy,
  graphOfEdges,
  joinNodes,
  NOT_THERE,
  placesAmong,
} from '../../../workers/explore/small-graph.ts'
import { openGraph } from '../../../workers/graph/galois-gr.ts'
import { PairList } from '../../../workers/graph/pair-list.ts'
import { Matching } from '../../../workers/graph/matching.ts'
import { VertexSet } from '../../../workers/graph/vertex-set.ts'
import { greedySet, randomSmallGraph, smallGraph, writeGraphFolder } from '../../support/graphs.ts'

const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0)

function gridEdges(rows: number, columns: number): [number, number][] {
  const at = (row: number, column: number): number => row * columns + column
  return Array.from({ length: rows * columns }, (_, v) => [Math.floor(v / columns), v % columns] as const).flatMap(
    ([row, column]) => [
      ...(column + 1 < columns ? [[at(row, column), at(row, column + 1)] as [number, number]] : []),
      ...(row + 1 < rows ? [[at(row, column), at(row + 1, column)] as [number, number]] : []),
    ],
  )
}

function setFile(folder: string, name: string, vertices: number, members: Iterable<number>): ResultPlace {
  const set = new VertexSet(vertices)
  for (const v of members) set.add(v)
  const file = join(folder, name)
  writeFileSync(file, set.bytes)
  return { kind: 'independent-set', algorithm: 'ecl-mis', file, hash: set.summary().hash }
}

/** Whatever the graph: every vertex is in one node, nodes are in one node of the next level, and nothing is drawn that is not there. */
function expectLaws(shown: Overview, vertices: number, edges: number, limit: number): void {
  const n = shown.nodes.ids.length
  expect(shown).toMatchObject({ vertices, edges })
  expect(sum(shown.nodes.sizes)).toBe(vertices)
  if (shown.kind === 'whole') expect(n).toBe(vertices)
  else expect(n).toBeLessThan(Math.max(limit, vertices))
  for (const column of [shown.nodes.labels, shown.nodes.degrees, shown.x, shown.y]) expect(column).toHaveLength(n)
  expect([...shown.x, ...shown.y].every(Number.isFinite)).toBe(true)
  let count = n
  for (const parents of shown.levels) {
    expect(parents).toHaveLength(count)
    count = Math.max(...parents) + 1
    expect(new Set(parents).size).toBe(count)
    expect(count).toBeLessThan(parents.length)
  }
  const { sources, targets, counts, strong } = shown.drawn
  expect([targets.length, counts.length]).toEqual([sources.length, sources.length])
  expect(new Set(sources.map((v, i) => `${Math.min(v, targets[i]!)} ${Math.max(v, targets[i]!)}`)).size).toBe(
    sources.length,
  )
  expect(sources.every((v, i) => v !== targets[i])).toBe(true)
  expect(strong).toBeLessThanOrEqual(sources.length)
  expect(sum(counts)).toBeLessThanOrEqual(edges)
}

it('sees a cancel with each step of a layout', () => {
  let looks = 0
  const signal = {
    get aborted() {
      return ++looks > 50
    },
  }
  const job = { ...quietJob, signal }
  const ends = gridEdges(20, 20)
  const [sources, targets] = [ends.map(([a]) => a), ends.map(([, b]) => b)]
  const place = writeGraphFolder(smallGraph(400, ends))
  for (const work of [
    () => layoutOf({ nodes: 400, sources, targets }, job),
    () => overview({ ...place, limit: 1000 }, job),
  ]) {
    looks = 0
    expect(work).toThrow(/cancelled/)
    expect(looks).toBe(51)
  }
})

it('sees a cancel while a graph is made coarser', () => {
  const place = writeGraphFolder(smallGraph(10_000, gridEdges(100, 100)))
  let [looks, isCoarsening] = [0, false]
  const signal = {
    get aborted() {
      return isCoarsening && ++looks > 3
    },
  }
  const progress = ({ phase }: { readonly phase: string }): void => void (isCoarsening = phase === 'coarsen')
  const draw = () => overview({ ...place, limit: 200 }, { ...quietJob, signal, progress })
  expect(draw).toThrow(/cancelled/)
  expect(looks).toBe(4)
})

describe('all of a graph', () => {
  it.each(Array.from({ length: 12 }, (_, seed) => seed))('keeps its laws, random graph %i', (seed) => {
    const { graph } = randomSmallGraph(seed, 400)
    if (graph.vertices === 0) return
    const place = writeGraphFolder(graph)
    const edges = sum(graph.neighbours.map(({ length }) => length)) / 2
    const order = Array.from({ length: graph.vertices }, (_, v) => v)
    const [first, second] = [greedySet(graph, order), greedySet(graph, order.toReversed())]
    const result = setFile(place.folder, 'first', graph.vertices, first)
    const against = setFile(place.folder, 'second', graph.vertices, second)
    for (const limit of [100, 1000]) {
      const shown = overview({ ...place, limit, result, against }, quietJob)
      expectLaws(shown, graph.vertices, edges, limit)
      expect(sum(shown.nodes.members!)).toBe([...first].length)
      expect(sum(shown.nodes.others!)).toBe([...second].length)
      expect(sum(shown.nodes.both!)).toBe([...first].filter((v) => second.has(v)).length)
      // Another result of the same graph moves nothing.
      const alone = overview({ ...place, limit }, quietJob)
      expect({ x: alone.x, y: alone.y, drawn: alone.drawn }).toEqual({ x: shown.x, y: shown.y, drawn: shown.drawn })
      expect(alone.nodes.members).toBeNull()
    }
  })

  it('draws every vertex and edge where they are few, and what is in a group where they are many', () => {
    const place = writeGraphFolder(smallGraph(900, gridEdges(30, 30)))
    const whole = overview({ ...place, limit: 1000 }, quietJob)
    expect(whole.kind).toBe('whole')
    expect(whole.drawn.sources).toHaveLength(2 * 30 * 29)
    expect(whole.hidden).toBe(0)
    const coarse = overview({ ...place, limit: 100 }, quietJob)
    expect(coarse.kind).toBe('coarse')
    expect(coarse.nodes.sizes.length).toBeGreaterThan(30)
    const node = coarse.nodes.sizes.indexOf(Math.max(...coarse.nodes.sizes))
    const inside = overview({ ...place, limit: 100, inside: node }, quietJob)
    expect(sum(inside.nodes.sizes)).toBe(coarse.nodes.sizes[node])
    expect(inside.nodes.ids).toContain(coarse.nodes.ids[node])
    // A group hangs together: it was made along edges.
    expect(inside.drawn.sources.length).toBeGreaterThanOrEqual(inside.nodes.ids.length - 1)
  })

  it('groups the leaves of a hub, and vertices without neighbours', () => {
    const star = writeGraphFolder(
      smallGraph(
        5000,
        Array.from({ length: 3000 }, (_, i) => [0, i + 1] as const),
      ),
    )
    const shown = overview({ ...star, limit: 100 }, quietJob)
    expectLaws(shown, 5000, 3000, 100)
    expect(shown.nodes.ids.length).toBeLessThan(250)
  })

  it('samples a graph that is too large the same way every time, and along its edges', () => {
    const place = writeGraphFolder(smallGraph(2500, gridEdges(50, 50)))
    const sampled = (): Uint32Array => {
      const graph = openGraph(place.folder, place.checksum, quietJob)
      try {
        return sampleVertices(new AdjacencyReader(graph), 300, quietJob)
      } finally {
        graph.close()
      }
    }
    const taken = sampled()
    expect(taken).toEqual(sampled())
    expect(taken).toHaveLength(300)
    const held = new Set(taken)
    expect(gridEdges(50, 50).filter(([a, b]) => held.has(a) && held.has(b)).length).toBeGreaterThan(250)
  })
})

describe('a map, and nodes opened in their place', () => {
  /** A grid of cities over the earth, each cell of 3 x 3 degrees with a cluster; the last three have no place. */
  const vertices = 900
  const placesOf = Float32Array.from({ length: 2 * vertices }, (_, i) => {
    const [v, isY] = [i >> 1, i % 2]
    if (v >= vertices - 3) return NaN
    return isY === 0 ? -170 + 11 * (v % 30) + (v % 7) / 10 : -60 + 4 * Math.floor(v / 30) + (v % 5) / 10
  })
  const place = writeGraphFolder(smallGraph(vertices, gridEdges(30, 30)))
  writeFileSync(join(place.folder, COORDINATES_FILE), placesOf)
  const members = Array.from({ length: vertices }, (_, v) => v).filter((v) => v % 3 === 0)
  const result = setFile(place.folder, 'set', vertices, members)

  it('has each vertex with a place in one cell, which is near all of its vertices, and says how many have none', () => {
    const shown = overview({ ...place, limit: 200, map: true, result }, quietJob)
    expect(shown.unplaced).toBe(3)
    expect(sum(shown.nodes.sizes)).toBe(vertices - 3)
    expect(shown.nodes.ids.length).toBeGreaterThan(60)
    expect(shown.nodes.ids.length).toBeLessThanOrEqual(200)
    expect(sum(shown.nodes.members!)).toBe(members.filter((v) => v < vertices - 3).length)
    // The vertex that a cell is called by is at most a cell away.
    shown.nodes.ids.forEach((v, cell) => {
      expect(Math.abs(placesOf[2 * v]! - shown.x[cell]!)).toBeLessThan(45)
      expect(Math.abs(placesOf[2 * v + 1]! - shown.y[cell]!)).toBeLessThan(30)
    })
    const finer = overview({ ...place, limit: 800, map: true }, quietJob)
    expect(finer.nodes.ids.length).toBeGreaterThan(2 * shown.nodes.ids.length)
    expect(overview({ ...place, limit: 1000, map: true }, quietJob)).toMatchObject({ kind: 'whole', hidden: 0 })
  })

  it.each([true, false])('opens nodes into their vertices, with every edge of theirs (map: %s)', (map) => {
    const asked = { ...place, limit: 200, map, result }
    const whole = overview(asked, quietJob)
    const nodes = [3, 7, 8]
    const opened = openNodes({ ...asked, nodes }, quietJob)
    expect(opened.nodes.ids).toHaveLength(sum(nodes.map((node) => whole.nodes.sizes[node]!)))
    expect(sum(opened.nodes.members!)).toBe(sum(nodes.map((node) => whole.nodes.members![node]!)))
    expect(new Set(opened.parents)).toEqual(new Set(nodes))
    const n = opened.parents.length
    const inner = opened.drawn.sources.flatMap((a, i) =>
      opened.drawn.targets[i]! < n ? [[a, opened.drawn.targets[i]!]] : [],
    )
    const own = new Set(opened.nodes.ids)
    expect(inner.map(([a, b]) => `${opened.nodes.ids[a!]} ${opened.nodes.ids[b!]}`).sort()).toEqual(
      gridEdges(30, 30)
        .filter(([a, b]) => own.has(a) && own.has(b))
        .map(([a, b]) => `${a} ${b}`)
        .sort(),
    )
    expect(opened.drawn.targets.every((target) => target < n || !nodes.includes(target - n))).toBe(true)
    if (map) opened.nodes.ids.forEach((v, i) => expect(opened.x[i]).toBeCloseTo(placesOf[2 * v]!, 4))
    // Elsewhere a vertex is nearer to its own node than to any other.
    else
      opened.parents.forEach((node, i) => {
        const away = whole.x.map((x, other) => Math.hypot(x - opened.x[i]!, whole.y[other]! - opened.y[i]!))
        expect(away[node]!).toBeLessThan(Math.min(...away) + 1e-3)
      })
  })

  it('tells the edges of a matching between vertices', () => {
    const mates = Uint32Array.from({ length: vertices }, (_, v) => v ^ 1)
    const file = join(place.folder, 'mates')
    writeFileSync(file, mates)
    const matching = { kind: 'matching', algorithm: 'ld-gpu', file, hash: new Matching(mates).summary().hash } as const
    const { matched, nodes } = overview({ ...place, limit: 1000, result: matching }, quietJob)
    const pairs = matched.sources.map((a, i) => [nodes.ids[a]!, nodes.ids[matched.targets[i]!]!])
    expect(pairs).toEqual(Array.from({ length: vertices / 2 }, (_, i) => [2 * i, 2 * i + 1]))
    const opened = openNodes({ ...place, limit: 100, map: true, result: matching, nodes: [0, 1, 2] }, quietJob)
    const found = opened.drawn.matched.flatMap((isMatched, i) =>
      isMatched ? [[opened.nodes.ids[opened.drawn.sources[i]!]!, opened.nodes.ids[opened.drawn.targets[i]!]!]] : [],
    )
    const own = new Set(opened.nodes.ids)
    expect(found.length).toBeGreaterThan(0)
    expect(found).toHaveLength(opened.nodes.ids.filter((v) => v % 2 === 0 && own.has(v + 1)).length)
    expect(found.every(([a, b]) => b === a! + 1)).toBe(true)
  })
})

it('tells the edges of a b-matching, of which a vertex has several', () => {
  const ends = gridEdges(4, 5)
  const place = writeGraphFolder(smallGraph(20, ends))
  // All edges in the rows: two of most vertices.
  const pairs = ends.filter(([u, v]) => v === u + 1)
  const list = new PairList(Uint32Array.from(pairs.flat()))
  const file = join(place.folder, 'pairs')
  writeFileSync(file, list.words)
  const result = { kind: 'b-matching', algorithm: 'b-suitor', file, hash: list.hash } as const
  const { matched, nodes } = overview({ ...place, limit: 100, result }, quietJob)
  expect(matched.sources.map((a, i) => [nodes.ids[a], nodes.ids[matched.targets[i]!]])).toEqual(pairs)
  expect(sum(nodes.members!)).toBe(20)
  const near = neighbourhood({ ...place, vertex: '7', hops: 4, limit: 100, result }, quietJob)
  const marked = near.edges.filter(({ matched: isMatched }) => isMatched).map(({ source, target }) => [source, target])
  const shown = new Set(near.vertices.map(({ id }) => id))
  const inSight = pairs.filter((pair) => pair.every((v) => shown.has(v)))
  expect(inSight.length).toBeGreaterThan(8)
  expect(marked.map((pair) => pair.toSorted((a, b) => a - b).join(' ')).sort()).toEqual(
    inSight.map((pair) => pair.join(' ')).sort(),
  )
})

const columnsOf = (ends: readonly (readonly [number, number])[]) => ({
  sources: ends.map(([a]) => a),
  targets: ends.map(([, b]) => b),
})

it.each([1, 2, 3, 7])('finds each edge of a grid among every %i. of them, whichever end comes first', (step) => {
  const edges = gridEdges(8, 9)
  const some = edges.filter((_, i) => i % step === 0).toReversed()
  const turned = edges.map(([a, b], i) => (i % 2 === 0 ? ([b, a] as const) : ([a, b] as const)))
  const wanted = edges.map((edge) => some.indexOf(edge))
  expect(wanted.filter((place) => place !== NOT_THERE)).toHaveLength(some.length)
  expect([...placesAmong(72, columnsOf(turned), columnsOf(some))]).toEqual(wanted)
})

it.each(Array.from({ length: 12 }, (_, seed) => seed))(
  'groups lists as they are read as it groups a graph in memory, random graph %i',
  (seed) => {
    const { graph } = randomSmallGraph(seed, 900)
    const n = graph.vertices
    const count = 1 + ((seed * 37) % 150)
    // Some vertices are in no group.
    const groups = Uint32Array.from({ length: n }, (_, v) => (Math.imul(v + seed, 0x9e3779b1) >>> 7) % (count + 1))
    const { folder, checksum } = writeGraphFolder(graph)
    const opened = openGraph(folder, checksum, quietJob)
    const read = contractLists(opened, groups, count, quietJob)
    opened.close()
    const offsets = Uint32Array.from({ length: n + 1 }, (_, v) =>
      sum(graph.neighbours.slice(0, v).map((l) => l.length)),
    )
    const targets = Uint32Array.from(graph.neighbours.flatMap((list) => [...list]))
    const fine = { offsets, targets, weights: null, sizes: new Uint32Array(n).fill(1) }
    expect(read).toEqual(contractBy(fine, groups, count))
    expect(sum([...read.sizes])).toBe(groups.filter((group) => group < count).length)
  },
)

describe('groups of first choices', () => {
  it.each(Array.from({ length: 20 }, (_, seed) => seed))('hold every node, none too many, random graph %i', (seed) => {
    const { graph } = randomSmallGraph(seed, 400)
    const edges = graph.neighbours.flatMap((list, v) => list.filter((u) => u > v).map((u) => [v, u] as const))
    const fine = graphOfEdges(graph.vertices, columnsOf(edges))
    const wanted = Math.ceil(graph.vertices / 10)
    let heaviest = 1
    let nodes = graph.vertices
    for (const { parents, graph: coarse } of coarsen(fine, wanted, quietJob, joinNodes)) {
      const most = Math.max(2, Math.min(8, (1.5 * nodes) / wanted))
      heaviest = Math.max(heaviest, (most * graph.vertices) / nodes)
      expect(parents).toHaveLength(nodes)
      nodes = coarse.sizes.length
      expect(new Set(parents).size).toBe(nodes)
      expect(sum([...coarse.sizes])).toBe(graph.vertices)
      expect(Math.max(...coarse.sizes)).toBeLessThanOrEqual(heaviest)
    }
    expect(nodes).toBeLessThan(Math.max(2, graph.vertices / 2 + 1))
  })
})

describe('a layout by forces', () => {
  it('gives every node a place of its own, the same one every time', () => {
    const ends = gridEdges(20, 20)
    const graph = graphOfEdges(400, columnsOf(ends))
    const { x, y } = layOut(graph)
    expect(layOut(graph)).toEqual({ x, y })
    expect(new Set([...x].map((value, i) => `${value.toFixed(4)} ${y[i]!.toFixed(4)}`)).size).toBe(400)
    // Unfolded: an edge is short, the whole is wide.
    const lengths = ends.map(([a, b]) => Math.hypot(x[a]! - x[b]!, y[a]! - y[b]!)).sort((a, b) => a - b)
    const wide = Math.hypot(Math.max(...x) - Math.min(...x), Math.max(...y) - Math.min(...y))
    expect(wide / lengths[200]!).toBeGreaterThan(15)
  })

  // The square of 33 stays folded from a single start.
  it.each([
    [20, 20],
    [33, 33],
    [28, 77],
    [60, 20],
  ])('unfolds a grid of %i rows and %i columns', (rows, columns) => {
    const { x, y } = layOut(graphOfEdges(rows * columns, columnsOf(gridEdges(rows, columns))))
    const pairs: (readonly [walked: number, drawn: number])[] = []
    for (let v = 0; v < rows * columns; v += 3)
      for (let u = 0; u < v; u += 7) {
        const walked = Math.hypot((v % columns) - (u % columns), Math.floor(v / columns) - Math.floor(u / columns))
        pairs.push([walked, Math.hypot(x[v]! - x[u]!, y[v]! - y[u]!)])
      }
    const means = [0, 1].map((at) => sum(pairs.map((pair) => pair[at]!)) / pairs.length)
    const covariance = (a: 0 | 1, b: 0 | 1): number =>
      sum(pairs.map((pair) => (pair[a] - means[a]!) * (pair[b] - means[b]!)))
    expect(covariance(0, 1) / Math.sqrt(covariance(0, 0) * covariance(1, 1))).toBeGreaterThan(0.95)
  })

  it('draws two dense groups that one edge joins apart from each other', () => {
    const clique = (first: number): [number, number][] =>
      Array.from(
        { length: 30 * 30 },
        (_, i) => [first + Math.floor(i / 30), first + (i % 30)] as [number, number],
      ).filter(([a, b]) => a < b)
    const { x, y } = layOut(graphOfEdges(60, columnsOf([...clique(0), ...clique(30), [0, 30]])))
    const mean = (values: Float64Array, first: number): number => sum([...values.slice(first, first + 30)]) / 30
    const apart = Math.hypot(mean(x, 0) - mean(x, 30), mean(y, 0) - mean(y, 30))
    const spread = sum(Array.from({ length: 30 }, (_, v) => Math.hypot(x[v]! - mean(x, 0), y[v]! - mean(y, 0)))) / 30
    expect(apart).toBeGreaterThan(1.5 * spread)
  })

  it('moves nothing that has a place when more is drawn', () => {
    const ends = gridEdges(6, 6)
    const first = ends.filter(([a, b]) => a < 30 && b < 30)
    const before = layOut(graphOfEdges(30, columnsOf(first)))
    const known = {
      x: Float64Array.from({ length: 36 }, (_, v) => before.x[v] ?? NaN),
      y: Float64Array.from({ length: 36 }, (_, v) => before.y[v] ?? NaN),
    }
    const after = layOutBeside(graphOfEdges(36, columnsOf(ends)), known)
    for (let v = 0; v < 30; v++)
      expect([after.x[v], after.y[v]].map((value) => value?.toFixed(6))).toEqual(
        [before.x[v], before.y[v]].map((value) => value?.toFixed(6)),
      )
    for (let v = 30; v < 36; v++) expect(Number.isFinite(after.x[v]! + after.y[v]!)).toBe(true)
  })

  it('says which edges hold groups together, and takes a graph without edges or nodes', () => {
    expect(layoutOf({ nodes: 3, sources: [0, 1], targets: [1, 2] }).strong).toEqual([true, true])
    expect(layoutOf({ nodes: 0, sources: [], targets: [] })).toEqual({ x: [], y: [], strong: [] })
    expect(new Set(layoutOf({ nodes: 4, sources: [], targets: [] }).x).size).toBeGreaterThan(1)
  })
})
