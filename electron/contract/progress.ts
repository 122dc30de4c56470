import { z } from 'zod'
import type { Progress } from '../../workers/base/job.ts'

const measured = {
  round: z.number().optional(),
  decided: z.number().optional(),
  best: z.number().optional(),
  bound: z.number().optional(),
  /** Since the phase began. */
  arcs: z.number().optional(),
  bytes: z.number().optional(),
}

/** At most ten a second. */
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

/** Of very many spans the longest are kept. */
const timelineSpanSchema = z.object({
  category: z.string(),
  name: z.string(),
  /** Since the first span of all lanes. */
  startMs: z.number(),
  durationMs: z.number(),
})

export const timelineLaneSchema = z.object({ name: z.string(), spans: z.array(timelineSpanSchema) })
export type TimelineLane = z.infer<typeof timelineLaneSchema>
