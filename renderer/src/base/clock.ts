import { onScopeDispose, readonly, ref, type Ref } from 'vue'

const EVERY_MS = 20_000
const time = ref(Date.now())
setInterval(() => (time.value = Date.now()), EVERY_MS)

/** The present in milliseconds, often enough for "5 minutes ago"; one clock for all. */
export const now = readonly(time)

export function secondClock(): Readonly<Ref<number>> {
  const second = ref(Date.now())
  const timer = setInterval(() => (second.value = Date.now()), 1000)
  onScopeDispose(() => clearInterval(timer))
  return readonly(second)
}
