import type { ProgressSample, TimelineLane } from '../../../electron/contract/work.ts'
import { onScopeDispose, shallowRef, watch } from 'vue'
import { isFinal, type Run } from '../../../electron/contract/run.ts'
import { ask } from '../bridge.ts'

interface Phase {
  readonly name: string
  readonly fromMs: number
  readonly toMs: number
}

export function phasesOf(samples: readonly ProgressSample[]): readonly Phase[] {
  const phases: { name: string; fromMs: number; toMs: number }[] = []
  for (const { phase, ms } of samples) {
    const last = phases.at(-1)
    if (last !== undefined) last.toMs = ms
    if (last?.name !== phase) phases.push({ name: phase, fromMs: last === undefined ? 0 : last.toMs, toMs: ms })
  }
  return phases
}

/** How many vertices were undecided after each round that is told of; the last word on a round counts. */
export function undecidedRounds(
  samples: readonly ProgressSample[],
  vertices: number,
): readonly { readonly round: number; readonly undecided: number }[] {
  const rounds = new Map<number, number>()
  for (const { phase, round, decided } of samples) {
    if (round === undefined || decided === undefined) continue
    // A set reports what a round left, a matching what a round begins with.
    const after = phase === 'match' ? round - 1 : round
    if (after > 0) rounds.set(after, Math.max(0, vertices - decided))
  }
  return [...rounds].sort(([a], [b]) => a - b).map(([round, undecided]) => ({ round, undecided }))
}

export interface RatePoint {
  readonly ms: number
  readonly perSecond: number
}

export function ratesOf(samples: readonly ProgressSample[], of: 'arcs' | 'bytes'): readonly RatePoint[] {
  return samples.flatMap((sample, at) => {
    const before = samples[at - 1]
    const [now, then] = [sample[of], before?.[of]]
    if (before?.phase !== sample.phase || now === undefined || then === undefined) return []
    const elapsedMs = sample.ms - before.ms
    return elapsedMs <= 0 || now < then ? [] : [{ ms: sample.ms, perSecond: ((now - then) / elapsedMs) * 1000 }]
  })
}

const EVERY_MS = 1000

/** The course of a run: read again and again while it goes on, and once more when it has ended. */
export function useRunHistory(run: () => Run | undefined) {
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
