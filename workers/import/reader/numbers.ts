/**
 * Numbers as files write them: decimals scanned from bytes and rounded as JavaScript does, points, commas and thousands, words for none, whole
 * numbers behind 1.0 or 1e+05, and which sign a column of numbers has. Digits that a format lost are noticed rather than guessed. Readers of
 * tables, conditions and attributes read by it alike.
 */

const POWERS = Float64Array.from({ length: 23 }, (_, i) => Number(`1e${i}`))
const ZERO = 48
const decoder = new TextDecoder('latin1')

/** Reads decimal numbers from bytes; `end` is where the last one ended. */
export class DecimalScanner {
  end = 0
  /** All digits of the last number, without its point; those of an exponent aside. */
  mantissa = 0

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
    this.mantissa = mantissa
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
/** A field and a byte that ends it. */
const short = new Uint8Array(64)

/** The whole of bytes [start, end) as a number: NaN also for "nan"; undefined when it is no number at all. */
export function wholeNumber(bytes: Uint8Array, start: number, end: number): number | undefined {
  const field = end - start < short.length ? short : new Uint8Array(end - start + 1)
  for (let i = start; i < end; i++) field[i - start] = bytes[i]!
  field[end - start] = 0
  const value = scanner.read(field, 0)
  if (scanner.end === end - start && end > start) return value
  const word = decoder.decode(bytes.subarray(start, Math.min(end, start + 10))).toLowerCase()
  if (/^[+-]?nan$/.test(word)) return NaN
  if (/^[+-]?inf(inity)?$/.test(word)) return word.startsWith('-') ? -Infinity : Infinity
  return undefined
}

/** NaN where it is none */
export function numberOf(word: string): number {
  const bytes = Buffer.from(word)
  return wholeNumber(bytes, 0, bytes.length) ?? NaN
}

export type DecimalSign = 'point' | 'comma'

const plain = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i
const withComma = /^[+-]?(?:\d+|\d*,\d+)(?:e[+-]?\d+)?$/i
/** 1.234,50 and 1 234,50; 1,234.50 and 1'234.50. */
const groupedComma = /^[+-]?[1-9]\d{0,2}(?:[ .'’\u00a0\u202f]\d{3})+(?:,\d+)?$/
const groupedPoint = /^[+-]?[1-9]\d{0,2}(?:[ ,'’\u00a0\u202f]\d{3})+(?:\.\d+)?$/
/** As spreadsheets show them: 75%, $5.00, 1 234. */
const shown = /^[^\p{L}\p{N}]{0,2}\d{1,3}(?:[ '’.,\u00a0\u202f]?\d{3})*(?:[.,]\d+)?[^\p{L}\p{N}]{0,2}$/u
const missingWords = /^(?:|<?na>?|n\/a|nan|nat|null|none|-|\\n|#n\/a|#null!|#ref!|#value!)$/i
const infinite = /^[+-]?inf(?:inity)?$/i

export const isPlainNumber = (cell: string): boolean => plain.test(cell)
export const isCommaNumber = (cell: string): boolean => cell.includes(',') && withComma.test(cell)
export const isNumber = (cell: string): boolean => plain.test(cell) || isCommaNumber(cell)
export const isShownNumber = (cell: string): boolean => isNumber(cell) || shown.test(cell)
export const isInteger = (cell: string): boolean => /^\+?\d+$/.test(cell)
const decimalId = /^\+?(\d+)\.?(\d*)(?:(e|E)([+-]?)(\d{1,3}))?$/
const MOST_EXACT = 2n ** 53n

/**
 * The whole number that a decimal or an exponent writes with all of its digits: pandas writes 1.0, R 1e+05, Java 1.0E7,
 * NumPy 1.000000000000000000e+05. What may have lost digits is null: 1.23457E+18 of a spreadsheet, 1.2346e+05 of MATLAB, which R
 * would never write, as the number itself is no longer.
 */
export function wholeOfDecimal(word: string): bigint | null {
  const [, whole, fraction = '', letter, sign = '', power = '0'] = decimalId.exec(word) ?? []
  if (whole === undefined || word.length > MOST_DECIMAL) return null
  if (letter === undefined) return /^0*$/.test(fraction) ? exactOf(whole) : null
  const exponent = Number(power)
  if (sign === '-' && exponent > 0) return null
  const number = exactOf(`${whole}${fraction.slice(0, exponent).padEnd(exponent, '0')}`)
  if (number === null || !/^0*$/.test(fraction.slice(exponent))) return null
  const hasAllDigits = fraction.length >= exponent
  const isJava = letter === 'E' && sign === '' && fraction !== ''
  const isR = letter === 'e' && sign === '+' && word.length <= String(number).length
  return hasAllDigits || isJava || isR ? number : null
}

const MOST_DECIMAL = 40
const exactOf = (digits: string): bigint | null => {
  const number = BigInt(digits)
  return number < MOST_EXACT ? number : null
}

/** Seconds since 1970, from 1985 to 2039. */
export const isMoment = (cell: string): boolean => plain.test(cell) && Number(cell) >= 5e8 && Number(cell) < 2.2e9
export const isMissingWord = (cell: string): boolean => missingWords.test(cell)
export const isFilled = (cell: string): boolean => !missingWords.test(cell) && !infinite.test(cell)

/** Empty cells aside. */
export function holdsNumbers(cells: readonly string[]): boolean {
  const filled = cells.filter(isFilled)
  return filled.length > 0 && filled.every(isNumber)
}

/** Under a decimal sign; NaN where it is none. */
export function numberOfCell(cell: string, decimal: DecimalSign): number {
  if (decimal === 'point') {
    if (plain.test(cell)) return Number(cell)
    return Number(groupedPoint.test(cell) ? cell.replaceAll(/[^\d.+-]/g, '') : NaN)
  }
  if (groupedComma.test(cell)) return Number(cell.replaceAll(/[^\d,+-]/g, '').replace(',', '.'))
  return withComma.test(cell) ? Number(cell.replace(',', '.')) : NaN
}

/** Also what is none, or infinite: the column is one of numbers. */
export const isInNumbers = (cell: string, decimal: DecimalSign): boolean =>
  /^[+-]?nan$/i.test(cell) || infinite.test(cell) || !Number.isNaN(numberOfCell(cell, decimal))

/** The decimal sign of numbers; null where they leave it open, as 1,234 does, or are none. @param cells filled */
export function decimalOf(cells: readonly string[]): DecimalSign | null {
  const isRead = (decimal: DecimalSign) => cells.every((cell) => !Number.isNaN(numberOfCell(cell, decimal)))
  if (isRead('point')) return isRead('comma') && cells.some((cell) => cell.includes(',')) ? null : 'point'
  return isRead('comma') ? 'comma' : null
}

const MOST_WORD_BYTES = 8

/** Whether bytes [start, end) are empty or a word for none. */
export function isMissingIn(bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start > MOST_WORD_BYTES) return false
  // No number begins like a word.
  const first = bytes[start]! - ZERO
  return start === end || ((first < 0 || first > 9) && isMissingWord(decoder.decode(bytes.subarray(start, end))))
}

/** The number in bytes [start, end), as {@link numberOfCell}; also what is infinite. @param decimal null: a point, and nothing between thousands */
export function numberIn(bytes: Uint8Array, start: number, end: number, decimal: DecimalSign | null): number {
  const plainly = decimal === 'comma' ? undefined : wholeNumber(bytes, start, end)
  if (plainly !== undefined || decimal === null) return plainly ?? NaN
  return numberOfCell(Buffer.from(bytes.subarray(start, end)).toString('utf8'), decimal)
}
