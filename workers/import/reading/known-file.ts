/**
 * What a file is: its compression, its encoding, how it begins, its format and, of a table, how rows are found and cut. This is found out once for
 * each file (detect.ts asks the formats), into a value that import, preview, estimate and the list of graphs read; whatever opens the file again
 * goes by it. One kind is left to its length: binary lists under compression begin alike, so that {@link openKnown} decides between these once
 * they are unpacked.
 */

import { randomBytes } from 'node:crypto'
import { createWriteStream, mkdirSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { asFailure } from '../../base/failure.ts'
import { type JobContext, throwIfCancelled } from '../../base/job.ts'
import type { FormatName, ImportArgs } from '../../contract/jobs.ts'
import { detectBinary, detectFormat, detectLists, detectMagic, detectText, hasCounts } from '../formats/detect.ts'
import type { DetectedFormat, TextFormat, WholeFormat } from '../formats/graph-format.ts'
import { sampleRows } from '../formats/quoted-breaks.ts'
import { formatOf, listsBothDirections, wholeFormat } from '../formats/registry.ts'
import { commentPrefix } from '../formats/sample-lines.ts'
import { StoredFile } from '../formats/stored-file.ts'
import { isNamed } from '../formats/table-shape.ts'
import { type Compression, PLAIN_TEXT, textFormOf, TextSource } from '../reader/text-source.ts'
import {
  type KnownTable,
  type KnownText,
  type OpenedFile,
  requireColumns,
  sampleOf,
  type TextStart,
} from './reading.ts'

/** A file, and what it is. */
export interface KnownFile {
  readonly source: string
  /** As it is stored. */
  readonly bytes: number
  readonly compression: Compression
  /** null: binary lists under compression, of which their length decides. */
  readonly format: FormatName | null
  /** Why it is of this format, for the log. */
  readonly reason: string
  /** What is read by position; null for text in lines, and without a format. */
  readonly whole: WholeFormat | null
  /** Text of another encoding than UTF-8. */
  readonly isRecoded: boolean
  /** How it begins, unpacked and as UTF-8; null where its first bytes, or a person, say enough. */
  readonly start: TextStart | null
  readonly table: KnownTable | null
}

/** A file of text in lines, whose beginning was looked at. */
export type KnownLines = KnownFile & KnownText

export const areLines = (known: KnownFile): known is KnownLines => known.whole === null && known.format !== null

type SourceArgs = Pick<ImportArgs, 'source' | 'format' | 'table'>

const FORM_BYTES = 1 << 16

/** Finds out what a file is, unless its format is chosen. @throws Failure (input) */
export async function knownFile(args: SourceArgs): Promise<KnownFile> {
  const { source, table } = args
  const file = StoredFile.open(source)
  try {
    const { bytes, isGzip } = file
    const stored = { source, bytes, compression: isGzip ? 'gzip' : 'none' } as const
    const certain = await certainFormat(file, args)
    const whole = certain && wholeFormat(certain.format)
    if (certain !== null && whole !== null) {
      const isRecoded =
        !isGzip && whole.isText === true && textFormOf(file.head(FORM_BYTES), table?.encoding) !== PLAIN_TEXT
      return { ...stored, ...certain, whole, isRecoded, start: null, table: null }
    }
    const start = await sampleOf(source, table?.encoding)
    const found = certain ?? detectText(start.sample.head, source) ?? (isGzip ? listsOrLines : linesOf)(start, args)
    const { format } = found
    const kind = format && formatOf(format)
    const isRecoded = start.form !== PLAIN_TEXT
    return {
      ...{ ...stored, ...found, isRecoded, start },
      whole: kind?.kind === 'whole' ? kind : null,
      table: kind?.kind === 'text' ? tableOf(kind, start, table) : null,
    }
  } finally {
    file.close()
  }
}

/** @throws Failure (input) for what is no delimiter */
function tableOf({ shapeOf }: TextFormat, { sample }: TextStart, table: ImportArgs['table']): KnownTable | null {
  if (shapeOf === undefined) return null
  const { marked: rows, lines, form } = sampleRows(sample.bytes, table)
  const shape = shapeOf(lines, table, sample.complete)
  const rowForm = form ?? { delimiter: shape.delimiter, comment: commentPrefix(table ?? {}) }
  return { rows, rowForm, hasBreaks: form !== null, shape }
}

/** The files of an import, each of which is asked once what it is. */
export class KnownFiles {
  readonly #args: SourceArgs
  readonly #later = new Map<string, Promise<KnownFile>>()
  #first: Promise<KnownFile> | null = null

  constructor({ source, format, table }: SourceArgs) {
    this.#args = { source, format, table }
  }

  /** @throws Failure (input) */
  first(): Promise<KnownFile> {
    return (this.#first ??= knownFile(this.#args))
  }

  /** A later file has a line of names only where the first has one: else its first edge could be lost. @throws Failure (input) for either */
  later(source: string): Promise<KnownFile> {
    const known = this.#later.get(source) ?? this.#known(source)
    this.#later.set(source, known)
    return known
  }

  async #known(source: string): Promise<KnownFile> {
    const first = await this.first()
    const { table: asked } = this.#args
    const hasNames = asked?.header === 'yes' || (first.table !== null && isNamed(first.table.shape))
    const table = hasNames ? asked : { ...asked, header: 'no' as const }
    const known = await knownFile({ ...this.#args, source, table })
    if (first.table === null || !areLines(known) || !listsBothDirections(known.format)) return known
    // A line that lacks an id looks like such a list.
    const { format } = first
    return { ...known, format, table: tableOf(formatOf(format!) as TextFormat, known.start, table) }
  }
}

/** A format that was chosen, or that bytes tell which no text has. */
async function certainFormat(file: StoredFile, { source, format }: SourceArgs): Promise<DetectedFormat | null> {
  if (format !== undefined) return { format, reason: 'it was chosen' }
  return file.isGzip ? detectMagic((await sampleOf(source, null)).sample.head, source) : detectBinary(file)
}

const UNDECIDED = { format: null, reason: 'its length decides once it is unpacked' }

const listsOrLines = (start: TextStart, args: SourceArgs): Pick<KnownFile, 'format' | 'reason'> =>
  hasCounts(start.sample.head) ? UNDECIDED : linesOf(start, args)

/** @throws Failure (input) for what is no text, or of a format that is not read */
function linesOf({ sample: { bytes, complete } }: TextStart, { source, table }: SourceArgs): DetectedFormat {
  return detectFormat(sampleRows(bytes, table).lines, complete, source)
}

/**
 * Opens a binary, columnar or XML file; a compressed or recoded one is unpacked beside the dataset first.
 * @returns null for text in lines
 * @throws Failure (input) that names the file; (cancelled)
 */
export async function openKnown(
  known: KnownFile,
  { folder, table }: Pick<ImportArgs, 'folder' | 'table'>,
  job: JobContext,
): Promise<OpenedFile | null> {
  if (areLines(known)) return null
  const { source, compression, isRecoded } = known
  const stored = StoredFile.open(source)
  let scratch: string | null = null
  let unpacked: StoredFile | null = null
  const close = () => {
    stored.close()
    unpacked?.close()
    if (scratch !== null) rmSync(scratch, { force: true })
  }
  try {
    if (compression === 'gzip' || isRecoded) {
      scratch = `${folder}.partial-${process.pid}-${randomBytes(4).toString('hex')}`
      await unpack(source, scratch, known.whole?.isText === true ? table?.encoding : null, job)
      unpacked = StoredFile.open(scratch, source)
    }
    const file = unpacked ?? stored
    const format = known.whole ?? listsOf(file, known, job)
    requireColumns(format, table)
    return { format, stored, file, close }
  } catch (error) {
    close()
    throw error
  }
}

/** @throws Failure (input) where no layout explains the length */
function listsOf(file: StoredFile, { start, source }: KnownFile, job: JobContext): WholeFormat {
  const { bytes, complete } = start!.sample
  const found = detectLists(file) ?? detectFormat(bytes, complete, source)
  job.log(saidOf(found))
  return wholeFormat(found.format)!
}

/** For the log of a job. */
export const saidOf = ({ format, reason }: Pick<KnownFile, 'format' | 'reason'>): string =>
  `format: ${format}, because ${reason}`

async function unpack(
  source: string,
  scratch: string,
  encoding: Parameters<typeof sampleOf>[1],
  job: JobContext,
): Promise<void> {
  mkdirSync(dirname(scratch), { recursive: true })
  const text = await TextSource.open(source, { encoding })
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
