import { wholeNumber } from '../decimal.ts'
import type { Fields } from './fields.ts'

export type DecimalSign = 'point' | 'comma'

const plain = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i
const withComma = /^[+-]?(?:\d+|\d*,\d+)(?:e[+-]?\d+)?$/i
/** 1.234,50 and 1 234,50; 1,234.50 and 1'234.50. */
const groupedComma = /^[+-]?[1-9]\d{0,2}(?:[ .'’\u00a0\u202f]\d{3})+(?:,\d+)?$/
const groupedPoint = /^[+-]?[1-9]\d{0,2}(?:[ ,'’\u00a0\u202f]\d{3})+(?:\.\d+)?$/
/** As spreadsheets show them: 75%, $5.00, 1 234. */
const shown = /^[^\p{L}\p{N}]{0,2}\d{1,3}(?:[ '’.,\u00a0\u202f]?\d{3})*(?:[.,]\d+)?[^\p{L}\p{N}]{0,2}$/u
const missingWords = /^(?:|na|n\/a|nan|null|none|-|\\n)$/i
const infinite = /^[+-]?inf(?:inity)?$/i

export const isPlainNumber = (cell: string): boolean => plain.test(cell)
export const isCommaNumber = (cell: string): boolean => cell.includes(',') && withComma.test(cell)
export const isNumber = (cell: string): boolean => plain.test(cell) || isCommaNumber(cell)
export const isShownNumber = (cell: string): boolean => isNumber(cell) || shown.test(cell)
export const isInteger = (cell: string): boolean => /^\+?\d+$/.test(cell)
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

const latin1 = new TextDecoder('latin1')
const MOST_WORD_BYTES = 4

export function isMissing(line: Uint8Array, { starts, ends }: Fields, place: number): boolean {
  const length = ends[place]! - starts[place]!
  if (length > MOST_WORD_BYTES) return false
  if (length === 0) return true
  const first = line[starts[place]!]!
  // No number begins like a word.
  if (first >= 48 && first <= 57) return false
  return isMissingWord(latin1.decode(line.subarray(starts[place], ends[place])))
}

/** NaN where there is none. */
export function weightAt(line: Uint8Array, { starts, ends }: Fields, place: number, decimal: DecimalSign): number {
  const [start, end] = [starts[place]!, ends[place]!]
  const plainly = decimal === 'point' ? wholeNumber(line, start, end) : undefined
  return plainly ?? numberOfCell(Buffer.from(line.subarray(start, end)).toString('utf8'), decimal)
}
