import { computed, ref } from 'vue'
import type { ComputedRef } from 'vue'
import type { Column } from './column.ts'

const LEAST = 48

/** Widths that the person has set, kept in the page under the table's name. */
export interface ColumnWidths {
  /** For `grid-template-columns`. */
  readonly template: ComputedRef<string>
  readonly least: ComputedRef<number>
  widthOf(key: string): number
  set(key: string, width: number): void
}

function stored(place: string): Readonly<Record<string, number>> {
  try {
    return JSON.parse(localStorage.getItem(place) ?? '{}') as Readonly<Record<string, number>>
  } catch {
    return {}
  }
}

export function useColumnWidths<Row>(
  table: string,
  columns: () => readonly Column<Row>[],
  before: () => number,
): ColumnWidths {
  const place = `columns:${table}`
  const own = ref(stored(place))

  const widthOf = (key: string): number =>
    own.value[key] ?? columns().find((column) => column.key === key)?.width ?? LEAST

  const template = computed(() => {
    const parts = columns().map(({ key, grow }) =>
      grow === true && own.value[key] === undefined ? `minmax(${widthOf(key)}px, 1fr)` : `${widthOf(key)}px`,
    )
    const grows = columns().some(({ key, grow }) => grow === true && own.value[key] === undefined)
    const checks = before() > 0 ? `${before()}px ` : ''
    return `${checks}${parts.join(' ')}${grows ? '' : ' 1fr'}`
  })
  const least = computed(() => before() + columns().reduce((sum, { key }) => sum + widthOf(key), 0))

  function set(key: string, width: number): void {
    own.value = { ...own.value, [key]: Math.max(LEAST, Math.round(width)) }
    localStorage.setItem(place, JSON.stringify(own.value))
  }

  return { template, least, widthOf, set }
}
