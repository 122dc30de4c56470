import type { Pace } from '../../threads/pace.ts'
import type { Progress } from '../../base/job.ts'
import type { RunCursor } from './run-cursor.ts'

const STEP = 1 << 14

/**
 * Merges sorted runs: calls `rankOf` with the cursors in ascending order of their labels, and notes with each what it returns.
 * A binary heap of cursors; equal labels come one after another.
 */
export async function mergeRuns<C extends RunCursor>(
  cursors: readonly C[],
  compare: (a: C, b: C) => number,
  rankOf: (cursor: C) => number,
  pace: Pace,
  progress: Omit<Progress, 'done'>,
): Promise<void> {
  const heap = cursors.filter((cursor) => cursor.next())
  for (let i = (heap.length >>> 1) - 1; i >= 0; i--) siftDown(heap, i, compare)
  for (let done = 0; heap.length > 0; done++) {
    const top = heap[0]!
    top.rank(rankOf(top))
    if (!top.next()) {
      top.flush()
      const last = heap.pop()!
      if (heap.length === 0) return
      heap[0] = last
    }
    siftDown(heap, 0, compare)
    if (done % STEP === 0) await pace.rest({ ...progress, done })
  }
}

function siftDown<C>(heap: C[], from: number, compare: (a: C, b: C) => number): void {
  const item = heap[from]!
  let at = from
  for (;;) {
    let child = 2 * at + 1
    if (child >= heap.length) break
    if (child + 1 < heap.length && compare(heap[child + 1]!, heap[child]!) < 0) child++
    if (compare(item, heap[child]!) <= 0) break
    heap[at] = heap[child]!
    at = child
  }
  heap[at] = item
}
