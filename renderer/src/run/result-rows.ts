import { computed, onScopeDispose, reactive, shallowReactive, shallowRef, watch } from 'vue'
import type { CallArgs, CallResult } from '../../../electron/contract/calls.ts'
import { ask, type FailureValue, failureOf } from '../connection.ts'

export type ResultRow = CallResult<'explore.result'>['rows'][number]
/** Which rows, and in which order. */
export type ResultTable = Omit<CallArgs<'explore.result'>, 'run' | 'offset' | 'limit'>

/** Rows that are asked for together. */
const PAGE = 200
const MOST_COPIED = 10_000
const COPIED_TOGETHER = 1000
const PAUSE_MS = 200

/** The rows of a table of any length: the parts that come into sight are asked for, and kept until the table is another one. */
export function useResultRows(run: () => string, table: () => ResultTable) {
  const pages = shallowReactive(new Map<number, readonly ResultRow[]>())
  const state = reactive({ total: null as number | null, truncated: false })
  const failure = shallowRef<FailureValue | null>(null)
  const asked = new Set<number>()
  let turn = 0
  let pause: ReturnType<typeof setTimeout> | undefined

  async function bring(page: number): Promise<void> {
    if (asked.has(page)) return
    asked.add(page)
    const mine = turn
    const wanted = { run: run(), ...table(), offset: PAGE * page, limit: PAGE }
    const [answer] = await Promise.allSettled([ask('explore.result', wanted)])
    if (mine !== turn) return
    failure.value = answer.status === 'rejected' ? failureOf(answer.reason) : null
    if (answer.status === 'rejected') return
    const { total, truncated, rows } = answer.value
    Object.assign(state, { total, truncated })
    pages.set(page, rows)
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

  return {
    state,
    failure,
    total: computed(() => state.total ?? 0),
    rowAt: (index: number): ResultRow | undefined => pages.get(Math.floor(index / PAGE))?.[index % PAGE],
    /** Rows [first, last] are in sight. */
    show(first: number, last: number): void {
      for (let page = Math.floor(first / PAGE); page <= Math.floor(last / PAGE); page++) void bring(page)
    },
    labels: () => labelsOf({ run: run(), ...table() }, state.total ?? 0),
  }
}

/** Labels of a table, a pair as two; the first ones of a long table. */
async function labelsOf(wanted: ResultTable & { readonly run: string }, total: number): Promise<readonly string[]> {
  const lines: string[] = []
  for (let offset = 0; offset < Math.min(MOST_COPIED, total); offset += COPIED_TOGETHER) {
    const { rows } = await ask('explore.result', { ...wanted, offset, limit: COPIED_TOGETHER })
    lines.push(...rows.map(({ label, mate }) => (mate === null ? label : `${label}\t${mate.label}`)))
  }
  return lines
}
