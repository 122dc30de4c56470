import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { pipeline, Readable } from 'node:stream'
import { constants, createGunzip, gunzipSync } from 'node:zlib'
import { asFailure, inputFailure } from '../base/failure.ts'
import { requireRegularFile } from '../base/file-bytes.ts'
import type { TextEncoding } from '../contract/jobs.ts'
import { endLines, nameOf, PLAIN_TEXT, type TextForm, textFormOf } from './text-encoding.ts'

export type Compression = 'none' | 'gzip'

const CHUNK_BYTES = 4 << 20
/** On which compression and encoding are decided. */
const HEAD_BYTES = 1 << 17
const MOST_UNPACKED_BYTES = 2 << 20

export interface TextSourceOptions {
  readonly chunkBytes?: number | undefined
  /** null: bytes as they are. */
  readonly encoding?: TextEncoding | null | undefined
}

/** Chunks of a text file as UTF-8, plain or gzip by its first two bytes. The stored bytes are hashed. */
export class TextSource {
  readonly path: string
  readonly storedBytes: number
  readonly compression: Compression
  readonly form: TextForm
  /** Of the stored bytes. */
  readBytes = 0
  readonly #file: FileHandle
  readonly #chunkBytes: number
  readonly #hash = createHash('sha256')

  private constructor(
    path: string,
    file: FileHandle,
    storedBytes: number,
    head: Uint8Array,
    { chunkBytes = CHUNK_BYTES, encoding }: TextSourceOptions,
  ) {
    this.path = path
    this.#file = file
    this.storedBytes = storedBytes
    this.#chunkBytes = chunkBytes
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
  async *chunks(): AsyncGenerator<Uint8Array> {
    if (this.form === PLAIN_TEXT) {
      yield* this.#unpacked()
      return
    }
    yield* this.#recoded(this.form)
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

  async *#unpacked(): AsyncGenerator<Uint8Array> {
    if (this.compression === 'none') {
      yield* this.#stored(0)
      return
    }
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
      if (known < bytesRead) this.#hash.update(chunk.subarray(known))
      this.readBytes = Math.max(this.readBytes, position)
      yield chunk
    }
  }

  /** Right once all chunks were read. */
  sha256(): string {
    return this.#hash.digest('hex')
  }

  async close(): Promise<void> {
    await this.#file.close()
  }
}

interface UnpackedStart {
  readonly text: Uint8Array
  /** Bytes of which this is the text. */
  readonly stored: number
  /** Somewhere behind these. */
  readonly isDamaged: boolean
}

/** Of a gzip file, as much as unpacks to `most` bytes. */
export function unpackedStart(head: Uint8Array, most: number): UnpackedStart {
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

const NEWLINE = 10

/** Bytes [start, end) of whole lines, good until the next. */
export interface LineSpan {
  readonly bytes: Uint8Array
  readonly start: number
  readonly end: number
}

/** Cuts chunks at line ends, removes a byte order mark, ends the last line. @param most bytes of a line across chunks */
export async function* wholeLines(
  chunks: AsyncIterable<Uint8Array>,
  most = Infinity,
  tooLong: () => Error = () => new RangeError('a line is too long'),
): AsyncGenerator<LineSpan> {
  let carried = new Uint8Array(1 << 16)
  let length = 0
  let atStart = true
  for await (const chunk of chunks) {
    const cut = chunk.lastIndexOf(NEWLINE) + 1
    if (cut === 0) {
      if (length + chunk.length > most) throw tooLong()
      carried = append(carried, length, chunk)
      length += chunk.length
      continue
    }
    let lines: Uint8Array = chunk.subarray(0, cut)
    if (length > 0) {
      const border = chunk.indexOf(NEWLINE) + 1
      carried = append(carried, length, chunk.subarray(0, border))
      yield span(carried.subarray(0, length + border), atStart)
      atStart = false
      lines = chunk.subarray(border, cut)
    }
    if (lines.length > 0) yield span(lines, atStart)
    atStart = false
    const rest = chunk.subarray(cut)
    carried = append(carried, 0, rest)
    length = rest.length
  }
  if (length === 0) return
  carried = append(carried, length, Uint8Array.of(NEWLINE))
  yield span(carried.subarray(0, length + 1), atStart)
}

function append(carried: Uint8Array<ArrayBuffer>, length: number, more: Uint8Array): Uint8Array<ArrayBuffer> {
  let into = carried
  if (length + more.length > carried.length) {
    into = new Uint8Array(Math.max(2 * carried.length, length + more.length + 1))
    into.set(carried.subarray(0, length))
  }
  into.set(more, length)
  return into
}

const span = (bytes: Uint8Array, atStart: boolean): LineSpan => {
  return { bytes, start: atStart ? markBytes(bytes) : 0, end: bytes.length }
}

/** Of a byte order mark. */
export const markBytes = ([a, b, c]: Uint8Array): 0 | 3 => (a === 0xef && b === 0xbb && c === 0xbf ? 3 : 0)
