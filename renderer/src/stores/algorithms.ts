import { defineStore } from 'pinia'
import { computed, shallowRef } from 'vue'
import type { CallResult } from '../../../electron/contract/calls.ts'
import { ask } from '../bridge.ts'

export type AlgorithmEntry = CallResult<'algorithms'>['algorithms'][number]

export const useAlgorithms = defineStore('algorithms', () => {
  const list = shallowRef<readonly AlgorithmEntry[]>([])
  const byName = computed(() => new Map<string, AlgorithmEntry>(list.value.map((entry) => [entry.name, entry])))

  async function load(): Promise<void> {
    list.value = (await ask('algorithms', {})).algorithms
  }

  return { list, byName, load }
})
