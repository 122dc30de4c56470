import { join } from 'node:path'
import { z } from 'zod'
import { readSealedOrOld } from '../../workers/base/sealed-json.ts'
import type { TimelineLane } from '../contract/run-history.ts'
import type { Library } from '../library/library.ts'
import type { ProgressSample } from '../contract/run-history.ts'
import type { ProgressLog } from './progress-log.ts'
import { readSamples } from './progress-log.ts'

export const progressFile = (library: Library, run: string): string => join(library.runFolder(run), 'progress.json')
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

/** Samples of progress, and spans of each worker. */
export class RunHistory {
  readonly #library: Library
  readonly #logs = new Map<string, ProgressLog>()

  constructor(library: Library) {
    this.#library = library
  }

  async keep<T>(run: string, log: ProgressLog, work: () => Promise<T>): Promise<T> {
    this.#logs.set(run, log)
    try {
      return await work()
    } finally {
      this.#logs.delete(run)
      log.save()
    }
  }

  /** Of another process's run up to a few seconds ago. */
  progress(text: string): readonly ProgressSample[] {
    const { id } = this.#library.runs.get(text)
    return this.#logs.get(id)?.samples ?? readSamples(progressFile(this.#library, id))
  }

  /** None before the run has its result. */
  trace(text: string): TimelineLane[] {
    const path = timelineFile(this.#library, this.#library.runs.get(text).id)
    const read = traceSchema.safeParse(readSealedOrOld(path))
    return read.success ? lanesOf(read.data.traceEvents) : []
  }
}

function lanesOf(events: readonly z.infer<typeof eventSchema>[]): TimelineLane[] {
  const lanes = new Map<number, TimelineLane>()
  for (const { ph, pid, name, args } of events)
    if (ph === 'M' && name === 'process_name') lanes.set(pid, { name: args?.name ?? `worker ${pid}`, spans: [] })
  for (const { ph, pid, name, cat = '', ts = 0, dur = 0 } of events)
    if (ph === 'X') lanes.get(pid)?.spans.push({ category: cat, name, startMs: ts / 1000, durationMs: dur / 1000 })
  return [...lanes.values()]
}
