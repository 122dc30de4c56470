import { BITS_BLOCK } from '../../../kernels/match-take-bits.ts'

/** How the pointers of a round are written down: pairs, a bit for each own vertex and the values, or all of the range. */
export const forms = ['list', 'bitmap', 'whole'] as const
export type PointerForm = (typeof forms)[number]

/** What changed in a worker's own range in one round. */
export interface PointerChanges {
  readonly count: number
  /** Pairs (vertex, pointer), each vertex once; undefined: too many to list, ask for `whole`. */
  readonly pairs: Uint32Array | undefined
  /** Copies the pointers of all own vertices to `into`, which has that many words. */
  whole(into: Uint32Array): Promise<unknown>
}

/** The form that takes the fewest words for changes of a range of `own` vertices. */
export function shortestForm({ count, pairs }: PointerChanges, own: number): { form: PointerForm; words: number } {
  const list = 2 * count
  const bitmap = Math.ceil(own / 32) + count
  if (pairs === undefined || Math.min(list, bitmap) > own) return { form: 'whole', words: own }
  return list <= bitmap ? { form: 'list', words: list } : { form: 'bitmap', words: bitmap }
}

/** A bit for each own vertex that changed, then the pointers of these in ascending order of the vertices. */
export function writeBitmap(outbox: Uint32Array, pairs: Uint32Array, first: number, own: number): void {
  const bitmap = outbox.subarray(0, Math.ceil(own / 32)).fill(0)
  for (let at = 0; at < pairs.length; at += 2) bitmap[(pairs[at]! - first) >>> 5]! |= 1 << ((pairs[at]! - first) & 31)
  const before = new Uint32Array(bitmap.length)
  for (let word = 1; word < bitmap.length; word++) before[word] = before[word - 1]! + countBits(bitmap[word - 1]!)
  for (let at = 0; at < pairs.length; at += 2) {
    const own = pairs[at]! - first
    const lower = bitmap[own >>> 5]! & ((1 << (own & 31)) - 1)
    outbox[bitmap.length + before[own >>> 5]! + countBits(lower)] = pairs[at + 1]!
  }
}

function countBits(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555)
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

/** A part of a bitmap, written as match-take-bits.wgsl reads it. */
export interface BitmapPart {
  /** The vertex of its first bit. */
  readonly first: number
  /** Words of bits. */
  readonly words: number
  /** The bits, how many are set before each block of them, and the pointers. */
  readonly updates: Uint32Array
}

/** Writes bitmaps down for devices, some words at a time. */
export class BitmapReader {
  readonly #words: Uint32Array
  readonly #first: number
  readonly #bitmapWords: number
  readonly #blocks: number[] = []
  #word = 0
  #at: number

  /** @param words as `writeBitmap` left them for the `own` vertices from `first` on */
  constructor(words: Uint32Array, first: number, own: number) {
    this.#words = words
    this.#first = first
    this.#bitmapWords = Math.ceil(own / 32)
    this.#at = this.#bitmapWords
  }

  /** The next part, as much as there is room for, at least for a word with its pointers; undefined at the end. */
  read(room: Uint32Array): BitmapPart | undefined {
    const [bitmap, from] = [this.#words, this.#word]
    let [values, taken] = [0, 0]
    this.#blocks.length = 0
    while (from + taken < this.#bitmapWords) {
      const more = countBits(bitmap[from + taken]!)
      const blocks = Math.ceil((taken + 1) / BITS_BLOCK)
      if (taken + 1 + blocks + values + more > room.length) break
      if (taken % BITS_BLOCK === 0) this.#blocks.push(values)
      values += more
      taken++
    }
    if (taken === 0 && from < this.#bitmapWords) throw new Error('no room for a word with its pointers')
    if (taken === 0) return undefined
    this.#word += taken
    const at = this.#at
    this.#at += values
    room.set(bitmap.subarray(from, from + taken))
    room.set(this.#blocks, taken)
    const before = taken + this.#blocks.length
    room.set(bitmap.subarray(at, at + values), before)
    return { first: this.#first + 32 * from, words: taken, updates: room.subarray(0, before + values) }
  }
}
