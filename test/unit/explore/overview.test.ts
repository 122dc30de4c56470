import { describe, expect, it } from 'vitest'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { quietJob } from '../../../workers/base/job.ts'
import type { Overview, ResultPlace } from '../../../workers/contract/jobs.ts'
import { AdjacencyReader, sampleVertices } from '../../../workers/explore/adjacency-reader.ts'
import { layOut, layOutBeside, layoutOf } from '../../../workers/explore/force-layout.ts'
import { overview } from '../../../workers/explore/overview.ts'
import { graphOfEdges } from '../../../workers/explore/small-graph.ts'
import { openGraph } from '../../../workers/graph/galois-gr.ts'
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

describe('a layout by forces', () => {
  it('gives every node a place of its own, the same one every time', () => {
    const ends = gridEdges(20, 20)
    const graph = graphOfEdges(400, ends)
    const { x, y } = layOut(graph)
    expect(layOut(graph)).toEqual({ x, y })
    expect(new Set([...x].map((value, i) => `${value.toFixed(4)} ${y[i]!.toFixed(4)}`)).size).toBe(400)
    // Unfolded: an edge is short, the whole is wide.
    const lengths = ends.map(([a, b]) => Math.hypot(x[a]! - x[b]!, y[a]! - y[b]!)).sort((a, b) => a - b)
    const wide = Math.hypot(Math.max(...x) - Math.min(...x), Math.max(...y) - Math.min(...y))
    expect(wide / lengths[200]!).toBeGreaterThan(15)
  })

  it('draws two dense groups that one edge joins apart from each other', () => {
    const clique = (first: number): [number, number][] =>
      Array.from(
        { length: 30 * 30 },
        (_, i) => [first + Math.floor(i / 30), first + (i % 30)] as [number, number],
      ).filter(([a, b]) => a < b)
    const { x, y } = layOut(graphOfEdges(60, [...clique(0), ...clique(30), [0, 30]]))
    const mean = (values: Float64Array, first: number): number => sum([...values.slice(first, first + 30)]) / 30
    const apart = Math.hypot(mean(x, 0) - mean(x, 30), mean(y, 0) - mean(y, 30))
    const spread = sum(Array.from({ length: 30 }, (_, v) => Math.hypot(x[v]! - mean(x, 0), y[v]! - mean(y, 0)))) / 30
    expect(apart).toBeGreaterThan(1.5 * spread)
  })

  it('moves nothing that has a place when more is drawn', () => {
    const ends = gridEdges(6, 6)
    const before = layOut(
      graphOfEdges(
        30,
        ends.filter(([a, b]) => a < 30 && b < 30),
      ),
    )
    const known = {
      x: Float64Array.from({ length: 36 }, (_, v) => before.x[v] ?? NaN),
      y: Float64Array.from({ length: 36 }, (_, v) => before.y[v] ?? NaN),
    }
    const after = layOutBeside(graphOfEdges(36, ends), known)
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
