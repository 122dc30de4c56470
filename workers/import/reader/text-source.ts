/**
 * Chunks of a text file as UTF-8: plain or gzip by its first two bytes, UTF-16 and older encodings by a mark, by zero bytes, by an XML
 * declaration or as chosen; lines may end in returns. Stored bytes are hashed as they pass. What a damaged stream held before the damage is
 * still given, then the failure. reading.ts makes lines of the chunks.
 */

import { createHash, type Hash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { pipeline, Readable } from 'node:stream'
import { constants, createGunzip, gunzipSync } from 'node:zlib'
import { asFailure, inputFailure } from '../../base/failure.ts'
import { requireRegularFile } from '../../base/file-bytes.ts'
import type { ImportArgs, TextEncoding } from '../../contract/jobs.ts'

export type Compression = 'none' | 'gzip'

const CHUNK_BYTES = 4 << 20
/** On which compression and encoding are decided. */
const HEAD_BYTES = 1 << 17
const MOST_UNPACKED_BYTES = 2 << 20

interface TextSourceOptions {
  readonly chunkBytes?: number | undefined
  /** null: bytes as they are. */
  readonly encoding?: TextEncoding | null | undefined
  /** Whether {@link TextSource.sha256} will be asked for. */
  readonly sums?: boolean
}

/** Chunks of a text file as UTF-8, plain or gzip by its first two bytes. */
export class TextSource {
  readonly path: string
  readonly storedBytes: number
  readonly compression: Compression
  readonly form: TextForm
  /** Bytes read of those stored. */
  readBytes = 0
  readonly #file: FileHandle
  readonly #chunkBytes: number
  readonly #hash: Hash | null

  private constructor(
    path: string,
    file: FileHandle,
    storedBytes: number,
    head: Uint8Array,
    { chunkBytes = CHUNK_BYTES, encoding, sums = false }: TextSourceOptions,
  ) {
    this.path = path
    this.#file = file
    this.storedBytes = storedBytes
    this.#chunkBytes = chunkBytes
    this.#hash = sums ? createHash('sha256') : null
    const isGzip = head[0] === 0x1f && head[1] === 0x8b
    this.compression = isGzip ? 'gzip' : 'none'
    const text = isGzip ? unpackedStart(head, MOST_UNPACKED_BYTES).text : head
    this.form = encoding === null ? PLAIN_TEXT : textFormOf(text, encoding)
  }

  /** @throws Failure (input) for a path that is missing, a directory, not readable or empty. */
  static async open(path: string, options: TextSourceOptions = {}): Promise<TextSource> {
    const stat = requireRegularFile(path)
    let file: FileHandle | undefined
    try {
      file = await open(path, 'r')
      const { bytesRead, buffer } = await file.read(new Uint8Array(HEAD_BYTES), 0, HEAD_BYTES, 0)
      if (bytesRead === 0) throw inputFailure(path, 'the file is empty (0 bytes)', 'Was the download complete?')
      return new TextSource(path, file, stat.size, buffer.subarray(0, bytesRead), options)
    } catch (error) {
      await file?.close()
      throw asFailure(error, path)
    }
  }

  /** Only once. @throws Failure (input) at the path for damaged compressed data, and for bytes of another encoding */
  chunks(): AsyncGenerator<Uint8Array> {
    return this.form === PLAIN_TEXT ? this.#unpacked() : this.#recoded(this.form)
  }

  async *#recoded({ decoder: name, returnsEndLines }: TextForm): AsyncGenerator<Uint8Array> {
    const decoder = name === null ? null : new TextDecoder(name, { fatal: true })
    let position = 0
    const recoded = (bytes: Uint8Array, stream: boolean): Uint8Array => {
      try {
        const utf8 = decoder === null ? bytes.slice() : Buffer.from(decoder.decode(bytes, { stream }))
        if (returnsEndLines) endLines(utf8)
        return utf8
      } catch {
        throw inputFailure(
          this.path,
          `the text is not ${nameOf(name!)} (from byte ${position + 1} on)`,
          'Is the file complete?',
          [{ action: 'choose', option: 'encoding' }],
        )
      }
    }
    for await (const chunk of this.#unpacked()) {
      yield recoded(chunk, true)
      position += chunk.length
    }
    yield recoded(new Uint8Array(0), false)
  }

  #unpacked(): AsyncGenerator<Uint8Array> {
    return this.compression === 'none' ? this.#stored(0) : this.#inflated()
  }

  async *#inflated(): AsyncGenerator<Uint8Array> {
    const gunzip = createGunzip({ chunkSize: Math.max(64, this.#chunkBytes) })
    const stored = Readable.from(this.#stored(0), { objectMode: true, highWaterMark: 1 })
    pipeline(stored, gunzip, () => {})
    try {
      for await (const chunk of gunzip as AsyncIterable<Uint8Array>) yield chunk
      stored.destroy()
      await this.#requirePadding(gunzip.bytesWritten)
    } catch (error) {
      throw gzipFailure(error, this.path)
    } finally {
      gunzip.destroy()
      stored.destroy()
    }
  }

  /** zlib ends at a zero byte behind a member: zeros to the end are padding, anything else is lost data. */
  async #requirePadding(from: number): Promise<void> {
    let position = from
    for await (const chunk of this.#stored(from)) {
      const other = chunk.findIndex((byte) => byte !== 0)
      if (other >= 0)
        throw inputFailure(
          this.path,
          `the gzip data end at byte ${from}, and behind them, at byte ${position + other}, something else follows`,
          'Is it a whole copy? Unpack it yourself (gunzip), look at the end, and import that.',
        )
      position += chunk.length
    }
  }

  /** Bytes read for the first time are hashed. */
  async *#stored(from: number): AsyncGenerator<Uint8Array> {
    for (let position = from; ;) {
      const bytes = new Uint8Array(this.#chunkBytes)
      const { bytesRead } = await this.#file.read(bytes, 0, bytes.length, position).catch((error: unknown) => {
        throw asFailure(error, this.path)
      })
      if (bytesRead === 0) return
      const chunk = bytes.subarray(0, bytesRead)
      const known = Math.max(0, this.readBytes - position)
      position += bytesRead
      if (known < bytesRead) this.#hash?.update(chunk.subarray(known))
      this.readBytes = Math.max(this.readBytes, position)
      yield chunk
    }
  }

  /** Right once all chunks were read. */
  sha256(): string {
    return this.#hash!.digest('hex')
  }

  async close(): Promise<void> {
    await this.#file.close()
  }
}

