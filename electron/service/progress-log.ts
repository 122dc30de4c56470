import { z } from 'zod'
import { progressSampleSchema } from '../contract/run-history.ts'
import type { ProgressSample } from '../contract/run-history.ts'
import { readSealedOrOld, writeSealed } from '../../workers/base/sealed-json.ts'
import type { Progress } from '../../workers/base/job.ts'

/** More samples than a chart has pixels are thinned to half. */
const MOST_SAMPLES = 1000
const SAVE_EVERY_MS = 5000
const fileSchema = z.object({ samples: z.array(progressSampleSchema) })

/**
 * Where a run stood when, for charts: a bounded number of samples in its folder. One that goes on after an interruption goes on
 * here as well. Its clock is one that nobody sets.
 */
export class ProgressLog {
  readonly #path: string
  readonly #startMs: number
  #samples: ProgressSample[]
  /** Of the samples that arrive within a phase every `stride`-th is kept. */
  #stride = 1
  #skipped = 0
  #latest: ProgressSample | undefined
  #savedMs = performance.now()

  /** @param resume whether to go on from what the file has */
  constructor(path: string, resume: boolean) {
    this.#path = path
    this.#samples = resume ? readSamples(path) : []
    this.#startMs = performance.now() - (this.#samples.at(-1)?.ms ?? 0)
  }

  get samples(): readonly ProgressSample[] {
    const unkept = this.#unkept()
    return unkept === undefined ? this.#samples : [...this.#samples, unkept]
  }

  add({ phase, done, total, round, decided, arcs, bytes }: Progress): void {
    const ms = Math.round(performance.now() - this.#startMs)
    const sample: ProgressSample = { ms, phase, done, total: total ?? null, round, decided, arcs, bytes }
    const isNewPhase = this.#samples.at(-1)?.phase !== phase
    const unkept = this.#unkept()
    if (isNewPhase && unkept !== undefined) this.#samples.push(unkept)
    this.#latest = sample
    if (!isNewPhase && ++this.#skipped < this.#stride) return
    this.#skipped = 0
    this.#samples.push(sample)
    if (this.#samples.length > MOST_SAMPLES) this.#thin()
    if (performance.now() - this.#savedMs > SAVE_EVERY_MS) this.save()
  }

  /** A chart is not worth the run: where it cannot be written it is not. */
  save(): void {
    this.#savedMs = performance.now()
    try {
      writeSealed(this.#path, { samples: this.samples })
    } catch {
      return
    }
  }

  /** The last sample where it is not among those that are kept. */
  #unkept(): ProgressSample | undefined {
    return this.#latest === this.#samples.at(-1) ? undefined : this.#latest
  }

  /** Leaves every second one out, but keeps the first of every phase. */
  #thin(): void {
    this.#stride *= 2
    this.#samples = this.#samples.filter(({ phase }, i) => i % 2 === 0 || this.#samples[i - 1]?.phase !== phase)
  }
}

/** The samples of a file; none where it is missing, damaged, or not one of ours. */
export function readSamples(path: string): ProgressSample[] {
  return fileSchema.safeParse(readSealedOrOld(path)).data?.samples ?? []
}
