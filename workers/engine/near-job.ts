import type { ImportArgs, NearJob } from '../contract/jobs.ts'
import { jobTable } from './job-table.ts'
import { serve } from './serve-jobs.ts'

/** Entry of a program that does a job in its own thread. */
export const doJob: NearJob = (name, args, context) => serve(jobTable, name, args, context)

/** Vertices or arcs of a graph that is imported in less time than it takes to cancel it. */
const MOST_SIZE = 1 << 20

/** Whether files hold a small graph: a few lines may promise any number of vertices. What cannot be sampled is none. */
export async function isSmallGraph({ source, sources = [], format }: ImportArgs): Promise<boolean> {
  const { sampleGraphFile } = await import('../import/estimate.ts')
  try {
    const sizes = [source, ...sources].map((file) => sampleGraphFile(file, format))
    return sizes.every(({ vertices, arcs }) => Math.max(vertices, arcs) <= MOST_SIZE)
  } catch {
    return false
  }
}
