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
  /** The lower and the upper half. */
  readonly #state = new Int32Array([Number(HASH_BASIS & 0xffffffffn), Number(HASH_BASIS >> 32n)])

  add(word: number): void {
    const state = this.#state
    let low = state[0]!
    let high = state[1]!
    for (let shift = 0; shift < 32; shift += 8) {
      low ^= (word >>> shift) & 0xff
      // In parts that a product leaves below 2^31: 32-bit integers stay in registers.
      const lower = (low & 0xffff) * 0x1b3
      const upper = (low >>> 16) * 0x1b3 + (lower >>> 16)
      high = (Math.imul(high, 0x1b3) + (upper >>> 16) + (low << 8)) | 0
      low = (upper << 16) | (lower & 0xffff)
    }
    state[0] = low
    state[1] = high
  }

  digits(): string {
    const [low, high] = this.#state
    return (high! >>> 0).toString(16).padStart(8, '0') + (low! >>> 0).toString(16).padStart(8, '0')
  }
}
