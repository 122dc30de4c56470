import type { Router } from 'vue-router'
import type { Dataset } from '../../../electron/contract/dataset.ts'
import { useDatasets } from '../stores/datasets.ts'
import { useToasts } from '../stores/toasts.ts'
import { words } from '../words/words.ts'

export interface DatasetActions {
  open(dataset: Pick<Dataset, 'name'>): void
  run(names: readonly string[]): void
  explore(name: string): void
  /** Offers to take it back. */
  remove(names: readonly string[]): Promise<boolean>
}

/** What can be done with datasets from the library and from a dataset's own page. */
export function useDatasetActions(router: Router): DatasetActions {
  const datasets = useDatasets()
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
    open: ({ name }) => void router.push(`/dataset/${encodeURIComponent(name)}`),
    run: (names) => void router.push({ path: '/new-run', query: { dataset: [...names] } }),
    explore: (name) => void router.push(`/explore/${encodeURIComponent(name)}`),
    remove,
  }
}
