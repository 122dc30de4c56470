/**
 * Columns of a table: what their cells say, how rows are ordered by them, which are shown, and how wide they are. Figures keep their width; text has
 * what room is left, and gives way where there is none, so that a table of ten columns fits a page of 1280 pixels. Sorting costs n log n of the
 * cells, each made once. DataTable.vue draws them; what a person has set is kept in the page, by the name of the table.
 */

import { computed } from 'vue'
import type { NumberTable } from '../charts/chart.ts'
import { exactly } from '../quantity.ts'
import { byName } from './names.ts'
import type { MenuItem } from './BaseMenu.vue'
import { useStored } from './stored.ts'

type Cell = NumberTable['rows'][number][number]

/** A column of a {@link DataTable}. A slot of the name `cell-KEY` may draw its cells; sorting and copying use these. */
export interface Column<Row> {
  readonly key: string
  readonly title: string
  readonly width: number
  /** As files have it, unrounded; null: there is none. */
  readonly cell: (row: Row) => Cell
  readonly optional?: boolean | undefined
  readonly always?: boolean | undefined
  /** Takes what is left of the table's width. */
  readonly grow?: boolean | undefined
  /** Its texts are about as long as each other: more room would be lost to other columns. */
  readonly fixed?: boolean | undefined
  readonly align?: 'start' | 'end' | undefined
  readonly text: (row: Row) => string
  readonly exact?: ((row: Row) => string | undefined) | undefined
  /** What rows are ordered by; null goes last. Absent: the column cannot be sorted. */
  readonly order?: ((row: Row) => Cell) | undefined
  /** The largest come first at the first click. */
  readonly downFirst?: boolean | undefined
}

/** Rows of which only some are here; the others come when they are in sight. */
export interface FarRows<Row> {
  /** Names the list: another one begins anew. */
  readonly of: string
  readonly count: number
  at(index: number): Row | undefined
}

export const isFar = <Row>(rows: readonly Row[] | FarRows<Row>): rows is FarRows<Row> => 'count' in rows

type More<Row> = Partial<Column<Row>> & { readonly figure?: (value: number) => string }

/** Shows its cells and is ordered by them, unless `more` says otherwise; figures in the words of `figure`, at the right. */
export function column<Row>(
  key: string,
  title: string,
  width: number,
  cell: Column<Row>['cell'],
  { figure, ...more }: More<Row> = {},
): Column<Row> {
  const text = (row: Row): string => {
    const value = cell(row)
    return typeof value === 'number' ? (figure ?? exactly)(value) : (value ?? '')
  }
  const ofFigures = { align: 'end', downFirst: true, exact: (row: Row) => text(row) || undefined } as const
  return { key, title, width, cell, text, order: cell, ...(figure === undefined ? {} : ofFigures), ...more }
}

export const tableOf = <Row>(rows: readonly Row[], columns: readonly Column<Row>[]): NumberTable => ({
  columns: columns.map(({ title }) => title),
  rows: rows.map((row) => columns.map(({ cell }) => cell(row))),
})

export interface Sorting {
  readonly key: string
  readonly down: boolean
}

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

const LEAST = 48
/** The most of a column that grows: wider, its text and the figures of the row are too far apart to be read together. */
const MOST = 460
/** How much wider other text gets where there is room. */
const WIDER = 1.5
/** How narrow other text gets where there is none. */
const NARROWER = 0.7

/** A figure for each column, kept in the page under the table's name. */
function useFigures(place: string) {
  const { value: own, put } = useStored<Readonly<Record<string, number>>>(place, {})
  return { own, set: (key: string, figure: number): void => put({ ...own.value, [key]: figure }) }
}

/** Widths that the person has set; so many pixels are before the first column, and left after the last. */
export function useColumnWidths<Row>(
  table: string,
  columns: () => readonly Column<Row>[],
  before: number,
  after: number,
) {
  const { own, set } = useFigures(`columns:${table}`)
  const widthOf = ({ key, width }: Column<Row>): number => own.value[key] ?? width
  const isFixed = ({ key, fixed, align }: Column<Row>): boolean =>
    fixed === true || align === 'end' || own.value[key] !== undefined
  const grows = ({ key, grow }: Column<Row>): boolean => grow === true && own.value[key] === undefined

  /** Figures stand beside those of other rows; text may have what room there is. */
  function most(column: Column<Row>): number {
    const width = widthOf(column)
    if (grows(column)) return Math.max(MOST, width)
    return isFixed(column) ? width : Math.round(width * WIDER)
  }
  /** Text gives way where figures would be cut. */
  function leastOf(column: Column<Row>): number {
    return isFixed(column) ? widthOf(column) : Math.round(widthOf(column) * NARROWER)
  }
  const template = computed(() => {
    const parts = columns().map((column) => `minmax(${leastOf(column)}px, ${most(column)}px)`)
    return [...(before > 0 ? [`${before}px`] : []), ...parts, `minmax(${after}px, 1fr)`].join(' ')
  })
  const least = computed(() => columns().reduce((sum, column) => sum + leastOf(column), before + after))

  return { template, least, widthOf, set: (key: string, width: number) => set(key, Math.max(LEAST, Math.round(width))) }
}

/** Which columns are shown: those that are not optional, until the person chooses others. */
export function useShownColumns<Row>(table: string, columns: () => readonly Column<Row>[]) {
  const { own, set } = useFigures(`shown-columns:${table}`)
  const isShown = ({ key, optional = false, always = false }: Column<Row>): boolean =>
    always || (own.value[key] ?? (optional ? 0 : 1)) === 1
  const shown = computed(() => columns().filter(isShown))
  const items = computed((): readonly MenuItem[] =>
    columns()
      .filter(({ always = false }) => !always)
      .map((column) => ({
        ...{ label: column.title, checked: isShown(column) },
        act: () => set(column.key, isShown(column) ? 0 : 1),
      })),
  )
  return { shown, items }
}
