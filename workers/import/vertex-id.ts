const ZERO = 48
const LIMB = 2 ** 32
const decoder = new TextDecoder('latin1')

export type IdKind = 'integer' | 'text' | 'negative' | 'fractional' | 'too-large'

/** Reads ids of edge lists: non-negative integers up to 2^64 - 1, or texts. */
export class IdScanner {
  /** Halves of the last integer. */
  low = 0
  high = 0

  /**
   * What bytes [start, end) are. Digits, with or without a plus, are an integer (leading zeros say nothing). What carries a
   * sign or a decimal point and otherwise reads as a number is a broken integer, never a text, so that a stray minus cannot turn a whole
   * file into text labels; in quotes it is a text. All else is a text, "12e45" and "3a" too: such things are hashes and codes.
   */
  read(bytes: Uint8Array, start: number, end: number, quoted: boolean): IdKind {
    let p = bytes[start] === 43 && end - start > 1 && !quoted ? start + 1 : start
    let low = 0
    let high = 0
    for (; p < end; p++) {
      const d = bytes[p]! - ZERO
      if (d < 0 || d > 9) return quoted ? 'text' : brokenOrText(bytes, start, end)
      const product = low * 10 + d
      low = product % LIMB
      high = high * 10 + (product - low) / LIMB
      if (high >= LIMB) return this.#long(bytes, p + 1, end, start, quoted)
    }
    this.low = low
    this.high = high
    return 'integer'
  }

  #long(bytes: Uint8Array, at: number, end: number, start: number, quoted: boolean): IdKind {
    for (let p = at; p < end; p++) {
      const d = bytes[p]! - ZERO
      if (d < 0 || d > 9) return quoted ? 'text' : brokenOrText(bytes, start, end)
    }
    return quoted ? 'text' : 'too-large'
  }
}

/** Whether a word that is not all digits reads as a negative or fractional number, or as a text. */
export function brokenOrText(bytes: Uint8Array, start: number, end: number): IdKind {
  const c = bytes[start]!
  if (c !== 45 && c !== 43 && c !== 46 && (c < 48 || c > 57)) return 'text'
  if (end - start > 400) return 'text'
  const word = decoder.decode(bytes.subarray(start, end))
  if (/^-\d+$/.test(word)) return 'negative'
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(word)) return 'text'
  if (/^\d+e\d+$/i.test(word)) return 'text'
  return word.startsWith('-') ? 'negative' : 'fractional'
}
