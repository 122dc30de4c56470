import { onScopeDispose, readonly, ref, type Ref } from 'vue'

/** The present in milliseconds, anew every second. */
export function secondClock(): Readonly<Ref<number>> {
  const second = ref(Date.now())
  const timer = setInterval(() => (second.value = Date.now()), 1000)
  onScopeDispose(() => clearInterval(timer))
  return readonly(second)
}
