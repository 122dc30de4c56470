/**
 * Packs pieces of a canonical graph, as packed-layout.ts says. Neighbours ascend, so a list is stored as the ids between its neighbours, seen from
 * the vertex: up from it and down from it, as neighbours are near it in most graphs. The numbers of a group stand in streams that each have four
 * widths and two bits a number that choose one; none where one width serves all. A number is stored as what it has more than those of
 * lower choices. Widths are found by dynamic programming over the lengths of the numbers, and then moved as long as that saves bits. (Four widths a
 * group beat one width for each 32 gaps on every graph measured: a geometric graph's row ends in far jumps, a crawl's gaps have a heavy tail.)
 * Where many neighbours follow one another, a bit each marks the others, which alone have a number. Any words at all come back as they were.
 */

import { GROUP_WORDS, groupsIn, LISTS, MARKED_LISTS, OFFSETS, RAW } from './packed-layout.ts'
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

const MOST = 0xffffffff
const SIGN = 0x80000000
const WIDTHS = 33
const CLASSES = 4
/** Numbers have marks where at most this share of them is not 0. */
const MOST_MARKED = 0.6

/** Packs one piece at a time into a block. */
export class PiecePacker {
  readonly #sections: GraphSections
  readonly #block = new Uint32Array(MOST_BLOCK_BYTES / 4)
  #at = 0
  readonly #skips = new Uint32Array(GROUP_WORDS)
  readonly #aboves = new Uint32Array(GROUP_WORDS)
  readonly #belows = new Uint32Array(GROUP_WORDS)
  readonly #numbers = new Uint32Array(GROUP_WORDS)
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
    const head = this.#at++
    let form = RAW
    if (kind === OFFSETS) form = this.#offsets(words)
    if (kind === LISTS && lists !== undefined) form = this.#lists(words, at, lists)
    if (this.#at - head > words.length) form = RAW
    this.#block[head] = form + 4 * words.length
    if (form !== RAW) return
    this.#block.set(words, head + 1)
    this.#at = head + 1 + words.length
  }

  /** @returns RAW where a difference has more than 32 bits */
  #offsets(words: Uint32Array): number {
    const count = words.length / 2
    const gaps = this.#numbers
    this.#block[this.#at++] = words[0]!
    this.#block[this.#at++] = words[1]!
    gaps[0] = 0
    for (let i = 1; i < count; i++) {
      const [low, high, before, highBefore] = [words[2 * i]!, words[2 * i + 1]!, words[2 * i - 2]!, words[2 * i - 1]!]
      if (high - highBefore !== (low < before ? 1 : 0)) return RAW
      gaps[i] = low - before
    }
    this.#stream(gaps, count)
    return OFFSETS
  }

  #lists(words: Uint32Array, at: number, cursor: ListCursor): number {
    const first = at - this.#sections.targetsAt
    const end = first + words.length
    const { ends, vertex } = cursor
    const numbers = this.#numbers
    let lists = 0
    let before = -1
    const head = this.#at
    this.#at += 2
    for (let arc = first; arc < end;) {
      while (ends[cursor.row]! <= arc) cursor.row++
      const v = vertex + cursor.row
      const stop = Math.min(end, ends[cursor.row]!)
      let middle = arc - first
      for (; middle < stop - first && words[middle]! < v; middle++)
        numbers[middle] =
          (middle + 1 < stop - first && words[middle + 1]! < v ? words[middle + 1]! : v) - words[middle]! - 1
      for (let i = middle, last = v; i < stop - first; last = words[i++]!) numbers[i] = words[i]! - last - 1
      if (lists === 0) this.#block[head] = v
      this.#skips[lists] = lists === 0 ? 0 : v - before - 1
      this.#aboves[lists] = stop - first - middle
      this.#belows[lists] = middle - (arc - first)
      before = v
      lists++
      arc = stop
    }
    let marked = 0
    for (let i = 0; i < words.length; i++) marked += numbers[i] === 0 ? 0 : 1
    const isMarked = marked <= MOST_MARKED * words.length
    this.#block[head + 1] = isMarked ? lists | (marked << 16) : lists
    this.#stream(this.#skips, lists)
    const others = this.#aboves
    if (!isMarked) for (let i = 0; i < lists; i++) others[i]! += this.#belows[i]! - 1
    this.#stream(others, lists)
    this.#stream(this.#belows, lists)
    if (isMarked) this.#marks(numbers, words.length)
    this.#stream(numbers, isMarked ? marked : words.length)
    return isMarked ? MARKED_LISTS : LISTS
  }

  /** Marks the numbers that are not 0, and leaves what they have more than 1 one after another. */
  #marks(numbers: Uint32Array, count: number): void {
    const block = this.#block
    const end = this.#at + Math.ceil(count / 32)
    block.fill(0, this.#at, end)
    let marked = 0
    for (let i = 0; i < count; i++) {
      if (numbers[i] === 0) continue
      block[this.#at + (i >>> 5)]! |= 1 << (i & 31)
      numbers[marked++] = numbers[i]! - 1
    }
    this.#at = end
  }

  #stream(numbers: Uint32Array, count: number): void {
    if (count === 0) return
    const block = this.#block
    const { widths, ends, isOne } = this.#widths.of(numbers, count)
    // Words as signed ones in the same order, which the processor compares at once.
    const [most0, most1, most2] = Array.from(ends, (end) => Math.min(end - 1, MOST) ^ SIGN) as [number, number, number]
    const [end0, end1, end2] = Array.from(ends, (end) => end | 0) as [number, number, number]
    const [width0, width1, width2, width3] = Array.from(widths) as [number, number, number, number]
    const head = this.#at
    const choices = head + 2
    const bits = choices + (isOne ? 0 : Math.ceil(count / 16))
    block[head] = width0 | (width1 << 8) | (width2 << 16) | (width3 << 24)
    block.fill(0, choices, bits + 1)
    let [word, used] = [bits, 0]
    for (let i = 0; i < count; i++) {
      let rest = numbers[i]! | 0
      let width = width0
      const signed = rest ^ SIGN
      if (!isOne && signed > most0) {
        const choice = signed > most2 ? 3 : signed > most1 ? 2 : 1
        rest = (rest - (choice === 3 ? end2 : choice === 2 ? end1 : end0)) | 0
        width = choice === 3 ? width3 : choice === 2 ? width2 : width1
        block[choices + (i >>> 4)]! |= choice << (2 * (i & 15))
      }
      if (width === 0) continue
      block[word]! |= rest << used
      used += width
      if (used < 32) continue
      used -= 32
      block[++word] = used === 0 ? 0 : rest >>> (width - used)
    }
    this.#at = used === 0 ? word : word + 1
    block[head + 1] = this.#at - bits
  }
}

