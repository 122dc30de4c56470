/** Words read at a jump, and at most when reading goes on where it stopped: a page, and sixteen. */
const LEAST_WORDS = 1 << 10
const MOST_WORDS = 1 << 14
/** A gap that is read through: a disk passes over four pages sooner than it begins anew. */
const GAP_WORDS = 1 << 12

/**
 * Words of a slab on disk, asked for in mostly ascending order. Where the next one stands behind those before, more and more is read
 * at once; after a jump, one page.
 */
export class SlabWindow {
  readonly #read: (at: number, bytes: Uint8Array) => void
  readonly #words: number
  readonly #window: Uint32Array
  #first = 0
  #count = 0

  /** @param read fills `bytes` from byte `at` of the slab on. @param words of the whole slab */
  constructor(read: (at: number, bytes: Uint8Array) => void, words: number) {
    this.#read = read
    this.#words = words
    this.#window = new Uint32Array(Math.min(MOST_WORDS, words))
  }

  word(at: number): number {
    const place = at - this.#first
    if (place >= 0 && place < this.#count) return this.#window[place]!
    this.#load(at)
    return this.#window[at - this.#first]!
  }

  #load(at: number): void {
    const end = this.#first + this.#count
    const goesOn = this.#count > 0 && at >= end && at < end + GAP_WORDS
    const wanted = goesOn ? Math.min(MOST_WORDS, Math.max(2 * this.#count, 2 * GAP_WORDS)) : LEAST_WORDS
    this.#first = goesOn ? end : at - (at % LEAST_WORDS)
    this.#count = Math.min(wanted, this.#words - this.#first)
    this.#read(4 * this.#first, new Uint8Array(this.#window.buffer, 0, 4 * this.#count))
  }
}
