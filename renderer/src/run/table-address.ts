import { computed, watch, type Ref } from 'vue'
import { useRoute, useRouter, type LocationQuery, type LocationQueryRaw } from 'vue-router'
import type { Sorting } from '../base/column.ts'

/** What of a table of vertices is part of the link, so that Back, a reload and a copied link find it as it was. */
export interface TableState {
  readonly show: string
  readonly sorting: Sorting | null
  readonly find: string
  readonly where: string
  /** Places of rows that are ticked. */
  readonly ticked: ReadonlySet<string>
  /** The first row in sight. */
  readonly row: number
}

/** Characters of ticks in a link; of more none stands there. */
const LONGEST = 1500
const names = ['show', 'order', 'find', 'where', 'ticked', 'row'] as const
type Named = Partial<Record<(typeof names)[number], string>>

/** Places in order, as "0-3,7". */
export function rangesOf(places: Iterable<string>): string {
  const sorted = [...places].map(Number).toSorted((a, b) => a - b)
  const runs: [number, number][] = []
  for (const place of sorted) {
    const last = runs.at(-1)
    if (last !== undefined && last[1] + 1 === place) last[1] = place
    else runs.push([place, place])
  }
  return runs.map(([first, last]) => (first === last ? String(first) : `${first}-${last}`)).join(',')
}

/** The most that a table ticks one by one. */
const MOST = 100_000

export function placesOf(ranges: string): ReadonlySet<string> {
  const places = new Set<string>()
  for (const range of ranges.split(',')) {
    const [first, last = first] = range.split('-').map((text) => (/^\d+$/.test(text) ? Number(text) : NaN))
    if (first === undefined || last === undefined || !(first <= last)) continue
    for (let place = first; place <= last && places.size < MOST; place++) places.add(String(place))
  }
  return places
}

export function readTable(query: LocationQuery, usual: TableState): TableState {
  const text = (name: (typeof names)[number]): string | undefined => {
    const value = query[name]
    return typeof value === 'string' ? value : undefined
  }
  const order = text('order')
  const row = Number(text('row') ?? 0)
  return {
    show: text('show') ?? usual.show,
    sorting: order === undefined ? usual.sorting : sortingOf(order),
    find: text('find') ?? '',
    where: text('where') ?? '',
    ticked: placesOf(text('ticked') ?? ''),
    row: Number.isInteger(row) && row > 0 ? row : 0,
  }
}

/** "degree down"; empty: as it is. */
const sortingOf = (order: string): Sorting | null =>
  order === '' ? null : { key: order.replace(/ down$/, ''), down: order.endsWith(' down') }

const orderOf = (sorting: Sorting | null): string =>
  sorting === null ? '' : `${sorting.key}${sorting.down ? ' down' : ''}`

/** Only what is not as it would be anyway. */
function written({ show, sorting, find, where, ticked, row }: TableState, usual: TableState): Named {
  const ticks = rangesOf(ticked)
  return {
    ...(show === usual.show ? {} : { show }),
    ...(orderOf(sorting) === orderOf(usual.sorting) ? {} : { order: orderOf(sorting) }),
    ...(find === '' ? {} : { find }),
    ...(where === '' ? {} : { where }),
    ...(ticks === '' || ticks.length > LONGEST ? {} : { ticked: ticks }),
    ...(row === 0 ? {} : { row: String(row) }),
  }
}

export const withoutTable = (query: LocationQuery): LocationQuery =>
  Object.fromEntries(Object.entries(query).filter(([name]) => names.every((own) => own !== name)))

export function writeTable(query: LocationQuery, state: TableState, usual: TableState): LocationQueryRaw {
  return { ...withoutTable(query), ...written(state, usual) }
}

/** Keeps the link of the page as the table is. @returns what brings the row that is first in sight into it, before the page is left */
export function useTableAddress(
  parts: Omit<{ [N in keyof TableState]: Ref<TableState[N]> }, 'row'>,
  usual: TableState,
) {
  const route = useRoute()
  const router = useRouter()
  const state = computed((): Omit<TableState, 'row'> => ({
    show: parts.show.value,
    sorting: parts.sorting.value,
    find: parts.find.value,
    where: parts.where.value,
    ticked: parts.ticked.value,
  }))
  const put = (row: number): Promise<unknown> =>
    router.replace({ query: writeTable(route.query, { ...state.value, row }, usual) })
  watch(state, () => void put(0))
  return { leaveAt: put }
}
