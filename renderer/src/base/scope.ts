import { onBeforeUnmount, onScopeDispose, readonly, ref, type Ref } from 'vue'

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

/** The focus is on the page where what had it has gone: the next Tab leads to the page's first control, not to the first of all. */
export function keepFocus(): void {
  if (document.activeElement === document.body) document.getElementById('page')?.focus({ preventScroll: true })
}

/** What goes with the focus in it leaves it to the page, not to nothing. */
export function leaveFocusToPage(going: Readonly<Ref<HTMLElement | null>>): void {
  onBeforeUnmount(() => {
    if (going.value?.contains(document.activeElement)) document.getElementById('page')?.focus({ preventScroll: true })
  })
}
