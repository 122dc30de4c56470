import { HEAD_WIDTH, NO_ENTRY } from '../../graph/oriented-view.ts'
import type { ViewFile } from '../../graph/view-file.ts'
import type { Trace } from '../../trace.ts'
import { TailWindows } from './tail-windows.ts'

/** Vertices whose windows are read together. */
const CHUNK = 1 << 16

/** Takes a pair (vertex, pointer). Vertices come in ascending order within a chunk. */
export type TakePointer = (vertex: number, pointer: number) => void

const isSet = (bits: Uint32Array, at: number): boolean => ((bits[at >>> 5]! >>> (at & 31)) & 1) === 1

/**
 * Goes on, on the host, with the lists of vertices whose next entries are not on the device. It reads windows of the tails for
 * these vertices alone, the next one twice as large where a window was not enough.
 */
export class HostEntries {
  readonly #own: { readonly first: number; readonly count: number }
  readonly #windows: TailWindows
  readonly #tailOffsets: Uint32Array
  /** The next entry to look at of each own vertex. */
  readonly #cursors: Uint32Array
  /** The second entries, where not even these are on the device. */
  readonly #seconds: Uint32Array
  #readMs = 0
  #looked = 0

  constructor(
    view: ViewFile,
    tailOffsets: Uint32Array,
    own: { readonly first: number; readonly count: number },
    known: number,
    trace: Trace,
  ) {
    this.#own = own
    this.#tailOffsets = tailOffsets
    this.#windows = new TailWindows(view, trace)
    this.#cursors = new Uint32Array(own.count).fill(known)
    this.#seconds = new Uint32Array(known < HEAD_WIDTH ? own.count : 0)
  }

  get readMs(): number {
    return this.#readMs
  }

  /** Entries that the host looked at since the last call. */
  takeLooked(): number {
    const looked = this.#looked
    this.#looked = 0
    return looked
  }

  /** Keeps the second of each pair of heads from `vertex` on. */
  keepSeconds(vertex: number, heads: Uint32Array): void {
    if (this.#seconds.length === 0) return
    for (let i = 0; 2 * i < heads.length; i++) this.#seconds[vertex - this.#own.first + i] = heads[2 * i + 1]!
  }

  /**
   * Points every starved vertex at its next available entry.
   * @param starved a bit for each own vertex
   * @param matched a bit for each vertex of the graph
   * @param found for each that finds one
   */
  point(starved: Uint32Array, matched: Uint32Array, found: TakePointer): void {
    const startMs = performance.now()
    const chunk = new Uint32Array(CHUNK)
    let filled = 0
    for (let word = 0; word < starved.length; word++) {
      for (let bits = starved[word]!; bits !== 0; bits &= bits - 1) {
        chunk[filled++] = 32 * word + 31 - Math.clz32(bits & -bits)
        if (filled < CHUNK) continue
        this.#pointChunk(chunk, filled, matched, found)
        filled = 0
      }
    }
    this.#pointChunk(chunk, filled, matched, found)
    this.#readMs += performance.now() - startMs
  }

  /** @param chunk own vertices, ascending; used up */
  #pointChunk(chunk: Uint32Array, count: number, matched: Uint32Array, found: TakePointer): void {
    let left = this.#lookAtSeconds(chunk, count, matched, found)
    while (left > 0) {
      const windows = this.#windows.read(left, (i) => this.#wanted(chunk[i]!))
      let kept = 0
      for (let i = 0; i < left; i++) {
        const own = chunk[i]!
        const pointer = this.#walk(
          own,
          windows.entries,
          windows.starts[i]!,
          windows.starts[i]! + windows.counts[i]!,
          matched,
        )
        if (pointer !== NO_ENTRY) found(this.#own.first + own, pointer)
        else if (this.#wanted(own).count > 0) chunk[kept++] = own
      }
      left = kept
    }
  }

  /** The next entries of an own vertex in the tails: half as many again as it has looked at, and at least a few. */
  #wanted(own: number): { readonly first: number; readonly count: number } {
    const vertex = this.#own.first + own
    const cursor = this.#cursors[own]!
    const first = this.#tailOffsets[vertex]! + cursor - HEAD_WIDTH
    return { first, count: Math.max(0, Math.min(Math.max(4, cursor), this.#tailOffsets[vertex + 1]! - first)) }
  }

  #walk(own: number, entries: Uint32Array, start: number, end: number, matched: Uint32Array): number {
    for (let at = start; at < end; at++) {
      const entry = entries[at]!
      if (entry === NO_ENTRY) {
        // The rest is left out by the order.
        const vertex = this.#own.first + own
        this.#cursors[own] = HEAD_WIDTH + this.#tailOffsets[vertex + 1]! - this.#tailOffsets[vertex]!
        return NO_ENTRY
      }
      this.#looked++
      this.#cursors[own]!++
      if (!isSet(matched, entry)) return entry
    }
    return NO_ENTRY
  }

  /** Vertices that have not come past their second entry yet; keeps the others, and returns how many. */
  #lookAtSeconds(chunk: Uint32Array, count: number, matched: Uint32Array, found: TakePointer): number {
    let kept = 0
    for (let i = 0; i < count; i++) {
      const own = chunk[i]!
      if (this.#cursors[own]! < HEAD_WIDTH) {
        this.#cursors[own] = HEAD_WIDTH
        const second = this.#seconds[own]!
        if (second === NO_ENTRY) continue
        this.#looked++
        if (!isSet(matched, second)) {
          found(this.#own.first + own, second)
          continue
        }
      }
      if (this.#wanted(own).count > 0) chunk[kept++] = own
    }
    return kept
  }
}
