import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import type { JobContext } from '../../base/job.ts'
import type { ImportArgs } from '../../contract/jobs.ts'
import { EntryOutput } from '../../graph/entries.ts'
import { importMemory } from '../external/memory-shares.ts'
import { PlainLines, type PlainShape } from '../plain-lines.ts'
import { laterFile } from '../read-graph-file.ts'
import { Reading, sampleOf } from '../reading.ts'
import { PLAIN_TEXT } from '../text-encoding.ts'
import type { Compression } from '../text-source.ts'
import type { WeightPolicy } from '../weight-policy.ts'
import { bucketTable, type BucketTable, bytesToSort, CHUNK_BYTES, ID_LIMIT } from './buckets.ts'
import { packedParts, RANGE_BYTES, type TextPart, TextWindow, WINDOW_BYTES } from './text-parts.ts'
import type { LinesTuning } from '../import-tuning.ts'
import { linesAreEdges } from '../formats/registry.ts'

const NEWLINE = 10
/** Of all files and of one. */
const SAMPLES = 48
const LEAST_SAMPLES = 2
const SAMPLE_BYTES = 1 << 14
/** The reader takes the others one by one. */
const LEAST_PLAIN = 0.9
/** For buffers; the rest is for sorting. */
const MEMORY_SHARE = 0.75
/** Text, tables and half-full chunks of a thread. */
const THREAD_BYTES = 8 << 20
/** Ids an end from which on lists by id are too sparse. */
const MOST_GAPS = 16
const PART_BYTES = 1 << 20
/** The last parts are waited for. */
const PARTS_A_THREAD = 4
/** Lists of edges rarely get smaller. */
const LIKELY_RATIO = 3

export interface LinesFile {
  readonly path: string
  readonly compression: Compression
  readonly fileBytes: number
  readonly reading: Reading
  /** Unpacked, where lines are to be parsed from. */
  readonly firstByte: number
  /** Of plain text none. */
  readonly parts: readonly TextPart[]
}

export interface LinesPlan {
  readonly files: readonly LinesFile[]
  /** As stored. */
  readonly fileBytes: number
  readonly shape: PlainShape
  readonly rangeBytes: number
  readonly table: BucketTable
  readonly recordsBytes: number
  /** A thread may take to sort a bucket. */
  readonly sortBytes: number
}

interface LineSample {
  readonly ends: Uint32Array
  readonly lines: number
  readonly bytes: number
  readonly plainBytes: number
}

/**
 * null where lines are not alike, or memory is too small. @throws Failure for a file that cannot be read
 */
export async function planLines(
  args: ImportArgs,
  threads: number,
  job: JobContext,
  { rangeBytes = RANGE_BYTES, bucketRecords, partBytes = PART_BYTES }: LinesTuning,
): Promise<LinesPlan | null> {
  const samples = Math.max(LEAST_SAMPLES, Math.floor(SAMPLES / (1 + (args.sources?.length ?? 0))))
  const first = await lookAt(args, samples, job)
  if (first === null) return null
  const looks = [first]
  for (const source of args.sources ?? []) {
    const look = await lookAt(
      laterFile(args, source, first.reading.format, first.reading.reader),
      samples,
      job,
      first.reading.context.weights,
    )
    if (look === null || !isDeepStrictEqual(look.shape, first.shape)) return null
    looks.push(look)
  }
  const { shape } = first
  const sum = (figure: (look: Look) => number): number => looks.reduce((all, look) => all + figure(look), 0)
  const entries = sum(({ entries: each }) => each)
  const fileBytes = sum(({ fileBytes: each }) => each)
  const isPacked = looks.some(({ compression }) => compression === 'gzip')
  const expectedIds = isPacked ? Math.min(ID_LIMIT, Math.ceil(entries)) : 1
  const wishes = { records: 2 * entries, weighted: shape.weighted, bucketRecords, expected: expectedIds }
  const table = bucketTable(endsOf(looks), wishes)
  const recordsBytes = memoryForRecords(args, threads, table, entries)
  const sortBytes = ((1 - MEMORY_SHARE) * importMemory(args)) / threads
  if (recordsBytes === null || sortBytes < bytesToSort(table, 0)) return null
  const leastBytes = Math.max(partBytes, Math.ceil(fileBytes / (PARTS_A_THREAD * threads)))
  const files = looks.map(({ path, compression, fileBytes: bytes, reading, firstByte }): LinesFile => {
    const parts = compression === 'gzip' ? packedParts(path, bytes, leastBytes) : []
    return { path, compression, fileBytes: bytes, reading, firstByte, parts }
  })
  return { files, fileBytes, shape, rangeBytes, table, recordsBytes, sortBytes }
}

