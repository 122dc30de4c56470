import { setImmediate as nextTurn } from 'node:timers/promises'
import { Failure, REPEAT } from './failure.ts'

/** `total` is absent only before it is known. */
export interface Progress {
  /** "parse", "sort", "write", "open", "scan", "verify" ... */
  readonly phase: string
  readonly done: number
  readonly total?: number | undefined
  readonly unit: 'bytes' | 'lines' | 'arcs' | 'vertices' | 'ms' | 'steps'
  readonly round?: number | undefined
  readonly decided?: number | undefined
  /** The members, or weight, of the best result that a search has so far; and what no result exceeds, once it is known. */
  readonly best?: number | undefined
  readonly bound?: number | undefined
  /** Arcs and bytes since the phase began. */
  readonly arcs?: number | undefined
  readonly bytes?: number | undefined
  /** The part of the whole job that is done, 0 to 1; never back. */
  readonly overall?: number | undefined
  /** The first is 1. */
  readonly stage?: { readonly number: number; readonly count: number } | undefined
}

/** An AbortSignal, or a shared flag: threads at work see no event. */
export interface StopSignal {
  readonly aborted: boolean
  /** What a later process can resume stays on the disk. */
  readonly abandoned?: boolean | undefined
  /** What was found is enough: an improvement ends with it. */
  readonly enough?: boolean | undefined
}

/** A word of shared memory, not 0 once its threads are to stop. */
export const stopWord = (words: Int32Array, at: number): StopSignal => ({
  get aborted() {
    return Atomics.load(words, at) !== 0
  },
})

/** The stop word of a job where its parent is gone, or ends; 1 where it is cancelled. */
export const ABANDONED = 2
/** The stop word of a job whose result so far is enough. */
export const ENOUGH = 3

/** What every long operation takes. */
export interface JobContext {
  readonly signal: StopSignal
  progress(progress: Progress): void
  log(message: string): void
  /** Does something once the result is delivered, which may take long. */
  afterwards?(work: () => void): void
}

export const quietJob: JobContext = { signal: { aborted: false }, progress: () => {}, log: () => {} }

/** The mask of people's own files, where that of the process is the library's. */
export const OUTPUT_UMASK = 'ANTICLIQUE_OUTPUT_UMASK'

export const cancelled = (): Failure =>
  new Failure({ code: 'cancelled', what: 'cancelled', remedy: '', fixes: [REPEAT] })

/** Throws if cancelled: to be called at least every 100 ms of work. */
export function throwIfCancelled(signal: StopSignal): void {
  if (signal.aborted) throw cancelled()
}

const PROGRESS_INTERVAL_MS = 100

/** The first of every phase, and at most ten a second. */
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

/** Waits for all, then throws the first failure: none of them is under way any more. */
export async function settleAll(works: readonly Promise<unknown>[]): Promise<void> {
  const failed = (await Promise.allSettled(works)).find((work) => work.status === 'rejected')
  if (failed !== undefined) throw failed.reason
}

const TURN_MS = 20

/** Yields between slices of a long loop, each well under 100 ms; reports progress. */
export class YieldScheduler {
  readonly #job: JobContext
  #lastMs = performance.now()

  constructor(job: JobContext) {
    this.#job = job
  }

  /** @throws Failure (cancelled) */
  async yield(progress: Progress): Promise<void> {
    if (performance.now() - this.#lastMs < TURN_MS) return
    this.#job.progress(progress)
    await nextTurn()
    throwIfCancelled(this.#job.signal)
    this.#lastMs = performance.now()
  }

  async over(total: number, step: number, progress: Progress, slice: (first: number, last: number) => void) {
    for (let first = 0; first < total; first += step) {
      slice(first, Math.min(total, first + step))
      await this.yield(progress)
    }
  }
}

/** Phases by stage, in order. */
type Stages = readonly (readonly string[])[]

/** `stages` is called each time, as an import may take another way. */
export function stagedJob(job: JobContext, stages: () => Stages): JobContext {
  return {
    signal: job.signal,
    log: (message) => job.log(message),
    progress: (progress) => job.progress(withStage(progress, stages())),
  }
}

function withStage(progress: Progress, stages: Stages): Progress {
  const at = stages.findIndex((phases) => phases.includes(progress.phase))
  return at < 0 ? progress : { ...progress, stage: { number: at + 1, count: stages.length } }
}
