import { type JobContext, throwIfCancelled } from '../base/job.ts'
import type { GaloisGr } from './galois-gr.ts'

const VERTICES_PER_READ = 1 << 16
/** Of a read, unless one list is longer. */
const ARCS_PER_READ = 1 << 22

/** Lists of the vertices from `first` on: those of vertex first + i are targets [offsets[i], offsets[i + 1]). */
export interface ListsRead {
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

/** The same, one after another. */
export function* listsOf(graph: GaloisGr, job: JobContext, phase: string): Generator<ListsRead> {
  for (let first = 0; first < graph.vertices;) {
    throwIfCancelled(job.signal)
    const ends = graph.readOffsets(first, Math.min(graph.vertices, first + VERTICES_PER_READ))
    const firstArc = ends[0]!
    job.progress({ phase, done: firstArc, total: graph.arcs, unit: 'arcs' })
    let count = 1
    while (count + 1 < ends.length && ends[count + 1]! - firstArc <= ARCS_PER_READ) count++
    const offsets = new Uint32Array(count + 1)
    for (let i = 0; i <= count; i++) offsets[i] = ends[i]! - firstArc
    yield { first, offsets, targets: graph.readTargets(firstArc, ends[count]!), firstArc }
    first += count
  }
}
