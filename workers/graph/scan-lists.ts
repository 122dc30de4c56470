import { type JobContext, throwIfCancelled } from '../base/job.ts'
import type { GaloisGr } from './galois-gr.ts'
import type { Range } from './graph-pieces.ts'

const VERTICES_PER_READ = 1 << 18
/** Of a read, unless one list is longer: they stay in the cache. */
const ARCS_PER_READ = 1 << 18

/** Lists of the vertices from `first` on: those of vertex first + i are targets [offsets[i], offsets[i + 1]). */
interface ListsRead {
  readonly first: number
  readonly offsets: Uint32Array
  readonly targets: Uint32Array
  /** Of the graph. */
  readonly firstArc: number
}

/** Reads all lists in file order, a few at a time. @throws Failure (cancelled), (input) where the graph is damaged */
export function scanLists(graph: GaloisGr, job: JobContext, phase: string, look: (lists: ListsRead) => void): void {
  for (const lists of listsOf(graph, job, phase)) look(lists)
}

/** The list of each vertex in file order: `targets` [start, end). @param look `weights`: of the same arcs, where asked for */
export function eachList(
  graph: GaloisGr,
  job: JobContext,
  phase: string,
  look: (v: number, start: number, end: number, targets: Uint32Array, weights: Float32Array) => void,
  withWeights = false,
): void {
  for (const { first, offsets, targets, firstArc } of listsOf(graph, job, phase)) {
    const weights = withWeights ? graph.readWeights(firstArc, firstArc + targets.length) : NONE
    for (let row = 0; row + 1 < offsets.length; row++)
      look(first + row, offsets[row]!, offsets[row + 1]!, targets, weights)
  }
}

const NONE = new Float32Array(0)

/** The same, one after another. @param vertices absent: all */
export function* listsOf(
  graph: GaloisGr,
  job: JobContext,
  phase: string,
  { first, end }: Range = { first: 0, end: graph.vertices },
): Generator<ListsRead> {
  for (let begin = first; begin < end; begin += VERTICES_PER_READ) {
    const all = graph.readOffsets(begin, Math.min(end, begin + VERTICES_PER_READ))
    for (let low = 0, high = 1; low + 1 < all.length; low = high++) {
      throwIfCancelled(job.signal)
      const firstArc = all[low]!
      job.progress({ phase, done: firstArc, total: graph.arcs, unit: 'arcs' })
      while (high + 1 < all.length && all[high + 1]! - firstArc <= ARCS_PER_READ) high++
      const offsets = new Uint32Array(high - low + 1)
      for (let i = low; i <= high; i++) offsets[i - low] = all[i]! - firstArc
      yield { first: begin + low, offsets, targets: graph.readTargets(firstArc, all[high]!), firstArc }
    }
  }
}
