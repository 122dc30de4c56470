import { TailStore } from '../../device/tail-store.ts'
import type { ViewFile } from '../../graph/view-file.ts'
import { addToLevels, levelStart, levelsOf } from '../../graph/view-levels.ts'
import type { StopSignal } from '../../job.ts'
import { throwIfCancelled } from '../../job.ts'
import type { Trace } from '../../trace.ts'
import { isSet } from './host-state.ts'

/** A level of fewer entries is read at once: that takes less than to tell threads of it. */
const LEAST_TOLD = 1 << 14
const MOST_LEVELS = 33

/** A view in levels, and a worker's own vertices. */
export interface LevelLists {
  readonly view: ViewFile
  /** n + 1 positions of the tails as if they followed one another. */
  readonly tailOffsets: Uint32Array
  readonly own: { readonly first: number; readonly count: number }
}

/** Ascending vertices, the first `count` of `vertices`, and which of them want what they have in a level. */
export interface Wishes {
  readonly vertices: Uint32Array
  readonly count: number
  wants(i: number): boolean
}

/** Some entries of the i-th vertex: words[from] to words[to - 1]. */
export type TakeEntries = (i: number, words: Uint32Array, from: number, to: number) => void

/** Reads tails from a view in levels, a level at a time, in whole pages and the order of the file, by threads of their own. */
export class LevelTails {
  readonly #lists: LevelLists
  readonly #store: TailStore
  readonly #signal: StopSignal
  /** Vertices that were matched in the first round: their lists are not in levels. */
  readonly #closed: Uint32Array
  /** Where the first entry of the own vertices stands in each level. */
  readonly #starts: Float64Array
  /** Entries of all vertices in each level. */
  readonly #sizes: Float64Array
  #asked = 0
  #reads = 0

  /** @param signal looked at whenever something is read, and not while that takes long: how often does not depend on timing */
  constructor(lists: LevelLists, closed: Uint32Array, trace: Trace, signal: StopSignal) {
    this.#lists = lists
    this.#closed = closed
    this.#store = new TailStore(lists.view, trace)
    this.#signal = signal
    const { starts, sizes } = layoutOf(lists, closed)
    this.#starts = starts
    this.#sizes = sizes
  }

  /** Bytes of the entries that were wanted. */
  get bytesAsked(): number {
    return this.#asked
  }

  /** Bytes that were read by threads, whole pages. */
  get bytesRead(): number {
    return this.#store.bytesRead
  }

  get reads(): number {
    return this.#reads
  }

  get readMs(): number {
    return this.#store.readMs
  }

  /** Entries of a vertex past its heads. */
  tailOf(vertex: number): number {
    const { tailOffsets } = this.#lists
    return (tailOffsets[vertex + 1]! - tailOffsets[vertex]!) >>> 0
  }

  /** Whether a vertex has entries in a level or behind it. */
  hasMore(vertex: number, level: number): boolean {
    return level < levelsOf(this.tailOf(vertex))
  }

  /** Reads what is wanted of a level, by ascending vertex; a vertex's entries may come in several parts, one after another. */
  async read(level: number, wishes: Wishes, take: TakeEntries): Promise<void> {
    const store = this.#store
    if (this.#sizes[level]! >= LEAST_TOLD)
      await store.expect((want) => this.#locate(level, wishes, (_, first, end) => want(first, end)))
    this.#locate(level, wishes, (i, first, end) => {
      this.#asked += 4 * (end - first)
      for (let at = first; at < end;) {
        if (at < store.first || at >= store.end) {
          throwIfCancelled(this.#signal)
          store.seek(at)
          this.#reads++
        }
        const to = Math.min(end, store.end)
        take(i, store.words, at - store.first, to - store.first)
        at = to
      }
    })
  }

  release(): Promise<void> {
    return this.#store.release()
  }

  /** Visits those who want something, with the places [first, end) of their entries in the tails. */
  #locate(level: number, wishes: Wishes, visit: (i: number, first: number, end: number) => void): void {
    const { vertices, count } = wishes
    const [from, until] = [levelStart(level), levelStart(level + 1)]
    let at = this.#starts[level]!
    for (let i = 0, v = this.#lists.own.first; i < count; v++) {
      const isNext = vertices[i] === v
      const tail = this.tailOf(v)
      if (tail > from && !isSet(this.#closed, v)) {
        const end = at + Math.min(tail, until) - from
        if (isNext && wishes.wants(i)) visit(i, at, end)
        at = end
      }
      if (isNext) i++
    }
  }
}

/** Adds up all levels, and the part of each that belongs to vertices before the worker's own. */
function layoutOf({ tailOffsets, own }: LevelLists, closed: Uint32Array) {
  const [starts, sizes] = [new Float64Array(MOST_LEVELS), new Float64Array(MOST_LEVELS)]
  for (let v = 0; v + 1 < tailOffsets.length; v++) {
    if (v === own.first) starts.set(sizes)
    if (!isSet(closed, v)) addToLevels(sizes, (tailOffsets[v + 1]! - tailOffsets[v]!) >>> 0)
  }
  let at = 0
  for (let level = 0; level < sizes.length; level++) {
    starts[level]! += at
    at += sizes[level]!
  }
  return { starts, sizes }
}
