import { z } from 'zod'

/** Where a run stood; `ms` since it was first started, without the time that it was interrupted. */
export const progressSampleSchema = z.object({
  ms: z.number(),
  phase: z.string(),
  done: z.number(),
  /** null before it is known. */
  total: z.number().nullable(),
  round: z.number().optional(),
  decided: z.number().optional(),
  /** Counted since the phase began. */
  arcs: z.number().optional(),
  bytes: z.number().optional(),
})
export type ProgressSample = z.infer<typeof progressSampleSchema>

/** What a worker did from when to when; `category` is "disk read", "kernel", "exchange" ... Of very many the longest are kept. */
const timelineSpanSchema = z.object({
  category: z.string(),
  name: z.string(),
  /** Since the first span of all lanes. */
  startMs: z.number(),
  durationMs: z.number(),
})

/** One lane a worker. */
export const timelineLaneSchema = z.object({ name: z.string(), spans: z.array(timelineSpanSchema) })
export type TimelineLane = z.infer<typeof timelineLaneSchema>
