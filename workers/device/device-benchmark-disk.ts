import { closeSync, fsyncSync, openSync, readSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { asFailure } from '../base/failure.ts'
import { throwIfCancelled } from '../base/job.ts'
import type { JobContext } from '../base/job.ts'
import type { DiskBenchmark } from '../contract/jobs.ts'
import type { Machine } from './adapters-machine.ts'
import { thisMachine } from './adapters-machine.ts'
import { spreadOfRates } from './device-benchmark.ts'

const FILE_BYTES = 2 ** 30
const PART_BYTES = 8 << 20
const REPEATS = 5
const WRITE_LIMIT_MS = 4000
const READ_LIMIT_MS = 10_000
const DD_TIMEOUT_MS = 10_000
/** Of the disk's free space that the file may take: one part in so many. */
const SHARE_OF_FREE = 10
/** A file of which the system still holds more than this share is not read from the disk. */
const CACHED_SHARE = 0.1

/** Sequential reading of a file of up to 1 GiB in `folder`, from the disk where its cache can be dropped. */
export function benchmarkDisk(folder: string, job: JobContext, machine: Machine = thisMachine): DiskBenchmark {
  // A library takes files of this kind of name away when their process is gone.
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

/** @returns bytes written: fewer than 1 GiB on slow or full disks */
function writeFile(path: string, part: Buffer, job: JobContext): number {
  const { bavail, bsize } = statfsSync(join(path, '..'))
  const limit = Math.max(PART_BYTES, Math.min(FILE_BYTES, (bavail * bsize) / SHARE_OF_FREE))
  const file = openSync(path, 'wx')
  try {
    const startMs = performance.now()
    let bytes = 0
    while (bytes + PART_BYTES <= limit && performance.now() - startMs < WRITE_LIMIT_MS) {
      throwIfCancelled(job.signal)
      // No two parts are alike, for disks that store equal blocks once or compress them.
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

/**
 * Node has no posix_fadvise; GNU dd calls it for a whole file with these very words of its manual.
 * @returns why the file may still be in the cache; null when it is not
 */
export function dropCache(path: string, bytes: number, machine: Machine): string | null {
  const told = 'The cache of the file could not be dropped, so the figure is that of memory and not of the disk'
  const dropped = machine.output('dd', [`if=${path}`, 'iflag=nocache', 'count=0'], DD_TIMEOUT_MS)
  if (dropped === null) return `${told}: it takes GNU dd.`
  const resident = machine.output('fincore', ['--bytes', '--noheadings', '--output', 'RES', path], DD_TIMEOUT_MS)
  if (resident === null) return null
  return Number(resident) <= CACHED_SHARE * bytes ? null : `${told}: the file system keeps it.`
}