interface ListCursor extends PieceLists {
  /** The place of the list that comes next, among the ends. */
  row: number
}

/** Numbers are counted by their length and the three bits behind the first. */
const PARTS = 8
const PART_BITS = 3

/** The four widths with which so many numbers take few bits. */
class WidthChooser {
  readonly #counts = new Uint32Array(WIDTHS * PARTS)
  /** Numbers of lower lengths, and of lower parts. */
  readonly #sums = new Uint32Array(WIDTHS * PARTS + 1)
  /** Bits of the numbers of the first w lengths by so many widths, and where the last of these begins. */
  readonly #bits = Array.from({ length: CLASSES + 1 }, () => new Float64Array(WIDTHS + 1))
  readonly #from = Array.from({ length: CLASSES + 1 }, () => new Uint8Array(WIDTHS + 1))
  #max = 0
  #count = 0
  /** Ascending; that of the last holds all numbers. */
  readonly widths = new Uint8Array(CLASSES)
  /** The least number that the first choices do not hold. */
  readonly ends = new Float64Array(CLASSES)
  /** Whether one width serves all numbers as well, without choices. */
  isOne = false

  of(numbers: Uint32Array, count: number): this {
    const counts = this.#counts.fill(0)
    let max = 0
    for (let i = 0; i < count; i++) {
      const number = numbers[i]!
      const length = 32 - Math.clz32(number)
      counts[PARTS * length + partOf(number, length)]!++
      if (number > max) max = number
    }
    this.#max = max
    this.#count = count
    const sums = this.#sums
    for (let i = 0; i < counts.length; i++) sums[i + 1] = sums[i]! + counts[i]!
    this.#byLengths(33 - Math.clz32(max))
    let least = this.#settle()
    for (let before = Infinity; least < before;) {
      before = least
      for (let choice = 0; choice < CLASSES - 1; choice++)
        for (const step of [-1, 1]) {
          const width = this.widths[choice]!
          if (width + step < (this.widths[choice - 1] ?? 0) || width + step > this.widths[choice + 1]!) continue
          this.widths[choice] = width + step
          const bits = this.#settle()
          if (bits < least) least = bits
          else this.widths[choice] = width
        }
      this.#settle()
    }
    const width = 32 - Math.clz32(max)
    this.isOne = width * count <= least + 2 * count
    if (this.isOne) this.widths.fill(width)
    return this
  }

  /** The widths with the fewest bits, if each number were stored as it is. @param most lengths */
  #byLengths(most: number): void {
    const sums = this.#sums
    const [bits, from] = [this.#bits, this.#from]
    bits[0]!.fill(Infinity)[0] = 0
    for (let used = 1; used <= CLASSES; used++)
      for (let end = 0; end <= most; end++) {
        // A class that has no numbers.
        let [best, begin] = [bits[used - 1]![end]!, end]
        for (let first = 0; first < end; first++) {
          const all = bits[used - 1]![first]! + (sums[PARTS * end]! - sums[PARTS * first]!) * (end - 1)
          if (all < best) [best, begin] = [all, first]
        }
        bits[used]![end] = best
        from[used]![end] = begin
      }
    for (let used = CLASSES, end = most; used > 0; used--) {
      this.widths[used - 1] = Math.max(0, end - 1)
      end = from[used]![end]!
    }
  }

  /** Ends by widths, and the least last width. @returns bits of all numbers, about */
  #settle(): number {
    const { widths, ends } = this
    let [end, bits, before] = [0, 0, 0]
    for (let choice = 0; choice < CLASSES - 1; choice++) {
      end += 2 ** widths[choice]!
      ends[choice] = end
      const below = this.#below(end)
      bits += (below - before) * widths[choice]!
      before = below
    }
    const rest = this.#max < end ? 0 : 32 - Math.clz32(this.#max - end)
    widths[CLASSES - 1] = Math.max(rest, widths[CLASSES - 2]!)
    return bits + (this.#count - before) * widths[CLASSES - 1]!
  }

  /** How many numbers are less, about. */
  #below(number: number): number {
    if (number > this.#max) return this.#count
    const length = 32 - Math.clz32(number)
    return this.#sums[PARTS * length + partOf(number, length)]!
  }
}

/** The bits behind the first one of a number. */
const partOf = (number: number, length: number): number =>
  length > PART_BITS ? (number >>> (length - 1 - PART_BITS)) & (PARTS - 1) : number & ((1 << (length - 1)) - 1)
