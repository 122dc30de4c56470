import { cpuFacts } from '../device/cpu-device.ts'
import { listDevices, refuseGpu } from '../device/open-device.ts'
import { type JobContext, throwIfCancelled } from '../base/job.ts'
import type { DeviceFacts, DevicesOutcome, PlanArgs, ResourcePlan } from '../contract/jobs.ts'
import { autoCandidates, chooseDevices } from '../algorithms/choose-devices.ts'
import { sizeOfTarget } from '../algorithms/estimate.ts'
import { planInDetail, requireOptions } from '../algorithms/plan.ts'
import { loadAlgorithm } from '../algorithms/registry.ts'
import { planImport } from './plan-import.ts'

/** @throws Failure for options that the algorithm does not take, an unknown device, a file that is no graph */
export async function planWork(args: PlanArgs, job: JobContext): Promise<ResourcePlan> {
  const { target } = args
  if (args.importOnly === true && target.kind === 'file') return planImport(args, target)
  const algorithm = await loadAlgorithm(args.algorithm)
  requireOptions(algorithm, args)
  const named = args.device === 'auto' ? undefined : args.device.split(',')
  const offered = named?.every((id) => /^cpu:\d+$/.test(id)) ? undefined : await listDevices()
  throwIfCancelled(job.signal)
  const known = named && (await Promise.all(named.map((id) => deviceFacts(id, offered))))
  const size = sizeOfTarget(args)
  if (known !== undefined) return planInDetail(algorithm, args, size, known)
  const candidates = autoCandidates(offered!.devices)
  const options = { ...args, partitions: undefined }
  const lanesOn = (devices: readonly DeviceFacts[]) => algorithm.plan({ options, size, devices }).lanes
  const chosen = chooseDevices(args.algorithm, algorithm.severalGpus, candidates, lanesOn)
  return { deviceAdvice: chosen.why, ...(await planInDetail(algorithm, args, size, chosen.devices)) }
}

/** @throws Failure (device), as of a run */
async function deviceFacts(wanted: string, offered: DevicesOutcome | undefined): Promise<DeviceFacts> {
  if (/^cpu:\d+$/.test(wanted)) return cpuFacts(wanted)
  return offered?.devices.find(({ id }) => id === wanted) ?? (await refuseGpu(wanted))
}
