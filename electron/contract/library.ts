import { z } from 'zod'

const count = z.number().int().nonnegative()

export const libraryStatusSchema = z.object({
  folder: z.string(),
  /** Of the database's format. */
  version: count,
  /** Of its disk. */
  freeBytes: count,
  /** Of the datasets. */
  usedBytes: count,
  datasets: count,
  runs: count,
  software: z.object({ anticlique: z.string(), node: z.string(), webgpu: z.string(), platform: z.string() }),
  host: z.enum(['window', 'browser', 'program']),
})
export type LibraryStatus = z.infer<typeof libraryStatusSchema>
