import { computed, onScopeDispose, reactive, shallowReactive, shallowRef, watch } from 'vue'
import type { Ref } from 'vue'
import type { CallArgs, CallResult } from '../../../electron/contract/calls.ts'
import { ask, type FailureValue, failureOf } from '../connection.ts'

export type ResultRow = CallResult<'explore.result'>['rows'][number]
/** Which rows, and in which order. */
export type ResultTable = Omit<CallArgs<'explore.result'>, 'run' | 'offset' | 'limit'>

export interface ResultRowsInSight {
  /** Rows of the whole table, null before it is known; whether a search found more than it gives. */
  readonly state: { readonly total: number | null; readonly truncated: boolean }
  readonly failure: Readonly<Ref<FailureValue | null>>
  readonly total: Readonly<Ref<number>>
  /** undefined before it came. */
  rowAt(index: number): ResultRow | undefined
  /** Rows [first, last] are in sight. */
  show(first: number, last: number): void
  /** At most so many, from the first on. */
  firstRows(most: number): Promise<readonly ResultRow[]>
  rowsAt(places: readonly number[]): Promise<readonly ResultRow[]>
}

/** Rows that are asked for together. */
const PAGE = 200
const READ_TOGETHER = 1000
const PAUSE_MS = 200

/** The rows of a table of any length: the parts that come into sight are asked for, and kept until the table is another one. */
export function useResultRows(run: () => string, table: () => ResultTable): ResultRowsInSight {
  const pages = shallowReactive(new Map<number, readonly ResultRow[]>())
  const state = reactive({ total: null as number | null, truncated: false })
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
    const [answer] = await Promise.allSettled([readPage({ run: run(), ...table() }, page)])
    if (mine !== turn) return
    failure.value = answer.status === 'rejected' ? failureOf(answer.reason) : null
    if (answer.status === 'rejected') return
    Object.assign(state, { total: answer.value.total, truncated: answer.value.truncated })
    pages.set(page, answer.value.rows)
  }

  function begin(): void {
    turn++
    asked.clear()
    pages.clear()
    failure.value = null
    void bring(0)
  }

  watch(
    [run, table],
    () => {
      clearTimeout(pause)
      pause = setTimeout(begin, state.total === null ? 0 : PAUSE_MS)
    },
    { deep: true, immediate: true },
  )
  onScopeDispose(() => {
    turn++
    clearTimeout(pause)
  })

  const rowAt = (index: number): ResultRow | undefined => pages.get(Math.floor(index / PAGE))?.[index % PAGE]

  return {
    state,
    failure,
    total: computed(() => state.total ?? 0),
    rowAt,
    show: (first, last) => void pagesOf([first, last]).map(bring),
    firstRows: (most) => firstRows({ run: run(), ...table() }, Math.min(most, state.total ?? 0)),
    rowsAt: (places) =>
      Promise.all(pagesOf(places).map(bring)).then(() =>
        places.toSorted((a, b) => a - b).flatMap((index) => rowAt(index) ?? []),
      ),
  }
}

const readPage = (table: ResultTable & { readonly run: string }, page: number): Promise<CallResult<'explore.result'>> =>
  ask('explore.result', { ...table, offset: PAGE * page, limit: PAGE })

const pagesOf = (places: readonly number[]): readonly number[] => [
  ...new Set(places.map((index) => Math.floor(index / PAGE))),
]

async function firstRows(wanted: ResultTable & { readonly run: string }, count: number): Promise<readonly ResultRow[]> {
  const rows: ResultRow[] = []
  for (let offset = 0; offset < count; offset += READ_TOGETHER)
    rows.push(...(await ask('explore.result', { ...wanted, offset, limit: READ_TOGETHER })).rows)
  return rows.slice(0, count)
}
