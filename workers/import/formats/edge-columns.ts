import type { AttributeValue } from '../../contract/jobs.ts'
import { wholeNumber } from '../decimal.ts'
import {
  attributeColumns,
  type ColumnChoice,
  columnName,
  type RowCondition,
  type TableColumns,
} from './column-choice.ts'
import { Fields } from './fields.ts'
import type { BadRow } from '../row-policy.ts'
import { excerpt } from '../weight-policy.ts'

/** Columns of an edge list, and their places in `fields`: source 0, target 1. */
export interface EdgeColumns {
  readonly fields: Fields
  readonly weight: number | null
  /** With the places of its columns. */
  readonly where: (RowCondition & { readonly places: readonly number[] }) | null
  /** The first two, and the third for the weight: what the fast path parses. */
  readonly usual: boolean
}

export function readColumns({ source, target, weight, where }: ColumnChoice): EdgeColumns {
  const columns = [...new Set([source, target, ...(weight === null ? [] : [weight]), ...(where?.columns ?? [])])]
  const place = (column: number) => columns.indexOf(column)
  return {
    fields: new Fields(columns),
    weight: weight === null ? null : place(weight),
    where: where === null ? null : { ...where, places: where.columns.map(place) },
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

/** Columns of an edge list that are attributes. */
export class KeptColumns {
  readonly columns: readonly number[]
  readonly #names: readonly string[]
  readonly #fields: Fields

  /** @throws Failure (input) for a column that is not there */
  constructor(table: TableColumns, choice: Pick<ColumnChoice, 'source' | 'target' | 'weight'>, wanted?: string) {
    this.columns = attributeColumns(table, choice, wanted)
    this.#names = this.columns.map((column) => columnName(table.names, column))
    this.#fields = new Fields(this.columns)
  }

  /** By name; to be read before the next line. */
  *of(line: Uint8Array, delimiter: number): Generator<readonly [string, string]> {
    const fields = this.#fields
    fields.split(line, 0, line.length, delimiter)
    for (const [place, name] of this.#names.entries())
      if (this.columns[place]! < fields.count) yield [name, fields.text(line, place)]
  }
}
