import { onScopeDispose } from 'vue'

/** Until the scope ends. */
export function listenTo<K extends keyof DocumentEventMap>(
  target: Document | Window,
  name: K,
  listener: (event: DocumentEventMap[K]) => unknown,
): void {
  target.addEventListener(name, listener as EventListener)
  onScopeDispose(() => target.removeEventListener(name, listener as EventListener))
}
