import { z } from 'zod'
import type { DegreeDistribution } from '../../workers/contract/jobs.ts'

const count = z.number().int().nonnegative()

/** How many vertices have which degree; see `DegreeDistribution` in workers/contract/jobs.ts. */
export const degreesSchema: z.ZodType<DegreeDistribution> = z.object({
  vertices: count,
  degrees: z.array(z.object({ degree: count, vertices: count })),
})
