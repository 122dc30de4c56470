/**
 * Which columns of a table make the graph: those that the user chose, by name or number, else well-known names, else the first two; and which
 * are kept as attributes, compared by a condition, or may be weights. What may be read wrong, such as a decimal comma or weights that would be
 * left out in silence, is a doubt that asks. table-shape.ts cuts the lines, columnar.ts has columns with names of their own.
 */

import { type Fix, inputFailure, OTHER_COLUMNS, OTHER_WEIGHTS, WITHOUT_WEIGHTS } from '../../base/failure.ts'
import type { TableOptions } from '../../contract/jobs.ts'
import { columnsOf, compileFilter, numericColumns, parseFilter } from '../../graph/attribute-filter.ts'
import { isWeightName } from '../../graph/table-names.ts'
import {
  decimalOf,
  type DecimalSign,
  isCommaNumber,
  isFilled,
  isMoment,
  isShownNumber,
  numberOfCell,
} from '../reader/numbers.ts'

/** Usual names of columns, in lower case. */
const sourceNames = ['src', 'source', 'from', 'u', 'i', 'tail', 'node1', 'query']
const targetNames = ['dst', 'target', 'to', 'dest', 'destination', 'v', 'j', 'head', 'node2', 'subject']
const weightNames = ['weight', 'w']

export interface TableColumns {
  /** For messages. */
  readonly file: string
  /** null where columns have none. */
  readonly names: readonly string[] | null
  readonly width: number
}

/** Columns that make the graph, from 0. */
export interface ColumnChoice {
  readonly source: number
  readonly target: number
  /** null for graphs without weights */
  readonly weight: number | null
  /** Other rows are no entries. */
  readonly where: RowCondition | null
}

/**
 * The columns that the user chose (by name, or number from 1), else well-known names, else the first two.
 * @throws Failure (input) for columns that are not there
 */
export function chooseColumns(columns: TableColumns, table: TableOptions, ignoreWeights: boolean): ColumnChoice {
  const { file, names, width } = columns
  const find = (wanted: string) => findColumn(columns, wanted)
  const known = (words: readonly string[]) =>
    words.map((word) => names?.findIndex((name) => name.toLowerCase() === word) ?? -1).find((i) => i >= 0)
  if (width < 2)
    throw inputFailure(file, `there is ${width} column, and an edge needs two ids`, 'Is it a table of edges?')
  const guessed = { source: known(sourceNames), target: known(targetNames) }
  const both = guessed.source !== undefined && guessed.target !== undefined
  const source = table.sourceColumn === undefined ? (both ? guessed.source! : 0) : find(table.sourceColumn)
  const target = table.targetColumn === undefined ? (both ? guessed.target! : 1) : find(table.targetColumn)
  if (source === target) throw inputFailure(file, 'source and target are the same column', '', OTHER_COLUMNS)
  const weight = table.weightColumn === undefined ? (known(weightNames) ?? null) : find(table.weightColumn)
  return {
    source,
    target,
    weight: ignoreWeights || weight === source || weight === target ? null : weight,
    where: table.where === undefined ? null : conditionOf(table.where, find),
  }
}

/** Each once: source and target first. */
export function columnsRead({ source, target, weight, where }: ColumnChoice): number[] {
  return [...new Set([source, target, ...(weight === null ? [] : [weight]), ...(where?.columns ?? [])])]
}

/** A name wins over a number, so that a column called "1" can be had. */
export function findColumn({ file, names, width }: TableColumns, wanted: string, fixes?: readonly Fix[]): number {
  const named = names?.indexOf(wanted) ?? -1
  if (named >= 0 && names!.lastIndexOf(wanted) !== named)
    throw inputFailure(file, `two columns are called "${wanted}"`, 'Choose it by its number, from 1.')
  if (named >= 0) return named
  if (/^\d{1,6}$/.test(wanted) && Number(wanted) >= 1 && Number(wanted) <= width) return Number(wanted) - 1
  const there =
    names === null
      ? `columns have no names here; there are ${width}, from 1`
      : `the columns are ${names.slice(0, 20).join(', ')}`
  throw inputFailure(file, `there is no column "${wanted}"`, `Choose another: ${there}.`, fixes)
}

