const POWERS = Float64Array.from({ length: 23 }, (_, i) => Number(`1e${i}`))
const ZERO = 48
const decoder = new TextDecoder('latin1')

/** Reads decimal numbers from bytes; `end` is where the last one ended. */
export class DecimalScanner {
  end = 0

  /**
   * The number that starts at `at` ([+-] digits [. digits] [e [+-] digits]), exactly as Number() would read it. Reads up to
   * the first byte that cannot continue it; `end === at` when there is no number. `bytes` must hold a byte that ends it.
   */
  read(bytes: Uint8Array, at: number): number {
    let p = at
    const negative = bytes[p] === 45
    if (negative || bytes[p] === 43) p++
    let mantissa = 0
    let digits = 0
    let d = bytes[p]! - ZERO
    for (; d >= 0 && d <= 9; d = bytes[++p]! - ZERO) {
      mantissa = mantissa * 10 + d
      digits++
    }
    let scale = 0
    if (bytes[p] === 46) {
      for (d = bytes[++p]! - ZERO; d >= 0 && d <= 9; d = bytes[++p]! - ZERO) {
        mantissa = mantissa * 10 + d
        digits++
        scale--
      }
    }
    if (digits === 0) {
      this.end = at
      return NaN
    }
    if ((bytes[p]! | 32) === 101) {
      const exponent = this.#exponent(bytes, p + 1)
      if (this.end > p) {
        scale += exponent
        p = this.end
      }
    }
    this.end = p
    if (mantissa > Number.MAX_SAFE_INTEGER || scale < -22 || scale > 22)
      return Number(decoder.decode(bytes.subarray(at, p)))
    const value = scale < 0 ? mantissa / POWERS[-scale]! : mantissa * POWERS[scale]!
    return negative ? -value : value
  }

  /** Leaves `end` at 0 when no digits follow. */
  #exponent(bytes: Uint8Array, at: number): number {
    let p = at
    const negative = bytes[p] === 45
    if (negative || bytes[p] === 43) p++
    const first = p
    let exponent = 0
    for (let d = bytes[p]! - ZERO; d >= 0 && d <= 9; d = bytes[++p]! - ZERO)
      exponent = Math.min(9999, exponent * 10 + d)
    this.end = p === first ? 0 : p
    return negative ? -exponent : exponent
  }
}

const scanner = new DecimalScanner()

/** The whole of bytes [start, end) as a number: NaN also for "nan"; undefined when it is no number at all. */
export function wholeNumber(bytes: Uint8Array, start: number, end: number): number | undefined {
  const field = new Uint8Array(end - start + 1)
  field.set(bytes.subarray(start, end))
  const value = scanner.read(field, 0)
  if (scanner.end === end - start && end > start) return value
  const word = decoder.decode(bytes.subarray(start, Math.min(end, start + 10))).toLowerCase()
  if (/^[+-]?nan$/.test(word)) return NaN
  if (/^[+-]?inf(inity)?$/.test(word)) return word.startsWith('-') ? -Infinity : Infinity
  return undefined
}
