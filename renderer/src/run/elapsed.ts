import { onScopeDispose, readonly, ref } from 'vue'
import type { Ref } from 'vue'

/** The present in milliseconds, every second, for as long as the component lives. */
export function clockEverySecond(): Readonly<Ref<number>> {
  const now = ref(Date.now())
  const timer = setInterval(() => (now.value = Date.now()), 1000)
  onScopeDispose(() => clearInterval(timer))
  return readonly(now)
}
