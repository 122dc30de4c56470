import { onScopeDispose, shallowReactive, watch, type WatchSource } from 'vue'
import { failureOf, type FailureValue } from '../bridge.ts'

/**
 * Asks again whenever `of` changes, a moment after the last change; only the newest answer counts, and the one before stays until
 * it is there. `ask` returns null where there is nothing to ask.
 */
export function useLatest<A, T>(of: WatchSource<A>, ask: (of: A) => Promise<T> | null, waitMs = 250) {
  const latest = shallowReactive({ value: null as T | null, failure: null as FailureValue | null, busy: false })
  let turn = 0
  let wait: ReturnType<typeof setTimeout> | undefined

  async function run(now: A, mine: number): Promise<void> {
    const asked = ask(now)
    latest.busy = asked !== null
    const answer = await Promise.allSettled([asked])
    if (mine !== turn) return
    latest.value = answer[0].status === 'fulfilled' ? answer[0].value : null
    latest.failure = answer[0].status === 'fulfilled' ? null : failureOf(answer[0].reason)
    latest.busy = false
  }

  watch(
    of,
    (now) => {
      turn++
      clearTimeout(wait)
      wait = setTimeout(() => void run(now, turn), waitMs)
    },
    { deep: true, immediate: true },
  )
  onScopeDispose(() => {
    turn++
    clearTimeout(wait)
  })
  return latest
}
