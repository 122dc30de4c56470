import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { freeDiskBytes } from '../base/host-resources.ts'
import { neverRead, writeSums, type Sums, SUMS_SUFFIX, SumsBuilder } from '../base/sums.ts'
import { asFailure, Failure, inputFailure, OTHER_LIBRARY } from '../base/failure.ts'
import type { ImportReport } from '../contract/jobs.ts'
import { BehindFlusher, openFile, writeFully } from '../base/file-bytes.ts'

const REPORT_FILE = 'report.json'
const REPORT_BYTES = 64 << 10

/** @throws Failure (input) */
export function refuseTakenName(folder: string): void {
  if (existsSync(folder)) throw takenName(folder)
}

export const takenName = (folder: string): Failure =>
  inputFailure(folder, `the name "${basename(folder)}" is taken`, 'Remove that one.', [
    { action: 'choose', option: 'name' },
  ])

/**
 * Makes a dataset folder aside and renames it when complete; nothing stays behind where `fill` returns null or throws.
 * @param bytes that `fill` writes beside the report
 * @throws Failure (storage); (input) when the name is taken; whatever `fill` throws
 */
export async function makeDatasetFolder<T>(
  folder: string,
  bytes: number,
  fill: (aside: string) => Promise<T>,
): Promise<T> {
  refuseTakenName(folder)
  const aside = `${folder}.partial-${process.pid}-${randomBytes(4).toString('hex')}`
  try {
    mkdirSync(dirname(folder), { recursive: true })
    requireSpace(dirname(folder), bytes + REPORT_BYTES, (mib) => `the dataset takes ${mib}`, 'written')
    mkdirSync(aside)
    const made = await fill(aside)
    if (made === null) rmSync(aside, { recursive: true, force: true })
    else {
      syncFolder(aside)
      takeName(aside, folder)
    }
    return made
  } catch (error) {
    rmSync(aside, { recursive: true, force: true })
    throw asFailure(error, folder)
  }
}

export async function writeReport(folder: string, report: ImportReport): Promise<void> {
  await writeText(join(folder, REPORT_FILE), `${JSON.stringify(report, null, 2)}\n`)
}

/** Gives a whole graph on the disk its report and its name. @throws Failure (storage); (input) when the name is taken */
export async function finishDataset(aside: string, folder: string, report: ImportReport): Promise<void> {
  // Left by a killed import.
  rmSync(join(aside, REPORT_FILE), { force: true })
  await writeReport(aside, report)
  syncFolder(aside)
  takeName(aside, folder)
}

export async function writeSummed(path: string, fill: (file: FileWriter) => Promise<void> | void): Promise<Sums> {
  const sums = await writeFile(path, fill)
  writeSums(`${path}${SUMS_SUFFIX}`, sums)
  return sums
}

async function writeFile(path: string, fill: (file: FileWriter) => Promise<void> | void): Promise<Sums> {
  const file = new FileWriter(path)
  try {
    await fill(file)
    return await file.finish()
  } finally {
    await file.close()
  }
}

/** Without sums. */
export async function writeText(path: string, text: string): Promise<void> {
  await writeFile(path, (file) => file.write(Buffer.from(text)))
}

/** @param need in words @param what was not done with anything @throws Failure (storage) */
export function requireSpace(folder: string, bytes: number, need: (mib: string) => string, what: string): void {
  const free = freeDiskBytes(folder)
  if (bytes <= free) return
  const mib = (size: number) => `${(size / 2 ** 20).toFixed(1)} MiB`
  throw new Failure({
    code: 'storage',
    where: folder,
    what: `${need(mib(bytes))}, and the disk has ${mib(free)} left`,
    remedy: `Free some space; nothing was ${what}.`,
    fixes: [OTHER_LIBRARY],
  })
}

function takeName(aside: string, folder: string): void {
  refuseTakenName(folder)
  try {
    renameSync(aside, folder)
  } catch (error) {
    // Another process was faster.
    refuseTakenName(folder)
    throw error
  }
  syncFolder(dirname(folder))
}

/** Makes names durable; Windows cannot open folders. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return
  const file = openSync(folder, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

const PIECE_BYTES = 8 << 20

/** Writes a new file from its start, and sums it. */
export class FileWriter {
  readonly path: string
  bytes = 0
  readonly #file: number
  readonly #sums = new SumsBuilder()
  readonly #flusher: BehindFlusher

  /** @throws Failure */
  constructor(path: string) {
    this.path = path
    this.#file = openFile(path, 'wx')
    this.#flusher = new BehindFlusher(this.#file, path)
  }

  /** @throws Failure (storage) */
  write(bytes: Uint8Array): void {
    writeFully(this.#file, bytes, null, this.path)
    this.#sums.add(this.bytes, bytes)
    this.bytes += bytes.length
  }

  /** @param pause gets the bytes of the file so far */
  async writeArray(
    array: Uint32Array | Float32Array | BigUint64Array | Uint8Array,
    pause: (bytes: number) => Promise<void>,
  ) {
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength)
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      this.write(bytes.subarray(at, at + PIECE_BYTES))
      this.#flusher.wrote(this.bytes)
      await pause(this.bytes)
    }
  }

  /** Flushed when this returns. */
  async finish(): Promise<Sums> {
    await this.#flusher.finish()
    return this.#sums.finish(this.bytes, neverRead)
  }

  /** Needed in every case. */
  async close(): Promise<void> {
    await this.#flusher.close()
  }
}
