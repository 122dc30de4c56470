import { z } from 'zod'
import { failureSchema } from '../../workers/contract/failure-schema.ts'
import { progressSchema } from './progress.ts'

const workKinds = ['import', 'generate', 'sample', 'verify', 'export', 'benchmark', 'run'] as const

/** `cancelling`: it ends when its step allows. */
const workStates = ['running', 'cancelling', 'done', 'failed', 'cancelled', 'interrupted'] as const

/** Of any page. `interrupted`: an import whose program was killed; `datasets.resume` continues it. */
export const workSchema = z.object({
  /** Of a run: the run's id. */
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
})
export type Work = z.infer<typeof workSchema>

export const isUnderWay = ({ state }: Pick<Work, 'state'>): boolean => state === 'running' || state === 'cancelling'
