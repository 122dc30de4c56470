/**
 * Whether plain lines can be imported in memory: samples of all files say how lines look, how many there are, and how ids are spread; buckets
 * are cut by them, and memory is compared with the limit. Lists of neighbours are counted by a header. Without room, or with ids that are
 * sparse, the general import takes over before anything is read. Looking costs some dozens of reads. import-lines.ts follows the plan.
 */

import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { readUpTo } from '../../base/file-bytes.ts'
import type { JobContext } from '../../base/job.ts'
import type { ImportArgs } from '../../contract/jobs.ts'
import { EntryOutput } from '../../graph/entries.ts'
import type { LinesTuning } from '../reader/import-resources.ts'
import { PlainLines, type PlainShape } from '../reader/plain-lines.ts'
import type { ReaderWeights } from '../reader/exact-weights.ts'
import { roundsWeights, WeightDigits } from '../reader/weight-codes.ts'
import { laterFile } from '../reading/read-graph-file.ts'
import type { KnownFiles, KnownLines } from '../reading/known-file.ts'
import { type GivenToReader, Reading } from '../reading/reading.ts'
import type { LineSpan } from '../reader/graph-reader.ts'
import { PLAIN_TEXT } from '../reader/text-source.ts'
import { preparingBytes } from '../../base/host-resources.ts'
import { bucketTable, type BucketTable, bytesToSort, CHUNK_BYTES, ID_LIMIT } from '../build/filled-buckets.ts'
import { packedParts, RANGE_BYTES, TextWindow, WINDOW_BYTES } from '../build/text-parts.ts'
import { linesAreParsed } from '../formats/registry.ts'

const NEWLINE = 10
/** Ids as they are written, without weights. */
export const plainShape: PlainShape = {
  delimiter: 0,
  weighted: false,
  absolute: false,
  skipRest: false,
  base: 0,
  fromLimit: 2 ** 32,
  toLimit: 2 ** 32,
  toShift: 0,
}
/** Samples of all files and of one. */
const SAMPLES = 48
const LEAST_SAMPLES = 2
const SAMPLE_BYTES = 1 << 14
/** The reader takes the others one by one. */
const LEAST_PLAIN = 0.9
/** For buffers; the rest is for sorting. */
export const MEMORY_SHARE = 0.75
/** Text, tables and half-full chunks of a thread. */
export const THREAD_BYTES = 8 << 20
/** Ids an end from which on lists by id are too sparse. */
const MOST_GAPS = 16
const PART_BYTES = 1 << 20
/** The last parts are waited for. */
const PARTS_A_THREAD = 4
/** Lists of edges rarely get smaller. */
const LIKELY_RATIO = 3

export type LinesPlan = NonNullable<Awaited<ReturnType<typeof planLines>>>
export type LinesFile = LinesPlan['files'][number]

