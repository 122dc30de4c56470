import { workerData } from 'node:worker_threads'
import { serveJobs, type ThreadData } from './serve-jobs.ts'

// Before anything else: threads and devices start meanwhile.
const { devices } = workerData as ThreadData
if (devices !== undefined) (await import('./prepare-early.ts')).prepareEarly(devices)

serveJobs({
  devices: async () => (await import('../device/open-device.ts')).surveyDevices,
  run: async () => (await import('../algorithms/run.ts')).runOnSoundInputs,
  'join-run': async () => (await import('../algorithms/run.ts')).joinRun,
  plan: async () => (await import('../jobs/plan.ts')).planWork,
})
