/**
 * Texts in parts that threads can take alone: ranges of a plain file, with a window that reaches over both ends to whole lines; and whole
 * members of a gzip file, found where bytes inflate, as multi-member files of bgzip and pigz have them. A part that turns out wrong ends the
 * way. parse-lines.ts takes them.
 */

import { closeSync, createReadStream, openSync, readSync } from 'node:fs'
import { pipeline } from 'node:stream'
import { readUpTo } from '../../base/file-bytes.ts'
import { type JobContext, quietJob, type StopSignal, throwIfCancelled } from '../../base/job.ts'
import { constants, createGunzip, gunzipSync } from 'node:zlib'

const NEWLINE = 10
/** Fits the cache. */
export const RANGE_BYTES = 1 << 18
/** Without the end of the last line. */
export const TEXT_BYTES = 1 << 20
export const LINE_BYTES = 1 << 16
const AHEAD_BYTES = 256
/** Read behind the last line, and its newline. */
const PADDING_BYTES = 64
export const WINDOW_BYTES = 1 + TEXT_BYTES + LINE_BYTES + PADDING_BYTES

/** At most {@link TEXT_BYTES}. */
interface TextRange {
  readonly path: string
  readonly at: number
  readonly end: number
  /** A line starts at `at`; else behind the first newline from the byte before. */
  readonly aligned: boolean
  readonly fileBytes: number
}

/** Ranges of so many bytes from `firstByte`, where a line starts. */
export interface TextFile {
  readonly path: string
  readonly fileBytes: number
  readonly firstByte: number
  readonly rangeBytes: number
}

export const rangeCount = ({ fileBytes, firstByte, rangeBytes }: TextFile): number =>
  Math.ceil((fileBytes - firstByte) / rangeBytes)

export function textRange({ path, fileBytes, firstByte, rangeBytes }: TextFile, number: number): TextRange {
  const at = firstByte + number * rangeBytes
  return { path, at, end: Math.min(fileBytes, at + rangeBytes), aligned: number === 0, fileBytes }
}

export class TextWindow {
  readonly bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }

  /** @returns null for a long line, or a file that was cut */
  fill(file: number, range: TextRange): { readonly start: number; readonly end: number } | null {
    return this.#fill(file, range, AHEAD_BYTES) ?? this.#fill(file, range, LINE_BYTES)
  }

  set(lines: Uint8Array): { readonly start: number; readonly end: number } {
    this.bytes.set(lines)
    return { start: 0, end: lines.length }
  }

  #fill(file: number, { path, at, end, aligned, fileBytes }: TextRange, aheadBytes: number) {
    const { bytes } = this
    const from = aligned ? at : at - 1
    const wanted = Math.min(fileBytes, end + aheadBytes) - from
    if (readUpTo(file, bytes.subarray(0, wanted), from, path) < wanted) return null
    const newline = aligned ? -1 : bytes.indexOf(NEWLINE)
    const start = newline + 1
    // The range of the line's start parses or refuses it.
    if (start >= end - from || (newline < 0 && !aligned)) return { start, end: start }
    let last = bytes.indexOf(NEWLINE, end - from - 1) + 1
    if (last === 0 || last > wanted) {
      if (from + wanted < fileBytes) return null
      last = wanted
      if (bytes[last - 1] !== NEWLINE) bytes[last++] = NEWLINE
    }
    return { start, end: last }
  }
}

/** Whole members of a gzip file. */
interface TextPart {
  readonly path: string
  readonly from: number
  readonly to: number
}

const MAGIC = Buffer.of(0x1f, 0x8b, 0x08)
const HEADER_BYTES = 10
const PROBE_BYTES = 1 << 16
const SEARCH_BYTES = 4 << 20
const CHUNK_BYTES = 1 << 20

/**
 * A beginning counts where some bytes inflate; {@link unpack} refuses a part that does not end with a member.
 * @throws Failure (cancelled)
 */
export function packedParts(
  path: string,
  fileBytes: number,
  leastBytes: number,
  { signal }: Pick<JobContext, 'signal'> = quietJob,
): TextPart[] {
  const file = openSync(path, 'r')
  try {
    const starts = [0]
    while (starts.at(-1)! + 2 * leastBytes <= fileBytes) {
      const next = memberFrom(file, starts.at(-1)! + leastBytes, fileBytes, signal)
      if (next === null) break
      starts.push(next)
    }
    return starts.map((from, i) => ({ path, from, to: starts[i + 1] ?? fileBytes }))
  } finally {
    closeSync(file)
  }
}

function memberFrom(file: number, at: number, fileBytes: number, signal: StopSignal): number | null {
  const bytes = Buffer.alloc(Math.min(SEARCH_BYTES, fileBytes - at))
  for (let from = at; from + HEADER_BYTES <= fileBytes; from += bytes.length - HEADER_BYTES) {
    throwIfCancelled(signal)
    const read = readSync(file, bytes, 0, bytes.length, from)
    if (read < HEADER_BYTES) return null
    const last = read - HEADER_BYTES
    for (let i = bytes.indexOf(MAGIC); i >= 0 && i <= last; i = bytes.indexOf(MAGIC, i + 1))
      if (inflates(file, from + i)) return from + i
    if (bytes.length === HEADER_BYTES) return null
  }
  return null
}

function inflates(file: number, at: number): boolean {
  const bytes = Buffer.alloc(PROBE_BYTES)
  const read = readSync(file, bytes, 0, bytes.length, at)
  try {
    gunzipSync(bytes.subarray(0, read), { finishFlush: constants.Z_SYNC_FLUSH })
    return true
  } catch {
    return false
  }
}

/** The text of a part; null at the end where the part is not whole members. */
export async function* unpack(
  { path, from, to }: TextPart,
  progress: (bytes: number) => void,
): AsyncGenerator<Uint8Array | null> {
  if (to === from) return
  const stored = createReadStream(path, { start: from, end: to - 1, highWaterMark: CHUNK_BYTES })
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES })
  pipeline(stored, gunzip, () => {})
  try {
    for await (const chunk of gunzip as AsyncIterable<Uint8Array>) {
      yield chunk
      progress(gunzip.bytesWritten)
    }
    if (gunzip.bytesWritten === to - from) progress(to - from)
    else yield null
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && String(error.code).startsWith('Z_'))) throw error
    yield null
  } finally {
    gunzip.destroy()
    stored.destroy()
  }
}
