import { type Fix, WITHOUT_WEIGHTS } from '../../base/failure.ts'
import type { TableOptions } from '../../contract/jobs.ts'
import { isWeightName } from '../../graph/table-names.ts'
import { wholeNumber } from '../decimal.ts'
import type { Fields } from './table-lines.ts'

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
const isCommaNumber = (cell: string): boolean => cell.includes(',') && withComma.test(cell)
export const isNumber = (cell: string): boolean => plain.test(cell) || isCommaNumber(cell)
const isShownNumber = (cell: string): boolean => isNumber(cell) || shown.test(cell)
export const isInteger = (cell: string): boolean => /^\+?\d+$/.test(cell)
/** Seconds since 1970, from 1985 to 2039. */
const isMoment = (cell: string): boolean => plain.test(cell) && Number(cell) >= 5e8 && Number(cell) < 2.2e9
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
function decimalOf(cells: readonly string[]): DecimalSign | null {
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

export interface TableDoubt {
  readonly asks: 'header' | 'columns' | 'weights'
  readonly what: string
  readonly remedy: string
  readonly fixes: readonly Fix[]
}

export const column = (rows: readonly (readonly string[])[], at: number): string[] => rows.map((row) => row[at] ?? '')

/** How the weights are written; a doubt where they would be left out in silence, or may be read wrong. */
export function weightsOf(
  names: readonly string[] | null,
  rows: readonly (readonly string[])[],
  { sourceColumn, targetColumn, weightColumn, decimal: chosen = 'auto' }: TableOptions,
): { readonly decimal: DecimalSign; readonly weighted: boolean; readonly doubt: TableDoubt | null } {
  const isChosen = (sourceColumn ?? targetColumn ?? weightColumn) !== undefined
  const byNumber = weightColumn !== undefined && /^\d+$/.test(weightColumn) ? Number(weightColumn) - 1 : -1
  const byName =
    weightColumn === undefined ? (names?.findIndex(isWeightName) ?? -1) : (names?.indexOf(weightColumn) ?? -1)
  const named = byName >= 0 ? byName : byNumber
  const at = named >= 0 ? named : isChosen ? -1 : 2
  const filled = at < 0 ? [] : column(rows, at).filter(isFilled)
  const found = chosen === 'auto' ? decimalOf(filled) : chosen
  const decimal = found ?? 'point'
  const isRead = (cell: string): boolean => !Number.isNaN(numberOfCell(cell, decimal))
  const weighted = named >= 0 ? filled.some(isRead) : filled.length > 0 && filled.every(isRead)
  if (named < 0 && filled.length > 2 && filled.every(isMoment))
    return { decimal, weighted, doubt: momentDoubt(filled[0]!) }
  const odd = filled.filter((cell) => !isRead(cell) || (found === null && isCommaNumber(cell)))
  // One word among many weights is a bad row, which the reader reports.
  const isWhole = named >= 0 ? odd.some(isShownNumber) || !weighted : filled.every(isShownNumber)
  const doubt = odd.length === 0 || !isWhole ? null : oddWeights(at, odd.find(isShownNumber) ?? odd[0]!)
  return { decimal, weighted, doubt }
}

const momentDoubt = (first: string): TableDoubt => ({
  asks: 'weights',
  what: `the third column holds times (${first}), and no weights`,
  remedy: '',
  fixes: [WITHOUT_WEIGHTS, { action: 'set', option: 'weightColumn', to: '3' }],
})

function oddWeights(at: number, odd: string): TableDoubt {
  const isOpen = isCommaNumber(odd)
  const comma = isOpen ? ', with a decimal comma or with thousands' : ''
  return {
    asks: 'weights',
    what: `the weights in column ${at + 1} are no numbers: "${odd.slice(0, 40)}"${comma}`,
    remedy: isOpen ? '' : 'Write them with a decimal point.',
    fixes: [
      ...(isOpen ? (['comma', 'point'] as const).map((to): Fix => ({ action: 'set', option: 'decimal', to })) : []),
      WITHOUT_WEIGHTS,
    ],
  }
}