/** Bytes of all files, as stored. @throws Failure (input) for a path that is missing or no file */
export function importBytes({ source, sources = [] }: ImportArgs): number {
  return [source, ...sources].reduce((sum, path) => sum + requireRegularFile(path).size, 0)
}

/** The start of a gzip file that unpacks to `most` bytes; of how many bytes this is the text; whether it is damaged behind these. */
export function unpackedStart(head: Uint8Array, most: number) {
  let isDamaged = false
  for (let stored = head.length; stored > 1; stored = Math.ceil(stored / 4))
    try {
      const limits = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: most }
      return { text: gunzipSync(head.subarray(0, stored), limits), stored, isDamaged }
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : ''
      if (code.startsWith('Z_')) isDamaged = true
      else if (code !== 'ERR_BUFFER_TOO_LARGE') throw error
    }
  return { text: new Uint8Array(0), stored: 1, isDamaged }
}

function gzipFailure(error: unknown, path: string): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error
  if (error.code === 'Z_BUF_ERROR')
    return inputFailure(path, 'the gzip data end too early: the file is truncated', 'Download or copy it again.')
  if (typeof error.code === 'string' && error.code.startsWith('Z_'))
    return inputFailure(path, `the gzip data are damaged (${error.message})`, 'Download or copy it again.')
  return asFailure(error, path)
}

/** Bytes of a byte order mark. */
export const markBytes = ([a, b, c]: Uint8Array): 0 | 3 => (a === 0xef && b === 0xbb && c === 0xbf ? 3 : 0)

const NEWLINE = 10
const RETURN = 13
/** Decides on zero bytes: enough of them are no accident. */
const LEAST_PAIRS = 2
const MOST_HEAD_BYTES = 1 << 16
/** The share of zeros that UTF-16 in any script has at least, with blanks, digits and ends of lines. */
const ZERO_SHARE = 0.15

