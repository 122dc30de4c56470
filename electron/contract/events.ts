import { z } from 'zod'
import { datasetSchema, removedDatasetSchema } from './dataset.ts'
import { progressSchema, workSchema } from './work.ts'
import { runSchema } from './run.ts'
import { settingsSchema } from './settings.ts'

export const eventSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('progress'),
    subject: z.literal('run'),
    /** Its id. */
    of: z.string(),
    progress: progressSchema,
  }),
  z.object({ type: z.literal('dataset-changed'), dataset: datasetSchema }),
  z.object({ type: z.literal('dataset-removed'), name: z.string() }),
  /** Datasets that can be brought back, all of them. */
  z.object({ type: z.literal('removed-changed'), removed: z.array(removedDatasetSchema) }),
  z.object({ type: z.literal('run-changed'), run: runSchema }),
  /** Its end comes as a change. */
  z.object({ type: z.literal('run-cancelling'), run: z.string() }),
  z.object({ type: z.literal('run-removed'), run: z.string() }),
  /** Changed work, at most ten times a second. */
  z.object({ type: z.literal('work-changed'), work: workSchema }),
  z.object({ type: z.literal('work-removed'), id: z.string() }),
  /** Another process, such as a command, changed the library. */
  z.object({ type: z.literal('library-changed') }),
  z.object({ type: z.literal('settings-changed'), settings: settingsSchema }),
  /** A page that a menu, a notification or a link asks for. */
  z.object({ type: z.literal('open'), path: z.string() }),
])

export type ServiceEvent = z.infer<typeof eventSchema>
