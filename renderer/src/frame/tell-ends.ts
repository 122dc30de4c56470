import { watch } from 'vue'
import { isUnderWay } from '../../../electron/contract/work.ts'
import type { Work } from '../../../electron/contract/work.ts'
import { useToasts } from '../stores/toasts.ts'
import { useWork } from '../stores/work.ts'
import { words } from '../words/words.ts'
import { announce } from './announce.ts'

export function tellEnds(): void {
  const work = useWork()
  const toasts = useToasts()
  watch(
    () => work.byId,
    (now, before) => {
      for (const one of now.values()) {
        const was = before.get(one.id)
        if (was !== undefined && isUnderWay(was)) tell(one)
      }
    },
  )

  function tell({ state, kind, name }: Work): void {
    if (state === 'done') toasts.show(words.work.finished(words.work.kinds[kind], name))
    if (state === 'failed') announce(words.work.failed(words.work.kinds[kind], name), true)
  }
}
