import { randomBytes } from 'node:crypto'
import { createWriteStream, mkdirSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { asFailure, Failure } from '../../base/failure.ts'
import { type JobContext, throwIfCancelled } from '../../base/job.ts'
import type { GraphFormat, ImportArgs } from '../../contract/jobs.ts'
import { sampleOf } from '../reading.ts'
import { TextSource } from '../text-source.ts'
import { isWholeFileFormat } from './read-whole-file.ts'
import { recogniseBinary } from './recognise.ts'
import { recogniseXml, XML_HEAD_BYTES } from './recognise-xml.ts'
import { StoredFile } from './stored-file.ts'

/** A file of a format that is no text in lines, to be read by position. */
export interface OpenedFile {
  readonly format: GraphFormat
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

function recognised(file: StoredFile, job: JobContext): GraphFormat | null {
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
