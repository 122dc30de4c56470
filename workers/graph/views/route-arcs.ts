import { GaloisGr } from '../galois-gr.ts'
import { HEAD_WIDTH } from '../oriented-view.ts'
import { FRONT } from '../view-layout.ts'
import { BucketWriter } from './bucket-tables.ts'
import type { Member } from './team.ts'
import type { RouteTask } from './view-task.ts'

/**
 * Reads pieces of the graph in its own order. Of each vertex the neighbours of higher rank are kept, as ranks, and sent
 * as one record to the bucket that the vertex's own rank lies in; a vertex without any is marked.
 */
export function routeArcs(task: RouteTask, member: Member): void {
  const graph = GaloisGr.of(task.graph)
  const writer = new BucketWriter(task.buckets, member.index)
  let targets = new Uint32Array(0)
  try {
    for (let piece; (piece = member.claim(task.pieces.length - 1)) >= 0;) {
      const first = task.pieces[piece]!
      const offsets = graph.readOffsets(first, task.pieces[piece + 1]!)
      const arcs = offsets[offsets.length - 1]! - offsets[0]!
      if (arcs > targets.length) targets = new Uint32Array(arcs)
      graph.readTargets(offsets[0]!, offsets[0]! + arcs, targets)
      routePiece(task, writer, first, offsets, targets)
    }
    writer.finish()
  } finally {
    graph.close()
  }
}

function routePiece(
  { ranks, marks, buckets: { bounds } }: RouteTask,
  writer: BucketWriter,
  first: number,
  offsets: Float64Array,
  targets: Uint32Array,
): void {
  const base = offsets[0]!
  for (let i = 0; i + 1 < offsets.length; i++) {
    const own = ranks[first + i]!
    const start = offsets[i]! - base
    const end = offsets[i + 1]! - base
    // The list is closed up where it stands: it never grows.
    let at = start
    for (let arc = start; arc < end; arc++) {
      const rank = ranks[targets[arc]!]!
      if (rank < own) targets[at++] = rank
    }
    const count = at - start
    if (count === 0) {
      marks[own] = FRONT
      continue
    }
    const bucket = bucketOf(bounds, own)
    writer.append(bucket, own, targets, start, count)
    if (count > HEAD_WIDTH) writer.countTail(bucket, count - HEAD_WIDTH)
  }
}

/** The bucket that a rank lies in, by binary search. */
function bucketOf(bounds: Uint32Array, rank: number): number {
  let low = 0
  let high = bounds.length - 2
  while (low < high) {
    const middle = (low + high + 1) >>> 1
    if (bounds[middle]! <= rank) low = middle
    else high = middle - 1
  }
  return low
}
