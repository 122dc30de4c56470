import { watch } from 'vue'
import type { Router } from 'vue-router'
import { isUnderWay, type Work } from '../../../electron/contract/work.ts'
import { datasetPath, runPath } from '../paths.ts'
import { useToasts, announce } from '../stores/toasts.ts'
import { useWork } from '../stores/work.ts'
import { words } from '../words/words.ts'

export function tellEnds(router: Router): void {
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

  /** Of what it made, or was about. */
  function pathOf({ kind, id, result }: Work): string | null {
    const run = kind === 'run' ? id : result?.run
    if (run !== undefined) return runPath(run)
    return result?.dataset === undefined ? null : datasetPath(result.dataset)
  }

  function tell(work: Work): void {
    const { state, kind, name } = work
    const path = pathOf(work)
    const isThere = path !== null && router.currentRoute.value.path === path
    const action = path === null || isThere ? null : { label: words.commands.open, act: () => void router.push(path) }
    const done = words.work.finished(words.work.kinds[kind], name)
    if (state === 'done' && isThere) announce(done)
    else if (state === 'done') toasts.show(done, { action })
    if (state === 'failed') announce(words.work.failed(words.work.kinds[kind], name), true)
  }
}
