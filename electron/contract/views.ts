import { z } from 'zod'
import { viewStates } from '../../workers/jobs.ts'
import type { ViewFacts, ViewsOutcome } from '../../workers/jobs.ts'

/** A prepared view of a dataset; see `ViewFacts` in workers/jobs.ts. */
const viewSchema: z.ZodType<ViewFacts> = z.object({
  name: z.string(),
  kind: z.enum(['oriented', 'weight-ordered', 'weight-levels', 'tiles']).nullable(),
  order: z.string().nullable(),
  bytes: z.number(),
  builtAt: z.string(),
  state: z.enum(viewStates),
})

export const viewsOutcomeSchema: z.ZodType<ViewsOutcome> = z.object({
  dropped: z.array(z.string()),
  buildMs: z.number().nullable(),
  views: z.array(viewSchema),
})
