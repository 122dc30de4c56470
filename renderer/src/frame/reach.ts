import { onScopeDispose, readonly, ref } from 'vue'
import type { Ref } from 'vue'
import type { Reach } from '../bridge.ts'

/** A connection that is back sooner was hardly gone. */
const PATIENCE_MS = 1000

/** Whether the program around the page can be reached; in the window it always can. */
export function useReach(): Readonly<Ref<Reach>> {
  const reach = ref<Reach>('there')
  let timer: ReturnType<typeof setTimeout> | undefined
  const stop = window.anticlique?.onReach?.((now) => {
    clearTimeout(timer)
    if (now === 'lost') timer = setTimeout(() => (reach.value = now), PATIENCE_MS)
    else reach.value = now
  })
  onScopeDispose(() => {
    clearTimeout(timer)
    stop?.()
  })
  return readonly(reach)
}
