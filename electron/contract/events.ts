import { z } from 'zod'
import type { Progress } from '../../workers/job.ts'
import { datasetSchema } from './dataset.ts'
import { runSchema } from './run.ts'

/** Where a long operation stands; at most ten a second. */
export const progressSchema: z.ZodType<Progress> = z.object({
  phase: z.string(),
  done: z.number(),
  total: z.number().optional(),
  unit: z.enum(['bytes', 'lines', 'arcs', 'vertices']),
  round: z.number().optional(),
  decided: z.number().optional(),
})

/** What the service tells everybody who listens. `of` is a run's id or the name of a dataset that is being made. */
export const eventSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('progress'),
    subject: z.enum(['dataset', 'run']),
    of: z.string(),
    progress: progressSchema,
  }),
  z.object({ type: z.literal('dataset-changed'), dataset: datasetSchema }),
  z.object({ type: z.literal('dataset-removed'), name: z.string() }),
  z.object({ type: z.literal('run-changed'), run: runSchema }),
  z.object({ type: z.literal('run-removed'), run: z.string() }),
])

export type ServiceEvent = z.infer<typeof eventSchema>
