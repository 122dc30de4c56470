import type { GaloisGr } from '../../../graph/galois-gr.ts'
import type { EdgeOrder } from '../../../graph/edge-order.ts'
import { EdgeHash } from '../../../../kernels/parts/edge-hash.ts'
import { type JobContext, throwIfCancelled } from '../../../base/job.ts'

/** A range of vertices with all their arcs, in the host's memory: their ends, and the words by which edges are compared. */
export interface ScanBatch {
  readonly first: number
  readonly count: number
  /** count + 1 places among the batch's own arcs. */
  readonly offsets: Uint32Array
  readonly targets: Uint32Array
  /** Larger for heavier edges. */
  readonly weights: Uint32Array
  /** tieWords for each arc; larger comes first. */
  readonly ties: Uint32Array
}

/** Words that break ties between edges of equal weight, beside the neighbour itself. */
export const tieWords = ({ ties }: EdgeOrder): number => ({ id: 0, hash: 1, degree: 2 })[ties]

/** Bytes of a batch on a device. */
export function scanBytes(count: number, arcs: number, order: EdgeOrder): number {
  return 4 * (count + 1 + arcs * (2 + tieWords(order)))
}

/**
 * Ends of `parts` ranges of [first, last) with about equal arcs each, by binary search on the prefix sums (LD-GPU, SC 2024,
 * section III-B); the first bound is `first`. Ranges may be empty.
 */
export function equalArcs(graph: GaloisGr, first: number, last: number, parts: number): number[] {
  const offsets = graph.readOffsets(first, last)
  const arcs = offsets[last - first]! - offsets[0]!
  return Array.from({ length: parts + 1 }, (_, part) => {
    if (part === parts) return last
    const goal = offsets[0]! + (part * arcs) / parts
    let [low, high] = [0, last - first]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (offsets[middle]! < goal) low = middle + 1
      else high = middle
    }
    return first + low
  })
}

/** Degrees of all vertices where ties go by them, else none. */
export function scanDegrees(graph: GaloisGr, { ties }: EdgeOrder): Uint32Array {
  if (ties !== 'degree') return new Uint32Array(0)
  const offsets = graph.readOffsets(0, graph.vertices)
  return Uint32Array.from({ length: graph.vertices }, (_, v) => offsets[v + 1]! - offsets[v]!)
}

/** Reads the arcs of [first, last) and makes the words by which they are compared. */
export function readScanBatch(
  graph: GaloisGr,
  order: EdgeOrder,
  degrees: Uint32Array,
  first: number,
  last: number,
  job: JobContext,
): ScanBatch {
  throwIfCancelled(job.signal)
  const ends = graph.readOffsets(first, last)
  const base = ends[0]!
  const offsets = Uint32Array.from(ends, (end) => end - base)
  const arcs = offsets[last - first]!
  const targets = graph.readTargets(base, base + arcs)
  const weights = new Uint32Array(arcs)
  const width = tieWords(order)
  const ties = new Uint32Array(width * arcs)
  const hash = new EdgeHash(order.seed)
  if (order.weights === 'column') weights.set(new Uint32Array(graph.readWeights(base, base + arcs).buffer))
  if (order.weights === 'random3' || width > 0)
    for (let i = 0; i < last - first; i++)
      for (let arc = offsets[i]!; arc < offsets[i + 1]!; arc++) {
        hash.of(first + i, targets[arc]!)
        if (order.weights === 'random3') weights[arc] = 1 + hash.modThousand()
        // The degree of one's own counts for all of the list alike.
        if (width === 2) ties[2 * arc] = ~degrees[targets[arc]!]!
        if (width > 0) ties[width * arc + width - 1] = hash.high
      }
  const batch = { first, count: last - first, offsets, targets, weights, ties }
  return order.threshold === undefined ? batch : withoutLight(batch, order)
}

/** The arcs whose weight reaches the threshold. */
function withoutLight(batch: ScanBatch, order: EdgeOrder): ScanBatch {
  const width = tieWords(order)
  const threshold = order.threshold ?? 0
  const isKept = (weight: number): boolean => {
    if (order.weights === 'unit') return threshold <= 1
    if (order.weights === 'random3') return weight / 1000 >= threshold
    return new Float32Array(Uint32Array.of(weight).buffer)[0]! >= threshold
  }
  const kept: number[] = []
  const offsets = new Uint32Array(batch.offsets.length)
  for (let i = 0; i < batch.count; i++) {
    for (let arc = batch.offsets[i]!; arc < batch.offsets[i + 1]!; arc++)
      if (isKept(batch.weights[arc]!)) kept.push(arc)
    offsets[i + 1] = kept.length
  }
  return {
    ...batch,
    offsets,
    targets: Uint32Array.from(kept, (arc) => batch.targets[arc]!),
    weights: Uint32Array.from(kept, (arc) => batch.weights[arc]!),
    ties: Uint32Array.from(
      { length: width * kept.length },
      (_, i) => batch.ties[width * kept[Math.floor(i / width)]! + (i % width)]!,
    ),
  }
}
