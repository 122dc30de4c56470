import { z } from 'zod'

/** An import that can be resumed, or a folder without a dataset. */
export const remainderSchema = z.object({
  name: z.string(),
  /** null where it cannot be resumed. */
  source: z.string().nullable(),
  /** In the library's `datasets`. */
  folder: z.string(),
  bytes: z.number().int().nonnegative(),
  /** ISO 8601, UTC. */
  startedAt: z.string(),
  stages: z.array(z.string()),
})

export type Remainder = z.infer<typeof remainderSchema>
