import { randomBytes } from 'node:crypto'
import { createWriteStream, mkdirSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { asFailure, Failure } from '../../base/failure.ts'
import { type JobContext, throwIfCancelled, YieldScheduler } from '../../base/job.ts'
import type { FormatName, ImportArgs } from '../../contract/jobs.ts'
import { type GivenToReader, readerContext, sampleOf } from '../reading.ts'
import { PLAIN_TEXT, textFormOf } from '../text-encoding.ts'
import { type Compression, TextSource } from '../text-source.ts'
import { requireColumns } from './column-choice.ts'
import { detectMagic, detectText, detectWhole, hasCounts } from './detect.ts'
import type { DetectedFormat, WholeFormat } from './graph-format.ts'
import { wholeFormat } from './registry.ts'
import { StoredFile } from './stored-file.ts'
import type { EntrySink } from '../../graph/entries.ts'
import type { ReadOutcome } from '../graph-reader.ts'
import type { WeightPolicy } from '../policies.ts'

const FORM_BYTES = 1 << 16

export interface OpenedFile {
  readonly format: WholeFormat
  /** As the user gave it. */
  readonly stored: StoredFile
  /** The same, or unpacked beside the dataset. */
  readonly file: StoredFile
  /** Needed in every case. */
  close(): void
}

/**
 * Opens a binary, columnar or XML file; a compressed one is unpacked beside the dataset first.
 * @returns null for text in lines
 * @throws Failure (input) that names the file; (cancelled)
 */
export async function openWholeFile(args: ImportArgs, job: JobContext): Promise<OpenedFile | null> {
  if (args.format !== undefined && wholeFormat(args.format) === null) return null
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
    const isPacked = stored.isGzip || isRecoded(stored, args)
    const isText = isPacked ? await isPackedText(args) : false
    if (isText === null) return null
    if (isPacked) {
      scratch = `${args.folder}.partial-${process.pid}-${randomBytes(4).toString('hex')}`
      await unpack(args, scratch, isText, job)
      unpacked = StoredFile.open(scratch, args.source)
    }
    const file = unpacked ?? stored
    const name = args.format ?? detected(file, job)
    const format = name === null ? null : wholeFormat(name)
    if (format !== null) requireColumns(format, args.table)
    if (format !== null) opened = { format, stored, file, close }
    return opened
  } finally {
    if (opened === null) close()
  }
}

function detected(file: StoredFile, job: JobContext): FormatName | null {
  const found = detectWhole(file)
  if (found !== null) job.log(`format: ${found.format}, because ${found.reason}`)
  return found?.format ?? null
}

/** By the first bytes under compression and encoding: `binary` where they tell no more, null for lines. @throws Failure (input) */
export async function packedFormat({
  source,
  table,
}: Pick<ImportArgs, 'source' | 'table'>): Promise<DetectedFormat | 'binary' | null> {
  const magic = detectMagic((await sampleOf(source, null)).sample.bytes, source)
  if (magic !== null) return magic
  const { bytes } = (await sampleOf(source, table?.encoding)).sample
  return detectText(bytes, source) ?? (hasCounts(bytes) ? 'binary' : null)
}

/** Whether it is text, whose encoding matters; null for lines, whose reader reports damage at its line. */
async function isPackedText(args: ImportArgs): Promise<boolean | null> {
  if (args.format !== undefined) return wholeFormat(args.format)?.isText === true
  try {
    const found = await packedFormat(args)
    return found === null ? null : found !== 'binary' && wholeFormat(found.format)?.isText === true
  } catch (error) {
    if (error instanceof Failure) return null
    throw error
  }
}

/** Whether it is text of another encoding than UTF-8. */
function isRecoded(stored: StoredFile, { table, format }: ImportArgs): boolean {
  const known = format === undefined ? detectWhole(stored)?.format : format
  const isBinary = known !== undefined && wholeFormat(known)?.isText !== true
  return !isBinary && textFormOf(stored.head(FORM_BYTES), table?.encoding) !== PLAIN_TEXT
}

async function unpack(args: ImportArgs, scratch: string, isText: boolean, job: JobContext): Promise<void> {
  const { source, table } = args
  mkdirSync(dirname(scratch), { recursive: true })
  const text = await TextSource.open(source, { encoding: isText ? table?.encoding : null })
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

export interface FileRead extends ReadOutcome {
  readonly format: FormatName
  readonly source: { readonly compression: Compression; readonly storedBytes: number }
  readonly sha256: string
  readonly lines: number
  readonly entries: number
  readonly weighted: boolean
  readonly policy: WeightPolicy
}

/** @param given has a tap in a second pass, whose bytes are not summed again @throws Failure (input) that names the file; (cancelled) */
export async function readWholeFile(
  { format, stored, file }: OpenedFile,
  args: ImportArgs,
  { sink, ...given }: GivenToReader & { readonly sink: EntrySink },
  job: JobContext,
): Promise<FileRead> {
  const context = readerContext(format, args, given)
  const { output, weights: policy } = context
  const scheduler = new YieldScheduler(job)
  const yields = (done: number, { bytes: total }: StoredFile): Promise<void> =>
    scheduler.yield({ phase: 'read', done, total, unit: 'bytes' })
  const pump = async (done: number): Promise<void> => {
    await output.drain(sink)
    await yields(done, file)
  }
  const outcome = await format.read(file, { ...context, pump })
  policy.refuse()
  await output.drain(sink, true)
  const sha256 = given.tap === undefined ? await stored.sha256((done) => yields(done, stored)) : ''
  const entries = output.entries - (outcome.declared ?? 0)
  const weighted = output.weighted && !policy.patternOnly
  return { ...outcome, format: format.name, source: storedAs({ stored }), sha256, lines: 0, entries, weighted, policy }
}

export function storedAs({ stored }: Pick<OpenedFile, 'stored'>): FileRead['source'] {
  return { compression: stored.isGzip ? 'gzip' : 'none', storedBytes: stored.bytes }
}
