import { exactly } from '../quantity.ts'
import { words } from '../words/words.ts'
import type { AlgorithmEntry } from '../stores/algorithms.ts'
import type { ResultRow, ResultTable } from './result-rows.ts'

const text = words.run.table

/** A column of the table of a result. */
export interface ResultColumn {
  readonly key: string
  readonly title: string
  /** As a track of a grid. */
  readonly width: string
  readonly isNumber: boolean
  /** What the table can be ordered by. */
  readonly sort?: ResultTable['sort'] | undefined
  /** Exactly, as a file has it. */
  readonly cell: (row: ResultRow) => string | number | null
  readonly text: (row: ResultRow) => string
}

const NARROW = 'minmax(72px, 120px)'
const WIDE = 'minmax(72px, 1fr)'

function column(
  key: string,
  title: string,
  cell: ResultColumn['cell'],
  more: { readonly isNumber?: boolean; readonly sort?: ResultColumn['sort'] } = {},
): ResultColumn {
  const { isNumber = false, sort } = more
  const words = (value: string | number | null): string =>
    value === null ? '' : typeof value === 'number' && Number.isInteger(value) ? exactly(value) : String(value)
  return { key, title, width: isNumber ? NARROW : WIDE, isNumber, sort, cell, text: (row) => words(cell(row)) }
}

/** Vertices with their degrees and values; of a matching both ends of each pair, and what the edge weighs. */
export function tableColumns(
  isPairs: boolean,
  hasNames: boolean,
  values?: AlgorithmEntry['values'],
): readonly ResultColumn[] {
  const name = (key: string, cell: ResultColumn['cell']): readonly ResultColumn[] =>
    hasNames ? [column(key, text.name, cell)] : []
  const ends = [
    column('vertex', text.vertex, ({ label }) => label, { sort: 'id' }),
    ...name('name', (row) => row.name),
    column('degree', text.degree, ({ degree }) => degree, { isNumber: true, sort: 'degree' }),
    ...(values === undefined
      ? []
      : [column('value', values.label, ({ value }) => value, { isNumber: true, sort: 'value' })]),
  ]
  if (!isPairs) return ends
  return [
    ...ends,
    column('mate', text.mate, ({ mate }) => mate?.label ?? null),
    ...name('mate-name', ({ mate }) => mate?.name ?? null),
    column('mate-degree', text.mateDegree, ({ mate }) => mate?.degree ?? null, { isNumber: true }),
    column('weight', text.weight, ({ mate }) => mate?.weight ?? null, { isNumber: true }),
  ]
}
