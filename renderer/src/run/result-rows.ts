import { computed, onScopeDispose, reactive, shallowReactive, shallowRef, watch } from 'vue'
import type { CallArgs, CallResult } from '../../../electron/contract/calls.ts'
import type { FarRows } from '../base/column.ts'
import { ask, type FailureValue, failureOf } from '../bridge.ts'

export type ResultRow = CallResult<'explore.result'>['rows'][number]
type Part = 'offset' | 'limit'
export type ResultTable = Omit<CallArgs<'explore.result'>, Part> | Omit<CallArgs<'explore.vertices'>, Part>

export type AttributeNames = Pick<CallResult<'explore.result'>, 'columns' | 'edgeColumns'>

const PAGE = 200
const READ_TOGETHER = 1000
const PAUSE_MS = 200

/** The rows of a table of any length: the parts that come into sight are asked for, and kept until the table is another one. */
export function useResultRows(table: () => ResultTable) {
  const pages = shallowReactive(new Map<number, readonly ResultRow[]>())
  /** Rows of the whole table, null before it is known; whether a search found more than it gives. */
  const state = reactive({ total: null as number | null, truncated: false })
  const attributes = shallowRef<AttributeNames>({ columns: [], edgeColumns: [] })
  const failure = shallowRef<FailureValue | null>(null)
  const asked = new Map<number, Promise<void>>()
  let turn = 0
  let pause: ReturnType<typeof setTimeout> | undefined

  function bring(page: number): Promise<void> {
    const coming = asked.get(page) ?? read(page)
    asked.set(page, coming)
    return coming
  }

  async function read(page: number): Promise<void> {
    const mine = turn
    const [answer] = await Promise.allSettled([askPart(table(), PAGE * page, PAGE)])
    if (mine !== turn) return
    failure.value = answer.status === 'rejected' ? failureOf(answer.reason) : null
    if (answer.status === 'rejected') return
    Object.assign(state, { total: answer.value.total, truncated: answer.value.truncated })
    attributes.value = answer.value
    pages.set(page, answer.value.rows)
  }

  function begin(): void {
    turn++
    asked.clear()
    pages.clear()
    failure.value = null
    void bring(0)
  }

  const beginSoon = (): void => {
    clearTimeout(pause)
    pause = setTimeout(begin, state.total === null ? 0 : PAUSE_MS)
  }
  watch(() => JSON.stringify(table()), beginSoon, { immediate: true })
  onScopeDispose(() => {
    turn++
    clearTimeout(pause)
  })

  const rowAt = (index: number): ResultRow | undefined => pages.get(Math.floor(index / PAGE))?.[index % PAGE]
  return {
    state,
    attributes,
    failure,
    rows: computed((): FarRows<ResultRow> => ({ of: JSON.stringify(table()), count: state.total ?? 0, at: rowAt })),
    rowAt,
    show: (first: number, last: number) => void pagesOf([first, last]).map(bring),
    firstRows: (most: number) => firstRows(table(), Math.min(most, state.total ?? 0)),
    rowsAt: (places: readonly number[]): Promise<readonly ResultRow[]> =>
      Promise.all(pagesOf(places).map(bring)).then(() =>
        places.toSorted((a, b) => a - b).flatMap((index) => rowAt(index) ?? []),
      ),
  }
}

const askPart = (table: ResultTable, offset: number, limit: number): Promise<CallResult<'explore.result'>> =>
  'run' in table
    ? ask('explore.result', { ...table, offset, limit })
    : ask('explore.vertices', { ...table, offset, limit })

const pagesOf = (places: readonly number[]): readonly number[] => [
  ...new Set(places.map((index) => Math.floor(index / PAGE))),
]

async function firstRows(wanted: ResultTable, count: number): Promise<readonly ResultRow[]> {
  const rows: ResultRow[] = []
  for (let offset = 0; offset < count; offset += READ_TOGETHER)
    rows.push(...(await askPart(wanted, offset, READ_TOGETHER)).rows)
  return rows.slice(0, count)
}
