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

interface Trace {
  readonly phase: string
  readonly sinceMs: number
  readonly sinceDone: number
  atMs: number
  done: number
}

interface Rate {
  /** null until there are two readings of a phase. */
  readonly perSecond: number | null
  readonly leftMs: number | null
}

const SHORTEST_MS = 400

class Rates {
  readonly #traces = new Map<string, Trace>()

  note(id: string, { phase, done }: Position, nowMs: number): void {
    const trace = this.#traces.get(id)
    if (trace === undefined || trace.phase !== phase || done < trace.done) {
      this.#traces.set(id, { phase, sinceMs: nowMs, sinceDone: done, atMs: nowMs, done })
    } else {
      trace.atMs = nowMs
      trace.done = done
    }
  }

  of(id: string, { total }: Position): Rate {
    const trace = this.#traces.get(id)
    const elapsedMs = trace === undefined ? 0 : trace.atMs - trace.sinceMs
    if (trace === undefined || elapsedMs < SHORTEST_MS || trace.done <= trace.sinceDone) {
      return { perSecond: null, leftMs: null }
    }
    const perMs = (trace.done - trace.sinceDone) / elapsedMs
    return { perSecond: perMs * 1000, leftMs: total === undefined ? null : Math.max(0, total - trace.done) / perMs }
  }

  forget(id: string): void {
    this.#traces.delete(id)
  }
}

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

  const rates = new Rates()
  function rateOf(work: Work): Rate {
    if (work.progress === null) return { perSecond: null, leftMs: null }
    const rate = rates.of(work.id, work.progress)
    // What was asked to stop does not go to the end of its phase.
    return work.state === 'cancelling' ? { ...rate, leftMs: null } : rate
  }

  function put(work: Work): void {
    if (!isUnderWay(work)) rates.forget(work.id)
    else if (work.progress !== null) rates.note(work.id, work.progress, performance.now())
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
