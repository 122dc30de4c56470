import { computed, ref } from 'vue'
import { isFinal } from '../../../electron/contract/run.ts'
import type { Run } from '../../../electron/contract/run.ts'
import { holdsWords } from '../base/names.ts'
import { runLabel, runTitle } from '../run/run-title.ts'

export const stateGroups = ['waiting', 'active', 'done', 'ended'] as const
type StateGroup = (typeof stateGroups)[number]

function groupOf({ state }: Run): StateGroup {
  if (state === 'queued') return 'waiting'
  if (state === 'done') return 'done'
  return isFinal(state) ? 'ended' : 'active'
}

/** Runs whose name, dataset or options hold every word that was typed, of the chosen state and algorithm; empty: any. */
export function useRunFilter(runs: () => readonly Run[]) {
  const text = ref('')
  const group = ref<'' | StateGroup>('')
  const algorithm = ref('')
  const said = ({ id, dataset, request, queue }: Run): string =>
    `${id} ${dataset} ${request.device} ${queue.devices?.join(' ') ?? ''}`
  const found = computed(() =>
    runs().filter(
      (run) =>
        (group.value === '' || groupOf(run) === group.value) &&
        (algorithm.value === '' || run.algorithm === algorithm.value) &&
        (text.value === '' || holdsWords(`${said(run)} ${runLabel(run)} ${runTitle(run)}`, text.value)),
    ),
  )
  return { text, group, algorithm, found }
}
