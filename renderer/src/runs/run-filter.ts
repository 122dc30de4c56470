import { computed, ref } from 'vue'
import type { ComputedRef, Ref } from 'vue'
import { isFinal } from '../../../electron/contract/run.ts'
import type { Run } from '../../../electron/contract/run.ts'
import { runTitle } from '../run/run-title.ts'

export const stateGroups = ['waiting', 'active', 'done', 'ended'] as const
export type StateGroup = (typeof stateGroups)[number]

function groupOf({ state }: Run): StateGroup {
  if (state === 'queued') return 'waiting'
  if (state === 'done') return 'done'
  return isFinal(state) ? 'ended' : 'active'
}

interface RunFilter {
  readonly text: Ref<string>
  /** Empty: any. */
  readonly group: Ref<'' | StateGroup>
  readonly algorithm: Ref<string>
  readonly found: ComputedRef<readonly Run[]>
}

/** Runs whose name, dataset or options hold every word that was typed, of the chosen state and algorithm. */
export function useRunFilter(runs: () => readonly Run[]): RunFilter {
  const text = ref('')
  const group = ref<'' | StateGroup>('')
  const algorithm = ref('')

  const found = computed(() => {
    const parts = text.value.toLocaleLowerCase().split(/\s+/).filter(Boolean)
    return runs().filter((run) => {
      if (group.value !== '' && groupOf(run) !== group.value) return false
      if (algorithm.value !== '' && run.algorithm !== algorithm.value) return false
      if (parts.length === 0) return true
      const words =
        `${run.id} ${run.dataset} ${runTitle(run)} ${run.request.device} ${run.queue.devices?.join(' ') ?? ''}`.toLocaleLowerCase()
      return parts.every((part) => words.includes(part))
    })
  })

  return { text, group, algorithm, found }
}
