/**
 * Packs pieces of a canonical graph, as packed-layout.ts says. Neighbours ascend, so a list is its first neighbour's difference from the vertex
 * and then gaps; the numbers of a group stand in streams that each have the four widths with the fewest bits in all, found by dynamic programming
 * over the lengths of the numbers, and two bits a number that choose one. (Four widths a group beat one width for each 32 gaps on every graph
 * measured: a geometric graph's row ends in far jumps, a crawl's gaps have a heavy tail.) Any words at all come back as they were. Some 30 M arcs
 * a second on one thread.
 */

import { GROUP_WORDS, groupsIn, LISTS, OFFSETS, RAW } from './packed-layout.ts'
import { MOST_BLOCK_BYTES } from './unpacker.ts'

/** Sections of the canonical graph, in words from its start. */
export interface GraphSections {
  readonly offsetsAt: number
  readonly targetsAt: number
  readonly targetsEnd: number
}

/** What begins in a piece: the vertex whose list holds its first target, and where that list and those behind it end. */
export interface PieceLists {
  readonly vertex: number
  /** Places among all arcs; the last is at or behind the end of the piece. */
  readonly ends: Float64Array
}

const WIDTHS = 33
const CLASSES = 4

/** Packs one piece at a time into a block. */
export class PiecePacker {
  readonly #sections: GraphSections
  readonly #block = new Uint32Array(MOST_BLOCK_BYTES / 4)
  #at = 0
  readonly #skips = new Uint32Array(GROUP_WORDS)
  readonly #lengths = new Uint32Array(GROUP_WORDS)
  readonly #firsts = new Uint32Array(GROUP_WORDS)
  readonly #gaps = new Uint32Array(GROUP_WORDS)
  readonly #widths = new WidthChooser()

  constructor(sections: GraphSections) {
    this.#sections = sections
  }

  /** @param first word of the piece in the graph @param lists absent where the piece has no targets @returns the block, good until the next */
  pack(words: Uint32Array, first: number, lists: PieceLists | undefined): Uint8Array {
    const groups = groupsIn(4 * words.length)
    this.#at = groups
    const cursor = lists && { row: 0, ...lists }
    for (let group = 0; group < groups; group++) {
      const begin = group * GROUP_WORDS
      this.#group(words.subarray(begin, begin + GROUP_WORDS), first + begin, cursor)
      this.#block[group] = this.#at
    }
    return new Uint8Array(this.#block.buffer, 0, 4 * this.#at)
  }

  #group(words: Uint32Array, first: number, lists: ListCursor | undefined): void {
    const { offsetsAt, targetsAt, targetsEnd } = this.#sections
    const end = first + words.length
    // An offset of which a half is in another group stays as it is.
    const evenEnd = end - ((end - offsetsAt) % 2)
    const cuts = [
      { kind: RAW, end: offsetsAt + (first > offsetsAt ? (first - offsetsAt) % 2 : 0) },
      { kind: RAW, end: first > offsetsAt && first < targetsAt ? first + ((first - offsetsAt) % 2) : 0 },
      { kind: OFFSETS, end: Math.min(evenEnd, targetsAt) },
      { kind: RAW, end: targetsAt },
      { kind: LISTS, end: targetsEnd },
      { kind: RAW, end },
    ]
    for (let at = first; at < end;) {
      const { kind, end: cut } = cuts.find((each) => each.end > at)!
      const stop = Math.min(cut, end)
      this.#segment(kind, words.subarray(at - first, stop - first), at, lists)
      at = stop
    }
  }

  #segment(kind: number, words: Uint32Array, at: number, lists: ListCursor | undefined): void {
    const head = this.#at
    this.#block[this.#at++] = kind + 4 * words.length
    const isPacked =
      kind === OFFSETS ? this.#offsets(words) : kind === LISTS && lists !== undefined && this.#lists(words, at, lists)
    if (isPacked && this.#at - head <= words.length) return
    this.#block[head] = RAW + 4 * words.length
    this.#block.set(words, head + 1)
    this.#at = head + 1 + words.length
  }

