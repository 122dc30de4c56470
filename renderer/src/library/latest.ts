import { onScopeDispose, shallowRef, watch } from 'vue'
import type { ShallowRef, WatchSource } from 'vue'
import { failureOf } from '../connection.ts'
import type { FailureValue } from '../connection.ts'

export interface Latest<T> {
  readonly value: ShallowRef<T | null>
  readonly failure: ShallowRef<FailureValue | null>
  readonly busy: ShallowRef<boolean>
}

/**
 * Asks again whenever `of` changes, a moment after the last change; only the newest answer counts. `ask` returns null where
 * there is nothing to ask.
 */
export function useLatest<A, T>(of: WatchSource<A>, ask: (of: A) => Promise<T> | null, waitMs = 250): Latest<T> {
  const value = shallowRef<T | null>(null)
  const failure = shallowRef<FailureValue | null>(null)
  const busy = shallowRef(false)
  let turn = 0
  let wait: ReturnType<typeof setTimeout> | undefined

  async function run(now: A, mine: number): Promise<void> {
    const asked = ask(now)
    busy.value = asked !== null
    if (asked === null) {
      value.value = null
      failure.value = null
      return
    }
    const [answer, refused] = await asked.then(
      (answered): [T | null, FailureValue | null] => [answered, null],
      (error: unknown): [T | null, FailureValue | null] => [null, failureOf(error)],
    )
    if (mine !== turn) return
    value.value = answer
    failure.value = refused
    busy.value = false
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
  return { value, failure, busy }
}