/** @param codes of weights that floats do not hold @returns null where they are not alike, or memory is too small @throws Failure for a file that cannot be read */
export async function planLines(
  args: ImportArgs,
  known: KnownLines,
  files: KnownFiles,
  threads: number,
  job: JobContext,
  { rangeBytes = RANGE_BYTES, bucketRecords, partBytes = PART_BYTES }: LinesTuning,
  codes?: ReaderWeights,
) {
  const begun = begin(known, args, { codes })
  if (begun === null) return null
  if (begun.reading.reader.tookLists !== undefined)
    return planLists(args, begun, threads, { rangeBytes, bucketRecords })
  const samples = Math.max(LEAST_SAMPLES, Math.floor(SAMPLES / (1 + (args.sources?.length ?? 0))))
  const rounds = roundsWeights(args)
  const first = lookAt(begun, samples, rounds)
  if (first === null) return null
  const looks = [first]
  for (const source of args.sources ?? []) {
    const later = await laterFile(args.source, source, known.format, files)
    const next = begin(later, args, { policy: first.reading.context.weights })
    const look = next && lookAt(next, samples, rounds)
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
  const memory = memoryFor(args, threads, table, entries)
  if (memory === null) return null
  const leastBytes = Math.max(partBytes, Math.ceil(fileBytes / (PARTS_A_THREAD * threads)))
  const texts = looks.map(({ path, compression, fileBytes: bytes, reading, firstByte }) => {
    /** Parts of a packed text; plain text has none. */
    const parts = compression === 'gzip' ? packedParts(path, bytes, leastBytes, job) : []
    return { path, compression, fileBytes: bytes, reading, firstByte, parts }
  })
  const sampled = new WeightDigits()
  for (const { sample } of looks) sampled.add(sample.digits)
  /** Whether floats do not hold the weights of the samples. */
  const isWide = codes === undefined && !rounds && !sampled.areKept
  const weights = { codes: shape.weighted ? codes : undefined, isWide, roundsWeights: rounds }
  return { files: texts, fileBytes, shape, rangeBytes, table, ...memory, ...weights, listed: null }
}

/** A plan of lists of neighbours, which a header counts: the neighbours of some are a sample of ends. @returns null as {@link planLines} */
function planLists(
  args: ImportArgs,
  { path, sample, compression, reading }: Begun,
  threads: number,
  { rangeBytes, bucketRecords }: { readonly rangeBytes: number; readonly bucketRecords?: number | undefined },
) {
  const { reader } = reading
  const { bytes, markBytes } = sample
  let at = 0
  while (reader.tally?.header === 0 && at < bytes.length) {
    const end = bytes.indexOf(NEWLINE, at) + 1
    if (end === 0) return null
    reader.readLines(bytes, at, end)
    at = end
  }
  const { listed } = reader
  if (listed === undefined || compression !== 'none' || args.sources?.length) return null
  const { vertices, neighbours } = listed
  if (vertices >= ID_LIMIT - 1) return null
  const firstByte = at + markBytes
  const file = openSync(path, 'r')
  try {
    const fileBytes = fstatSync(file).size
    const ends = someNumbers(file, path, firstByte, fileBytes)?.filter((id) => id <= vertices)
    if (ends === undefined || ends.length === 0) return null
    // Each vertex becomes a record, too.
    const records = neighbours + vertices
    const table = bucketTable(ends, { records, weighted: false, bucketRecords, expected: vertices + 1 })
    const memory = memoryFor(args, threads, table, records / 2)
    if (memory === null) return null
    const files = [{ path, compression, fileBytes, reading, firstByte, parts: [] }]
    const shape = { ...plainShape }
    const weights = { codes: undefined, isWide: false, roundsWeights: false }
    return { files, fileBytes, shape, rangeBytes, table, ...memory, ...weights, listed }
  } finally {
    closeSync(file)
  }
}

/** Numbers from all over a text, between blanks; null for a file that was cut. */
function someNumbers(file: number, path: string, firstByte: number, fileBytes: number): Uint32Array | null {
  const window = Buffer.alloc(SAMPLE_BYTES)
  const step = Math.max(SAMPLE_BYTES, Math.ceil((fileBytes - firstByte) / SAMPLES))
  const numbers: number[] = []
  for (let at = firstByte; at < fileBytes; at += step) {
    const bytes = window.subarray(0, Math.min(SAMPLE_BYTES, fileBytes - at))
    if (readUpTo(file, bytes, at, path) < bytes.length) return null
    // The first and the last may be cut.
    const whole = bytes.toString('latin1').split(/\s+/).slice(1, -1)
    numbers.push(...whole.map(Number).filter((number) => number > 0))
  }
  return Uint32Array.from(numbers)
}

/** What records may take, and a thread to sort a bucket; null without room. */
function memoryFor(
  { memoryBytes = preparingBytes() }: ImportArgs,
  threads: number,
  table: BucketTable,
  entries: number,
) {
  const recordsBytes = memoryForRecords(memoryBytes, threads, table, entries)
  const sortBytes = ((1 - MEMORY_SHARE) * memoryBytes) / threads
  return recordsBytes === null || sortBytes < bytesToSort(table, 0) ? null : { recordsBytes, sortBytes }
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

type Begun = NonNullable<ReturnType<typeof begin>>

/** Opens the reader of a file. @param given the policy of the files before, or codes of weights @returns null for a text of another form */
function begin(known: KnownLines, args: ImportArgs, given: Pick<GivenToReader, 'codes' | 'policy'>) {
  const { sample, compression, form } = known.start
  if (form !== PLAIN_TEXT) return null
  const reading = new Reading(known, args, given)
  return reading.other === null ? { path: known.source, sample, compression, reading } : null
}

type Look = NonNullable<ReturnType<typeof lookAt>>

function lookAt({ path, sample: begin, compression, reading }: Begun, samples: number, rounds: boolean) {
  if (!linesAreParsed(reading.format)) return null
  const { reader } = reading
  const { bytes } = begin
  let at = 0
  while (reader.plainShape == null && at < bytes.length) {
    const end = bytes.indexOf(NEWLINE, at) + 1
    if (end === 0) return null
    reader.readLines(bytes, at, end)
    at = end
  }
  // Columns of a matrix that is not square are vertices of their own.
  if (reader.plainShape == null || reader.plainShape.toShift > 0) return null
  const shape = { ...reader.plainShape, base: 0, fromLimit: 2 ** 32, toLimit: 2 ** 32 }
  const counted = reader.countedVertices ?? 0
  const file = openSync(path, 'r')
  try {
    const fileBytes = fstatSync(file).size
    const isGzip = compression === 'gzip'
    /** Unpacked, where lines are to be parsed from. */
    const firstByte = at + begin.markBytes
    const begun = { bytes, start: at, end: bytes.lastIndexOf(NEWLINE) + 1 }
    const sample = lineSample(
      isGzip ? [begun] : spread(file, path, firstByte, fileBytes, samples),
      shape,
      counted,
      rounds,
    )
    if (sample === null || sample.plainBytes < LEAST_PLAIN * sample.bytes) return null
    const textBytes = isGzip ? unpackedBytes(file, fileBytes) : fileBytes - firstByte
    // Each vertex that is counted becomes a record.
    const entries = 1 + (textBytes / Math.max(1, sample.bytes)) * sample.lines + counted / 2
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

/** Samples from all over a text; null for a long line. */
function* spread(
  file: number,
  path: string,
  firstByte: number,
  fileBytes: number,
  samples: number,
): Generator<LineSpan | null> {
  const window = new TextWindow(new Uint8Array(WINDOW_BYTES))
  const step = Math.max(SAMPLE_BYTES, Math.ceil((fileBytes - firstByte) / samples))
  for (let at = firstByte; at < fileBytes; at += step) {
    const end = Math.min(fileBytes, at + SAMPLE_BYTES)
    const text = window.fill(file, { path, at, end, aligned: at === firstByte, fileBytes })
    yield text && { bytes: window.bytes, ...text }
  }
}

/** @param last that a header counts: it is among the ends */
function lineSample(spans: Iterable<LineSpan | null>, shape: PlainShape, last: number, rounds: boolean) {
  // Threads take whole numbers past 2^53, too, unless they round weights.
  const plain = new PlainLines(rounds ? undefined : Infinity)
  const output = new EntryOutput(SAMPLES * SAMPLE_BYTES)
  output.weighted = shape.weighted
  output.next()
  let [lines, bytes, plainBytes] = [0, 0, 0]
  for (const span of spans) {
    if (span === null) return null
    const { bytes: text, start, end } = span
    bytes += end - start
    for (let at = start; at < end;) {
      const next = plain.read(text, at, end, Infinity, shape, output)
      lines += plain.lines
      plainBytes += next - at
      at = next === end ? next : text.indexOf(NEWLINE, next) + 1
    }
  }
  const { from, to, count } = output.block
  const ends = new Uint32Array(2 * count + 1).fill(last)
  ends.set(from.subarray(0, count))
  ends.set(to.subarray(0, count), count)
  return { ends, lines, bytes, plainBytes, digits: plain.digits.taken() }
}

/** The bytes that records may take; null without room, or for sparse ids. */
function memoryForRecords(
  memoryBytes: number,
  threads: number,
  { bounds, idLimit, form }: BucketTable,
  entries: number,
): number | null {
  const chunks = threads * bounds.length * CHUNK_BYTES
  const labels = idLimit / 4 + 8 * Math.min(idLimit, 2 * entries)
  const allowed = MEMORY_SHARE * memoryBytes - threads * THREAD_BYTES - chunks - labels
  const isDense = idLimit <= MOST_GAPS * Math.max(2 * entries, 1 << 20)
  return !isDense || 2 * entries * form.bytes > allowed ? null : allowed + chunks
}
