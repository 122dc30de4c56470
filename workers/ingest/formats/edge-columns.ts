import type { TableOptions } from '../../jobs.ts'
import { wholeNumber } from '../decimal.ts'
import { Fields } from '../fields.ts'
import { chooseColumns } from './column-choice.ts'
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

/**
 * Columns of an edge list as the user chose them; where only rows were chosen, a third column of numbers is the weight, as
 * without any choice.
 * @param names of the header, or null
 * @param thirdIsNumber whether the first line of data has a number there
 * @throws Failure (input) for columns that are not there
 */
export function chosenColumns(
  file: string,
  names: readonly string[] | null,
  width: number,
  table: TableOptions,
  ignoreWeights: boolean,
  thirdIsNumber: boolean,
): EdgeColumns {
  const choice = chooseColumns(file, names, width, table, ignoreWeights)
  const { source, target, where } = choice
  const onlyRows = table.sourceColumn === undefined && table.targetColumn === undefined
  const third =
    choice.weight === null && table.weightColumn === undefined && onlyRows && thirdIsNumber && !ignoreWeights
  const weight = third && source === 0 && target === 1 ? 2 : choice.weight
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
