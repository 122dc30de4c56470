import { type Fix, inputFailure, OTHER_COLUMNS, OTHER_FORMAT, usageFailure } from '../../base/failure.ts'
import type { AttributeValue, TableOptions } from '../../contract/jobs.ts'
import { columnsOf, compileFilter, numericColumns, parseFilter } from '../../graph/attribute-filter.ts'
import { wholeNumber } from '../decimal.ts'
import { excerpt } from '../graph-reader.ts'
import type { BadRow } from '../policies.ts'
import { Fields } from './table-lines.ts'
import { END_NAMES, type GraphFormat, hasRows } from './graph-format.ts'

/** In lower case. */
const sourceNames = ['src', 'source', 'from', 'u', 'i', 'tail', 'node1', 'query']
const targetNames = ['dst', 'target', 'to', 'dest', 'destination', 'v', 'j', 'head', 'node2', 'subject']
const weightNames = ['weight', 'w']

interface TableColumns {
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

/** Of rows that are entries: columns, which of them are compared with numbers, and a test of their values; null for an empty cell. */
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

/**
 * The columns that are kept as attributes of the edges.
 * @param wanted names or numbers with commas between them, `all`, or `none`
 * @throws Failure (input) for a column that is not there
 */
export function attributeColumns(
  columns: TableColumns,
  { source, target, weight }: Pick<ColumnChoice, 'source' | 'target' | 'weight'>,
  wanted = 'none',
): number[] {
  if (wanted === 'none') return []
  const all = Array.from({ length: columns.width }, (_, i) => i)
  const others = all.filter((column) => column !== source && column !== target && column !== weight)
  if (wanted === 'all') return others.filter((column) => columns.names?.[column] !== '')
  const chosen = wanted.split(',').map((name) => findColumn(columns, name.trim()))
  return others.filter((column) => chosen.includes(column))
}

/** Of a column without a name: its number, from 1. */
export const columnName = (names: readonly string[] | null, column: number): string =>
  names?.[column] || String(column + 1)

/** Columns or rows. */
export function choosesColumns({ sourceColumn, targetColumn, weightColumn, where }: TableOptions): boolean {
  return [sourceColumn, targetColumn, weightColumn, where].some((choice) => choice !== undefined)
}

/** @throws Failure (usage) where columns or rows were chosen of a format that has none */
export function requireColumns(format: GraphFormat, table: TableOptions = {}): void {
  const { sourceColumn = END_NAMES[0], targetColumn = END_NAMES[1], where } = table
  const isUsual = sourceColumn === END_NAMES[0] && targetColumn === END_NAMES[1] && where === undefined
  const isOther = format.kind === 'whole' && format.elements !== undefined && !isUsual
  const { attributes = 'none' } = table
  const choosesAttributes = !['all', 'none'].includes(attributes) && !(format.kind === 'whole' && format.elements)
  if ((hasRows(format) && !isOther) || !(choosesColumns(table) || choosesAttributes)) return
  const what = `${format.name} has no columns to choose from`
  if (where === undefined) throw usageFailure(undefined, what, 'Leave the choice of columns out.', [OTHER_FORMAT])
  throw usageFailure(undefined, what, '', [{ action: 'omit', option: 'where' }, OTHER_FORMAT])
}

/** Columns of an edge list, and their places in `fields`: source 0, target 1. */
export type EdgeColumns = ReturnType<typeof readColumns>

export function readColumns(choice: ColumnChoice) {
  const { source, target, weight, where } = choice
  const columns = columnsRead(choice)
  const place = (column: number) => columns.indexOf(column)
  return {
    fields: new Fields(columns),
    weight: weight === null ? null : place(weight),
    where: where === null ? null : { ...where, places: where.columns.map(place) },
    /** The first two, and the third for the weight: what the fast path parses. */
    usual: source === 0 && target === 1 && (weight === null || weight === 2) && where === null,
  }
}

/** @param bad makes the refusal of a row whose number is none */
export function holdsFor(
  { places, areNumbers, holds }: NonNullable<EdgeColumns['where']>,
  line: Uint8Array,
  fields: Fields,
  bad: (what: string) => BadRow,
): boolean {
  const values = places.map((place, i): AttributeValue => {
    if (areNumbers[i] !== true) return fields.isEmpty(place) ? null : fields.text(line, place)
    const value = wholeNumber(line, fields.starts[place]!, fields.ends[place]!)
    if (value !== undefined && !Number.isNaN(value)) return value
    throw bad(`"${excerpt(fields.bytes(line, place))}" in the column of the condition is not a number`)
  })
  return holds(values)
}

/** Columns of an edge list that are attributes, and their values by name. */
export type KeptColumns = ReturnType<typeof keptColumns>

/** @throws Failure (input) for a column that is not there */
export function keptColumns(table: TableColumns, choice: ColumnChoice, wanted?: string) {
  const columns = attributeColumns(table, choice, wanted)
  const fields = new Fields(columns)
  const of = (line: Uint8Array, delimiter: number): (readonly [string, string])[] => {
    fields.split(line, 0, line.length, delimiter)
    return columns.flatMap((column, place) =>
      column < fields.count ? [[columnName(table.names, column), fields.text(line, place)] as const] : [],
    )
  }
  return { columns, of }
}
