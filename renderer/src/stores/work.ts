import { defineStore } from 'pinia'
import { computed, shallowReactive } from 'vue'
import { isUnderWay, type Work } from '../../../electron/contract/work.ts'
import { useKeyed } from './keyed.ts'
import { ask } from '../bridge.ts'

type Progress = NonNullable<Work['progress']>

/** How far the whole of it is, never back; the phase alone where a program of before told it. null before the first figure. */
export function overallOf(progress: Progress | null): number | null {
  if (progress?.overall !== undefined) return progress.overall
  return progress?.total ? progress.done / progress.total : null
}

/** Since when a phase goes on, and where it was then. */
interface Trace {
  readonly phase: string
  readonly sinceMs: number
  readonly sinceDone: number
  readonly atMs: number
  readonly done: number
  /** The time by the clock of the wall. */
  readonly toldAt: number
}

const SHORTEST_MS = 400
/** Until there are two readings of a phase. */
const unknown = { perSecond: null, leftMs: null }

export const useWork = defineStore('work', () => {
  const { byId, all, replace, put: putIn, drop: dropIf } = useKeyed<string, Work>(({ id }) => id)
  const progressOf = (id: string): Progress | null => byId.value.get(id)?.progress ?? null
  const isCancelling = (id: string): boolean => byId.value.get(id)?.state === 'cancelling'
  /** Oldest first, so that no card moves when another one comes. */
  const list = computed(() =>
    all.value.toSorted((a, b) => (a.startedAt < b.startedAt ? -1 : a.startedAt > b.startedAt ? 1 : 0)),
  )
  const running = computed(() => list.value.filter(isUnderWay))

  async function load(): Promise<void> {
    replace((await ask('work.list', {})).work)
  }

  const traces = shallowReactive(new Map<string, Trace>())
  const toldAt = (id: string): number | undefined => traces.get(id)?.toldAt

  function note(id: string, { phase, done }: Progress, atMs: number): void {
    const trace = traces.get(id)
    const since = trace?.phase === phase && done >= trace.done ? trace : { phase, sinceMs: atMs, sinceDone: done }
    traces.set(id, { ...since, atMs, done, toldAt: Date.now() })
  }

  function rateOf({ id, state, progress }: Work): {
    readonly perSecond: number | null
    readonly leftMs: number | null
  } {
    const trace = traces.get(id)
    if (progress === null || trace === undefined) return unknown
    const [elapsedMs, done] = [trace.atMs - trace.sinceMs, trace.done - trace.sinceDone]
    if (elapsedMs < SHORTEST_MS || done <= 0) return unknown
    const { total, unit } = progress
    // What was asked to stop does not go to the end of its phase.
    const isOpen = total === undefined || state === 'cancelling'
    const leftMs = isOpen ? null : (Math.max(0, total - trace.done) * elapsedMs) / done
    // Of work by time only what is left says anything.
    return { perSecond: unit === 'ms' ? null : (1000 * done) / elapsedMs, leftMs }
  }

  function put(work: Work): void {
    if (!isUnderWay(work)) traces.delete(work.id)
    else if (work.progress !== null) note(work.id, work.progress, performance.now())
    putIn(work)
  }

  function drop(id: string): void {
    dropIf((work) => work.id === id)
  }

  async function cancel(id: string): Promise<void> {
    put((await ask('work.cancel', { id })).work)
  }

  /** Work under way that a person put out of sight; a failure brings it back. */
  const hidden = shallowReactive(new Set<string>())
  const hide = (id: string): unknown => hidden.add(id)
  const unhide = (): void => hidden.clear()
  const isHidden = (work: Work): boolean => hidden.has(work.id) && isUnderWay(work)
  const hiddenCount = computed(() => running.value.filter(isHidden).length)

  async function dismiss(id: string): Promise<void> {
    await ask('work.dismiss', { id })
    drop(id)
  }

  return {
    ...{ byId, list, running, toldAt, progressOf, isCancelling, load, put, drop, rateOf, cancel, dismiss },
    ...{ hide, unhide, isHidden, hiddenCount },
  }
})
