import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { improveSet } from '../../../../workers/algorithms/quality/improve-set.ts'
import { GaloisGr } from '../../../../workers/graph/galois-gr.ts'
import { VertexSet } from '../../../../workers/graph/vertex-set.ts'
import { quietJob } from '../../../../workers/base/job.ts'
import { exactIndependence } from '../../../support/exact-independent-set.ts'
import {
  type SmallGraph,
  greedySet,
  isMaximalIndependent,
  randomSmallGraph,
  randomStream,
  writeGraphFolder,
} from '../../../support/graphs.ts'

const GRAPHS = 80

function setOf(vertices: number, members: Iterable<number>): VertexSet {
  const set = new VertexSet(vertices)
  for (const v of members) set.add(v)
  return set
}

function improved(
  graph: SmallGraph,
  start: ReadonlySet<number>,
  passes: number,
  limits: Parameters<typeof improveSet>[3],
) {
  const { folder } = writeGraphFolder(graph)
  const file = GaloisGr.open(join(folder, 'graph.gr'))
  const set = setOf(graph.vertices, start)
  const { gains } = improveSet(file, set, { passes, limitMs: Infinity }, limits, quietJob)
  file.close()
  rmSync(folder, { recursive: true })
  return { members: new Set(set.members()), gain: gains.reduce((sum, gain) => sum + gain, 0) }
}

function exhaustive({ vertices, neighbours }: SmallGraph): number {
  const masks = neighbours.map((list) => list.reduce((mask, u) => mask | (1 << u), 0))
  let best = 0
  for (let set = 0; set < 1 << vertices; set++) {
    let size = 0
    let fits = true
    for (let v = 0; v < vertices && fits; v++)
      if ((set >>> v) & 1) {
        size++
        fits = (masks[v]! & set) === 0
      }
    if (fits && size > best) best = size
  }
  return best
}

describe('passes of swaps', () => {
  it(`leave ${GRAPHS} random sets independent, maximal, as large as they say, and never smaller`, () => {
    let grown = 0
    for (let seed = 0; seed < GRAPHS; seed++) {
      const { shape, graph } = randomSmallGraph(seed, 400)
      const random = randomStream(seed)
      const order = Array.from({ length: graph.vertices }, (_, v) => ({ v, key: random() }))
      const start = greedySet(
        graph,
        order.sort((a, b) => a.key - b.key).map(({ v }) => v),
      )
      const passes = 1 + (seed % 4)
      const { members, gain } = improved(graph, start, passes, {})
      expect(isMaximalIndependent(graph, members), `${shape}, seed ${seed}`).toBe(true)
      expect(members.size, `${shape}, seed ${seed}`).toBe(start.size + gain)
      expect(gain).toBeGreaterThanOrEqual(0)
      expect(improved(graph, start, passes, {}).members).toEqual(members)
      if (gain > 0) grown++
    }
    expect(grown).toBeGreaterThan(GRAPHS / 3)
  })

  it('let kept members stay and excluded vertices out', () => {
    let grown = 0
    for (let seed = 0; seed < 200; seed++) {
      const { graph } = randomSmallGraph(10 * seed + 7, 300)
      const excluded = new Set(Array.from({ length: graph.vertices }, (_, v) => v).filter((v) => v % 7 === 3))
      const order = Array.from({ length: graph.vertices }, (_, v) => v)
      const open = { ...graph, neighbours: graph.neighbours.map((list, v) => (excluded.has(v) ? [] : list)) }
      const start = new Set([...greedySet(open, order)].filter((v) => !excluded.has(v)))
      const kept = [...start].filter((v) => v % 3 === 0)
      const limits = { keep: setOf(graph.vertices, kept), exclude: setOf(graph.vertices, excluded) }
      const { members, gain } = improved(graph, start, 3, limits)
      expect(kept.every((v) => members.has(v))).toBe(true)
      for (let v = 0; v < graph.vertices; v++) {
        const covered = graph.neighbours[v]!.some((u) => members.has(u))
        if (members.has(v)) expect(covered || excluded.has(v)).toBe(false)
        else expect(covered || excluded.has(v)).toBe(true)
      }
      grown += gain
    }
    expect(grown).toBeGreaterThan(200)
  })
})

describe('the exact solver of these tests', () => {
  it('finds what trying all sets finds, on 300 graphs', () => {
    for (let seed = 0; seed < 300; seed++) {
      const { shape, graph } = randomSmallGraph(seed, 14)
      if (graph.vertices > 16) continue
      expect(exactIndependence(graph.neighbours), `${shape}, seed ${seed}`).toBe(exhaustive(graph))
    }
  })
})
