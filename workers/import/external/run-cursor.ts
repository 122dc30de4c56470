/**
 * Cursors over sorted runs of labels on the disk, whole numbers or texts, and their merge by a binary heap: the smallest label of all cursors
 * comes first, equal ones together. A cursor reads ahead by blocks, and notes which code each label has. Time is n log k for k runs.
 * rank-labels.ts merges with it.
 */

import { type LabelRun, ranksOf } from '../build/entry-source.ts'
import type { ScratchFiles } from '../build/scratch-file.ts'
import { bytesOf } from '../../base/words.ts'
import type { YieldScheduler } from '../../base/job.ts'

const RANK_BUFFER = 1 << 10

export interface RunsToMerge {
  readonly runs: readonly LabelRun[]
  readonly files: ScratchFiles
  readonly bufferBytes: number
  readonly scheduler: YieldScheduler
}

export abstract class RunCursor {
  readonly #run: LabelRun
  readonly #ranks: Uint32Array
  readonly #files: ScratchFiles
  #ranked = 0
  #flushed = 0
  #taken = 0
  #readBytes = 0

  constructor(run: LabelRun, files: ScratchFiles) {
    this.#run = run
    this.#files = files
    this.#ranks = new Uint32Array(Math.min(RANK_BUFFER, run.count))
  }

  /** false at the end. */
  next(): boolean {
    if (this.#taken === this.#run.count) return false
    this.#taken++
    this.take()
    return true
  }

  protected abstract take(): void

  /** The labels that follow. @returns their bytes */
  protected fill(into: Uint8Array): number {
    const { path, at, permutationAt } = this.#run
    const bytes = Math.min(into.length, permutationAt - at - this.#readBytes)
    this.#files.read(path, into.subarray(0, bytes), at + this.#readBytes)
    this.#readBytes += bytes
    return bytes
  }

  rank(rank: number): void {
    this.#ranks[this.#ranked++] = rank
    if (this.#ranked === this.#ranks.length) this.flush()
  }

  flush(): void {
    const ranks = bytesOf(this.#ranks.subarray(0, this.#ranked))
    this.#files.write(ranksOf(this.#run), ranks, this.#run.ranksAt + 4 * this.#flushed)
    this.#flushed += this.#ranked
    this.#ranked = 0
  }
}

export class IntegerCursor extends RunCursor {
  low = 0
  high = 0
  readonly #words: Uint32Array
  #at = 0
  #end = 0

  constructor(run: LabelRun, files: ScratchFiles, bufferBytes: number) {
    super(run, files)
    this.#words = new Uint32Array(2 * Math.max(1, Math.floor(bufferBytes / 8)))
  }

  protected take(): void {
    if (this.#at === this.#end) {
      this.#end = this.fill(bytesOf(this.#words)) / 4
      this.#at = 0
    }
    this.low = this.#words[this.#at++]!
    this.high = this.#words[this.#at++]!
  }

  static compare(this: void, a: IntegerCursor, b: IntegerCursor): number {
    return a.high - b.high || a.low - b.low
  }
}

export class TextCursor extends RunCursor {
  /** Good until the next. */
  label: Uint8Array = new Uint8Array(0)
  #buffer: Uint8Array
  #at = 0
  #end = 0

  constructor(run: LabelRun, files: ScratchFiles, bufferBytes: number) {
    super(run, files)
    this.#buffer = new Uint8Array(Math.max(16, bufferBytes))
  }

  protected take(): void {
    this.#require(4)
    const b = this.#buffer
    const at = this.#at
    const length = (b[at]! | (b[at + 1]! << 8) | (b[at + 2]! << 16) | (b[at + 3]! << 24)) >>> 0
    this.#require(4 + length)
    this.label = this.#buffer.subarray(this.#at + 4, this.#at + 4 + length)
    this.#at += 4 + length
  }

  #require(bytes: number): void {
    if (this.#end - this.#at >= bytes) return
    const into = bytes > this.#buffer.length ? new Uint8Array(2 * bytes) : this.#buffer
    // Overlapping copies are fine.
    into.set(this.#buffer.subarray(this.#at, this.#end))
    this.#end -= this.#at
    this.#at = 0
    this.#buffer = into
    this.#end += this.fill(into.subarray(this.#end))
  }

  static compare(this: void, a: TextCursor, b: TextCursor): number {
    return Buffer.compare(a.label, b.label)
  }
}

const STEP = 1 << 14

interface CursorKind<C> {
  new (run: LabelRun, files: ScratchFiles, bufferBytes: number): C
  compare(this: void, a: C, b: C): number
}

/** Merges runs by a binary heap. @param rankOf the next label, which may be the one before once more */
export async function mergeRuns<C extends RunCursor>(
  { runs, files, bufferBytes, scheduler }: RunsToMerge,
  Cursor: CursorKind<C>,
  rankOf: (cursor: C) => number,
): Promise<void> {
  const { compare } = Cursor
  const total = runs.reduce((sum, { count }) => sum + count, 0)
  const heap = runs.map((run) => new Cursor(run, files, bufferBytes)).filter((cursor) => cursor.next())
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
    if (done % STEP === 0) await scheduler.yield({ phase: 'labels', done, total, unit: 'vertices' })
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
