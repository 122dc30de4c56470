/**
 * How fast devices and disks are here: copies to and from a device and through a copying kernel, and reads and writes of the library's disk,
 * with its cache dropped where the system allows. Each rate is the median of several repeats after a warm-up, with its spread. It takes some
 * seconds and up to 1 GiB of the disk. The window and `anticlique devices --benchmark` show it; no plan depends on it.
 */

import { closeSync, fsyncSync, openSync, readSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { memoryCopy } from '../../kernels/memory/memory-copy.ts'
import { asFailure, Failure } from '../base/failure.ts'
import { type JobContext, throwIfCancelled } from '../base/job.ts'
import { spread, type DeviceBenchmark, type DeviceFacts, type DiskBenchmark, type Spread } from '../contract/jobs.ts'
import type { Device, DeviceBuffer } from './device.ts'
import { type Machine, thisMachine } from './machine.ts'

const REPEATS = 5
const HARDWARE_BYTES = 256 << 20
const SOFTWARE_BYTES = 16 << 20
/** The share of free memory that each buffer takes. */
const MEMORY_PARTS = 8
const THREADS = 1 << 20
/** One alone is shorter than the steps of some clocks. */
const LAUNCHES = 4

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
  const fits = Math.min(device.maxBufferBytes, (memoryFreeBytes ?? Infinity) / MEMORY_PARTS)
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

const settle = (device: Device, buffer: DeviceBuffer): Promise<unknown> => device.read(buffer, 0, 1)

async function timed(work: () => Promise<void>): Promise<number> {
  const startMs = performance.now()
  await work()
  return performance.now() - startMs
}

/** Rates after a warm-up. */
async function rates(bytes: number, job: JobContext, measureMs: () => Promise<number>): Promise<Spread | null> {
  await measureMs()
  const found: number[] = []
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    throwIfCancelled(job.signal)
    found.push(await measureMs())
  }
  return spreadOfRates(bytes, found)
}

export function spreadOfRates(bytes: number, timesMs: readonly number[]): Spread | null {
  const rates = timesMs.map((ms) => bytes / (ms / 1000))
  return rates.length > 0 && rates.every(Number.isFinite) ? spread(rates) : null
}

const FILE_BYTES = 2 ** 30
const PART_BYTES = 8 << 20
const WRITE_LIMIT_MS = 4000
const READ_LIMIT_MS = 10_000
const DD_TIMEOUT_MS = 10_000
const DISK_PARTS = 10
/** The most of a file that may be in memory for it to count as read from the disk. */
const CACHED_SHARE = 0.1

/** Measures with up to 1 GiB, from the disk if its cache can be dropped. */
export function benchmarkDisk(folder: string, job: JobContext, machine: Machine = thisMachine): DiskBenchmark {
  // Swept when the process is gone.
  const path = join(folder, `benchmark.partial-${process.pid}-disk`)
  try {
    const part = Buffer.alloc(PART_BYTES, 0x5a)
    const bytes = writeFile(path, part, job)
    return { folder, bytes, ...readRepeatedly(path, part, bytes, machine, job) }
  } catch (error) {
    throw asFailure(error, folder)
  } finally {
    rmSync(path, { force: true })
  }
}

/** @returns bytes: less on slow or full disks */
function writeFile(path: string, part: Buffer, job: JobContext): number {
  const { bavail, bsize } = statfsSync(join(path, '..'))
  const limit = Math.max(PART_BYTES, Math.min(FILE_BYTES, (bavail * bsize) / DISK_PARTS))
  const file = openSync(path, 'wx')
  try {
    const startMs = performance.now()
    let bytes = 0
    while (bytes + PART_BYTES <= limit && performance.now() - startMs < WRITE_LIMIT_MS) {
      throwIfCancelled(job.signal)
      // Some disks store equal blocks once, or compress them.
      for (let at = 0; at < PART_BYTES; at += 512) part.writeDoubleLE(Math.random(), at)
      bytes += writeSync(file, part)
    }
    fsyncSync(file)
    return bytes
  } finally {
    closeSync(file)
  }
}

function readRepeatedly(path: string, part: Buffer, bytes: number, machine: Machine, job: JobContext) {
  const timesMs: number[] = []
  let note: string | null = null
  const startMs = performance.now()
  while (timesMs.length < REPEATS && (timesMs.length === 0 || performance.now() - startMs < READ_LIMIT_MS)) {
    note ??= dropCache(path, bytes, machine)
    timesMs.push(readOnce(path, part, job))
  }
  return { repeats: timesMs.length, read: spreadOfRates(bytes, timesMs), cacheDropped: note === null, note }
}

function readOnce(path: string, part: Buffer, job: JobContext): number {
  const file = openSync(path, 'r')
  try {
    const startMs = performance.now()
    while (readSync(file, part) > 0) throwIfCancelled(job.signal)
    return performance.now() - startMs
  } finally {
    closeSync(file)
  }
}

/** GNU dd calls posix_fadvise, which Node lacks. @returns why the file may still be cached */
export function dropCache(path: string, bytes: number, machine: Machine): string | null {
  const reason = 'The cache of the file could not be dropped, so the figure is that of memory and not of the disk'
  const dropped = machine.output('dd', [`if=${path}`, 'iflag=nocache', 'count=0'], DD_TIMEOUT_MS)
  if (dropped === null) return `${reason}: it takes GNU dd.`
  const resident = machine.output('fincore', ['--bytes', '--noheadings', '--output', 'RES', path], DD_TIMEOUT_MS)
  if (resident === null) return null
  return Number(resident) <= CACHED_SHARE * bytes ? null : `${reason}: the file system keeps it.`
}
