import type { Router } from 'vue-router'
import type { Dataset } from '../../../electron/contract/dataset.ts'
import { useDatasets } from '../stores/datasets.ts'
import { useRuns } from '../stores/runs.ts'
import { useToasts } from '../stores/toasts.ts'
import { words } from '../words/words.ts'

export function useDatasetActions(router: Router) {
  const datasets = useDatasets()
  const runs = useRuns()
  const toasts = useToasts()

  async function remove(names: readonly string[]): Promise<boolean> {
    const [first] = names
    if (first === undefined) return false
    const ids = await toasts.attempt(() => datasets.remove(names))
    if (ids === null) return false
    const what = names.length === 1 ? first : words.library.several(names.length)
    toasts.undoable(words.library.removed(what), () => datasets.restore(ids))
    return true
  }

  return {
    open: ({ name }: Pick<Dataset, 'name'>) => void router.push(`/dataset/${encodeURIComponent(name)}`),
    run: (names: readonly string[]) => void router.push({ path: '/new-run', query: { dataset: [...names] } }),
    explore: (name: string) => {
      const run = runs.list.find(({ dataset, state }) => dataset === name && state === 'done')?.id
      void router.push({ path: `/explore/${encodeURIComponent(name)}`, query: run === undefined ? {} : { run } })
    },
    remove,
  }
}
