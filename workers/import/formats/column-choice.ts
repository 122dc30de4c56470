import { Failure, inputFailure, OTHER_FORMAT, OTHER_COLUMNS } from '../../base/failure.ts'
import type { TableOptions } from '../../contract/jobs.ts'
import { wholeNumber } from '../decimal.ts'
import { Fields } from './fields.ts'
import { END_NAMES, type GraphFormat } from './graph-format.ts'

/** In lower case. */
const sourceNames = ['src', 'source', 'from', 'u', 'i', 'tail', 'node1', 'query']
const targetNames = ['dst', 'target', 'to', 'dest', 'destination', 'v', 'j', 'head', 'node2', 'subject']
const weightNames = ['weight', 'w']

/** Columns that make the graph, from 0. */
export interface ColumnChoice {
  readonly source: number
  readonly target: number
  /** null for graphs without weights */
  readonly weight: number | null
  /** Other rows are no entries. */
  readonly where: { readonly column: number; readonly holds: (value: number) => boolean } | null
}

/**
 * The columns that the user chose (by name, or number from 1), else well-known names, else the first two.
 * @param names null where columns have none
 * @param width number of columns
 * @throws Failure (input) for columns that are not there
 */
export function chooseColumns(
  file: string,
  names: readonly string[] | null,
  width: number,
  table: TableOptions,
  ignoreWeights: boolean,
): ColumnChoice {
  const find = (wanted: string) => findColumn(file, names, width, wanted)
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
  const threshold = table.where === undefined ? null : parseThreshold(table.where)
  return {
    source,
    target,
    weight: ignoreWeights || weight === source || weight === target ? null : weight,
    where: threshold === null ? null : { column: find(threshold.column), holds: threshold.holds },
  }
}

/** A name wins over a number, so that a column called "1" can be had. */
function findColumn(file: string, names: readonly string[] | null, width: number, wanted: string): number {
  const named = names?.indexOf(wanted) ?? -1
  if (named >= 0 && names!.lastIndexOf(wanted) !== named)
    throw inputFailure(file, `two columns are called "${wanted}"`, 'Choose it by its number, from 1.')
  if (named >= 0) return named
  if (/^\d{1,6}$/.test(wanted) && Number(wanted) >= 1 && Number(wanted) <= width) return Number(wanted) - 1
  const there =
    names === null
      ? `columns have no names here; there are ${width}, from 1`
      : `the columns are ${names.slice(0, 20).join(', ')}`
  throw inputFailure(file, `there is no column "${wanted}"`, `Choose another: ${there}.`)
}

const operators: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '=': (a, b) => a === b,
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
  '<>': (a, b) => a !== b,
  '>=': (a, b) => a >= b,
  '>': (a, b) => a > b,
}

/** "weight>=0.9". @throws Failure (input) */
function parseThreshold(text: string): { column: string; holds: (value: number) => boolean } {
  const [, column, operator = '', figure] = /^\s*(.+?)\s*(<=|>=|!=|==|<>|<|>|=)\s*(\S+)\s*$/.exec(text) ?? []
  const bound = Number(figure)
  const compare = operators[operator]
  if (column === undefined || compare === undefined || !Number.isFinite(bound))
    throw inputFailure(
      undefined,
      `the condition "${text}" cannot be read`,
      'Write a column, one of <, <=, =, !=, >=, > and a number: weight>=0.9.',
    )
  return { column, holds: (value) => compare(value, bound) }
}

/** Columns of an edge list, and their places in `fields`: source 0, target 1. */
export interface EdgeColumns {
  readonly fields: Fields
  readonly weight: number | null
  readonly where: { readonly place: number; readonly holds: (value: number) => boolean } | null
  /** The first two, and the third for the weight: what the fast path parses. */
  readonly usual: boolean
}

/** Columns or rows. */
export function choosesColumns({ sourceColumn, targetColumn, weightColumn, where }: TableOptions): boolean {
  return [sourceColumn, targetColumn, weightColumn, where].some((choice) => choice !== undefined)
}

/** @throws Failure (usage) where columns or rows were chosen of a format that has none */
export function requireColumns(format: GraphFormat, table: TableOptions = {}): void {
  const { sourceColumn = END_NAMES[0], targetColumn = END_NAMES[1], where } = table
  const isUsual = sourceColumn === END_NAMES[0] && targetColumn === END_NAMES[1] && where === undefined
  const isOther = format.kind === 'whole' && format.elements !== undefined && !isUsual
  const hasColumns = format.kind === 'text' ? format.shownAs === 'table' : format.firstRows !== undefined && !isOther
  if (hasColumns || !choosesColumns(table)) return
  throw new Failure({
    code: 'usage',
    what: `${format.name} has no columns to choose from`,
    remedy: table.where === undefined ? 'Leave the choice of columns out.' : '',
    fixes: table.where === undefined ? [OTHER_FORMAT] : [{ action: 'omit', option: 'where' }, OTHER_FORMAT],
  })
}

/**
 * Where only rows were chosen, a third column of numbers is the weight, as without any choice.
 * @param thirdIsNumber in the first line of data
 * @throws Failure (input) for columns that are not there
 */
export function columnPlaces(
  file: string,
  names: readonly string[] | null,
  width: number,
  table: TableOptions,
  ignoreWeights: boolean,
  thirdIsNumber: boolean,
): ColumnChoice {
  const third = thirdIsNumber && !ignoreWeights ? 2 : null
  if (!choosesColumns(table)) return { source: 0, target: 1, weight: third, where: null }
  const choice = chooseColumns(file, names, width, table, ignoreWeights)
  const { source, target } = choice
  const onlyRows = [table.sourceColumn, table.targetColumn, table.weightColumn].every((column) => column === undefined)
  const isPlain = onlyRows && choice.weight === null && source === 0 && target === 1
  return isPlain ? { ...choice, weight: third } : choice
}

export function readColumns({ source, target, weight, where }: ColumnChoice): EdgeColumns {
  const columns = [...new Set([source, target, ...(weight === null ? [] : [weight]), ...(where ? [where.column] : [])])]
  const place = (column: number) => columns.indexOf(column)
  return {
    fields: new Fields(columns),
    weight: weight === null ? null : place(weight),
    where: where === null ? null : { place: place(where.column), holds: where.holds },
    usual: source === 0 && target === 1 && (weight === null || weight === 2) && where === null,
  }
}

/** NaN where there is none */
export function numberAt(line: Uint8Array, fields: Fields, place: number): number {
  return wholeNumber(line, fields.starts[place]!, fields.ends[place]!) ?? NaN
}
