import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { neighbourhood } from '../../../workers/explore/neighbourhood.ts'
import { Failure } from '../../../workers/base/failure.ts'
import { Matching } from '../../../workers/graph/matching.ts'
import { VertexSet } from '../../../workers/graph/vertex-set.ts'
import { quietJob } from '../../../workers/base/job.ts'
import type { Neighbourhood } from '../../../workers/contract/jobs.ts'
import {
  greedySet,
  randomSmallGraph,
  randomStream,
  smallGraph,
  writeGraphFolder,
  type SmallGraph,
} from '../../support/graphs.ts'

const placed = (graph: SmallGraph) => writeGraphFolder(graph)
const all = { hops: 4, limit: 2000 } as const

/** Distances by a plain search, apart from the product's. */
function ball(graph: SmallGraph, centre: number, hops: number): Map<number, number> {
  const found = new Map([[centre, 0]])
  for (let hop = 1; hop <= hops; hop++)
    for (const [v, at] of [...found])
      if (at === hop - 1) for (const u of graph.neighbours[v]!) if (!found.has(u)) found.set(u, hop)
  return found
}

/** Whatever was asked for: vertices hang together, edges are those of the graph among them, limits are kept and told. */
function expectLaws(graph: SmallGraph, shown: Neighbourhood, hops: number, limit: number): void {
  const ids = new Map(shown.vertices.map((vertex) => [vertex.id, vertex]))
  expect(ids.size).toBe(shown.vertices.length)
  expect(ids.size).toBeLessThanOrEqual(limit)
  const reach = ball(graph, Number(shown.centre), hops)
  for (const { id, hop, degree, label } of shown.vertices) {
    expect(label).toBe(String(id))
    expect(degree).toBe(graph.neighbours[id]!.length)
    expect(hop).toBeGreaterThanOrEqual(reach.get(id)!)
    expect(hop === 0 || graph.neighbours[id]!.some((u) => ids.get(u)?.hop === hop - 1)).toBe(true)
  }
  const induced = [...ids.keys()].flatMap((u) =>
    graph.neighbours[u]!.filter((v) => u < v && ids.has(v)).map((v) => `${u} ${v}`),
  )
  expect(shown.edges.map(({ source, target }) => `${source} ${target}`).sort()).toEqual(induced.sort())
  expect(shown.truncated).toBe(ids.size < reach.size)
  expect(shown.truncated).toBe(shown.limits.length > 0)
}

describe('the neighbourhood of a vertex', () => {
  it.each(Array.from({ length: 30 }, (_, seed) => seed))('keeps its laws, random graph %i', (seed) => {
    const { graph } = randomSmallGraph(seed, 120)
    if (graph.vertices === 0) return
    const place = placed(graph)
    const random = randomStream(seed)
    for (const limit of [1, 2, 7, 40, 2000])
      for (const hops of [1, 2, 3]) {
        const vertex = String(Math.floor(random() * graph.vertices))
        const shown = neighbourhood({ ...place, vertex, hops, limit }, quietJob)
        expect(shown.centre).toBe(vertex)
        expectLaws(graph, shown, hops, limit)
        expect(neighbourhood({ ...place, vertex, hops, limit }, quietJob)).toEqual(shown)
      }
  })

  it('shows every vertex within the hops where there is room, and how far each is', () => {
    const { graph } = randomSmallGraph(8, 200)
    const shown = neighbourhood({ ...placed(graph), vertex: '3', ...all }, quietJob)
    expect(new Map(shown.vertices.map(({ id, hop }) => [id, hop]))).toEqual(ball(graph, 3, 4))
    expect(shown.vertices.length).toBeGreaterThan(10)
  })

  it('keeps room for the next hop beside a hub, and samples evenly', () => {
    const leaves = 20_000
    const spokes = Array.from({ length: leaves }, (_, i) => [0, i + 1] as const)
    const tails = Array.from({ length: leaves }, (_, i) => [i + 1, leaves + i + 1] as const)
    const graph = smallGraph(2 * leaves + 1, [...spokes, ...tails])
    const shown = neighbourhood({ ...placed(graph), vertex: '0', hops: 2, limit: 101 }, quietJob)
    expectLaws(graph, shown, 2, 101)
    expect(shown.limits).toEqual(['50 of 20,000 vertices 1 hop away are shown.'])
    const near = shown.vertices.filter(({ hop }) => hop === 1).map(({ id }) => id)
    expect(Math.max(...near) - Math.min(...near)).toBeGreaterThan(0.9 * leaves)
    expect(shown.vertices.filter(({ hop }) => hop === 2)).toHaveLength(near.length)
  })

  it('reads only a part of a list that is too long, and finds the edges all the same', () => {
    const leaves = 1_200_000
    const neighbours = [Array.from({ length: leaves }, (_, i) => i + 1), ...new Array<number[]>(leaves).fill([0])]
    const graph = { vertices: leaves + 1, neighbours }
    const shown = neighbourhood({ ...placed(graph), vertex: '0', hops: 1, limit: 2000 }, quietJob)
    expect(shown.vertices).toHaveLength(2000)
    expect(shown.limits.join()).toMatch(/^1,999 of at least [\d,]+ vertices 1 hop away are shown\.$/)
    expect(shown.edges.filter(({ source }) => source === 0)).toHaveLength(1999)
  })

  it('begins somewhere sensible where no vertex is named', () => {
    const random = randomStream(5)
    const edges = Array.from({ length: 3000 }, () => [Math.floor(900 * random()), Math.floor(900 * random())] as const)
    const place = placed(smallGraph(1000, edges))
    const shown = neighbourhood({ ...place, vertex: null, hops: 2, limit: 150 }, quietJob)
    expect(shown.vertices.length).toBeGreaterThan(20)
    expect(neighbourhood({ ...place, vertex: null, hops: 2, limit: 150 }, quietJob)).toEqual(shown)
  })

  it('says so where there is no such vertex, or none at all', () => {
    const place = placed(smallGraph(3, [[0, 1]]))
    for (const vertex of ['3', 'Reykjavik', '', '-1', '01x'])
      expect(() => neighbourhood({ ...place, vertex, ...all }, quietJob)).toThrow(/no vertex of this label/)
    const empty = placed(smallGraph(0, []))
    expect(() => neighbourhood({ ...empty, vertex: null, ...all }, quietJob)).toThrow(/has no vertices/)
  })
})

