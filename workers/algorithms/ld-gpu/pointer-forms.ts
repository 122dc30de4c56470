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

/** Writes bitmaps out as pairs again, some at a time. */
export class BitmapReader {
  readonly #words: Uint32Array
  readonly #first: number
  readonly #bitmapWords: number
  #word = 0
  #bits: number
  #at: number

  /** @param words as `writeBitmap` left them for the `own` vertices from `first` on */
  constructor(words: Uint32Array, first: number, own: number) {
    this.#words = words
    this.#first = first
    this.#bitmapWords = Math.ceil(own / 32)
    this.#bits = this.#bitmapWords === 0 ? 0 : words[0]!
    this.#at = this.#bitmapWords
  }

  /** The next pairs, as many as there is room for. Returns how many; 0 at the end. */
  read(pairs: Uint32Array): number {
    const words = this.#words
    let filled = 0
    while (filled + 1 < pairs.length) {
      if (this.#bits === 0) {
        if (++this.#word >= this.#bitmapWords) break
        this.#bits = words[this.#word]!
        continue
      }
      pairs[filled++] = this.#first + 32 * this.#word + 31 - Math.clz32(this.#bits & -this.#bits)
      pairs[filled++] = words[this.#at++]!
      this.#bits &= this.#bits - 1
    }
    return filled / 2
  }
}
