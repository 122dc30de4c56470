import { randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream, mkdirSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { asFailure, inputFailure } from '../../failure.ts'
import { type JobContext, throwIfCancelled } from '../../job.ts'
import type { GraphFormat, ImportArgs } from '../../jobs.ts'
import { EntryOutput, type EntrySink } from '../entries.ts'
import type { ReadOutcome } from '../graph-reader.ts'
import { Pace } from '../pace.ts'
import type { Compression } from '../text-source.ts'
import { WeightPolicy } from '../weight-policy.ts'
import type { BinaryReader } from './binary-reader.ts'
import { DamagedFile } from './damaged-file.ts'
import { readArrow } from './read-arrow.ts'
import { readEcl } from './ecl.ts'
import { readGalois } from './galois.ts'
import { readGapbs } from './gapbs.ts'
import { readGraph500, readGraph500Packed } from './graph500.ts'
import { readParquet } from './read-parquet.ts'
import { readWebGraph } from './read-webgraph.ts'
import { readXml } from './read-xml.ts'
import { recogniseBinary } from './recognise.ts'
import { recogniseXml } from './recognise-xml.ts'
import { StoredFile } from './stored-file.ts'
import { readVite } from './vite.ts'

/** Formats that are no lines of text: each has its own way through a file. */
const readers: Partial<Record<GraphFormat, BinaryReader>> = {
  galois: readGalois,
  egr: readEcl,
  gapbs: readGapbs,
  vite: readVite,
  graph500: readGraph500,
  'graph500-packed': readGraph500Packed,
  parquet: readParquet,
  arrow: readArrow,
  webgraph: readWebGraph,
  graphml: readXml('graphml'),
  gexf: readXml('gexf'),
}

/** Whether a format is read as a whole file, not line by line. */
export function isWholeFileFormat(format: GraphFormat): boolean {
  return readers[format] !== undefined
}

/** What reading a file once gave, beside what its reader says. */
export interface WholeFile extends ReadOutcome {
  readonly format: GraphFormat
  readonly source: { readonly compression: Compression; readonly storedBytes: number }
  readonly sha256: string
  readonly lines: number
  readonly entries: number
  readonly weighted: boolean
  readonly policy: WeightPolicy
}

/**
 * Reads a file of a format that is no text in lines into `sink`: binary, columnar or XML. A compressed one is unpacked
 * beside the dataset first and removed afterwards, as its parts are read by position.
 * @returns null when the file is text in lines, and nothing was read.
 * @throws Failure (input) that names the file; (cancelled)
 */
export async function readWholeFile(args: ImportArgs, sink: EntrySink, job: JobContext): Promise<WholeFile | null> {
  if (args.format !== undefined && !isWholeFileFormat(args.format)) return null
  const stored = StoredFile.open(args.source)
  let scratch: string | null = null
  let unpacked: StoredFile | null = null
  try {
    const gzip = isGzip(stored)
    if (gzip && !(await mayBeWhole(stored, args))) return null
    if (gzip) {
      scratch = `${args.folder}.partial-${process.pid}-${randomBytes(4).toString('hex')}`
      await unpack(args.source, scratch, job)
      unpacked = StoredFile.open(scratch, args.source)
    }
    const file = unpacked ?? stored
    const format = args.format ?? recognised(file, job)
    const reader = format === null ? undefined : readers[format]
    if (format === null || reader === undefined) return null
    const read = await readWith(reader, file, args, sink, job)
    const sha256 = await stored.sha256((bytes) =>
      read.pace.rest({ phase: 'read', done: bytes, total: stored.bytes, unit: 'bytes' }),
    )
    const source = { compression: gzip ? ('gzip' as const) : ('none' as const), storedBytes: stored.bytes }
    return { ...read.outcome, format, source, sha256, lines: 0, ...read.counts }
  } finally {
    stored.close()
    unpacked?.close()
    if (scratch !== null) rmSync(scratch, { force: true })
  }
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
  const context = { source: args.source, output, weights: policy, ignoreWeights, table, pump }
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

function recognised(file: StoredFile, job: JobContext): GraphFormat | null {
  const found = recogniseBinary(file) ?? recogniseXml(file)
  if (found !== null) job.log(`format: ${found.format}, because ${found.reason}`)
  return found?.format ?? null
}

function isGzip(file: StoredFile): boolean {
  const [first, second] = file.head(2)
  return first === 0x1f && second === 0x8b
}

/** Whether the first bytes under the compression are those of a file to unpack: binary, or XML. */
async function mayBeWhole(file: StoredFile, args: ImportArgs): Promise<boolean> {
  if (args.format !== undefined) return true
  const head = await firstBytes(file)
  return (
    head.subarray(0, 64).includes(0) ||
    /^(?:PAR1|\s*<)/.test(
      Buffer.from(head.subarray(0, 64))
        .toString('utf8')
        .replace(/^\ufeff/, ''),
    )
  )
}

/** The first bytes of compressed text; none where they cannot be read, which the reader of lines will tell. */
async function firstBytes(file: StoredFile): Promise<Uint8Array> {
  const gunzip = createGunzip({ chunkSize: 1 << 12 })
  const stored = createReadStream(file.path, { end: (64 << 10) - 1 })
  stored.on('error', () => gunzip.destroy())
  stored.pipe(gunzip)
  try {
    for await (const chunk of gunzip as AsyncIterable<Uint8Array>) return chunk
  } catch {
    return new Uint8Array(0)
  } finally {
    stored.destroy()
    gunzip.destroy()
  }
  return new Uint8Array(0)
}

async function unpack(source: string, scratch: string, job: JobContext): Promise<void> {
  mkdirSync(dirname(scratch), { recursive: true })
  const polite = async function* (chunks: AsyncIterable<Uint8Array>) {
    for await (const chunk of chunks) {
      throwIfCancelled(job.signal)
      yield chunk
    }
  }
  try {
    const gunzip = createGunzip({ chunkSize: 1 << 20 })
    await pipeline(createReadStream(source), gunzip, polite, createWriteStream(scratch, { flags: 'wx' }))
  } catch (error) {
    rmSync(scratch, { force: true })
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('Z_'))
      throw inputFailure(source, `the gzip data are damaged or end too early (${error.message})`, 'Copy it again.')
    throw asFailure(error, source)
  }
}