/** How the bytes of a text become UTF-8 in lines. */
export interface TextForm {
  /** As TextDecoder calls it; null for UTF-8 as it is. */
  readonly decoder: string | null
  /** A carriage return alone ends a line, as on early Macintoshes. */
  readonly returnsEndLines: boolean
  /** What a person should know; null where nothing was changed. */
  readonly note: string | null
}

export const PLAIN_TEXT: TextForm = { decoder: null, returnsEndLines: false, note: null }

/** The form by what was chosen, else by a byte order mark, zero bytes, or an XML declaration. @param head of the text, unpacked */
export function textFormOf(head: Uint8Array, chosen: TextEncoding = 'auto'): TextForm {
  const first = head.subarray(0, MOST_HEAD_BYTES)
  const decoder = chosen === 'auto' ? foundIn(first) : chosen === 'utf-16' ? (byMark(first) ?? byZeros(first)) : chosen
  const known = decoder === 'utf-8' ? null : (decoder ?? (chosen === 'utf-16' ? 'utf-16le' : null))
  const text = known === null ? first : Buffer.from(new TextDecoder(known).decode(first))
  const returnsEndLines = text.includes(RETURN) && !text.includes(NEWLINE)
  if (known === null && !returnsEndLines) return PLAIN_TEXT
  const said = [
    ...(known === null ? [] : [`the text was read as ${nameOf(known)}`]),
    ...(returnsEndLines ? ['its lines end in a carriage return alone'] : []),
  ]
  return { decoder: known, returnsEndLines, note: said.join('; ') }
}

const nameOf = (decoder: string): string => (/^utf/.test(decoder) ? decoder.slice(0, 6).toUpperCase() : decoder)

const foundIn = (head: Uint8Array): string | null => byMark(head) ?? byZeros(head) ?? byDeclaration(head)

function byMark([a, b, c, d]: Uint8Array): string | null {
  if (a === 0xff && b === 0xfe && !(c === 0 && d === 0)) return 'utf-16le'
  return a === 0xfe && b === 0xff ? 'utf-16be' : null
}

/** UTF-16 without a mark: of every pair of bytes at most one is zero, in most texts of many pairs always the same. */
function byZeros(head: Uint8Array): string | null {
  if (!head.includes(0)) return null
  const zeros = [0, 0]
  const pairs = head.length >> 1
  for (let i = 0; i + 1 < head.length; i += 2) {
    if (head[i] === 0 && head[i + 1] === 0) return null
    if (head[i] === 0) zeros[0]!++
    if (head[i + 1] === 0) zeros[1]!++
  }
  const [low, high] = zeros as [number, number]
  if (Math.max(low, high) < Math.max(LEAST_PAIRS, ZERO_SHARE * pairs) || Math.min(low, high) > 0.01 * pairs) return null
  const decoder = high > low ? 'utf-16le' : 'utf-16be'
  return looksLikeText(new TextDecoder(decoder).decode(head.subarray(0, 2 * pairs))) ? decoder : null
}

/** No control characters but blanks and ends of lines. */
const looksLikeText = (text: string): boolean => !/[^\P{Cc}\t\n\v\f\r]/u.test(text)

/** An encoding that XML declares, where it is another than UTF-8 and known. */
function byDeclaration(head: Uint8Array): string | null {
  const text = Buffer.from(head.subarray(0, 200)).toString('latin1')
  const [, declared = ''] = /^<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]{1,40})["']/.exec(text) ?? []
  try {
    const { encoding } = new TextDecoder(declared)
    return encoding.startsWith('utf-') ? null : encoding
  } catch {
    return null
  }
}

/** A piece of a text; what the encoding does not have is replaced. */
export function recoded(bytes: Uint8Array, { decoder, returnsEndLines }: TextForm): Uint8Array {
  const utf8 = decoder === null ? bytes.slice() : Buffer.from(new TextDecoder(decoder).decode(bytes))
  if (returnsEndLines) endLines(utf8)
  return utf8
}

function endLines(utf8: Uint8Array): void {
  for (let i = utf8.indexOf(RETURN); i >= 0; i = utf8.indexOf(RETURN, i + 1)) utf8[i] = NEWLINE
}
