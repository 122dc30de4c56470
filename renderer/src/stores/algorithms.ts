import { defineStore } from 'pinia'
import { computed, shallowRef } from 'vue'
import type { CallResult } from '../../../electron/contract/calls.ts'
import { ask } from '../bridge.ts'

export type AlgorithmEntry = CallResult<'algorithms'>['algorithms'][number]

/** The command line's flags stand in explanations; here an option is called by its label. */
function inLabels(entry: AlgorithmEntry): AlgorithmEntry {
  const labels = new Map<string, string>(entry.options.map(({ flag, label }) => [flag, `“${label}”`]))
  const said = <T extends { readonly explanation: string }>(one: T): T => ({
    ...one,
    explanation: one.explanation.replace(/--[a-z-]+/g, (flag) => labels.get(flag) ?? flag),
  })
  const options = entry.options.map((option) => ({ ...said(option), choices: option.choices?.map(said) }))
  return { ...entry, options, counters: entry.counters.map(said) }
}

export const useAlgorithms = defineStore('algorithms', () => {
  const list = shallowRef<readonly AlgorithmEntry[]>([])
  const byName = computed(() => new Map<string, AlgorithmEntry>(list.value.map((entry) => [entry.name, entry])))

  async function load(): Promise<void> {
    list.value = (await ask('algorithms', {})).algorithms.map(inLabels)
  }

  return { list, byName, load }
})
