import { byName } from './names.ts'
import { computed, ref } from 'vue'
import type { MenuItem } from './menu-item.ts'

/** A column of a {@link DataTable}. A slot of the name `cell-KEY` may draw its cells; sorting and copying use these. */
export interface Column<Row> {
  readonly key: string
  readonly title: string
  readonly width: number
  readonly optional?: boolean | undefined
  readonly always?: boolean | undefined
  /** Takes what is left of the table's width. */
  readonly grow?: boolean | undefined
  readonly align?: 'start' | 'end' | undefined
  readonly text: (row: Row) => string
  readonly exact?: ((row: Row) => string | undefined) | undefined
  /** What rows are ordered by; null goes last. Absent: the column cannot be sorted. */
  readonly order?: ((row: Row) => string | number | null) | undefined
}

/** Ordered by what it shows, unless `more` says otherwise. */
export const textColumn = <Row>(
  key: string,
  title: string,
  width: number,
  text: (row: Row) => string,
  more: Partial<Column<Row>> = {},
): Column<Row> => ({ key, title, width, text, order: text, ...more })

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
/** Of a column that grows: wider, its text and the figures of the row are too far apart to be read together. */
const MOST = 460

function stored(place: string): Readonly<Record<string, number>> {
  try {
    return JSON.parse(localStorage.getItem(place) ?? '{}') as Readonly<Record<string, number>>
  } catch {
    return {}
  }
}

/** Widths that the person has set, kept in the page under the table's name; `before` pixels stand before the first column. */
export function useColumnWidths<Row>(table: string, columns: () => readonly Column<Row>[], before: number) {
  const place = `columns:${table}`
  const own = ref(stored(place))

  const widthOf = ({ key, width }: Column<Row>): number => own.value[key] ?? width
  const grows = ({ key, grow }: Column<Row>): boolean => grow === true && own.value[key] === undefined

  const template = computed(() => {
    const parts = columns().map((column) =>
      grows(column) ? `minmax(${widthOf(column)}px, ${Math.max(MOST, widthOf(column))}px)` : `${widthOf(column)}px`,
    )
    return [...(before > 0 ? [`${before}px`] : []), ...parts, '1fr'].join(' ')
  })
  const least = computed(() => columns().reduce((sum, column) => sum + widthOf(column), before))

  function set(key: string, width: number): void {
    own.value = { ...own.value, [key]: Math.max(LEAST, Math.round(width)) }
    localStorage.setItem(place, JSON.stringify(own.value))
  }

  return { template, least, widthOf, set }
}

/** Which columns are shown: those that are not optional, until the person chooses others; kept in the page under the table's name. */
export function useShownColumns<Row>(table: string, columns: () => readonly Column<Row>[]) {
  const place = `shown-columns:${table}`
  const own = ref(stored(place))
  const isShown = ({ key, optional = false, always = false }: Column<Row>): boolean =>
    always || (own.value[key] ?? (optional ? 0 : 1)) === 1
  const shown = computed(() => columns().filter(isShown))
  const items = computed((): readonly MenuItem[] =>
    columns()
      .filter(({ always = false }) => !always)
      .map((column) => ({ label: column.title, checked: isShown(column), act: () => toggle(column) })),
  )

  function toggle(column: Column<Row>): void {
    own.value = { ...own.value, [column.key]: isShown(column) ? 0 : 1 }
    localStorage.setItem(place, JSON.stringify(own.value))
  }

  return { shown, items }
}
