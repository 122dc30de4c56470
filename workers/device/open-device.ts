import { deviceFailure, lostFailure, REPEAT, usageFailure } from '../base/failure.ts'
import { isFaultDue, isFaulty, throwOutside } from '../base/fault-injection.ts'
import { hostMemory } from '../base/host-resources.ts'
import type { JobContext } from '../base/job.ts'
import { autoDevice, type DeviceBenchmark, type DevicesArgs, type DevicesOutcome } from '../contract/jobs.ts'
import type { GpuMemory } from './bind-gpu.ts'
import { CpuDevice, cpuFacts } from './cpu-device.ts'
import type { Device } from './device.ts'

let earlyList: Promise<DevicesOutcome> | undefined
let earlyDevice: { readonly id: string; readonly opening: Promise<Device> } | undefined

/** Opens a device for the next call that lists the devices, or opens this one. @throws as {@link openDevice}; so does that call */
export async function openEarly(wanted: string): Promise<Device> {
  if (wanted === 'auto') earlyList = listDevices()
  const id = wanted === 'auto' ? autoDevice((await earlyList!).devices) : wanted
  const opening = openAnew(id)
  earlyDevice = { id, opening }
  return opening
}

export async function listDevices(): Promise<DevicesOutcome> {
  const early = earlyList
  earlyList = undefined
  if (early !== undefined) return early
  const { listGpus } = await import('./bind-gpu.ts')
  const { gpus, noGpu, note } = await listGpus()
  return { devices: [{ ...cpuFacts('cpu:0'), ...hostMemory() }, ...gpus], noGpu, note }
}

/** The memory of GPUs by their ids; none is opened. */
export async function memoryOfGpus(): Promise<ReadonlyMap<string, GpuMemory>> {
  const { readMemory } = await import('./bind-gpu.ts')
  return readMemory()
}

/** It was listed and is gone. @throws Failure (device) */
export async function refuseGpu(id: string): Promise<never> {
  const { bindGpu } = await import('./bind-gpu.ts')
  await bindGpu(id)
  throw deviceFailure(id, 'this GPU was not there a moment ago', '', [REPEAT])
}

export async function surveyDevices({ prove, benchmark }: DevicesArgs, job: JobContext): Promise<DevicesOutcome> {
  let outcome = await listDevices()
  if (prove === true) {
    const { proveBindings } = await import('./bind-gpu.ts')
    outcome = { ...outcome, proof: await proveBindings() }
  }
  if (benchmark !== undefined) outcome = { ...outcome, ...(await measureAll(outcome, benchmark.folder, job)) }
  return outcome
}

async function measureAll({ devices }: DevicesOutcome, folder: string, job: JobContext) {
  const { benchmarkDevice, benchmarkDisk } = await import('./device-benchmark.ts')
  const benchmarks: DeviceBenchmark[] = []
  for (const device of devices) benchmarks.push(await benchmarkDevice(device, openDevice, job))
  return { benchmarks, disk: benchmarkDisk(folder, job) }
}

/** @throws Failure (usage) for other names, (device) */
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
    return withFaults(await GpuDevice.open(id))
  }
  throw usageFailure(undefined, `there is no device ${JSON.stringify(id)}`, 'Name cpu:0, gpu:0 or auto.')
}

/** See base/fault-injection.ts. */
function withFaults(device: Device): Device {
  if (!isFaulty) return device
  return new Proxy(device, {
    get(target, name) {
      if (name === 'launch' && isFaultDue('device-lost')) lose(target)
      if (name === 'launch' && isFaultDue('thread')) throwOutside()
      // More than any machine has.
      if (name === 'allocate' && isFaultDue('device-memory'))
        return (label: string) => target.allocate(label, Math.floor(Number.MAX_SAFE_INTEGER / 8))
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? (value.bind(target) as unknown) : value
    },
  })
}

function lose(device: Device): void {
  device.close()
  if (device.facts.kind === 'gpu') return
  throw lostFailure(device.facts.id, 'the device was lost: injected fault', '', [REPEAT])
}
