import { Failure, MORE_MEMORY } from '../../base/failure.ts'
import { type JobContext, throwIfCancelled } from '../../base/job.ts'
import type { GaloisGr } from '../../graph/galois-gr.ts'
import { EventQueue } from './event-queue.ts'
import { heavyKernel } from './heavy-reduction.ts'
import { HeavySearch } from './heavy-search.ts'
import type { Beginning, SearchInput } from './set-search.ts'
import { type Adjacency, openGraph } from './residual-graph.ts'
import { IN } from '../../graph/vertex-states.ts'

/** A vertex is put into the queue anew where it has lost such a part of its neighbours: its place is near enough until then. */
const STALE = 3 / 4

/**
 * As for a largest set, but for the weight in place of the number of members; with all lists in memory, as a pass over the graph decides no vertex
 * by its degree. @throws Failure (memory) where they do not fit
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
  const decided = weightOf(
    states.map((state) => (state === IN ? 1 : 0)),
    weights,
  )
  job.progress({ phase: 'reduce', done: 0, total: graph.vertices, unit: 'vertices' })
  const open = Float64Array.from(ids, (v) => weights[v]!)
  const kernel = heavyKernel(part.adjacency, open, pause)
  const replace = (members: Uint8Array): void => {
    set.bytes.fill(0)
    for (let v = 0; v < states.length; v++) if (states[v] === IN) set.add(v)
    for (let i = 0; i < members.length; i++) if (members[i] === 1) set.add(ids[i]!)
  }
  const before = weightOf(
    Uint8Array.from(weights.keys(), (v) => (set.has(v) ? 1 : 0)),
    weights,
  )
  const greedy = heavyGreedySet(part.adjacency, open, pause)
  const least = Math.max(before, decided + weightOf(greedy, open))
  const kept = Uint8Array.from(kernel.ids, (v) => (set.has(ids[v]!) ? 1 : 0))
  if (from === undefined && least > before) replace(greedy)
  const fixed = decided + kernel.gain
  return {
    adjacency: kernel.adjacency,
    search: new HeavySearch(kernel.adjacency, kernel.weights),
    members: from === undefined ? heavyGreedySet(kernel.adjacency, kernel.weights, pause) : kept,
    valueOf: (members) => weightOf(members, kernel.weights),
    before,
    fixed,
    least,
    bound: fixed + heavyCliqueCover(kernel.adjacency, kernel.weights, pause),
    passes: 1,
    expand: (members) => replace(kernel.expand(members)),
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

/** No independent set weighs more: cliques cover all vertices, and of each one vertex at most is in it, the heaviest. */
export function heavyCliqueCover(
  { vertices, starts, targets }: Adjacency,
  weights: Float64Array,
  pause: () => void,
): number {
  const clique = new Int32Array(vertices).fill(-1)
  const sizes = new Uint32Array(vertices)
  const common = new Uint32Array(vertices)
  const order = Uint32Array.from({ length: vertices }, (_, v) => v).sort((a, b) => weights[b]! - weights[a]! || a - b)
  let bound = 0
  let count = 0
  for (const [step, v] of order.entries()) {
    if ((step & 0x3fff) === 0) pause()
    let best = -1
    const end = starts[v + 1]!
    for (let i = starts[v]!; i < end; i++) {
      const near = clique[targets[i]!]!
      if (near >= 0 && ++common[near]! === sizes[near] && (best < 0 || sizes[near] > sizes[best]!)) best = near
    }
    for (let i = starts[v]!; i < end; i++) if (clique[targets[i]!]! >= 0) common[clique[targets[i]!]!] = 0
    if (best < 0) {
      bound += weights[v]!
      best = count++
    }
    clique[v] = best
    sizes[best]!++
  }
  return bound
}
