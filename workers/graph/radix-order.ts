const DIGIT_BITS = 11
const DIGITS = 1 << DIGIT_BITS

/** Stably: a call for each word of a key, the least significant first. 8 bytes for each place. */
export class RadixSorter {
  #from = new Uint32Array(0)
  #into = new Uint32Array(0)
  #count = 0
  readonly #starts = new Uint32Array(DIGITS)

  start(count: number): void {
    if (count > this.#from.length) {
      const room = this.#from.length === 0 ? count : Math.ceil(1.5 * count)
      this.#from = new Uint32Array(room)
      this.#into = new Uint32Array(room)
    }
    this.#count = count
    for (let i = 0; i < count; i++) this.#from[i] = i
  }

  sort(words: Uint32Array): void {
    for (let shift = 0; shift < 32; shift += DIGIT_BITS) this.#sortDigit(words, shift)
  }

  /** Valid until the next call. */
  get places(): Uint32Array {
    return this.#from
  }

  #sortDigit(words: Uint32Array, shift: number): void {
    const [from, into, starts, count] = [this.#from, this.#into, this.#starts.fill(0), this.#count]
    for (let i = 0; i < count; i++) starts[(words[i]! >>> shift) & (DIGITS - 1)]!++
    if (count === 0 || starts[(words[0]! >>> shift) & (DIGITS - 1)] === count) return
    let sum = 0
    for (let digit = 0; digit < DIGITS; digit++) {
      const size = starts[digit]!
      starts[digit] = sum
      sum += size
    }
    for (let i = 0; i < count; i++) {
      const place = from[i]!
      into[starts[(words[place]! >>> shift) & (DIGITS - 1)]!++] = place
    }
    this.#from = into
    this.#into = from
  }
}

/** Indices by ascending key. @param keys words, the least significant first */
export function radixOrder(keys: readonly Uint32Array[]): Uint32Array {
  const sorter = new RadixSorter()
  sorter.start(keys[0]?.length ?? 0)
  for (const words of keys) sorter.sort(words)
  return sorter.places
}
