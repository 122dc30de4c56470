import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { fillUp } from '../../workers/algorithms/quality/improve-set.ts'
import type { Adjacency } from '../../workers/algorithms/quality/in-memory-graph.ts'
import { searchLargeSet } from '../../workers/algorithms/quality/near-optimal.ts'
import type { SearchInput, SearchSoFar } from '../../workers/algorithms/quality/search-start.ts'
import { sharedWords } from '../../workers/base/words.ts'
import { quietJob } from '../../workers/base/job.ts'
import { GaloisGr } from '../../workers/graph/galois-gr.ts'
import { VertexSet, IN, OUT } from '../../workers/graph/vertex-set.ts'
import { type SmallGraph, writeGraphFolder } from './graphs.ts'

export function adjacencyOf({ vertices, neighbours }: SmallGraph): Adjacency {
  const starts = sharedWords(vertices + 1)
  neighbours.forEach((list, v) => (starts[v + 1] = starts[v]! + list.length))
  const targets = sharedWords(starts[vertices]!)
  neighbours.forEach((list, v) => targets.set(list, starts[v]))
  return { vertices, starts, targets }
}

export function graphOf({ vertices, starts, targets }: Adjacency): SmallGraph {
  const listOf = (v: number): number[] => [...targets.subarray(starts[v], starts[v + 1])]
  return { vertices, neighbours: Array.from({ length: vertices }, (_, v) => listOf(v)) }
}

/** @param members one byte a vertex */
export const idsOf = (members: Uint8Array): Set<number> => new Set([...members.keys()].filter((v) => members[v] === 1))

/** One byte a vertex. */
export const membersOf = (graph: SmallGraph, set: ReadonlySet<number>): Uint8Array =>
  Uint8Array.from(graph.neighbours, (_, v) => (set.has(v) ? 1 : 0))

export const isIndependent = ({ neighbours }: SmallGraph, members: ReadonlySet<number>): boolean =>
  [...members].every((v) => neighbours[v]!.every((u) => !members.has(u)))

/** A search as a run makes it, without its time. */
export async function searched(
  graph: SmallGraph,
  start: Iterable<number>,
  options: Partial<SearchInput> = {},
  exclude?: VertexSet,
  afterEpoch: (soFar: SearchSoFar, set: VertexSet) => void = () => {},
) {
  const { folder } = writeGraphFolder(graph)
  const file = GaloisGr.open(join(folder, 'graph.gr'))
  const set = new VertexSet(graph.vertices)
  for (const v of start) set.add(v)
  const states = new Uint8Array(graph.vertices)
  const quality = { steps: 300, limitMs: Infinity }
  const input = { set, states, quality, seed: 7, fits: () => true, from: undefined, ...options }
  try {
    const searched = await searchLargeSet(file, input, quietJob, {
      isDue: () => true,
      keep: (soFar) => afterEpoch(soFar, set),
    })
    const { elapsedMs: _, isMaximal, ...outcome } = searched
    const added = fillUp(file, set, { exclude }, quietJob)
    if (isMaximal && added > 0) throw new Error(`${added} vertices may join a set that is maximal`)
    return { ...outcome, members: new Set(set.members()) }
  } finally {
    file.close()
    rmSync(folder, { recursive: true })
  }
}

/** What lists of the user's decide: one vertex is in, and another out. */
export function listedStates({ vertices, neighbours }: SmallGraph, seed: number) {
  const [kept, left] = [seed % vertices, (seed + 3) % vertices]
  const states = new Uint8Array(vertices)
  states[left] = OUT
  states[kept] = IN
  for (const u of neighbours[kept]!) states[u] = OUT
  const exclude = new VertexSet(vertices)
  exclude.add(left)
  return { kept, left, states, exclude }
}
