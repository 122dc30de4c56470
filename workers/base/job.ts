import { Failure, REPEAT } from './failure.ts'

/** Where a long operation stands. Sent at most 10 times a second; `total` is absent only before it is known. */
export interface Progress {
  /** "parse", "sort", "write", "open", "scan", "verify" ... */
  readonly phase: string
  readonly done: number
  readonly total?: number | undefined
  readonly unit: 'bytes' | 'lines' | 'arcs' | 'vertices'
  /** Sweeps so far, for algorithms. */
  readonly round?: number | undefined
  /** Vertices with a final state, for algorithms. */
  readonly decided?: number | undefined
  /** Arcs that were looked at, and bytes read from the disk, since the phase began. */
  readonly arcs?: number | undefined
  readonly bytes?: number | undefined
  /** How far the whole job is, 0 to 1; never back. The engine adds it. */
  readonly overall?: number | undefined
  /** Which stage of how many the phase belongs to, where that is known; the first is 1. */
  readonly stage?: { readonly number: number; readonly count: number } | undefined
}

/** Whether the user asked to stop. An AbortSignal is one; worker threads read a shared flag, as they see no event while they work. */
export interface StopSignal {
  readonly aborted: boolean
  /** Stopped because the process that asked for the work is gone: what could be continued later stays on the disk. */
  readonly abandoned?: boolean | undefined
}

/** What every long operation takes: a way to stop, a way to tell how far it is, a place for remarks. */
export interface JobContext {
  readonly signal: StopSignal
  progress(progress: Progress): void
  log(message: string): void
}

/** A context that never stops and reports nothing; for tests and for short operations. */
export const quietJob: JobContext = { signal: { aborted: false }, progress: () => {}, log: () => {} }

/** Throws the failure that a cancelled job ends with. Call it at least every 100 ms of work. */
export function throwIfCancelled(signal: StopSignal): void {
  if (signal.aborted) throw new Failure({ code: 'cancelled', what: 'cancelled', remedy: '', fixes: [REPEAT] })
}

const PROGRESS_INTERVAL_MS = 100

/** Passes on the first progress of every phase and then at most ten a second. */
export function throttledProgress(send: (progress: Progress) => void): (progress: Progress) => void {
  let lastPhase = ''
  let lastMs = 0
  return (progress) => {
    const nowMs = performance.now()
    if (progress.phase === lastPhase && nowMs - lastMs < PROGRESS_INTERVAL_MS) return
    lastPhase = progress.phase
    lastMs = nowMs
    send(progress)
  }
}
