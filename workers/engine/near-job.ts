import type { NearJob } from '../contract/jobs.ts'
import { jobTable } from './job-table.ts'
import { serve } from './serve-jobs.ts'

/** Entry of a program that does a job in its own thread. */
export const doJob: NearJob = (name, args, context) => serve(jobTable, name, args, context)
