import type { ImportArgs, NearJob } from '../contract/jobs.ts'
import { jobTable } from './job-table.ts'
import { serve } from './serve-jobs.ts'

/** Entry of a program that does a job in its own thread. */
export const doJob: NearJob = (name, args, context) => serve(jobTable, name, args, context)

/** Vertices or arcs of a graph that is imported in less time than it takes to cancel it. */
const MOST_SIZE = 1 << 20

/** Whether files hold a small graph: a few lines may promise any number of vertices. What cannot be sampled is none. */
export async function isSmallGraph(args: ImportArgs): Promise<boolean> {
  const { sampleGraphFiles } = await import('../import/estimate.ts')
  const sizes = await sampleGraphFiles(args).catch(() => [null])
  return sizes.every((size) => size !== null && Math.max(size.vertices, size.arcs) <= MOST_SIZE)
}
