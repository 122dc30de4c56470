import { Failure, MORE_MEMORY } from '../../base/failure.ts'
import { type JobContext, throwIfCancelled } from '../../base/job.ts'
import type { GaloisGr } from '../../graph/galois-gr.ts'
import { IN } from '../../graph/vertex-states.ts'
import { EventQueue } from './event-queue.ts'
import { heavyKernel } from './heavy-reduction.ts'
import { HeavySearch } from './heavy-search.ts'
import { type Adjacency, membersOf, openGraph, replaceSet } from './residual-graph.ts'
import { cliqueCover } from './set-bounds.ts'
import type { Beginning, SearchInput } from './set-search.ts'

/** A vertex is put into the queue anew where it has lost such a part of its neighbours: its place is near enough until then. */
const STALE = 3 / 4

/**
 * As for a largest set, but for the weight in place of the number of members; with all lists in memory, as a pass over the graph decides no vertex
 * by its degree. @throws Failure (usage) where they do not fit
 */
export function beginHeavySearch(
  graph: GaloisGr,
  { set, states, fits, from }: SearchInput,
  weights: Float64Array,
  job: JobContext,
): Beginning {
  if (!fits(graph.vertices, graph.arcs))
    throw new Failure({
      code: 'usage',
      where: 'weights column',
      what: 'a search for a heavy set holds all lists of the graph, and they do not fit',
      remedy: '',
      fixes: [MORE_MEMORY],
    })
  const pause = (): void => throwIfCancelled(job.signal)
  const part = openGraph(graph, states, job)
  const ids = part.ids ?? Uint32Array.from(states.keys())
  const decided = states.reduce((sum, state, v) => (state === IN ? sum + weights[v]! : sum), 0)
  job.progress({ phase: 'reduce', done: 0, total: graph.vertices, unit: 'vertices' })
  const open = Float64Array.from(ids, (v) => weights[v]!)
  const kernel = heavyKernel(part.adjacency, open, pause)
  const before = set.weight(weights)
  const greedy = heavyGreedySet(part.adjacency, open, pause)
  const least = Math.max(before, decided + weightOf(greedy, open))
  if (from === undefined && least > before) replaceSet(set, states, part, greedy)
  const fixed = decided + kernel.gain
  return {
    adjacency: kernel.adjacency,
    search: new HeavySearch(kernel.adjacency, kernel.weights),
    members:
      from === undefined ? heavyGreedySet(kernel.adjacency, kernel.weights, pause) : membersOf(kernel.ids, part, set),
    valueOf: (members) => weightOf(members, kernel.weights),
    before,
    fixed,
    least,
    bound: fixed + cliqueCover(kernel.adjacency, pause, kernel.weights),
    passes: 1,
    expand: (members) => replaceSet(set, states, part, kernel.expand(members)),
  }
}

export const weightOf = (members: Uint8Array, weights: Float64Array): number =>
  members.reduce((sum, bit, v) => (bit === 1 ? sum + weights[v]! : sum), 0)

/** A maximal independent set: again and again the vertex of the most weight for each vertex that it decides joins. @returns one byte a vertex */
export function heavyGreedySet(
  { vertices, starts, targets }: Adjacency,
  weights: Float64Array,
  pause: () => void,
): Uint8Array {
  const members = new Uint8Array(vertices)
  const isOpen = new Uint8Array(vertices).fill(1)
  const degrees = new Uint32Array(vertices)
  const queued = new Uint32Array(vertices)
  const queue = new EventQueue()
  const put = (v: number): void => {
    queued[v] = degrees[v]!
    queue.push(-weights[v]! / (1 + degrees[v]!), v, degrees[v]!)
  }
  for (let v = 0; v < vertices; v++) {
    degrees[v] = starts[v + 1]! - starts[v]!
    put(v)
  }
  for (let steps = 0; queue.size > 0; steps++) {
    if ((steps & 0x3fff) === 0) pause()
    const [v, degree] = [queue.first, queue.second]
    queue.pop()
    if (isOpen[v] === 0 || queued[v] !== degree) continue
    members[v] = 1
    isOpen[v] = 0
    for (let i = starts[v]!; i < starts[v + 1]!; i++) {
      const u = targets[i]!
      if (isOpen[u] === 0) continue
      isOpen[u] = 0
      for (let j = starts[u]!; j < starts[u + 1]!; j++) {
        const x = targets[j]!
        if (isOpen[x] === 1 && 1 + --degrees[x]! <= STALE * (1 + queued[x]!)) put(x)
      }
    }
  }
  return members
}
