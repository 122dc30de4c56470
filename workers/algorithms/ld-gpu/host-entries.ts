import { HEAD_WIDTH, NO_ENTRY } from '../../graph/oriented-view.ts'
import type { ViewFile } from '../../graph/view-file.ts'
import type { Trace } from '../../trace.ts'
import { TailWindows } from './tail-windows.ts'

/** Vertices whose windows are read together, and what one word of bits may add. */
const CHUNK = 1 << 16
const WORD = 32

/** Pairs (vertex, pointer), the first `count` of `pairs`. Valid until the next are asked for. */
export interface FoundPointers {
  readonly pairs: Uint32Array
  readonly count: number
}

const isSet = (bits: Uint32Array, at: number): boolean => ((bits[at >>> 5]! >>> (at & 31)) & 1) === 1

/**
 * Goes on, on the host, with the lists of vertices whose next entries are not on the device. It reads windows of the tails for
 * these vertices alone, the next one twice as large where a window was not enough.
 */
export class HostEntries {
  readonly #own: { readonly first: number; readonly count: number }
  readonly #windows: TailWindows
  readonly #tailOffsets: Uint32Array
  /** Entries of each list that the device knows. */
  readonly #known: number
  /** The next entry to look at of each own vertex. */
  readonly #cursors: Uint32Array
  /** The second entries, where not even these are on the device. */
  readonly #seconds: Uint32Array
  /** Own vertices at hand, and what was found for them. */
  readonly #chunk = new Uint32Array(CHUNK + WORD)
  readonly #pairs = new Uint32Array(2 * (CHUNK + WORD))
  #found = 0
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
    this.#known = known
    this.#cursors = new Uint32Array(own.count).fill(known)
    this.#seconds = new Uint32Array(known < HEAD_WIDTH ? own.count : 0)
  }

  get readMs(): number {
    return this.#readMs
  }

  /** Where own vertices point past what the device knows, writes the place in the list. @param cursors the device's, changed in place */
  addCursors(cursors: Uint32Array): void {
    for (let own = 0; own < cursors.length; own++)
      if (this.#cursors[own]! > this.#known) cursors[own] = this.#cursors[own]! - 1
  }

  /** Goes on behind the entries that own vertices point at. */
  goOnFrom(cursors: Uint32Array): void {
    for (let own = 0; own < cursors.length; own++)
      this.#cursors[own] = cursors[own]! < this.#known ? this.#known : cursors[own]! + 1
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
   * Points every starved vertex of a part of its own at its next available entry, some thousands at a time.
   * @param starved a bit for each own vertex
   * @param matched a bit for each vertex of the graph
   * @param first of the part, among the own vertices
   */
  *point(starved: Uint32Array, matched: Uint32Array, first: number, count: number): Generator<FoundPointers> {
    const end = first + count
    for (let at = first, filled = 0; at < end;) {
      const startMs = performance.now()
      for (; at < end && filled < CHUNK; at = 32 * (at >>> 5) + 32) {
        let bits = starved[at >>> 5]! & (-1 << (at & 31))
        // A part may end within a word; a chunk has room for all of one.
        if (end - 32 * (at >>> 5) < 32) bits &= (1 << (end & 31)) - 1
        for (; bits !== 0; bits &= bits - 1) this.#chunk[filled++] = 32 * (at >>> 5) + 31 - Math.clz32(bits & -bits)
      }
      this.#found = 0
      this.#pointChunk(filled, matched)
      filled = 0
      this.#readMs += performance.now() - startMs
      if (this.#found > 0) yield { pairs: this.#pairs, count: this.#found }
    }
  }

  /** Of the own vertices in the chunk, ascending; these are used up. */
  #pointChunk(count: number, matched: Uint32Array): void {
    const chunk = this.#chunk
    let left = this.#lookAtSeconds(count, matched)
    while (left > 0) {
      const { entries, starts, counts } = this.#windows.read(left, (i) => this.#wanted(chunk[i]!))
      let kept = 0
      for (let i = 0; i < left; i++) {
        const own = chunk[i]!
        const pointer = this.#walk(own, entries, starts[i]!, starts[i]! + counts[i]!, matched)
        if (pointer !== NO_ENTRY) this.#note(own, pointer)
        else if (this.#wanted(own).count > 0) chunk[kept++] = own
      }
      left = kept
    }
  }

  #note(own: number, pointer: number): void {
    this.#pairs[2 * this.#found] = this.#own.first + own
    this.#pairs[2 * this.#found + 1] = pointer
    this.#found++
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
  #lookAtSeconds(count: number, matched: Uint32Array): number {
    const chunk = this.#chunk
    let kept = 0
    for (let i = 0; i < count; i++) {
      const own = chunk[i]!
      if (this.#cursors[own]! < HEAD_WIDTH) {
        this.#cursors[own] = HEAD_WIDTH
        const second = this.#seconds[own]!
        if (second === NO_ENTRY) continue
        this.#looked++
        if (!isSet(matched, second)) {
          this.#note(own, second)
          continue
        }
      }
      if (this.#wanted(own).count > 0) chunk[kept++] = own
    }
    return kept
  }
}
