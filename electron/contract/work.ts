import { z } from 'zod'
import { failureSchema } from '../../workers/contract/schema.ts'
import type { Progress } from '../../workers/base/job.ts'

const measured = {
  round: z.number().optional(),
  decided: z.number().optional(),
  best: z.number().optional(),
  bound: z.number().optional(),
  /** Arcs and bytes since the phase began. */
  arcs: z.number().optional(),
  bytes: z.number().optional(),
}

/** Progress, at most ten times a second. */
export const progressSchema: z.ZodType<Progress> = z.object({
  phase: z.string(),
  done: z.number(),
  total: z.number().optional(),
  unit: z.enum(['bytes', 'lines', 'arcs', 'vertices', 'ms', 'steps']),
  ...measured,
  overall: z.number().optional(),
  stage: z.object({ number: z.number(), count: z.number() }).optional(),
})

/** `ms` since the first start, without interruptions; `total` is null before it is known. */
export const progressSampleSchema = z.object({
  ms: z.number(),
  phase: z.string(),
  done: z.number(),
  total: z.number().nullable(),
  ...measured,
})
export type ProgressSample = z.infer<typeof progressSampleSchema>

/** A span of a timeline: the longest of very many are kept. */
const timelineSpanSchema = z.object({
  category: z.string(),
  name: z.string(),
  /** The time since the first span of all lanes. */
  startMs: z.number(),
  durationMs: z.number(),
})

export const timelineLaneSchema = z.lazy(() => z.object({ name: z.string(), spans: z.array(timelineSpanSchema) }))
export type TimelineLane = z.infer<typeof timelineLaneSchema>

const workKinds = ['import', 'generate', 'sample', 'verify', 'export', 'benchmark', 'run'] as const

/** `cancelling`: it ends when its step allows. */
const workStates = ['running', 'cancelling', 'done', 'failed', 'cancelled', 'interrupted'] as const

/** Work of any page. `interrupted`: an import whose program was killed; `datasets.resume` continues it. */
export const workSchema = z.lazy(() =>
  z.object({
    /** An id; for a run, the run's id. */
    id: z.string(),
    kind: z.enum(workKinds),
    subject: z.string(),
    name: z.string(),
    startedAt: z.string(),
    /** null while it is at work. */
    finishedAt: z.string().nullable(),
    progress: progressSchema.nullable(),
    state: z.enum(workStates),
    failure: failureSchema.nullable(),
    result: z
      .object({ dataset: z.string().optional(), run: z.string().optional(), files: z.array(z.string()).optional() })
      .nullable(),
  }),
)
export type Work = z.infer<typeof workSchema>

export const isUnderWay = ({ state }: Pick<Work, 'state'>): boolean => state === 'running' || state === 'cancelling'
