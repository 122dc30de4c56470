import { z } from 'zod'
import type { DegreeDistribution } from '../../workers/contract/jobs.ts'

const count = z.number().int().nonnegative()

export const degreesSchema: z.ZodType<DegreeDistribution> = z.object({
  vertices: count,
  degrees: z.array(z.object({ degree: count, vertices: count })),
})
