import { z } from 'zod'

/** What a killed program left in the library: an import that can be resumed, or a folder that no dataset owns. */
export const remainderSchema = z.object({
  /** What the dataset would be called. */
  name: z.string(),
  /** The file that was imported; null where it cannot be resumed. */
  source: z.string().nullable(),
  /** Its folder in the library's `datasets`. */
  folder: z.string(),
  bytes: z.number().int().nonnegative(),
  /** ISO 8601, UTC. */
  startedAt: z.string(),
  /** Stages that are complete. */
  stages: z.array(z.string()),
})

export type Remainder = z.infer<typeof remainderSchema>
