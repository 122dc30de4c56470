import { Failure, REPEAT } from '../base/failure.ts'
import { withFaults } from './faulty-device.ts'
import type { JobContext } from '../base/job.ts'
import { autoDevice } from '../contract/jobs.ts'
import type { DeviceBenchmark, DevicesArgs, DevicesOutcome } from '../contract/jobs.ts'
import type { GpuMemory } from './adapters-dawn.ts'
import { CpuDevice, cpuFacts } from './cpu-device.ts'
import type { Device } from './device.ts'
import { hostMemory } from '../base/host-resources.ts'
import { reopenGpu } from './kept-gpu.ts'

/** What was listed and opened ahead of the first run of this thread, until that takes it. */
let earlyList: Promise<DevicesOutcome> | undefined
let earlyDevice: { readonly id: string; readonly opening: Promise<Device> } | undefined

/**
 * Opens a device, or what `auto` stands for on a machine with one GPU at the most, for the run that is about to come: a call that lists the
 * devices next, or opens this one, has it at once.
 * @throws as {@link openDevice}; so does that then
 */
export async function openEarly(wanted: string): Promise<Device> {
  if (wanted === 'auto') earlyList = listDevices()
  const id = wanted === 'auto' ? autoDevice((await earlyList!).devices) : wanted
  const opening = openAnew(id)
  earlyDevice = { id, opening }
  return opening
}

/** The devices that this machine offers. GPU code is loaded only when it is asked for. */
export async function listDevices(): Promise<DevicesOutcome> {
  const early = earlyList
  earlyList = undefined
  if (early !== undefined) return early
  const { listGpus } = await import('./bind-gpu.ts')
  const { gpus, noGpu, note } = await listGpus()
  return { devices: [{ ...cpuFacts('cpu:0'), ...hostMemory() }, ...gpus], noGpu, note }
}

/** Memory of the GPUs, by id, where the machine tells it; none is opened. */
export async function memoryOfGpus(): Promise<ReadonlyMap<string, GpuMemory>> {
  const { readMemory } = await import('./bind-gpu.ts')
  return readMemory()
}

/** What opening a GPU fails with that is not there. @throws Failure (device) */
export async function refuseGpu(id: string): Promise<never> {
  const { bindGpu } = await import('./bind-gpu.ts')
  await bindGpu(id)
  throw new Failure({
    code: 'device',
    where: id,
    what: 'this GPU was not there a moment ago',
    remedy: '',
    fixes: [REPEAT],
  })
}

/** The job behind `anticlique devices`: lists them, and proves or measures them where asked to. */
export async function surveyDevices({ prove, benchmark }: DevicesArgs, job: JobContext): Promise<DevicesOutcome> {
  let outcome = await listDevices()
  if (prove === true) {
    const { proveBindings } = await import('./bind-proof.ts')
    outcome = { ...outcome, proof: await proveBindings() }
  }
  if (benchmark !== undefined) outcome = { ...outcome, ...(await measureAll(outcome, benchmark.folder, job)) }
  return outcome
}

async function measureAll({ devices }: DevicesOutcome, folder: string, job: JobContext) {
  const { benchmarkDevice } = await import('./device-benchmark.ts')
  const { benchmarkDisk } = await import('./device-benchmark-disk.ts')
  const benchmarks: DeviceBenchmark[] = []
  for (const device of devices) benchmarks.push(await benchmarkDevice(device, openDevice, job))
  return { benchmarks, disk: benchmarkDisk(folder, job) }
}

/** Opens "cpu:N", "gpu:N" or "auto"; a GPU that this thread used last is still open. @throws Failure (usage) for other names, (device) when it cannot be opened. */
export async function openDevice(wanted: string): Promise<Device> {
  const id = wanted === 'auto' ? autoDevice((await listDevices()).devices) : wanted
  const early = earlyDevice
  earlyDevice = undefined
  if (early?.id === id) return early.opening
  early?.opening.then((device) => device.close()).catch(() => {})
  return openAnew(id)
}

async function openAnew(id: string): Promise<Device> {
  if (/^cpu:\d+$/.test(id)) return withFaults(new CpuDevice(id))
  if (/^gpu:\d+$/.test(id)) {
    const { GpuDevice } = await import('./gpu-device.ts')
    return withFaults((await reopenGpu(id, (kept) => kept instanceof GpuDevice)) ?? (await GpuDevice.open(id)))
  }
  throw new Failure({
    code: 'usage',
    what: `there is no device ${JSON.stringify(id)}`,
    remedy: 'Name cpu:0, gpu:0 or auto.',
  })
}
