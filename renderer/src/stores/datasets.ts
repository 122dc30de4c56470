import { defineStore } from 'pinia'
import { computed, shallowRef } from 'vue'
import type { Dataset, RemovedDataset } from '../../../electron/contract/dataset.ts'
import { byName as compareNames } from '../base/names.ts'
import { useKeyed } from './keyed.ts'
import { ask } from '../bridge.ts'

export const useDatasets = defineStore('datasets', () => {
  const { byId, all: list, replace, put, drop: dropIf } = useKeyed<number, Dataset>(({ id }) => id)
  const ordered = computed(() => list.value.toSorted((a, b) => compareNames(a.name, b.name)))
  const byName = computed(() => new Map(list.value.map((dataset) => [dataset.name, dataset])))
  const tags = computed(() => [...new Set(list.value.flatMap((dataset) => dataset.tags))].toSorted(compareNames))
  const diskBytes = computed(() => list.value.reduce((sum, dataset) => sum + dataset.diskBytes, 0))

  /** Deleted datasets that can be brought back. */
  const removed = shallowRef<readonly RemovedDataset[]>([])
  const putRemoved = (now: readonly RemovedDataset[]): unknown => (removed.value = now)

  async function load(): Promise<void> {
    const [{ datasets }, deleted] = await Promise.all([ask('datasets.list', {}), ask('datasets.removed', {})])
    replace(datasets)
    putRemoved(deleted.removed)
  }

  function drop(...names: readonly string[]): void {
    const gone = new Set(names)
    dropIf(({ name }) => gone.has(name))
  }

  async function rename(name: string, to: string): Promise<void> {
    put((await ask('datasets.rename', { name, to })).dataset)
  }

  async function tag(names: readonly string[], add: readonly string[], remove: readonly string[]): Promise<void> {
    const { datasets } = await ask('datasets.tagMany', { names: [...names], add: [...add], remove: [...remove] })
    put(...datasets)
  }

  async function remove(
    names: readonly string[],
  ): Promise<{ readonly ids: readonly number[]; readonly until: string }> {
    const { datasets, restorableUntil: until } = await ask('datasets.removeMany', { names: [...names] })
    drop(...names)
    const ids = datasets.map(({ id }) => id)
    const news = datasets.map(({ id, name, vertices, diskBytes: bytes }) => ({
      id,
      name,
      vertices,
      bytes,
      runs: [],
      until,
    }))
    const listed = removed.value.filter(({ id }) => ids.includes(id))
    // The service tells the same, with their runs.
    if (Date.parse(until) > Date.now() && listed.length < ids.length)
      putRemoved([...news, ...removed.value.filter((one) => !listed.includes(one))])
    return { ids, until }
  }

  async function restore(ids: readonly number[]): Promise<void> {
    // One may have been brought back in another way meanwhile.
    for (const id of ids.filter((one) => removed.value.some((gone) => gone.id === one))) {
      const { dataset } = await ask('datasets.restore', { id })
      putRemoved(removed.value.filter((one) => one.id !== id))
      put(dataset)
    }
  }

  async function discard(): Promise<void> {
    putRemoved((await ask('datasets.discard', {})).removed)
  }

  return {
    ...{ list, ordered, byId, byName, tags, diskBytes, removed },
    ...{ load, put, putRemoved, drop, rename, tag, remove, restore, discard },
  }
})
