import { inputFailure } from '../../base/failure.ts'
import type { TableOptions } from '../../contract/jobs.ts'
import { parseThreshold, type Threshold } from './threshold.ts'

/** Names that columns are known by where the user names none; compared without case. */
const sourceNames = ['src', 'source', 'from', 'u', 'i', 'tail', 'node1', 'query']
const targetNames = ['dst', 'target', 'to', 'dest', 'destination', 'v', 'j', 'head', 'node2', 'subject']
const weightNames = ['weight', 'w']

/** Positions of the columns that make the graph, from 0. */
export interface ColumnChoice {
  readonly source: number
  readonly target: number
  /** null for graphs without weights. */
  readonly weight: number | null
  readonly where: { readonly column: number; readonly threshold: Threshold } | null
}

/**
 * Chooses columns by the user's words (names, or numbers from 1), else by well-known names, else the first two.
 * @param names of the columns, or null where they have none
 * @param width columns that there are
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
  if (source === target)
    throw inputFailure(file, 'source and target are the same column', 'Choose --source-column and --target-column.')
  const weight = table.weightColumn === undefined ? (known(weightNames) ?? null) : find(table.weightColumn)
  const threshold = table.where === undefined ? null : parseThreshold(table.where)
  return {
    source,
    target,
    weight: ignoreWeights || weight === source || weight === target ? null : weight,
    where: threshold === null ? null : { column: find(threshold.column), threshold },
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
