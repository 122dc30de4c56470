import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import type { JobContext } from '../../job.ts'
import type { ImportArgs } from '../../jobs.ts'
import { EntryOutput } from '../entries.ts'
import { importMemory } from '../external/memory-shares.ts'
import { PlainLines, type PlainShape } from '../plain-lines.ts'
import { Reading, sampleOf } from '../reading.ts'
import { type BucketTable, bucketTable } from './bucket-table.ts'
import { CHUNK_RECORDS, recordBytesOf } from './buckets.ts'
import { RANGE_BYTES, TextWindow, WINDOW_BYTES } from './text-window.ts'

const NEWLINE = 10
const MARK = [0xef, 0xbb, 0xbf]
const SAMPLES = 48
const SAMPLE_BYTES = 1 << 14
/** Part of a sample that must be plain lines: the reader goes through the others one by one. */
const LEAST_PLAIN = 0.9
/** Part of the memory for buffers that is planned with: the rest is for what the program takes anyhow. */
const MEMORY_SHARE = 0.75
/** What a thread takes beside records: its text, tables, and chunks that are half full. */
const THREAD_BYTES = 8 << 20
/** Ids for each end of an entry from which on they are too far between for a bitmap and lists by id. */
const MOST_GAPS = 16

export interface LinesTuning {
  /** Smaller files go the general way. */
  readonly fromBytes?: number
  /** Text for which a thread more is worth it. */
  readonly threadBytes?: number
  /** Text parsed at a time, at most {@link RANGE_BYTES}. */
  readonly rangeBytes?: number
  readonly bucketRecords?: number
}

/** A file of plain lines, as its first lines and a sample of the others say. */
export interface LinesPlan {
  readonly path: string
  readonly fileBytes: number
  readonly reading: Reading
  /** Where the first line starts that the reader has not read. */
  readonly firstByte: number
  readonly shape: PlainShape
  readonly rangeBytes: number
  readonly table: BucketTable
  /** Memory for records. */
  readonly recordsBytes: number
}

/** What a sample of the lines says of all. */
interface LineSample {
  readonly ends: Uint32Array
  readonly lines: number
  readonly bytes: number
  readonly plainBytes: number
}

/**
 * Looks at a text file; null where its lines are not all alike, or its graph does not fit in the memory.
 * @param job hears of the format
 * @throws Failure where the file is none that can be read
 */
export async function planLines(
  args: ImportArgs,
  threads: number,
  job: JobContext,
  { rangeBytes = RANGE_BYTES, bucketRecords }: LinesTuning,
): Promise<LinesPlan | null> {
  const path = args.source
  const { sample, compression } = await sampleOf(path)
  if (compression !== 'none') return null
  const reading = new Reading(args, sample, job, null)
  if (reading.format !== 'edge-list') return null
  const { reader } = reading
  const { bytes } = sample
  let at = 0
  while (reader.plainShape == null && at < bytes.length) {
    const end = bytes.indexOf(NEWLINE, at) + 1
    if (end === 0) return null
    reader.readLines(bytes, at, end)
    at = end
  }
  const shape = reader.plainShape
  if (shape == null) return null
  const file = openSync(path, 'r')
  try {
    const fileBytes = fstatSync(file).size
    // The sample is without a byte order mark.
    const firstByte = at + (hasMark(file) ? MARK.length : 0)
    const found = sampleLines(file, firstByte, fileBytes, shape)
    if (found.plainBytes < LEAST_PLAIN * found.bytes) return null
    const entries = 1 + ((fileBytes - firstByte) / Math.max(1, found.bytes)) * found.lines
    const table = bucketTable(found.ends, 2 * entries, bucketRecords)
    const recordsBytes = memoryForRecords(args, threads, table, entries, shape.weighted)
    return recordsBytes === null
      ? null
      : { path, fileBytes, reading, firstByte, shape, rangeBytes, table, recordsBytes }
  } finally {
    closeSync(file)
  }
}

function hasMark(file: number): boolean {
  const bytes = new Uint8Array(MARK.length)
  readSync(file, bytes, 0, bytes.length, 0)
  return MARK.every((byte, i) => bytes[i] === byte)
}

/** Parses lines at places all over the file. */
function sampleLines(file: number, firstByte: number, fileBytes: number, shape: PlainShape): LineSample {
  const window = new TextWindow(new Uint8Array(WINDOW_BYTES))
  const plain = new PlainLines()
  const output = new EntryOutput(SAMPLES * SAMPLE_BYTES)
  output.weighted = shape.weighted
  output.next()
  let [bytes, plainBytes, lines] = [0, 0, 0]
  const step = Math.max(SAMPLE_BYTES, Math.ceil((fileBytes - firstByte) / SAMPLES))
  for (let at = firstByte; at < fileBytes; at += step) {
    const end = Math.min(fileBytes, at + SAMPLE_BYTES)
    const text = window.fill(file, { at, end, aligned: at === firstByte, fileBytes })
    if (text === null) return { ends: new Uint32Array(0), lines: 0, bytes: 1, plainBytes: 0 }
    bytes += text.end - text.start
    for (let from = text.start; from < text.end;) {
      const to = plain.read(window.bytes, from, text.end, Infinity, shape, output)
      lines += plain.lines
      plainBytes += to - from
      from = to === text.end ? to : window.bytes.indexOf(NEWLINE, to) + 1
    }
  }
  const { from, to, count } = output.block
  const ends = new Uint32Array(2 * count)
  ends.set(from.subarray(0, count))
  ends.set(to.subarray(0, count), count)
  return { ends, lines, bytes, plainBytes }
}

/** Memory that records may take; null where they would take more, or ids are too far between. */
function memoryForRecords(
  args: ImportArgs,
  threads: number,
  { bounds, idLimit }: BucketTable,
  entries: number,
  weighted: boolean,
): number | null {
  const recordBytes = recordBytesOf(weighted)
  const chunks = threads * bounds.length * CHUNK_RECORDS * recordBytes
  const labels = idLimit / 4 + 8 * Math.min(idLimit, 2 * entries)
  const allowed = MEMORY_SHARE * importMemory(args) - threads * THREAD_BYTES - chunks - labels
  const isDense = idLimit <= MOST_GAPS * Math.max(2 * entries, 1 << 20)
  return isDense && 2 * entries * recordBytes <= allowed ? allowed + chunks : null
}
