import { planWork } from './algorithms/plan.ts'
import { runAlgorithm } from './algorithms/run.ts'
import { onSoundInputs } from './algorithms/sound-inputs.ts'
import { surveyDevices } from './device/open-device.ts'
import { serveJobs } from './serve-jobs.ts'

/** Entry of a thread that works with devices. */
serveJobs({ devices: surveyDevices, run: (args, job) => onSoundInputs(args, job, runAlgorithm), plan: planWork })
