import type { StoredFile } from './stored-file.ts'

/** As WebGraph calls them. */
export type BitCode = 'GAMMA' | 'DELTA' | 'ZETA' | 'UNARY'

const WINDOW_BYTES = 1 << 20
const MAX_BITS = 52

/**
 * A big-endian bit stream and its instantaneous codes of whole numbers from 0 (Boldi and Vigna, "The WebGraph Framework
 * II: Codes for the World-Wide Web", 2004).
 */
export class BitReader {
  readonly #file: StoredFile
  readonly #zetaK: number
  #bytes = new Uint8Array(0)
  /** Position of the window in the file. */
  #base = 0
  /** Next byte of the window, and the bits of it that were read. */
  #at = 0
  #used = 0

  constructor(file: StoredFile, zetaK: number) {
    this.#file = file
    this.#zetaK = zetaK
  }

  /** Begun ones count. */
  get readBytes(): number {
    return this.#base + this.#at
  }

  read(code: BitCode): number {
    switch (code) {
      case 'UNARY':
        return this.unary()
      case 'GAMMA':
        return this.gamma()
      case 'DELTA':
        return this.#delta()
      case 'ZETA':
        return this.#zeta()
    }
  }

  /** As many zeros as the number says, then a one. */
  unary(): number {
    for (let zeros = 0; ;) {
      const rest = this.#byte() & (0xff >> this.#used)
      if (rest === 0) {
        zeros += 8 - this.#used
        this.#take(8 - this.#used)
        continue
      }
      const lead = Math.clz32(rest) - 24
      zeros += lead - this.#used
      this.#take(lead + 1 - this.#used)
      return zeros
    }
  }

  /** The length of x + 1 in bits less one, in unary; then its bits without the first. */
  gamma(): number {
    const length = this.unary()
    return 2 ** length + this.#bits(length) - 1
  }

  /** As gamma, with the length in gamma. */
  #delta(): number {
    const length = this.gamma()
    return 2 ** length + this.#bits(length) - 1
  }

  /** With h in unary, x + 1 is in [2^(hk), 2^((h+1)k)), in minimal binary. */
  #zeta(): number {
    const k = this.#zetaK
    const h = this.unary()
    const left = 2 ** (h * k)
    const short = this.#bits(h * k + k - 1)
    return short < left ? short + left - 1 : 2 * short + this.#bits(1) - 1
  }

  #bits(count: number): number {
    if (count > MAX_BITS) throw this.#file.shorter(this.#file.bytes + 1)
    let value = 0
    for (let missing = count; missing > 0;) {
      const byte = this.#byte()
      const take = Math.min(missing, 8 - this.#used)
      value = value * 2 ** take + ((byte >> (8 - this.#used - take)) & ((1 << take) - 1))
      missing -= take
      this.#take(take)
    }
    return value
  }

  /** Of the current byte. */
  #take(bits: number): void {
    this.#used += bits
    if (this.#used < 8) return
    this.#at++
    this.#used = 0
  }

  #byte(): number {
    if (this.#at === this.#bytes.length) {
      this.#base += this.#at
      this.#at = 0
      const left = this.#file.bytes - this.#base
      if (left <= 0) throw this.#file.shorter(this.#file.bytes + 1)
      this.#bytes = this.#file.read(this.#base, Math.min(WINDOW_BYTES, left))
    }
    return this.#bytes[this.#at]!
  }
}
