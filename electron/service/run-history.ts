/**
 * What is kept of a run beside its row: samples of its progress, thinned out to a fixed number, the spans of its timeline, and the record to
 * cite, check and repeat it. Files that are missing or damaged count as empty. A resumed run continues its samples, by a clock that is not set.
 * run-work.ts writes, the window reads.
 */

import { statSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { readSealedOrOld, writeSealed } from '../../workers/base/output-file.ts'
import type { Library } from '../library/library.ts'
import { progressSampleSchema, type TimelineLane, type ProgressSample } from '../contract/work.ts'
import type { Progress } from '../../workers/base/job.ts'
import type { StoredDataset as Dataset } from '../contract/dataset.ts'
import { withoutFolders, type Run, type RunRecord } from '../contract/run.ts'
import { listsOf } from './run-inputs.ts'
import type { RunOutcome, WaitedTimes } from '../../workers/contract/run.ts'
import { commit, version } from './version.ts'
import manifest from '../../package.json' with { type: 'json' }

/** More than a chart has pixels. */
const MOST_SAMPLES = 1000
const SAVE_EVERY_MS = 5000
const fileSchema = z.object({ samples: z.array(progressSampleSchema) })

const OPENING = 'open'
/** Phases of other times than that of the first result. */
const partOfPhase: Readonly<Record<string, 'searchMs' | 'verifyMs'>> = {
  ...Object.fromEntries(
    ['load', 'reduce', 'search', 'fill up', 'swap', 'augment', 'complete', 'balance'].map((phase) => [
      phase,
      'searchMs',
    ]),
  ),
  verify: 'verifyMs',
}

/** A log of at most {@link MOST_SAMPLES} samples, by a clock that is not set; a resumed run continues it. */
export class ProgressLog {
  readonly #path: string
  readonly #startMs: number
  #samples: ProgressSample[]
  /** Every `stride`-th of a phase is kept. */
  #stride = 1
  #skipped = 0
  #latest: ProgressSample | undefined
  /** The first sample is saved at once, so that an attempt that is killed counts. */
  #savedMs = -Infinity

  /** @param resume from what the file has */
  constructor(path: string, resume: boolean) {
    this.#path = path
    this.#samples = resume ? readSamples(path) : []
    this.#startMs = performance.now() - (this.#samples.at(-1)?.ms ?? 0)
  }

  get samples(): readonly ProgressSample[] {
    const unkept = this.#unkept()
    return unkept === undefined ? this.#samples : [...this.#samples, unkept]
  }

  add({ phase, done, total, round, decided, best, bound, arcs, bytes }: Progress): void {
    const ms = Math.round(performance.now() - this.#startMs)
    const sample: ProgressSample = { ms, phase, done, total: total ?? null, round, decided, best, bound, arcs, bytes }
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

  /** What all attempts until now took, by their phases. Each opens devices first; the engine's start is before. */
  waited(): WaitedTimes {
    const { samples } = this
    const waited = { attempts: 0, setMs: 0, searchMs: 0, verifyMs: 0, restMs: samples[0]?.ms ?? 0 }
    for (const [i, { ms, phase }] of samples.entries()) {
      const next = samples[i + 1]
      if (phase === OPENING) waited.attempts++
      const part = next?.phase === OPENING ? 'restMs' : (partOfPhase[phase] ?? 'setMs')
      waited[part] += (next?.ms ?? Math.round(performance.now() - this.#startMs)) - ms
    }
    return waited
  }

  /** A chart is not worth the run. */
  save(): void {
    this.#savedMs = performance.now()
    try {
      writeSealed(this.#path, { samples: this.samples }, false)
    } catch {
      return
    }
  }

  #unkept(): ProgressSample | undefined {
    return this.#latest === this.#samples.at(-1) ? undefined : this.#latest
  }

  /** But the first of every phase. */
  #thin(): void {
    this.#stride *= 2
    this.#samples = this.#samples.filter(({ phase }, i) => i % 2 === 0 || this.#samples[i - 1]?.phase !== phase)
  }
}

/** None where it is missing or damaged. */
export function readSamples(path: string): ProgressSample[] {
  return fileSchema.safeParse(readSealedOrOld(path)).data?.samples ?? []
}

export const progressFile = (library: Library, run: string): string => join(library.runFolder(run), 'progress.json')
export const checkpointFile = (library: Library, run: string): string =>
  join(library.runFolder(run), 'states.checkpoint')

/** The time of a run's last checkpoint; null: it has none. */
export const writtenAt = (library: Library, run: string): string | null =>
  statSync(checkpointFile(library, run), { throwIfNoEntry: false })?.mtime.toISOString() ?? null

export const timelineFile = (library: Library, run: string): string => join(library.runFolder(run), 'trace.json')

/** Chrome trace events: names of processes, complete events in microseconds. */
const eventSchema = z.object({
  ph: z.string(),
  name: z.string(),
  pid: z.number(),
  cat: z.string().optional(),
  ts: z.number().optional(),
  dur: z.number().optional(),
  args: z.object({ name: z.string() }).optional(),
})
const traceSchema = z.object({ traceEvents: z.array(eventSchema) })

/** Spans of each worker; none before the run has its result. */
export function readTimeline(path: string): TimelineLane[] {
  const read = traceSchema.safeParse(readSealedOrOld(path))
  return read.success ? lanesOf(read.data.traceEvents) : []
}

function lanesOf(events: readonly z.infer<typeof eventSchema>[]): TimelineLane[] {
  const lanes = new Map<number, TimelineLane>()
  for (const { ph, pid, name, args } of events)
    if (ph === 'M' && name === 'process_name') lanes.set(pid, { name: args?.name ?? `worker ${pid}`, spans: [] })
  for (const { ph, pid, name, cat = '', ts = 0, dur = 0 } of events)
    if (ph === 'X') lanes.get(pid)?.spans.push({ category: cat, name, startMs: ts / 1000, durationMs: dur / 1000 })
  return [...lanes.values()]
}

/** @param folder of the run, with its lists */
export function recordOf(run: Run, dataset: Dataset, outcome: RunOutcome, folder: string): RunRecord {
  const { name, checksum, vertices, arcs, maxDegree, source, report } = dataset
  const startedAt = run.startedAt ?? run.createdAt
  const now = new Date().toISOString()
  return {
    record: 1,
    run: run.id,
    name: run.name,
    dataset: {
      name,
      checksum,
      vertices,
      arcs,
      maxDegree,
      source,
      sourceSha256: report.sourceSha256,
      recipe: report.recipe,
    },
    lists: listsOf(folder),
    request: withoutFolders(run.request),
    outcome,
    hash: outcome.result.hash,
    versions: versions(),
    startedAt,
    // The clock may have been set back.
    finishedAt: now < startedAt ? startedAt : now,
  }
}

/** `webgpu` is pinned exactly. */
export const versions = (): RunRecord['versions'] => ({
  anticlique: version,
  commit,
  node: process.versions.node,
  webgpu: manifest.dependencies.webgpu,
})
