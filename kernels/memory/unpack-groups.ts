import { kernel } from '../kernel.ts'
import wgsl from './unpack-groups.wgsl?raw'

/** The words of a group of a packed graph, and the groups of a piece. */
export const GROUP_WORDS = 4096
const GROUPS = 64
const WORKGROUP = 256
const RAW = 0
const OFFSETS = 1
const MARKED_LISTS = 3

/** Unpacks pieces of a packed graph (docs/formats.md, "Packed graphs"), as workers/graph/packed/unpack.wat does on processors. */
export const unpackGroups = kernel(
  'unpack-groups',
  wgsl,
  ['first', 'count', 'piece', 'last'],
  { packed: 'read', blocks: 'read', words: 'write' },
  ({ first, count, piece, last }, { packed, blocks, words }) => {
    const groups = Math.ceil(count / GROUP_WORDS)
    for (let group = 0; group < groups; group++) {
      const place = piece + Math.floor(group / GROUPS)
      const block = (blocks[place]! - blocks[piece]!) >>> 0
      const inPiece = group % GROUPS
      const isLast = (Math.floor(group / GROUPS) + 1) * GROUPS >= groups
      const at = inPiece > 0 ? packed[block + inPiece - 1]! : isLast ? last : GROUPS
      const begin = first + group * GROUP_WORDS
      unpackGroup(packed, block + at, words.subarray(begin, Math.min(begin + GROUP_WORDS, first + count)))
    }
  },
)

export const unpackThreads = (words: number): number => WORKGROUP * Math.ceil(words / GROUP_WORDS)

/** @param words of the group, or as many of its first ones as are wanted */
function unpackGroup(packed: Uint32Array, begin: number, words: Uint32Array): void {
  let at = begin
  for (let done = 0; done < words.length;) {
    const head = packed[at++]!
    const count = head >>> 2
    if (!(count > 0 && count <= GROUP_WORDS - done)) return
    const some = words.subarray(done)
    if (head % 4 === RAW) {
      some.set(packed.subarray(at, at + Math.min(count, some.length)))
      at += count
    } else if (head % 4 === OFFSETS) at = unpackOffsets(packed, at, count / 2, some)
    else at = unpackLists(packed, at, count, some, head % 4 === MARKED_LISTS)
    done += count
  }
}

function unpackOffsets(packed: Uint32Array, at: number, count: number, words: Uint32Array): number {
  let [low, high] = [packed[at]!, packed[at + 1]!]
  const stream = new Stream(packed, at + 2, count)
  for (let i = 0; i < count && 2 * i < words.length; i++) {
    low += stream.next()
    if (low >= 2 ** 32) [low, high] = [low - 2 ** 32, high + 1]
    words[2 * i] = low
    words[2 * i + 1] = high
  }
  return stream.end
}

function unpackLists(packed: Uint32Array, at: number, count: number, words: Uint32Array, hasMarks: boolean): number {
  const head = packed[at + 1]!
  const lists = Math.min(hasMarks ? head & 0xffff : head, count)
  const skips = new Stream(packed, at + 2, lists)
  const sizes = new Stream(packed, skips.end, lists)
  const belows = new Stream(packed, sizes.end, lists)
  const marksAt = belows.end
  const numbers = hasMarks
    ? new Stream(packed, marksAt + Math.ceil(count / 32), Math.min(head >>> 16, count))
    : new Stream(packed, marksAt, count)
  const isMarked = (word: number): boolean => ((packed[marksAt + (word >>> 5)]! >>> (word & 31)) & 1) === 1
  const numberOf = (word: number): number => (!hasMarks ? numbers.next() : isMarked(word) ? numbers.next() + 1 : 0)
  let vertex = packed[at]! - 1
  for (let list = 0, place = 0; list < lists; list++) {
    vertex += skips.next() + 1
    const [size, below] = [sizes.next(), belows.next()]
    const length = size + (hasMarks ? below : 1)
    const left = Math.min(length, Math.max(0, count - place))
    const found = Array.from({ length: left }, (_, i) => numberOf(place + i))
    let value = vertex - found.slice(0, below).reduce((sum, number) => sum + number + 1, 0)
    for (const [i, number] of found.entries()) {
      if (i >= below) value += number + 1
      if (place < words.length) words[place] = value
      place++
      if (i < below) value += number + 1
    }
  }
  return numbers.end
}

/** Numbers of four widths, or of one; none where it has none. */
class Stream {
  readonly end: number
  readonly #packed: Uint32Array
  readonly #at: number
  readonly #bits: number
  readonly #widths: readonly number[]
  readonly #isOne: boolean
  #next = 0
  #bit = 0

  constructor(packed: Uint32Array, at: number, count: number) {
    this.#packed = packed
    this.#at = at
    this.#widths = [0, 8, 16, 24].map((shift) => Math.min(32, (packed[at]! >>> shift) & 255))
    this.#isOne = this.#widths.every((width) => width === this.#widths[0])
    this.#bits = at + 2 + (this.#isOne ? 0 : Math.ceil(count / 16))
    this.end = count === 0 ? at : this.#bits + packed[at + 1]!
  }

  next(): number {
    const packed = this.#packed
    const choices = this.#isOne ? 0 : packed[this.#at + 2 + (this.#next >>> 4)]!
    const choice = (choices >>> (2 * (this.#next++ & 15))) & 3
    const least = this.#widths.slice(0, choice).reduce((sum, width) => sum + 2 ** width, 0)
    const width = this.#widths[choice]!
    if (width === 0) return least
    const [word, from] = [this.#bits + Math.floor(this.#bit / 32), this.#bit % 32]
    this.#bit += width
    let value = packed[word]! >>> from
    if (from + width > 32) value |= packed[word + 1]! << (32 - from)
    return least + ((value & (0xffffffff >>> (32 - width))) >>> 0)
  }
}
