import { computed } from 'vue'
import { isFinal, optionsOf, type Run } from '../../../electron/contract/run.ts'
import { useLatest } from '../base/latest.ts'
import { ask } from '../bridge.ts'

/** A run that ended without a result and has its dataset. */
const isResumable = ({ state, datasetId }: Run): boolean => isFinal(state) && state !== 'done' && datasetId !== null

/** Whether a run improves its first result: then there is something that could be kept. */
const searches = ({ request }: Run): boolean => (optionsOf(request).quality ?? 'fast') !== 'fast'

/** What a run that was ended has kept; null before that is known, and of runs that cannot be resumed. */
export function useCheckpoint(run: () => Run | undefined) {
  const latest = useLatest(
    () => [run()?.id, run()?.state] as const,
    () => {
      const one = run()
      return one === undefined || !isResumable(one) ? null : ask('runs.checkpoint', { run: one.id })
    },
    0,
  )
  return computed(() => {
    const one = run()
    if (one === undefined || latest.value === null || !isResumable(one)) return null
    const { writtenAt } = latest.value
    return { writtenAt, hasBest: writtenAt !== null && searches(one) }
  })
}
