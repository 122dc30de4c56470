/**
 * The folder of a dataset, made aside and renamed once it is whole: files with their checksums, flushed to the disk, labels in their binary
 * form, the report, and room on the disk before anything is begun. Nothing stays behind where something fails. Every import, generator and
 * sample ends here; graph/labels.ts and base/sums.ts say what files hold.
 */

import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { freeDiskBytes } from '../../base/host-resources.ts'
import {
  DIGEST_BYTES,
  neverRead,
  PIECE_BYTES as SUMMED_BYTES,
  writeSums,
  type Sums,
  SUMS_SUFFIX,
  SumsBuilder,
} from '../../base/sums.ts'
import { asFailure, Failure, inputFailure, OTHER_LIBRARY } from '../../base/failure.ts'
import { bytesOf } from '../../base/words.ts'
import type { ImportReport } from '../../contract/jobs.ts'
import { type LabelKind, labelKinds, LABELS_HEADER_BYTES, LABELS_MAGIC } from '../../graph/labels.ts'
import { syncFolder } from '../../base/output-file.ts'
import { BehindFlusher, openFile, readFully, writeFully } from '../../base/file-bytes.ts'

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

/** Writes bytes behind those of a file, whose sums are known, and flushes it. @returns the sums of all, which stand beside it now */
export function appended(path: string, { fileBytes, crcs, digests }: Sums, bytes: Uint8Array): Sums {
  const sums = new SumsBuilder()
  const whole = Math.floor(fileBytes / SUMMED_BYTES)
  sums.take({
    pieces: Float64Array.from({ length: whole }, (_, piece) => piece),
    crcs: crcs.subarray(0, whole),
    digests: digests.subarray(0, DIGEST_BYTES * whole),
  })
  const file = openFile(path, 'r+')
  try {
    writeFully(file, bytes, fileBytes, path)
    const made = sums.finish(fileBytes + bytes.length, (at, piece) => readFully(file, piece, at, path))
    writeSums(`${path}${SUMS_SUFFIX}`, made)
    fsyncSync(file)
    return made
  } finally {
    closeSync(file)
  }
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
export function requireSpace(folder: string, bytes: number, need: (size: string) => string, what: string): void {
  const free = freeDiskBytes(folder)
  if (bytes <= free) return
  throw new Failure({
    code: 'storage',
    where: folder,
    what: `${need(inWords(bytes))}, and the disk has ${inWords(free)} left`,
    remedy: `Free some space; nothing was ${what}.`,
    fixes: [OTHER_LIBRARY],
  })
}

/** @throws Failure (storage) */
export function requireDisk(folder: string, bytes: number, entries: number): void {
  const about = `importing about ${Math.round(entries)} entries`
  requireSpace(folder, bytes, (mib) => `${about} needs ${mib} of scratch space`, 'kept')
}

const inWords = (bytes: number): string =>
  bytes < 2 ** 30 ? `${(bytes / 2 ** 20).toFixed(1)} MiB` : `${(bytes / 2 ** 30).toFixed(1)} GiB`

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
    const bytes = bytesOf(array)
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

/** Ascending. */
export type DatasetLabels = { readonly kind: 'dense'; readonly base: number } | IntegerLabels

interface IntegerLabels {
  readonly kind: 'integer'
  readonly count: number
  readonly smallest: number | bigint
  readonly largest: number | bigint
  /** Each is good until the next. */
  readonly parts: () => Iterable<BigUint64Array>
}

export function integerLabels(values: BigUint64Array): IntegerLabels {
  const [smallest = 0, largest = 0] = [values[0], values.at(-1)]
  return { kind: 'integer', count: values.length, smallest, largest, parts: () => [values] }
}

/** 0 where labels are 0, 1, 2 ... */
export function labelsBytes(labels: DatasetLabels): number {
  if (labels.kind === 'integer') return LABELS_HEADER_BYTES + 8 * labels.count
  return labels.base === 0 ? 0 : LABELS_HEADER_BYTES
}

/** As workers/graph/labels.ts describes it. */
export async function writeLabels(
  file: FileWriter,
  labels: DatasetLabels,
  vertices: number,
  pause: (bytes: number) => Promise<void>,
): Promise<void> {
  file.write(labelsHeader(labels.kind, vertices, labels.kind === 'dense' ? labels.base : 0))
  if (labels.kind === 'integer') for (const part of labels.parts()) await file.writeArray(part, pause)
}

export function labelFacts(labels: DatasetLabels, vertices: number): ImportReport['labels'] {
  if (vertices === 0) return { kind: labels.kind, smallest: null, largest: null }
  const { smallest, largest } =
    labels.kind === 'integer' ? labels : { smallest: labels.base, largest: labels.base + vertices - 1 }
  return { kind: labels.kind, smallest: String(smallest), largest: String(largest) }
}

export function labelsHeader(kind: LabelKind, count: number, base = 0): Buffer {
  const header = Buffer.alloc(LABELS_HEADER_BYTES)
  header.write(LABELS_MAGIC, 'latin1')
  header.writeUInt32LE(labelKinds.indexOf(kind), 8)
  header.writeBigUInt64LE(BigInt(count), 16)
  header.writeBigUInt64LE(BigInt(base), 24)
  return header
}

const TEXTS_BYTES = 1 << 20
const encoder = new TextEncoder()

/** A `labels` file of texts in any order. */
export class TextLabels {
  readonly #ends: BigUint64Array
  readonly #pieces: Uint8Array[] = []
  #texts = new Uint8Array(TEXTS_BYTES)
  #filled = 0
  #count = 0
  #bytes = 0

  constructor(count: number) {
    this.#ends = new BigUint64Array(count)
  }

  /** Bytes [start, end) in UTF-8. */
  add(text: Uint8Array, start = 0, end = text.length): void {
    const length = end - start
    this.#bytes += length
    this.#ends[this.#count++] = BigInt(this.#bytes)
    if (this.#filled + length > this.#texts.length) {
      this.#join()
      if (length > this.#texts.length) this.#texts = new Uint8Array(length)
    }
    for (let i = 0; i < length; i++) this.#texts[this.#filled + i] = text[start + i]!
    this.#filled += length
  }

  /** The pieces of the file, once all texts were added. */
  pieces(): readonly Uint8Array[] {
    this.#join()
    const ends = new Uint8Array(this.#ends.buffer)
    return [labelsHeader('text', this.#ends.length), ends, ...this.#pieces]
  }

  #join(): void {
    this.#pieces.push(this.#texts.slice(0, this.#filled))
    this.#filled = 0
  }
}

export function textFile(texts: readonly string[]): Uint8Array {
  const labels = new TextLabels(texts.length)
  for (const text of texts) labels.add(encoder.encode(text))
  return Buffer.concat(labels.pieces())
}
