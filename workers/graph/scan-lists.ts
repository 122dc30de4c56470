import { type JobContext, throwIfCancelled } from '../base/job.ts'
import type { GaloisGr } from './galois-gr.ts'
import type { Range } from '../base/ranges.ts'

const VERTICES_PER_READ = 1 << 18
/** Of a read, unless one list is longer: they stay in the cache. */
const ARCS_PER_READ = 1 << 18

/** Lists of the vertices from `first` on: those of vertex first + i are targets [offsets[i], offsets[i + 1]), which the next read replaces. */
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

/** The same, one after another. @param vertices absent: all @param backwards the last read first; vertices of a read ascend all the same */
export function* listsOf(
  graph: GaloisGr,
  job: JobContext,
  phase: string,
  { first, end }: Range = { first: 0, end: graph.vertices },
  backwards = false,
): Generator<ListsRead> {
  let room = new Uint32Array(Math.min(graph.arcs, ARCS_PER_READ))
  const inTurn = <T>(all: T[]): T[] => (backwards ? all.reverse() : all)
  const blocks = Array.from(
    { length: Math.ceil((end - first) / VERTICES_PER_READ) },
    (_, i) => first + i * VERTICES_PER_READ,
  )
  for (const begin of inTurn(blocks)) {
    const all = graph.readOffsets(begin, Math.min(end, begin + VERTICES_PER_READ))
    for (const [low, high] of inTurn(readsOf(all))) {
      throwIfCancelled(job.signal)
      const firstArc = all[low]!
      const done = backwards ? graph.arcs - all[high]! : firstArc
      job.progress({ phase, done, total: graph.arcs, unit: 'arcs' })
      const offsets = new Uint32Array(high - low + 1)
      for (let i = low; i <= high; i++) offsets[i - low] = all[i]! - firstArc
      const arcs = all[high]! - firstArc
      if (arcs > room.length) room = new Uint32Array(arcs)
      yield {
        first: begin + low,
        offsets,
        targets: graph.readTargets(firstArc, all[high]!, room.subarray(0, arcs)),
        firstArc,
      }
    }
  }
}

/** Places of offsets between which the arcs fit a read; a list that is longer has a read of its own. */
function readsOf(offsets: Float64Array): [low: number, high: number][] {
  const reads: [number, number][] = []
  for (let low = 0, high = 1; low + 1 < offsets.length; low = high++) {
    while (high + 1 < offsets.length && offsets[high + 1]! - offsets[low]! <= ARCS_PER_READ) high++
    reads.push([low, high])
  }
  return reads
}
