import { computed, ref } from 'vue'
import type { Column } from './column.ts'

const LEAST = 48

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
      grows(column) ? `minmax(${widthOf(column)}px, 1fr)` : `${widthOf(column)}px`,
    )
    return [...(before > 0 ? [`${before}px`] : []), ...parts, ...(columns().some(grows) ? [] : ['1fr'])].join(' ')
  })
  const least = computed(() => columns().reduce((sum, column) => sum + widthOf(column), before))

  function set(key: string, width: number): void {
    own.value = { ...own.value, [key]: Math.max(LEAST, Math.round(width)) }
    localStorage.setItem(place, JSON.stringify(own.value))
  }

  return { template, least, widthOf, set }
}
