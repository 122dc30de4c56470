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

export interface Rate {
  /** null until there are two readings of a phase. */
  readonly perSecond: number | null
  readonly leftMs: number | null
}

const SHORTEST_MS = 400

export class Rates {
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
