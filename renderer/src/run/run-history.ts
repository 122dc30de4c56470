import { onScopeDispose, shallowRef, watch } from 'vue'
import type { ShallowRef } from 'vue'
import { isFinal } from '../../../electron/contract/run.ts'
import type { Run } from '../../../electron/contract/run.ts'
import type { ProgressSample, TimelineLane } from '../../../electron/contract/run-history.ts'
import { ask } from '../connection.ts'

interface History {
  readonly samples: Readonly<ShallowRef<readonly ProgressSample[]>>
  readonly lanes: Readonly<ShallowRef<readonly TimelineLane[]>>
}

const EVERY_MS = 1000

/** The course of a run: read again and again while it goes on, and once more when it has ended. */
export function useRunHistory(run: () => Run | undefined): History {
  const samples = shallowRef<readonly ProgressSample[]>([])
  const lanes = shallowRef<readonly TimelineLane[]>([])
  let timer: ReturnType<typeof setTimeout> | undefined
  let newest = 0

  async function read(id: string, goesOn: boolean): Promise<void> {
    const mine = ++newest
    // A run without a history is shown without one.
    const [progress, trace] = await Promise.allSettled([
      ask('runs.progress', { run: id }),
      ask('runs.trace', { run: id }),
    ])
    if (mine !== newest) return
    if (progress.status === 'fulfilled') samples.value = progress.value.samples
    if (trace.status === 'fulfilled') lanes.value = trace.value.lanes
    if (goesOn) timer = setTimeout(() => void read(id, goesOn), EVERY_MS)
  }

  function stop(): void {
    newest++
    clearTimeout(timer)
  }

  watch(
    () => [run()?.id, run()?.state] as const,
    ([id, state], before) => {
      stop()
      if (id !== before?.[0]) {
        samples.value = []
        lanes.value = []
      }
      if (id !== undefined && state !== undefined && state !== 'queued') void read(id, !isFinal(state))
    },
    { immediate: true },
  )
  onScopeDispose(stop)
  return { samples, lanes }
}
