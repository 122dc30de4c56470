import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { heavyKernel } from '../../../../workers/algorithms/quality/heavy-reduction.ts'
import { heavyCliqueCover, heavyGreedySet, weightOf } from '../../../../workers/algorithms/quality/heavy-set.ts'
import { searchLargeSet } from '../../../../workers/algorithms/quality/near-optimal.ts'
import type { SearchInput } from '../../../../workers/algorithms/quality/set-search.ts'
import type { Adjacency } from '../../../../workers/algorithms/quality/residual-graph.ts'
import { quietJob } from '../../../../workers/base/job.ts'
import { GaloisGr } from '../../../../workers/graph/galois-gr.ts'
import { VertexSet } from '../../../../workers/graph/vertex-set.ts'
import { IN, OUT } from '../../../../workers/graph/vertex-states.ts'
import {
  isMaximalIndependent,
  randomSmallGraph,
  randomStream,
  type SmallGraph,
  writeGraphFolder,
} from '../../../support/graphs.ts'

const GRAPHS = 150
const pause = (): void => {}

/** By trying all sets, as bits of at most 14 vertices. */
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

function adjacencyOf({ vertices, neighbours }: SmallGraph): Adjacency {
  const starts = new Uint32Array(vertices + 1)
  neighbours.forEach((list, v) => (starts[v + 1] = starts[v]! + list.length))
  return { vertices, starts, targets: Uint32Array.from(neighbours.flat()) }
}

function graphOf({ vertices, starts, targets }: Adjacency): SmallGraph {
  return {
    vertices,
    neighbours: Array.from({ length: vertices }, (_, v) => [...targets.subarray(starts[v], starts[v + 1])]),
  }
}

const bits = (members: Uint8Array): Set<number> => new Set([...members.keys()].filter((v) => members[v] === 1))

function searched(graph: SmallGraph, weights: Float64Array, options: Partial<SearchInput> = {}) {
  const { folder } = writeGraphFolder(graph)
  const file = GaloisGr.open(join(folder, 'graph.gr'))
  const set = new VertexSet(graph.vertices)
  const states = new Uint8Array(graph.vertices)
  const quality = { steps: 200, limitMs: Infinity }
  const input = { set, states, weights, quality, seed: 3, fits: () => true, from: undefined, ...options }
  const { elapsedMs: _, ...outcome } = searchLargeSet(file, input, quietJob)
  file.close()
  rmSync(folder, { recursive: true })
  return { ...outcome, members: new Set(set.members()) }
}

const total = (members: ReadonlySet<number>, weights: Float64Array): number =>
  [...members].reduce((sum, v) => sum + weights[v]!, 0)

describe('heavy sets', () => {
  it(`of ${GRAPHS} random graphs: reductions keep the heaviest, bounds are true, and the search finds it`, () => {
    let [optimal, met, smaller] = [0, 0, 0]
    for (let seed = 0; seed < GRAPHS; seed++) {
      const { shape, graph } = randomSmallGraph(seed, 14)
      const what = `${shape}, seed ${seed}`
      if (graph.vertices > 14) continue
      const weights = randomWeights(graph.vertices, seed)
      const exact = heaviest(graph, weights)
      const adjacency = adjacencyOf(graph)
      const kernel = heavyKernel(adjacency, weights, pause)
      expect(kernel.gain + heaviest(graphOf(kernel.adjacency), kernel.weights), what).toBeCloseTo(exact, 6)
      const greedy = heavyGreedySet(kernel.adjacency, kernel.weights, pause)
      const all = bits(kernel.expand(greedy))
      expect(total(all, weights), what).toBeCloseTo(kernel.gain + weightOf(greedy, kernel.weights), 6)
      expect(heavyCliqueCover(adjacency, weights, pause), what).toBeGreaterThanOrEqual(exact - 1e-6)
      const found = searched(graph, weights)
      expect(isMaximalIndependent(graph, found.members) || weights.includes(0), what).toBe(true)
      expect(total(found.members, weights), what).toBeCloseTo(found.sizes.at(-1)!, 6)
      expect(found.bound, what).toBeGreaterThanOrEqual(exact - 1e-6)
      expect(searched(graph, weights), what).toEqual(found)
      if (found.sizes.at(-1)! > exact - 1e-6) optimal++
      if (found.bound! < exact + 1e-6 && graph.vertices > 6) met++
      if (kernel.ids.length < graph.vertices) smaller++
    }
    expect(optimal).toBeGreaterThan(0.85 * GRAPHS)
    expect(met).toBeGreaterThan(GRAPHS / 4)
    expect(smaller).toBeGreaterThan(GRAPHS / 3)
  })

  it('keep and leave out what the lists say, and are refused where the lists of the graph do not fit', () => {
    for (let seed = 0; seed < 60; seed++) {
      const { shape, graph } = randomSmallGraph(seed, 60)
      if (graph.vertices < 8) continue
      const [kept, left] = [seed % graph.vertices, (seed + 3) % graph.vertices]
      const states = new Uint8Array(graph.vertices)
      states[left] = OUT
      states[kept] = IN
      for (const u of graph.neighbours[kept]!) states[u] = OUT
      const weights = randomWeights(graph.vertices, seed)
      const { members, sizes } = searched(graph, weights, { states })
      expect(members.has(kept) && !members.has(left), `${shape}, seed ${seed}`).toBe(true)
      expect([...members].every((v) => graph.neighbours[v]!.every((u) => !members.has(u)))).toBe(true)
      expect(total(members, weights), `${shape}, seed ${seed}`).toBeCloseTo(sizes.at(-1)!, 6)
      expect(() => searched(graph, weights, { fits: () => false })).toThrow(/do not fit/)
    }
  })
})
