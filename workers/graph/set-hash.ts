/**
 * The hash of results starts from 1469598103934665603, not from the standard offset basis of FNV-1a, which has one digit
 * more: the published answers that every result is compared with were made so (docs/decisions/0005-hash-basis.md).
 */
const HASH_BASIS = 0x14650fb0739d0383n

/**
 * 64-bit FNV-1a over 32-bit little-endian words, as 16 hexadecimal digits: the fingerprint of a set (its member ids
 * ascending) or of a matching (its pairs). The 64-bit state is kept as two halves; the prime is 2^40 + 0x1b3.
 */
export class WordHash {
  #low = Number(HASH_BASIS & 0xffffffffn)
  #high = Number(HASH_BASIS >> 32n)

  add(word: number): void {
    let low = this.#low
    let high = this.#high
    for (let shift = 0; shift < 32; shift += 8) {
      low = (low ^ ((word >>> shift) & 0xff)) >>> 0
      const product = low * 0x1b3
      high = (Math.imul(high, 0x1b3) + Math.floor(product / 2 ** 32) + (low << 8)) >>> 0
      low = product >>> 0
    }
    this.#low = low
    this.#high = high
  }

  digits(): string {
    return this.#high.toString(16).padStart(8, '0') + this.#low.toString(16).padStart(8, '0')
  }
}
