import { byName } from './names.ts'

/** A column of a {@link DataTable}. A slot of the name `cell-KEY` may draw its cells; sorting and copying use these. */
export interface Column<Row> {
  readonly key: string
  readonly title: string
  /** In pixels, before the person changes it. */
  readonly width: number
  /** Shown only where the person chose it. */
  readonly optional?: boolean | undefined
  /** Cannot be hidden. */
  readonly always?: boolean | undefined
  /** Takes what is left of the table's width. */
  readonly grow?: boolean | undefined
  readonly align?: 'start' | 'end' | undefined
  /** What is shown where there is no slot. */
  readonly text: (row: Row) => string
  /** Exact value, on hover and when it is copied. */
  readonly exact?: ((row: Row) => string | undefined) | undefined
  /** What rows are ordered by; null goes last. Absent: the column cannot be sorted. */
  readonly order?: ((row: Row) => string | number | null) | undefined
}

export interface Sorting {
  readonly key: string
  readonly down: boolean
}

/** The rows in the order of a column; rows without a value stay last both ways, and equal rows keep their places. */
export function sortRows<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  sorting: Sorting | null,
): readonly Row[] {
  const order = columns.find(({ key }) => key === sorting?.key)?.order
  if (order === undefined || sorting === null) return rows
  const sign = sorting.down ? -1 : 1
  return rows
    .map((row) => ({ row, value: order(row) }))
    .toSorted((a, b) => {
      if (a.value === null || b.value === null) return Number(a.value === null) - Number(b.value === null)
      return sign * compare(a.value, b.value)
    })
    .map(({ row }) => row)
}

function compare(a: string | number, b: string | number): number {
  return typeof a === 'number' && typeof b === 'number' ? a - b : byName(String(a), String(b))
}
