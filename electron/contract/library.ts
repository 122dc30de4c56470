import { z } from 'zod'

const count = z.number().int().nonnegative()

/** The library as the status bar and the settings show it. */
export const libraryStatusSchema = z.object({
  /** Absolute path. */
  folder: z.string(),
  /** Number of the database's format. */
  version: count,
  /** Of the disk that the library lies on. */
  freeBytes: count,
  /** Of the datasets: graphs, labels, and tiles of earlier runs. */
  usedBytes: count,
  datasets: count,
  runs: count,
  software: z.object({ anticlique: z.string(), node: z.string(), webgpu: z.string(), platform: z.string() }),
  /** What shows the pages: the window, a browser under `anticlique serve`, or a program that calls in process. */
  host: z.enum(['window', 'browser', 'program']),
})
export type LibraryStatus = z.infer<typeof libraryStatusSchema>