  /** @returns false where a difference has more than 32 bits */
  #offsets(words: Uint32Array): boolean {
    const count = words.length / 2
    const gaps = this.#gaps
    this.#block[this.#at++] = words[0]!
    this.#block[this.#at++] = words[1]!
    gaps[0] = 0
    for (let i = 1; i < count; i++) {
      const [low, high, before, highBefore] = [words[2 * i]!, words[2 * i + 1]!, words[2 * i - 2]!, words[2 * i - 1]!]
      if (high - highBefore !== (low < before ? 1 : 0)) return false
      gaps[i] = low - before
    }
    this.#stream(gaps, count)
    return true
  }

  #lists(words: Uint32Array, at: number, cursor: ListCursor): boolean {
    const first = at - this.#sections.targetsAt
    const end = first + words.length
    const { ends, vertex } = cursor
    let lists = 0
    let gaps = 0
    let before = -1
    const head = this.#at
    this.#at += 2
    for (let arc = first; arc < end;) {
      while (ends[cursor.row]! <= arc) cursor.row++
      const v = vertex + cursor.row
      const stop = Math.min(end, ends[cursor.row]!)
      const target = words[arc - first]!
      const difference = (target - v) | 0
      if (lists === 0) this.#block[head] = v
      this.#skips[lists] = lists === 0 ? 0 : v - before - 1
      this.#lengths[lists] = stop - arc - 1
      this.#firsts[lists] = (difference << 1) ^ (difference >> 31)
      for (let i = arc + 1 - first; i < stop - first; i++) this.#gaps[gaps++] = words[i]! - words[i - 1]! - 1
      before = v
      lists++
      arc = stop
    }
    this.#block[head + 1] = lists
    this.#stream(this.#skips, lists)
    this.#stream(this.#lengths, lists)
    this.#stream(this.#firsts, lists)
    this.#stream(this.#gaps, gaps)
    return true
  }

  #stream(numbers: Uint32Array, count: number): void {
    if (count === 0) return
    const block = this.#block
    const { classes, widths } = this.#widths.of(numbers, count)
    const head = this.#at
    const choices = head + 2
    const bits = choices + Math.ceil(count / 16)
    block[head] = widths[0]! | (widths[1]! << 8) | (widths[2]! << 16) | (widths[3]! << 24)
    block.fill(0, choices, bits + 1)
    let [word, used] = [bits, 0]
    for (let i = 0; i < count; i++) {
      const number = numbers[i]!
      const choice = classes[32 - Math.clz32(number)]!
      const width = widths[choice]!
      block[choices + (i >>> 4)]! |= choice << (2 * (i & 15))
      if (width === 0) continue
      block[word]! |= number << used
      used += width
      if (used < 32) continue
      used -= 32
      block[++word] = used === 0 ? 0 : number >>> (width - used)
    }
    this.#at = used === 0 ? word : word + 1
    block[head + 1] = this.#at - bits
  }
}

interface ListCursor extends PieceLists {
  /** The place of the list that comes next, among the ends. */
  row: number
}

/** The four widths with which so many numbers take the fewest bits. */
class WidthChooser {
  readonly #counts = new Uint32Array(WIDTHS)
  /** Bits of the numbers of the first w lengths by so many widths, and where the last of these begins. */
  readonly #bits = Array.from({ length: CLASSES + 1 }, () => new Float64Array(WIDTHS + 1))
  readonly #from = Array.from({ length: CLASSES + 1 }, () => new Uint8Array(WIDTHS + 1))
  readonly #sums = new Uint32Array(WIDTHS + 1)
  /** The class of numbers of each length. */
  readonly classes = new Uint8Array(WIDTHS)
  readonly widths = new Uint8Array(CLASSES)

  of(numbers: Uint32Array, count: number): this {
    const counts = this.#counts.fill(0)
    for (let i = 0; i < count; i++) counts[32 - Math.clz32(numbers[i]!)]!++
    let most = WIDTHS
    while (counts[most - 1] === 0) most--
    const sums = this.#sums
    for (let width = 0; width < most; width++) sums[width + 1] = sums[width]! + counts[width]!
    const [bits, from] = [this.#bits, this.#from]
    bits[0]!.fill(Infinity)[0] = 0
    for (let used = 1; used <= CLASSES; used++)
      for (let end = 0; end <= most; end++) {
        // A class that has no numbers.
        let [best, begin] = [bits[used - 1]![end]!, end]
        for (let first = 0; first < end; first++) {
          const all = bits[used - 1]![first]! + (sums[end]! - sums[first]!) * (end - 1)
          if (all < best) [best, begin] = [all, first]
        }
        bits[used]![end] = best
        from[used]![end] = begin
      }
    for (let used = CLASSES, end = most; used > 0; used--) {
      const begin = from[used]![end]!
      this.widths[used - 1] = Math.max(0, end - 1)
      this.classes.fill(used - 1, begin, end)
      end = begin
    }
    return this
  }
}
