import type { GaloisGr } from '../../graph/galois-gr.ts'
import type { JobContext } from '../../base/job.ts'
import { throwIfCancelled } from '../../base/job.ts'

const ARCS_PER_READ = 1 << 20
const VERTICES_PER_READ = 1 << 18

/** Called for each vertex with its neighbours, ascending: targets [from, to). The array is used again by the next read. */
export type Visit = (v: number, targets: Uint32Array, from: number, to: number) => void

/** Visits every vertex once, the canonical graph streamed through buffers of bounded size. Forwards or backwards. */
export function visitAll(graph: GaloisGr, backwards: boolean, phase: string, job: JobContext, visit: Visit): void {
  const buffer = { targets: new Uint32Array(0) }
  const chunks = Math.ceil(graph.vertices / VERTICES_PER_READ)
  for (let turn = 0; turn < chunks; turn++) {
    const first = (backwards ? chunks - 1 - turn : turn) * VERTICES_PER_READ
    const last = Math.min(graph.vertices, first + VERTICES_PER_READ)
    const offsets = graph.readOffsets(first, last)
    const pieces = cut(offsets)
    if (backwards) pieces.reverse()
    for (const [begin, end] of pieces) {
      throwIfCancelled(job.signal)
      visitPiece(graph, first, offsets, begin, end, backwards, buffer, visit)
    }
    const done = Math.min(graph.vertices, (turn + 1) * VERTICES_PER_READ)
    job.progress({ phase, done, total: graph.vertices, unit: 'vertices' })
  }
}

/** Ranges of vertices whose arcs fit a read; a vertex with more has a range of its own. */
function cut(offsets: Float64Array): [number, number][] {
  const pieces: [number, number][] = []
  const count = offsets.length - 1
  for (let begin = 0; begin < count;) {
    let end = begin + 1
    while (end < count && offsets[end + 1]! - offsets[begin]! <= ARCS_PER_READ) end++
    pieces.push([begin, end])
    begin = end
  }
  return pieces
}

function visitPiece(
  graph: GaloisGr,
  first: number,
  offsets: Float64Array,
  begin: number,
  end: number,
  backwards: boolean,
  buffer: { targets: Uint32Array },
  visit: Visit,
): void {
  const base = offsets[begin]!
  const arcs = offsets[end]! - base
  if (buffer.targets.length < arcs) buffer.targets = new Uint32Array(Math.max(ARCS_PER_READ, arcs))
  const { targets } = buffer
  graph.readTargets(base, base + arcs, targets.subarray(0, arcs))
  for (let turn = begin; turn < end; turn++) {
    const i = backwards ? begin + end - 1 - turn : turn
    visit(first + i, targets, offsets[i]! - base, offsets[i + 1]! - base)
  }
}
