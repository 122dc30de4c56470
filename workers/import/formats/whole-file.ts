import { randomBytes } from 'node:crypto'
import { createWriteStream, mkdirSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { asFailure, Failure, inputFailure } from '../../base/failure.ts'
import { type JobContext, throwIfCancelled } from '../../base/job.ts'
import type { FormatName, ImportArgs } from '../../contract/jobs.ts'
import { sampleOf } from '../reading.ts'
import { type Compression, TextSource } from '../text-source.ts'
import { recogniseBinary } from './recognise.ts'
import { recogniseXml, XML_HEAD_BYTES } from './recognise-xml.ts'
import { DamagedFile, StoredFile } from './stored-file.ts'
import { EntryOutput, type EntrySink } from '../../graph/entries.ts'
import { importMemory } from '../external/memory-shares.ts'
import type { ReadOutcome } from '../graph-reader.ts'
import { Pace } from '../../threads/pace.ts'
import { WeightPolicy } from '../weight-policy.ts'
import type { BinaryReader } from './binary-reader.ts'
import { readEcl } from './ecl.ts'
import { readGalois } from './galois.ts'
import { readGapbs } from './gapbs.ts'
import { readGraph500, readGraph500Packed } from './graph500.ts'
import { readWebGraph } from './webgraph.ts'
import { readXml } from './xml.ts'
import { readVite } from './vite.ts'

/** A file of a format that is no text in lines, to be read by position. */
export interface OpenedFile {
  readonly format: FormatName
  /** As the user gave it. */
  readonly stored: StoredFile
  /** Its content: the same, or unpacked beside the dataset. */
  readonly file: StoredFile
  /** Needed in every case: what was unpacked goes. */
  close(): void
}

/**
 * Opens a file if it is of a format that is no text in lines: binary, columnar or XML. A compressed one is unpacked beside the dataset
 * first, as its parts are read by position.
 * @returns null when the file is text in lines
 * @throws Failure (input) that names the file; (cancelled)
 */
export async function openWholeFile(args: ImportArgs, job: JobContext): Promise<OpenedFile | null> {
  if (args.format !== undefined && !isWholeFileFormat(args.format)) return null
  const stored = StoredFile.open(args.source)
  let scratch: string | null = null
  let unpacked: StoredFile | null = null
  const close = () => {
    stored.close()
    unpacked?.close()
    if (scratch !== null) rmSync(scratch, { force: true })
  }
  let opened: OpenedFile | null = null
  try {
    const gzip = isGzip(stored)
    if (gzip && !(await mayBeWhole(args))) return null
    if (gzip) {
      scratch = `${args.folder}.partial-${process.pid}-${randomBytes(4).toString('hex')}`
      await unpack(args.source, scratch, job)
      unpacked = StoredFile.open(scratch, args.source)
    }
    const file = unpacked ?? stored
    const format = args.format ?? recognised(file, job)
    if (format !== null && isWholeFileFormat(format)) opened = { format, stored, file, close }
    return opened
  } finally {
    if (opened === null) close()
  }
}

function recognised(file: StoredFile, job: JobContext): FormatName | null {
  const found = recogniseBinary(file) ?? recogniseXml(file.head(XML_HEAD_BYTES), file.name)
  if (found !== null) job.log(`format: ${found.format}, because ${found.reason}`)
  return found?.format ?? null
}

function isGzip(file: StoredFile): boolean {
  const [first, second] = file.head(2)
  return first === 0x1f && second === 0x8b
}

/** Whether the first bytes under the compression are those of a file to unpack: binary, or XML. Damage is left to the reader of lines, which tells its line. */
async function mayBeWhole(args: ImportArgs): Promise<boolean> {
  if (args.format !== undefined) return true
  try {
    const { bytes } = (await sampleOf(args.source)).sample
    const isParquet = Buffer.from(bytes.subarray(0, 4)).toString('latin1') === 'PAR1'
    return isParquet || bytes.subarray(0, 64).includes(0) || recogniseXml(bytes, args.source) !== null
  } catch (error) {
    if (error instanceof Failure) return false
    throw error
  }
}

async function unpack(source: string, scratch: string, job: JobContext): Promise<void> {
  mkdirSync(dirname(scratch), { recursive: true })
  const text = await TextSource.open(source)
  const polite = async function* (chunks: AsyncIterable<Uint8Array>) {
    for await (const chunk of chunks) {
      throwIfCancelled(job.signal)
      yield chunk
    }
  }
  try {
    await pipeline(text.chunks(), polite, createWriteStream(scratch, { flags: 'wx' }))
  } catch (error) {
    rmSync(scratch, { force: true })
    throw asFailure(error, source)
  } finally {
    await text.close()
  }
}

/** Formats that are no lines of text: each has its own way through a file. Libraries are loaded when they are needed. */
const readers: Partial<Record<FormatName, BinaryReader>> = {
  galois: readGalois,
  egr: readEcl,
  gapbs: readGapbs,
  vite: readVite,
  graph500: readGraph500,
  'graph500-packed': readGraph500Packed,
  parquet: async (file, context) => (await import('./read-parquet.ts')).readParquet(file, context),
  arrow: async (file, context) => (await import('./read-arrow.ts')).readArrow(file, context),
  webgraph: readWebGraph,
  graphml: readXml('graphml'),
  gexf: readXml('gexf'),
}

/** Whether a format is read as a whole file, not line by line. */
export function isWholeFileFormat(format: FormatName): boolean {
  return readers[format] !== undefined
}

/** The reader of such a format. @throws Failure (input) for one that is read line by line */
export function wholeFileReader(format: FormatName): BinaryReader {
  const reader = readers[format]
  if (reader !== undefined) return reader
  throw inputFailure(undefined, `${format} is read line by line`, 'Name another format.')
}

/** What reading a file once gave, beside what its reader says. */
export interface WholeFile extends ReadOutcome {
  readonly format: FormatName
  readonly source: { readonly compression: Compression; readonly storedBytes: number }
  readonly sha256: string
  readonly lines: number
  readonly entries: number
  readonly weighted: boolean
  readonly policy: WeightPolicy
}

/**
 * Reads an opened file into `sink`.
 * @throws Failure (input) that names the file; (cancelled)
 */
export async function readWholeFile(
  { format, stored, file }: OpenedFile,
  args: ImportArgs,
  sink: EntrySink,
  job: JobContext,
): Promise<WholeFile> {
  const read = await readWith(readers[format]!, file, args, sink, job)
  const sha256 = await stored.sha256((bytes) =>
    read.pace.rest({ phase: 'read', done: bytes, total: stored.bytes, unit: 'bytes' }),
  )
  return { ...read.outcome, format, source: storedAs({ stored, file }), sha256, lines: 0, ...read.counts }
}

/** How the user's file is stored. */
export function storedAs({ stored, file }: Pick<OpenedFile, 'stored' | 'file'>): WholeFile['source'] {
  return { compression: file === stored ? 'none' : 'gzip', storedBytes: stored.bytes }
}

async function readWith(reader: BinaryReader, file: StoredFile, args: ImportArgs, sink: EntrySink, job: JobContext) {
  const output = new EntryOutput()
  const rule = args.weightRule ?? 'reject'
  const policy = new WeightPolicy({ rule, zeroMeansPattern: false, invert: args.invertWeights })
  const pace = new Pace(job)
  const { ignoreWeights = false, table } = args
  const pump = async (done: number) => {
    await output.drain(sink)
    await pace.rest({ phase: 'read', done, total: file.bytes, unit: 'bytes' })
  }
  const memoryBytes = importMemory(args)
  const context = { source: args.source, output, weights: policy, ignoreWeights, memoryBytes, table, pump }
  const outcome = await asInputFailures(args.source, () => reader(file, context))
  policy.refuse()
  await output.drain(sink, true)
  return { outcome, pace, counts: { entries: output.entries, weighted: output.weighted, policy } }
}

/** A format's library may stumble over damaged bytes in many ways; none of them is a fault of ours. */
async function asInputFailures<T>(source: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof DamagedFile)
      throw inputFailure(source, `the file is damaged: ${error.message}`, 'Is it complete, and of this format?')
    throw error
  }
}
