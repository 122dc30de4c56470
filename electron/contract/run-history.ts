import { z } from 'zod'

/** `ms` since the first start, without interruptions. */
export const progressSampleSchema = z.object({
  ms: z.number(),
  phase: z.string(),
  done: z.number(),
  /** null before it is known. */
  total: z.number().nullable(),
  round: z.number().optional(),
  decided: z.number().optional(),
  best: z.number().optional(),
  bound: z.number().optional(),
  /** Since the phase began. */
  arcs: z.number().optional(),
  bytes: z.number().optional(),
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
