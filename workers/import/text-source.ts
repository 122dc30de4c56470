import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { asFailure, inputFailure } from '../base/failure.ts'
import { requireRegularFile } from '../base/file-bytes.ts'
import type { TextEncoding } from '../contract/jobs.ts'
import { PLAIN_TEXT, Recoder, type TextForm, textFormOf } from './text-encoding.ts'

export type Compression = 'none' | 'gzip'

const CHUNK_BYTES = 4 << 20
/** On which the encoding is decided. */
const HEAD_BYTES = 1 << 16

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
  /** Of the stored bytes. */
  readBytes = 0
  /** Known with the first chunk. */
  form: TextForm = PLAIN_TEXT
  readonly #encoding: TextEncoding | null | undefined
  readonly #file: FileHandle
  readonly #chunkBytes: number
  readonly #hash = createHash('sha256')

  private constructor(path: string, file: FileHandle, storedBytes: number, gzip: boolean, options: TextSourceOptions) {
    this.path = path
    this.#file = file
    this.storedBytes = storedBytes
    this.compression = gzip ? 'gzip' : 'none'
    this.#chunkBytes = options.chunkBytes ?? CHUNK_BYTES
    this.#encoding = options.encoding
  }

  /** @throws Failure (input) for a path that is missing, a directory, not readable or empty. */
  static async open(path: string, options: TextSourceOptions = {}): Promise<TextSource> {
    const stat = requireRegularFile(path)
    let file: FileHandle | undefined
    try {
      file = await open(path, 'r')
      const magic = new Uint8Array(2)
      const { bytesRead } = await file.read(magic, 0, 2, 0)
      if (bytesRead === 0) throw inputFailure(path, 'the file is empty (0 bytes)', 'Was the download complete?')
      const gzip = bytesRead === 2 && magic[0] === 0x1f && magic[1] === 0x8b
      return new TextSource(path, file, stat.size, gzip, options)
    } catch (error) {
      await file?.close()
      throw asFailure(error, path)
    }
  }

  /** Only once. @throws Failure (input) at the path for damaged compressed data, and for bytes of another encoding */
  async *chunks(): AsyncGenerator<Uint8Array> {
    if (this.#encoding === null) {
      yield* this.#unpacked()
      return
    }
    const head: Uint8Array[] = []
    let bytes = 0
    let recoder: Recoder | null = null
    const begun = (): Uint8Array[] => {
      recoder = this.#recoder(head)
      return head.splice(0).map((chunk) => recoder?.write(chunk) ?? chunk)
    }
    try {
      for await (const chunk of this.#unpacked()) {
        if (bytes < HEAD_BYTES) {
          head.push(chunk)
          bytes += chunk.length
          if (bytes >= HEAD_BYTES) yield* begun()
        } else yield this.#recoded(recoder, chunk)
      }
    } finally {
      // Also what came before damage.
      if (head.length > 0) yield* begun()
    }
    if (recoder !== null) yield this.#recoded(recoder, new Uint8Array(0), true)
  }

  /** null for UTF-8 as it is. */
  #recoder(head: readonly Uint8Array[]): Recoder | null {
    this.form = textFormOf(Buffer.concat(head), this.#encoding ?? 'auto')
    return this.form === PLAIN_TEXT ? null : new Recoder(this.form, this.path)
  }

  #recoded(recoder: Recoder | null, chunk: Uint8Array, isLast = false): Uint8Array {
    return recoder === null ? chunk : recoder.write(chunk, isLast)
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
      const { bytesRead } = await this.#file.read(bytes, 0, bytes.length, position)
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