describe('what a run decided', () => {
  const { graph } = randomSmallGraph(18, 150)
  const place = placed(graph)

  it('members of a set are marked', () => {
    const members = greedySet(graph, [...graph.neighbours.keys()])
    const bits = Buffer.alloc(Math.ceil(graph.vertices / 8))
    for (const v of members) bits[v >>> 3]! |= 1 << (v & 7)
    const file = join(place.folder, 'set.bits')
    writeFileSync(file, bits)
    const { hash } = new VertexSet(graph.vertices, bits).summary()
    const result = { kind: 'independent-set', algorithm: 'ecl-mis', file, hash } as const
    const other = { ...result, hash: '0'.repeat(16) }
    expect(() => neighbourhood({ ...place, vertex: '0', ...all, result: other }, quietJob)).toThrow(
      'the result is damaged',
    )
    const shown = neighbourhood({ ...place, vertex: '0', ...all, result }, quietJob)
    expect(shown.vertices.map(({ id, member }) => [id, member])).toEqual(
      shown.vertices.map(({ id }) => [id, members.has(id)]),
    )
    expect(shown.vertices.some(({ member }) => member)).toBe(true)
    expect(shown.edges.every(({ matched }) => !matched)).toBe(true)
  })

  it('matched edges are marked, and taken before others', () => {
    const leaves = 500
    const star = smallGraph(
      leaves + 1,
      Array.from({ length: leaves }, (_, i) => [0, i + 1] as const),
    )
    const place = placed(star)
    const mates = new Uint32Array(leaves + 1).fill(0xffffffff)
    mates[0] = 333
    mates[333] = 0
    const file = join(place.folder, 'mates')
    writeFileSync(file, new Uint8Array(mates.buffer))
    const result = { kind: 'matching', algorithm: 'ld-gpu', file, hash: new Matching(mates).summary().hash } as const
    const shown = neighbourhood({ ...place, vertex: '0', hops: 1, limit: 10, result }, quietJob)
    expect(shown.vertices.filter(({ member }) => member).map(({ id }) => id)).toEqual([0, 333])
    expect(shown.edges.filter(({ matched }) => matched)).toEqual([
      { source: 0, target: 333, weight: null, matched: true },
    ])
  })

  it('a result of another graph is refused', () => {
    const file = join(place.folder, 'other.bits')
    writeFileSync(file, Buffer.alloc(1))
    for (const name of [file, join(place.folder, 'nowhere')])
      expect(() =>
        neighbourhood(
          {
            ...place,
            vertex: '0',
            ...all,
            result: { kind: 'independent-set', algorithm: 'ecl-mis', file: name, hash: '' },
          },
          quietJob,
        ),
      ).toThrow(Failure)
  })
})
