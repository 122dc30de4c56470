import { defineStore } from 'pinia'
import { computed } from 'vue'
import { isUnderWay, type Work } from '../../../electron/contract/work.ts'
import { useKeyed } from './keyed.ts'
import { ask } from '../bridge.ts'

interface Position {
  readonly phase: string
  readonly done: number
  readonly total?: number | undefined
}

/** How far the whole of it is, never back; the phase alone where a program of before told it. null before the first figure. */
export function overallOf(progress: (Position & { readonly overall?: number | undefined }) | undefined): number | null {
  if (progress?.overall !== undefined) return progress.overall
  return progress?.total === undefined || progress.total === 0 ? null : progress.done / progress.total
}

/** Since when a phase goes on, and where it was then. */
interface Trace {
  readonly phase: string
  readonly sinceMs: number
  readonly sinceDone: number
  readonly atMs: number
  readonly done: number
}

const SHORTEST_MS = 400
/** Until there are two readings of a phase. */
const unknown = { perSecond: null, leftMs: null }

export const useWork = defineStore('work', () => {
  const { byId, all, replace, put: putIn, drop: dropIf } = useKeyed<string, Work>(({ id }) => id)
  /** Oldest first, so that no card moves when another one comes. */
  const list = computed(() =>
    all.value.toSorted((a, b) => (a.startedAt < b.startedAt ? -1 : a.startedAt > b.startedAt ? 1 : 0)),
  )
  const running = computed(() => list.value.filter(isUnderWay))

  async function load(): Promise<void> {
    replace((await ask('work.list', {})).work)
  }

  const traces = new Map<string, Trace>()

  function note(id: string, { phase, done }: Position, atMs: number): void {
    const trace = traces.get(id)
    const goesOn = trace?.phase === phase && done >= trace.done
    traces.set(id, { phase, sinceMs: atMs, sinceDone: done, ...(goesOn ? trace : {}), atMs, done })
  }

  function rateOf({ id, state, progress }: Work): {
    readonly perSecond: number | null
    readonly leftMs: number | null
  } {
    const trace = traces.get(id)
    if (progress === null || trace === undefined) return unknown
    const [elapsedMs, done] = [trace.atMs - trace.sinceMs, trace.done - trace.sinceDone]
    if (elapsedMs < SHORTEST_MS || done <= 0) return unknown
    const { total } = progress
    // What was asked to stop does not go to the end of its phase.
    const isOpen = total === undefined || state === 'cancelling'
    const leftMs = isOpen ? null : (Math.max(0, total - trace.done) * elapsedMs) / done
    return { perSecond: (1000 * done) / elapsedMs, leftMs }
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

  async function dismiss(id: string): Promise<void> {
    await ask('work.dismiss', { id })
    drop(id)
  }

  return { byId, list, running, load, put, drop, rateOf, cancel, dismiss }
})
