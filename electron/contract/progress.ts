import { z } from 'zod'
import type { Progress } from '../../workers/base/job.ts'

/** At most ten a second. */
export const progressSchema: z.ZodType<Progress> = z.object({
  phase: z.string(),
  done: z.number(),
  total: z.number().optional(),
  unit: z.enum(['bytes', 'lines', 'arcs', 'vertices', 'ms', 'steps']),
  round: z.number().optional(),
  decided: z.number().optional(),
  best: z.number().optional(),
  bound: z.number().optional(),
  arcs: z.number().optional(),
  bytes: z.number().optional(),
  overall: z.number().optional(),
  stage: z.object({ number: z.number(), count: z.number() }).optional(),
})
