import type { Router } from 'vue-router'
import { ask } from '../bridge.ts'
import { useRuns } from '../stores/runs.ts'
import { useToasts } from '../stores/toasts.ts'
import { words } from '../words/words.ts'

export function useRunActions(router: Router) {
  const runs = useRuns()
  const toasts = useToasts()

  async function each(ids: readonly string[], act: (id: string) => Promise<void>): Promise<void> {
    for (const id of ids) if ((await toasts.attempt(() => act(id).then(() => true))) === null) return
  }

  async function remove(ids: readonly string[]): Promise<void> {
    await each(ids, async (id) => {
      await ask('runs.remove', { run: id })
      runs.drop(id)
    })
    toasts.show(words.run.removed(ids.length))
  }

  return {
    open: (id: string) => void router.push(`/run/${encodeURIComponent(id)}`),
    cancel: (ids: readonly string[]) => each(ids, async (run) => runs.put((await ask('runs.cancel', { run })).run)),
    /** Ends a search, whose best answer so far is the result. */
    finish: (id: string) => each([id], runs.finish),
    resume: (ids: readonly string[]) => each(ids, async (run) => runs.put((await ask('runs.resume', { run })).run)),
    again: (id: string) => void router.push({ path: '/new-run', query: { again: id } }),
    compare: (ids: readonly string[]) => void router.push({ path: '/compare', query: { run: [...ids] } }),
    remove,
  }
}
