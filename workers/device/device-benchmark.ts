import { memoryCopy } from '../../kernels/memory/memory-copy.ts'
import { Failure } from '../base/failure.ts'
import { throwIfCancelled } from '../base/job.ts'
import type { JobContext } from '../base/job.ts'
import type { DeviceBenchmark, DeviceFacts, Spread } from '../contract/jobs.ts'
import type { Device, DeviceBuffer } from './device.ts'

const REPEATS = 5
const HARDWARE_BYTES = 256 << 20
const SOFTWARE_BYTES = 16 << 20
/** Of free memory that the two buffers and the copy on the host may take together. */
const SHARE_OF_FREE = 8
/** Threads of the copying kernel: enough for any GPU, few enough that each copies several words. */
const THREADS = 1 << 20
/** Launches that are timed together: one alone is shorter than the steps of some clocks. */
const LAUNCHES = 4

/** Copies to the device and back, and a kernel that copies within it. A device that cannot be opened says why. */
export async function benchmarkDevice(
  facts: DeviceFacts,
  open: (id: string) => Promise<Device>,
  job: JobContext,
): Promise<DeviceBenchmark> {
  const none = { id: facts.id, bytes: 0, repeats: 0, toDevice: null, fromDevice: null, kernel: null }
  let device: Device | undefined
  try {
    device = await open(facts.id)
    return { id: facts.id, ...(await measure(device, copyBytes(facts, device), job)), problem: null }
  } catch (error) {
    if (!(error instanceof Failure) || error.code === 'cancelled') throw error
    return { ...none, problem: error.what }
  } finally {
    device?.close()
  }
}

function copyBytes({ kind, software, memoryFreeBytes }: DeviceFacts, device: Device): number {
  const wanted = kind === 'gpu' && software ? SOFTWARE_BYTES : HARDWARE_BYTES
  const fits = Math.min(device.maxBufferBytes, (memoryFreeBytes ?? Infinity) / SHARE_OF_FREE)
  return 4 * Math.floor(Math.min(wanted, fits) / 4)
}

async function measure(device: Device, bytes: number, job: JobContext) {
  const words = bytes / 4
  const host = new Uint8Array(bytes).fill(0xa5)
  const source = await device.allocate('source', words)
  const target = await device.allocate('target', words)
  await device.prepare([memoryCopy])
  const fill = async (): Promise<void> => {
    await device.fill(source, words, (part, at) => part.set(host.subarray(at, at + part.length)))
    await settle(device, source)
  }
  const read = async (): Promise<void> => void (await device.read(source, 0, words))
  const toDevice = await rates(bytes, job, () => timed(fill))
  const fromDevice = await rates(bytes, job, () => timed(read))
  const kernel = await rates(2 * LAUNCHES * bytes, job, () => kernelMs(device, words, source, target))
  return { bytes, repeats: REPEATS, toDevice, fromDevice, kernel }
}

async function kernelMs(device: Device, words: number, source: DeviceBuffer, target: DeviceBuffer): Promise<number> {
  const stride = Math.min(words, THREADS)
  await device.takeKernelMs()
  for (let launch = 0; launch < LAUNCHES; launch++)
    device.launch(memoryCopy, stride, { count: words, stride }, { original: source, copied: target })
  await settle(device, target)
  return device.takeKernelMs()
}

/** Waits until the device has done what was asked: only reading waits for it. */
const settle = (device: Device, buffer: DeviceBuffer): Promise<unknown> => device.read(buffer, 0, 1)

async function timed(work: () => Promise<void>): Promise<number> {
  const startMs = performance.now()
  await work()
  return performance.now() - startMs
}

/** One round to warm up, which is not counted, and then REPEATS. */
async function rates(bytes: number, job: JobContext, measureMs: () => Promise<number>): Promise<Spread | null> {
  await measureMs()
  const found: number[] = []
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    throwIfCancelled(job.signal)
    found.push(await measureMs())
  }
  return spreadOfRates(bytes, found)
}

/** Bytes a second of the same number of bytes in these times; null where a clock stood still. */
export function spreadOfRates(bytes: number, timesMs: readonly number[]): Spread | null {
  const sorted = timesMs.map((ms) => bytes / (ms / 1000)).sort((a, b) => a - b)
  if (sorted.length === 0 || !Number.isFinite(sorted.at(-1))) return null
  const middle = (sorted.length - 1) / 2
  const median = (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2
  return { median, min: sorted[0]!, max: sorted.at(-1)! }
}