/** The condition of rows that are entries: columns, which of them are compared with numbers, and a test of their values; null for an empty cell. */
export type RowCondition = ReturnType<typeof conditionOf>

/** @throws Failure (input) */
function conditionOf(text: string, find: (column: string) => number) {
  const filter = parseFilter(text)
  const names = columnsOf(filter)
  const numeric = numericColumns(filter)
  const holds = compileFilter(
    filter,
    names.map(() => 'any'),
  )
  return { columns: names.map(find), areNumbers: names.map((name) => numeric.has(name)), holds }
}

/** The decimal sign of a column that is compared with numbers; null: its cells leave it open. @param weights the sign of theirs */
export function signOfCondition(
  cells: readonly string[],
  { decimal = 'auto' }: TableOptions,
  weights: DecimalSign,
): DecimalSign | null {
  if (decimal !== 'auto') return decimal
  const filled = cells.filter(isFilled)
  const areRead = filled.every((cell) => !Number.isNaN(numberOfCell(cell, 'comma')))
  return weights === 'comma' && areRead ? weights : decimalOf(filled)
}

/**
 * The columns that are kept as attributes of the edges.
 * @param wanted names or numbers with commas between them, `all`, or `none`
 * @throws Failure (input) for a column that is not there, and for two of one name
 */
export function attributeColumns(
  columns: TableColumns,
  { source, target, weight }: Pick<ColumnChoice, 'source' | 'target' | 'weight'>,
  wanted = 'none',
): number[] {
  if (wanted === 'none') return []
  const all = Array.from({ length: columns.width }, (_, i) => i)
  const others = all.filter((column) => column !== source && column !== target && column !== weight)
  const chosen = wanted === 'all' ? [] : wanted.split(',').map((name) => findColumn(columns, name.trim()))
  const kept = others.filter((at) => (wanted === 'all' ? columns.names?.[at] !== '' : chosen.includes(at)))
  const names = kept.map((at) => columnName(columns.names, at))
  const twice = names.find((name, i) => names.indexOf(name) < i)
  if (twice === undefined) return kept
  const what = `two columns of attributes are called "${twice}"`
  throw inputFailure(columns.file, what, 'Give one of them another name, or name those that you want.', [
    { action: 'choose', option: 'attributes' },
  ])
}

/** The name of a column; without one, its number, from 1. */
export const columnName = (names: readonly string[] | null, column: number): string =>
  names?.[column] || String(column + 1)

/** Columns or rows. */
export function choosesColumns({ sourceColumn, targetColumn, weightColumn, where }: TableOptions): boolean {
  return [sourceColumn, targetColumn, weightColumn, where].some((choice) => choice !== undefined)
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

/** What says whether the first line is one of the rows. */
export const HEADER_FIXES = (['yes', 'no'] as const).map((to): Fix => ({ action: 'set', option: 'header', to }))

export const DECIMAL_FIXES = (['comma', 'point'] as const).map((to): Fix => ({ action: 'set', option: 'decimal', to }))

function oddWeights(at: number, odd: string): TableDoubt {
  const isOpen = isCommaNumber(odd)
  const comma = isOpen ? ', with a decimal comma or with thousands' : ''
  return {
    asks: 'weights',
    what: `the weights in column ${at + 1} are no numbers: "${odd.slice(0, 40)}"${comma}`,
    remedy: isOpen || !isShownNumber(odd) ? '' : 'Write them with a decimal point.',
    fixes: [...(isOpen ? DECIMAL_FIXES : isShownNumber(odd) ? [] : [OTHER_WEIGHTS]), WITHOUT_WEIGHTS],
  }
}
