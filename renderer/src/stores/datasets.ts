import { defineStore } from 'pinia'
import { computed, shallowRef } from 'vue'
import type { Dataset } from '../../../electron/contract/dataset.ts'
import { byName as compareNames } from '../base/names.ts'
import { useKeyed } from './keyed.ts'
import { ask } from '../bridge.ts'

export const useDatasets = defineStore('datasets', () => {
  const { byId, all: list, replace, put, drop: dropIf } = useKeyed<number, Dataset>(({ id }) => id)
  const ordered = computed(() => list.value.toSorted((a, b) => compareNames(a.name, b.name)))
  const byName = computed(() => new Map(list.value.map((dataset) => [dataset.name, dataset])))
  const tags = computed(() => [...new Set(list.value.flatMap((dataset) => dataset.tags))].toSorted(compareNames))
  const diskBytes = computed(() => list.value.reduce((sum, dataset) => sum + dataset.diskBytes, 0))

  /** From this page, and not brought back yet. */
  const removed = shallowRef<readonly { readonly id: number; readonly name: string; readonly untilMs: number }[]>([])

  async function load(): Promise<void> {
    replace((await ask('datasets.list', {})).datasets)
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

  async function remove(names: readonly string[]): Promise<readonly number[]> {
    const { datasets, restorableUntil } = await ask('datasets.removeMany', { names: [...names] })
    drop(...names)
    removed.value = [
      ...removed.value,
      ...datasets.map(({ id, name }) => ({ id, name, untilMs: Date.parse(restorableUntil) })),
    ]
    return datasets.map(({ id }) => id)
  }

  async function restore(ids: readonly number[]): Promise<void> {
    // One may have been brought back in another way meanwhile.
    for (const id of ids.filter((one) => removed.value.some((gone) => gone.id === one))) {
      removed.value = removed.value.filter((one) => one.id !== id)
      put((await ask('datasets.restore', { id })).dataset)
    }
  }

  return { list, ordered, byId, byName, tags, diskBytes, removed, load, put, drop, rename, tag, remove, restore }
})
