import type { TableOptions } from '../../contract/jobs.ts'
import { wholeNumber } from '../decimal.ts'
import { Fields } from '../fields.ts'
import { type ColumnChoice, chooseColumns } from './column-choice.ts'
import type { Threshold } from './threshold.ts'

/** Which columns of an edge list are read, and where `fields` puts each: source at place 0, target at 1. */
export interface EdgeColumns {
  readonly fields: Fields
  /** Place of the weight; null for graphs without. */
  readonly weight: number | null
  readonly where: { readonly place: number; readonly threshold: Threshold } | null
  /** Columns are the first two, and the third for the weight: what the fast path parses. */
  readonly usual: boolean
}

/** Whether the user chose columns, or rows. */
export function choosesColumns({ sourceColumn, targetColumn, weightColumn, where }: TableOptions): boolean {
  return [sourceColumn, targetColumn, weightColumn, where].some((choice) => choice !== undefined)
}

/** Where the columns of an edge list are, from 0. */
export type ColumnPlaces = Pick<ColumnChoice, 'source' | 'target' | 'weight' | 'where'>

/**
 * Columns of an edge list as the user chose them; where only rows were chosen, a third column of numbers is the weight, as
 * without any choice.
 * @param names of the header, or null
 * @param thirdIsNumber whether the first line of data has a number there
 * @throws Failure (input) for columns that are not there
 */
export function columnPlaces(
  file: string,
  names: readonly string[] | null,
  width: number,
  table: TableOptions,
  ignoreWeights: boolean,
  thirdIsNumber: boolean,
): ColumnPlaces {
  const third = thirdIsNumber && !ignoreWeights ? 2 : null
  if (!choosesColumns(table)) return { source: 0, target: 1, weight: third, where: null }
  const choice = chooseColumns(file, names, width, table, ignoreWeights)
  const { source, target } = choice
  const onlyRows = [table.sourceColumn, table.targetColumn, table.weightColumn].every((column) => column === undefined)
  const isPlain = onlyRows && choice.weight === null && source === 0 && target === 1
  return isPlain ? { ...choice, weight: third } : choice
}

/** What reads these columns. */
export function readColumns({ source, target, weight, where }: ColumnPlaces): EdgeColumns {
  const columns = [...new Set([source, target, ...(weight === null ? [] : [weight]), ...(where ? [where.column] : [])])]
  const place = (column: number) => columns.indexOf(column)
  return {
    fields: new Fields(columns),
    weight: weight === null ? null : place(weight),
    where: where === null ? null : { place: place(where.column), threshold: where.threshold },
    usual: source === 0 && target === 1 && (weight === null || weight === 2) && where === null,
  }
}

/** The number at a place of a line; NaN where there is none. */
export function numberAt(line: Uint8Array, fields: Fields, place: number): number {
  return wholeNumber(line, fields.starts[place]!, fields.ends[place]!) ?? NaN
}
