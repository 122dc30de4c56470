import { z } from 'zod'
import { failureSchema } from './failure.ts'
import { progressSchema } from './progress.ts'

const workKinds = ['import', 'generate', 'sample', 'verify', 'export', 'benchmark', 'run'] as const

/** `cancelling`: it was asked to stop, and ends when what it is at allows. */
const workStates = ['running', 'cancelling', 'done', 'failed', 'cancelled', 'interrupted'] as const

/**
 * A long operation, from whatever page it was begun: it goes on when the page is left or loaded again. `interrupted` is an
 * import whose program was killed; `datasets.resume` goes on with it.
 */
export const workSchema = z.object({
  /** Of a run: the run's id. */
  id: z.string(),
  kind: z.enum(workKinds),
  /** The dataset that it makes or works on, or the run. */
  subject: z.string(),
  /** A few words for the card: "g-27s-16ef.txt", a run's name. */
  name: z.string(),
  startedAt: z.string(),
  /** null while it goes on. */
  finishedAt: z.string().nullable(),
  progress: progressSchema.nullable(),
  state: z.enum(workStates),
  failure: failureSchema.nullable(),
  /** What came of it. */
  result: z
    .object({ dataset: z.string().optional(), run: z.string().optional(), files: z.array(z.string()).optional() })
    .nullable(),
})
export type Work = z.infer<typeof workSchema>

/** Whether it has not ended yet. */
export const isUnderWay = ({ state }: Pick<Work, 'state'>): boolean => state === 'running' || state === 'cancelling'
