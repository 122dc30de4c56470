import { workerData } from 'node:worker_threads'
import { adoptThreads, warmThreads } from '../threads/thread-pool.ts'
import { jobTable } from './job-table.ts'
import { prepareDevice } from './prepare-device.ts'
import { type FirstJob, type JobThreadData, serveJobs } from './serve-jobs.ts'

// Before anything else: devices are opened while the code of the job is loaded.
const { ahead, threads } = workerData as JobThreadData
adoptThreads(threads)
if (ahead?.first === 'run' && ahead.devices !== '') prepareLead(ahead).catch(() => {})

/** The first device of a run, and threads where it turns out to be the processor. */
async function prepareLead({ devices, scanThreads }: FirstJob): Promise<void> {
  const { facts } = await prepareDevice(devices.split(',')[0]!)
  if (devices === 'auto' && facts.kind === 'cpu') warmThreads(scanThreads, 'scan-set')
}

/** Entry of a thread that does jobs. */
serveJobs(jobTable)
