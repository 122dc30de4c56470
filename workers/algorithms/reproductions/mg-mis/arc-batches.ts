import { Failure } from '../../../base/failure.ts'
import type { GaloisGr } from '../../../graph/galois-gr.ts'
import type { OwnRange } from './paper-ranges.ts'

/** Consecutive vertices of a worker whose arcs, as they stand in the canonical graph, are on the device together. */
export interface ArcBatch {
  readonly index: number
  readonly first: number
  readonly count: number
  readonly firstArc: number
  readonly arcs: number
}

export interface ArcLimits {
  /** The wanted number of batches. */
  readonly batches: number
  readonly maxBufferBytes: number
  readonly maxBatchBytes: number
}

/** Bytes of a batch on the device: offsets and targets. */
export function arcBatchBytes({ count, arcs }: Pick<ArcBatch, 'count' | 'arcs'>): number {
  return 4 * (count + 1 + Math.max(1, arcs))
}

const VERTICES_PER_READ = 1 << 18

/**
 * Cuts a worker's vertices into batches of about equal bytes within the limits, in one pass over the offsets.
 * @throws Failure (device) when the arcs of one vertex exceed them
 */
export function planArcBatches(graph: GaloisGr, { low, high }: OwnRange, limits: ArcLimits): ArcBatch[] {
  if (low === high) return []
  const [begin] = graph.readOffsets(low, low)
  const [end] = graph.readOffsets(high, high)
  const total = arcBatchBytes({ count: high - low, arcs: end! - begin! })
  const target = Math.min(limits.maxBatchBytes, Math.ceil(total / Math.max(1, limits.batches)))
  const batches: ArcBatch[] = []
  let first = low
  let firstArc = begin!
  const close = (last: number, lastArc: number): void => {
    batches.push({ index: batches.length, first, count: last - first, firstArc, arcs: lastArc - firstArc })
    first = last
    firstArc = lastArc
  }
  for (let from = low; from < high; from += VERTICES_PER_READ) {
    const to = Math.min(high, from + VERTICES_PER_READ)
    const offsets = graph.readOffsets(from, to)
    for (let v = from; v < to; v++) {
      const here = offsets[v - from]!
      const next = { count: v + 1 - first, arcs: offsets[v + 1 - from]! - firstArc }
      if (v > first && (arcBatchBytes(next) > target || 4 * next.arcs > limits.maxBufferBytes)) close(v, here)
      requireFit(v, { count: v + 1 - first, arcs: offsets[v + 1 - from]! - firstArc }, limits)
    }
  }
  close(high, end!)
  return batches
}

function requireFit(v: number, batch: { count: number; arcs: number }, limits: ArcLimits): void {
  if (batch.count > 1 || arcBatchBytes(batch) <= limits.maxBatchBytes) {
    if (4 * batch.arcs <= limits.maxBufferBytes) return
  }
  throw new Failure({
    code: 'device',
    what: `the ${batch.arcs} arcs of internal id ${v} need more memory than a batch may have`,
    remedy: 'Give the device more --memory, or use --exchange replicated.',
  })
}