function endsOf(looks: readonly Look[]): Uint32Array {
  const ends = new Uint32Array(looks.reduce((sum, { sample }) => sum + sample.ends.length, 0))
  let at = 0
  for (const { sample } of looks) {
    ends.set(sample.ends, at)
    at += sample.ends.length
  }
  return ends
}

interface Look extends Omit<LinesFile, 'parts'> {
  readonly shape: PlainShape
  readonly sample: LineSample
  readonly entries: number
}

/** @param policy of the files before */
async function lookAt(args: ImportArgs, samples: number, job: JobContext, policy?: WeightPolicy): Promise<Look | null> {
  const path = args.source
  const { sample: begin, compression, form } = await sampleOf(path, args.table?.encoding)
  if (form !== PLAIN_TEXT) return null
  const reading = new Reading(args, begin, job, { policy })
  if (!linesAreEdges(reading.format)) return null
  const { reader } = reading
  const { bytes } = begin
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
    const isGzip = compression === 'gzip'
    const firstByte = at + begin.markBytes
    const sample = isGzip
      ? sampleText(bytes.subarray(at), shape)
      : sampleLines(file, firstByte, fileBytes, shape, samples)
    if (sample.plainBytes < LEAST_PLAIN * sample.bytes) return null
    const textBytes = isGzip ? unpackedBytes(file, fileBytes) : fileBytes - firstByte
    const entries = 1 + (textBytes / Math.max(1, sample.bytes)) * sample.lines
    return { path, compression, fileBytes, reading, firstByte, shape, sample, entries }
  } finally {
    closeSync(file)
  }
}

/** The last four bytes tell that of the last member, modulo 2^32. */
function unpackedBytes(file: number, fileBytes: number): number {
  const last = Buffer.alloc(4)
  readSync(file, last, 0, last.length, Math.max(0, fileBytes - last.length))
  return Math.max(last.readUInt32LE(0), LIKELY_RATIO * fileBytes)
}

function sampleLines(
  file: number,
  firstByte: number,
  fileBytes: number,
  shape: PlainShape,
  samples: number,
): LineSample {
  const window = new TextWindow(new Uint8Array(WINDOW_BYTES))
  const sampler = new LineSampler(shape)
  const step = Math.max(SAMPLE_BYTES, Math.ceil((fileBytes - firstByte) / samples))
  for (let at = firstByte; at < fileBytes; at += step) {
    const end = Math.min(fileBytes, at + SAMPLE_BYTES)
    const text = window.fill(file, { at, end, aligned: at === firstByte, fileBytes })
    if (text === null) return { ends: new Uint32Array(0), lines: 0, bytes: 1, plainBytes: 0 }
    sampler.add(window.bytes, text.start, text.end)
  }
  return sampler.sample
}

function sampleText(bytes: Uint8Array, shape: PlainShape): LineSample {
  const sampler = new LineSampler(shape)
  sampler.add(bytes, 0, bytes.lastIndexOf(NEWLINE) + 1)
  return sampler.sample
}

class LineSampler {
  readonly #shape: PlainShape
  readonly #plain = new PlainLines()
  readonly #output = new EntryOutput(SAMPLES * SAMPLE_BYTES)
  #bytes = 0
  #plainBytes = 0
  #lines = 0

  constructor(shape: PlainShape) {
    this.#shape = shape
    this.#output.weighted = shape.weighted
    this.#output.next()
  }

  add(bytes: Uint8Array, start: number, end: number): void {
    this.#bytes += end - start
    for (let from = start; from < end;) {
      const to = this.#plain.read(bytes, from, end, Infinity, this.#shape, this.#output)
      this.#lines += this.#plain.lines
      this.#plainBytes += to - from
      from = to === end ? to : bytes.indexOf(NEWLINE, to) + 1
    }
  }

  get sample(): LineSample {
    const { from, to, count } = this.#output.block
    const ends = new Uint32Array(2 * count)
    ends.set(from.subarray(0, count))
    ends.set(to.subarray(0, count), count)
    return { ends, lines: this.#lines, bytes: this.#bytes, plainBytes: this.#plainBytes }
  }
}

/** null without room, or for sparse ids. */
function memoryForRecords(
  args: ImportArgs,
  threads: number,
  { bounds, idLimit, form }: BucketTable,
  entries: number,
): number | null {
  const chunks = threads * bounds.length * CHUNK_BYTES
  const labels = idLimit / 4 + 8 * Math.min(idLimit, 2 * entries)
  const allowed = MEMORY_SHARE * importMemory(args) - threads * THREAD_BYTES - chunks - labels
  const isDense = idLimit <= MOST_GAPS * Math.max(2 * entries, 1 << 20)
  return isDense && 2 * entries * form.bytes <= allowed ? allowed + chunks : null
}
