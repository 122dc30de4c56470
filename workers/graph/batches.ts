import { Failure } from '../failure.ts'
import { HEAD_WIDTH } from './oriented-view.ts'
import { VERTICES_PER_WORD } from './vertex-states.ts'

/** A range of vertices whose part of the view is moved to a device and worked on together. */
export interface Batch {
  readonly index: number
  /** First vertex, a multiple of 16, so that batches share no word of states. */
  readonly first: number
  readonly count: number
  /** Entries [tailFirst, tailFirst + tailCount) of the view's tails. */
  readonly tailFirst: number
  readonly tailCount: number
}

export interface BatchLimits {
  /** The wanted number of batches; fewer when there are not that many groups of 16 vertices. */
  readonly batches?: number | undefined
  /** The largest buffer that the device's kernels can see. */
  readonly maxBufferBytes: number
  /** Bytes that one batch may take on the device. */
  readonly maxBatchBytes: number
  /** Bytes that 16 vertices may take which alone exceed that: hubs of huge degree. Absent: no more. */
  readonly mostBatchBytes?: number | undefined
}

/** Bytes of the slabs of a batch on the device. */
export function batchBytes({ count, tailCount }: Pick<Batch, 'count' | 'tailCount'>): number {
  return 4 * (HEAD_WIDTH * count + count + 1 + tailCount)
}

/**
 * Cuts the vertices into ranges of about equal work (heads and tails), each within the limits.
 * @throws Failure (device) when 16 vertices alone exceed them.
 */
export function planBatches(tailOffsets: Uint32Array, limits: BatchLimits): Batch[] {
  const vertices = tailOffsets.length - 1
  const total = batchBytes({ count: vertices, tailCount: tailOffsets[vertices]! })
  const wanted = Math.max(1, limits.batches ?? 1, Math.ceil(total / limits.maxBatchBytes))
  const target = total / wanted
  const fits = (first: number, last: number): boolean => {
    const size = { count: last - first, tailCount: tailOffsets[last]! - tailOffsets[first]! }
    const largest = 4 * Math.max(HEAD_WIDTH * size.count, size.tailCount)
    const isLeast = size.count <= VERTICES_PER_WORD
    const most = isLeast ? Math.max(limits.maxBatchBytes, limits.mostBatchBytes ?? 0) : limits.maxBatchBytes
    return batchBytes(size) <= most && largest <= limits.maxBufferBytes
  }
  const batches: Batch[] = []
  for (let first = 0; first < vertices;) {
    const goal = Math.round(target * (batches.length + 1))
    const last = endOfBatch(tailOffsets, first, goal, fits)
    const tailFirst = tailOffsets[first]!
    batches.push({
      index: batches.length,
      first,
      count: last - first,
      tailFirst,
      tailCount: tailOffsets[last]! - tailFirst,
    })
    first = last
  }
  return batches
}

/** The largest end, in steps of 16 vertices, whose bytes from vertex 0 on stay within `goal`, but at least one step. */
function endOfBatch(
  tailOffsets: Uint32Array,
  first: number,
  goal: number,
  fits: (first: number, last: number) => boolean,
): number {
  const vertices = tailOffsets.length - 1
  const end = (step: number): number => Math.min(vertices, first + VERTICES_PER_WORD * step)
  const within = (step: number): boolean =>
    batchBytes({ count: end(step), tailCount: tailOffsets[end(step)]! }) <= goal && fits(first, end(step))
  if (!fits(first, end(1)))
    throw new Failure({
      code: 'device',
      what: `16 vertices from internal id ${first} on need more memory than a batch may have`,
      remedy: 'Give the device more --memory.',
    })
  let low = 1
  let high = Math.ceil((vertices - first) / VERTICES_PER_WORD)
  while (low < high) {
    const middle = (low + high + 1) >>> 1
    if (within(middle)) low = middle
    else high = middle - 1
  }
  return end(low)
}
