import { TailPages } from '../../../graph/tail-pages.ts'
import type { ViewFile } from '../../../graph/view-file.ts'
import { addToLevels, levelStart, levelsOf } from '../../../graph/view-levels.ts'
import type { StopSignal } from '../../../job.ts'
import { throwIfCancelled } from '../../../job.ts'
import type { Trace } from '../../../trace.ts'
import { isSet } from './host-state.ts'

export const MOST_LEVELS = 33
/** Of a list so many entries are read at a time, at most. */
const MOST_ENTRIES = 1 << 16
/** Parts of lists that are read together, at most. */
const MOST_PARTS = 1 << 14

const LEAST_LONG = 1 << 10

/** A view in levels, and some of its vertices, one after another. */
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

/** Told of all entries that are in memory at a time, words[from] to words[to - 1] and so on, before they are taken in the same order. */
export type LookAtEntries = (words: Uint32Array, from: number, to: number) => void

/** Where the first entry of the own vertices stands in each level of the file. */
export type LevelStarts = Float64Array

/** What was read of tails. */
export interface TailCounts {
  /** Bytes of the entries that were wanted. */
  readonly bytesAsked: number
  readonly reads: number
  readonly readMs: number
}

/** Reads tails from a view in levels, a level at a time, in whole pages and the order of the file. */
export class LevelTails {
  /** What LevelLists has. */
  #tailOffsets: Uint32Array
  readonly #first: number
  readonly #all: number
  readonly #pages: TailPages
  /** Own vertices, from the first on, that were matched in the first round: their lists are not in levels. */
  #closed: Uint32Array
  readonly #starts: LevelStarts
  /** Parts of lists that are read together: whose, and where they begin and end in the tails. */
  #whose = new Uint32Array(MOST_PARTS)
  #firsts = new Float64Array(MOST_PARTS)
  #ends = new Float64Array(MOST_PARTS)
  /** And where they are in memory. */
  #froms = new Uint32Array(MOST_PARTS)
  #tos = new Uint32Array(MOST_PARTS)
  #parts = 0
  /** Own vertices that are not closed and have entries in level #longLevel, ascending; known once a level before that was read. */
  #long: Uint32Array = new Uint32Array(0)
  #longCount = 0
  #longLevel = 0
  #bytesAsked = 0
  #reads = 0
  #readMs = 0

  /** @param signal looked at whenever something is read, and not while that takes long: how often does not depend on timing */
  constructor(lists: LevelLists, closed: Uint32Array, starts: LevelStarts, trace: Trace, signal: StopSignal) {
    this.#tailOffsets = lists.tailOffsets
    this.#first = lists.own.first
    this.#all = lists.own.count
    this.#closed = closed
    this.#starts = starts
    const { view } = lists
    const readTails = (at: number, bytes: Uint8Array): void => {
      throwIfCancelled(signal)
      const startMs = performance.now()
      trace.span('disk read', 'tails', () => view.read(view.header.tails, at, bytes))
      this.#readMs += performance.now() - startMs
      this.#reads++
    }
    this.#pages = new TailPages(readTails, view.header.tails.bytes)
  }

  /** Lets go of what takes memory, at the end. */
  release(): void {
    this.#tailOffsets = this.#closed = this.#long = this.#whose = this.#froms = this.#tos = new Uint32Array(0)
    this.#firsts = this.#ends = new Float64Array(0)
    this.#pages.release()
  }

  get counts(): TailCounts {
    return { bytesAsked: this.#bytesAsked, reads: this.#reads, readMs: this.#readMs }
  }

  /** Entries of a vertex past its heads. */
  tailOf(vertex: number): number {
    const tailOffsets = this.#tailOffsets
    return (tailOffsets[vertex + 1]! - tailOffsets[vertex]!) >>> 0
  }

  /** Whether a vertex has entries in a level or behind it. */
  hasMore(vertex: number, level: number): boolean {
    return level < levelsOf(this.tailOf(vertex))
  }

  /** Reads what is wanted of a level, by ascending vertex; a vertex's entries may come in several parts, one after another. */
  read(level: number, wishes: Wishes, look: LookAtEntries, take: TakeEntries): void {
    this.#pages.clear()
    this.#locate(level, wishes, (i, first, end) => {
      this.#bytesAsked += 4 * (end - first)
      for (let at = first; at < end; at += MOST_ENTRIES) this.#add(i, at, Math.min(end, at + MOST_ENTRIES), look, take)
    })
    this.#deliver(look, take)
  }

  #add(i: number, first: number, end: number, look: LookAtEntries, take: TakeEntries): void {
    if (this.#parts === MOST_PARTS || !this.#pages.add(first, end)) {
      this.#deliver(look, take)
      this.#pages.add(first, end)
    }
    this.#whose[this.#parts] = i
    this.#firsts[this.#parts] = first
    this.#ends[this.#parts++] = end
  }

  #deliver(look: LookAtEntries, take: TakeEntries): void {
    const pages = this.#pages
    pages.read()
    const [froms, tos] = [this.#froms, this.#tos]
    pages.findAll(this.#firsts, this.#ends, this.#parts, froms, tos)
    for (let part = 0; part < this.#parts; part++) look(pages.words, froms[part]!, tos[part]!)
    for (let part = 0; part < this.#parts; part++) take(this.#whose[part]!, pages.words, froms[part]!, tos[part]!)
    pages.clear()
    this.#parts = 0
  }

  /** Visits those who want something, with the places [first, end) of their entries in the tails. */
  #locate(level: number, wishes: Wishes, visit: (i: number, first: number, end: number) => void): void {
    const { vertices, count } = wishes
    const [from, until] = [levelStart(level), levelStart(level + 1)]
    const isListed = this.#longLevel <= level && this.#longLevel > 0
    const candidates = isListed ? this.#longCount : this.#all
    let [i, kept, at] = [0, 0, this.#starts[level]!]
    for (let k = 0; k < candidates; k++) {
      const v = isListed ? this.#long[k]! : this.#first + k
      const tail = this.tailOf(v)
      if (tail <= from || (!isListed && isSet(this.#closed, k))) continue
      while (i < count && vertices[i]! < v) i++
      const end = at + Math.min(tail, until) - from
      if (i < count && vertices[i] === v && wishes.wants(i)) visit(i, at, end)
      at = end
      if (tail <= until) continue
      if (kept === this.#long.length) this.#long = widened(this.#long)
      this.#long[kept++] = v
    }
    this.#longCount = kept
    this.#longLevel = level + 1
  }
}

/** A copy with twice the room. */
function widened(words: Uint32Array): Uint32Array {
  const copy = new Uint32Array(Math.max(LEAST_LONG, 2 * words.length))
  copy.set(words)
  return copy
}

/** Entries of the own vertices in each level. @param closed as in the constructor above */
export function levelSizes({ tailOffsets, own }: LevelLists, closed: Uint32Array): number[] {
  const sizes = new Float64Array(MOST_LEVELS)
  for (let i = 0, v = own.first; i < own.count; i++, v++)
    if (!isSet(closed, i)) addToLevels(sizes, (tailOffsets[v + 1]! - tailOffsets[v]!) >>> 0)
  return [...sizes]
}

/** @param before entries in each level of the vertices before the own ones @param all of all vertices */
export function levelStarts(before: Float64Array, all: Float64Array): LevelStarts {
  const starts = new Float64Array(MOST_LEVELS)
  for (let level = 0, at = 0; level < MOST_LEVELS; at += all[level++]!) starts[level] = at + before[level]!
  return starts
}
