import { onScopeDispose, readonly, ref, type Ref } from 'vue'

/** Until the scope ends. */
export function listenTo<K extends keyof DocumentEventMap>(
  target: Document | Window,
  name: K,
  listener: (event: DocumentEventMap[K]) => unknown,
): void {
  target.addEventListener(name, listener as EventListener)
  onScopeDispose(() => target.removeEventListener(name, listener as EventListener))
}

/** The present in milliseconds, anew every second. */
export function secondClock(): Readonly<Ref<number>> {
  const second = ref(Date.now())
  const timer = setInterval(() => (second.value = Date.now()), 1000)
  onScopeDispose(() => clearInterval(timer))
  return readonly(second)
}
