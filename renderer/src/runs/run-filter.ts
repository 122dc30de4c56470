import { computed, ref } from 'vue'
import { isFinal, type Run, type RunState } from '../../../electron/contract/run.ts'
import { holdsWords } from '../base/names.ts'
import { runLabel, runTitle } from '../run/run-title.ts'

export const stateGroups = ['starred', 'waiting', 'active', 'done', 'ended'] as const
type StateGroup = (typeof stateGroups)[number]

function isOf(group: StateGroup, { state, starred }: Run): boolean {
  return group === 'starred' ? starred : groupOf(state) === group
}

function groupOf(state: RunState): StateGroup {
  if (state === 'queued') return 'waiting'
  if (state === 'done') return 'done'
  return isFinal(state) ? 'ended' : 'active'
}

export function useRunFilter(runs: () => readonly Run[]) {
  const text = ref('')
  const group = ref<'' | StateGroup>('')
  const algorithm = ref('')
  const said = ({ id, dataset, request, queue, note }: Run): string =>
    `${id} ${dataset} ${note} ${request.device} ${queue.devices?.join(' ') ?? ''}`
  const found = computed(() =>
    runs().filter(
      (run) =>
        (group.value === '' || isOf(group.value, run)) &&
        (algorithm.value === '' || run.algorithm === algorithm.value) &&
        (text.value === '' || holdsWords(`${said(run)} ${runLabel(run)} ${runTitle(run)}`, text.value)),
    ),
  )
  return { text, group, algorithm, found }
}

/** The places of the runs that wait, from 1, as the queue takes them: the highest priority first, then the oldest. */
export function queuePlaces(runs: readonly Run[]): ReadonlyMap<string, number> {
  const waiting = runs
    .filter(({ state }) => state === 'queued')
    .toSorted((a, b) => b.queue.priority - a.queue.priority || (a.createdAt < b.createdAt ? -1 : 1))
  return new Map(waiting.map(({ id }, at) => [id, at + 1]))
}
