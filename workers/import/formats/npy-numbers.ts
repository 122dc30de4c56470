import { crc32 } from 'node:zlib'
import type { Entry, ZipFile } from 'yauzl'
import { asNumbers } from './csr.ts'
import { DamagedFile, damagedOr } from './stored-file.ts'

const MAGIC = '\x93NUMPY'
const MOST_HEADER = 1 << 16
/** By type of NumPy: bytes of a number, or of each of its parts, and what a piece of them is, little-endian. */
const kinds: Readonly<Record<string, readonly [number, (bytes: ArrayBuffer) => ArrayLike<number>]>> = {
  b1: [1, (bytes) => new Uint8Array(bytes)],
  i1: [1, (bytes) => new Int8Array(bytes)],
  u1: [1, (bytes) => new Uint8Array(bytes)],
  i2: [2, (bytes) => new Int16Array(bytes)],
  u2: [2, (bytes) => new Uint16Array(bytes)],
  i4: [4, (bytes) => new Int32Array(bytes)],
  u4: [4, (bytes) => new Uint32Array(bytes)],
  f4: [4, (bytes) => new Float32Array(bytes)],
  i8: [8, (bytes) => asNumbers(new Uint32Array(bytes), 'i64')],
  u8: [8, (bytes) => asNumbers(new Uint32Array(bytes), 'u64')],
  f8: [8, (bytes) => new Float64Array(bytes)],
  c8: [4, (bytes) => moduli(new Float32Array(bytes))],
  c16: [8, (bytes) => moduli(new Float64Array(bytes))],
}

function moduli(parts: Float32Array | Float64Array): Float64Array {
  return Float64Array.from({ length: parts.length / 2 }, (_, i) => Math.hypot(parts[2 * i]!, parts[2 * i + 1]!))
}

/** The numbers of an array in an archive of NumPy, in order; complex ones as their moduli, 64-bit ones as doubles. */
export class NpyNumbers {
  readonly name: string
  /** As NumPy calls it, without the order of bytes: f8, S3. */
  readonly type: string
  readonly length: number
  readonly #chunks: AsyncIterator<Buffer>
  readonly #crc: number
  readonly #swapped: boolean
  #seen = 0
  #rest: Buffer
  #left: number

  private constructor(entry: Entry, header: Header, chunks: AsyncIterator<Buffer>, rest: Buffer, seen: number) {
    this.name = entry.fileName
    this.type = header.type
    this.length = header.length
    this.#swapped = header.swapped
    this.#crc = entry.crc32
    this.#chunks = chunks
    this.#rest = rest
    this.#seen = seen
    this.#left = entry.uncompressedSize - header.bytes
    if (/^[SU]\d+$/.test(this.type)) return
    const { each } = this.#kind
    if (each * this.length !== this.#left)
      throw new DamagedFile(`${this.name} promises ${this.length} numbers, and holds ${this.#left} bytes`)
  }

  /** @throws DamagedFile */
  static async open(zip: ZipFile, entry: Entry): Promise<NpyNumbers> {
    const stream = await damagedOr(() => zip.openReadStreamPromise(entry))
    const chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>
    let head: Buffer = Buffer.alloc(0)
    for (;;) {
      const header = headerOf(head)
      if (header !== null) return new NpyNumbers(entry, header, chunks, head.subarray(header.bytes), crc32(head))
      const next = await damagedOr(() => chunks.next())
      if (next.done === true || head.length > MOST_HEADER) throw new DamagedFile(`${entry.fileName} is no NumPy array`)
      head = Buffer.concat([head, next.value])
    }
  }

  /** The next `count` numbers, which are there. @throws DamagedFile */
  async take(count: number): Promise<ArrayLike<number>> {
    const { each, width, view } = this.#kind
    const bytes = await this.#bytes(count * each)
    if (this.#swapped && width === 2) bytes.swap16()
    if (this.#swapped && width === 4) bytes.swap32()
    if (this.#swapped && width === 8) bytes.swap64()
    return view(bytes.buffer)
  }

  /** All of it, as text. @throws DamagedFile */
  async text(): Promise<string> {
    const bytes = await this.#bytes(Math.min(this.#left, MOST_HEADER))
    return bytes.toString('latin1').replaceAll('\0', '')
  }

  /** `each`: bytes of a number. */
  get #kind() {
    const [width, view] = kinds[this.type] ?? []
    if (width === undefined || view === undefined)
      throw new DamagedFile(`${this.name} holds the type ${this.type}, which is no number`)
    return { each: this.type.startsWith('c') ? 2 * width : width, width, view }
  }

  async #bytes(count: number): Promise<Buffer<ArrayBuffer>> {
    const bytes = Buffer.from(new ArrayBuffer(count))
    for (let done = 0; done < count;) {
      if (this.#rest.length === 0) this.#rest = await this.#chunk()
      const copied = this.#rest.copy(bytes, done)
      this.#rest = this.#rest.subarray(copied)
      done += copied
    }
    this.#left -= count
    if (this.#left === 0) await this.#end()
    return bytes
  }

  async #chunk(): Promise<Buffer> {
    const next = await damagedOr(() => this.#chunks.next())
    if (next.done === true) throw new DamagedFile(`${this.name} ends early`)
    this.#seen = crc32(next.value, this.#seen)
    return next.value
  }

  async #end(): Promise<void> {
    const next = await damagedOr(() => this.#chunks.next())
    if (next.done !== true || this.#seen !== this.#crc) throw new DamagedFile(`the checksum of ${this.name} is wrong`)
  }

  /** Needed where not all was taken. */
  async close(): Promise<void> {
    await this.#chunks.return?.()
  }
}

interface Header {
  readonly bytes: number
  readonly type: string
  readonly swapped: boolean
  readonly length: number
}

/** NEP 1: magic, version, length, then a dict of Python. null where there is more to come. */
function headerOf(head: Buffer): Header | null {
  if (head.length < 12) return null
  if (head.toString('latin1', 0, MAGIC.length) !== MAGIC) throw new DamagedFile('a member is no NumPy array')
  const [at, length] = head[6]! === 1 ? [10, head.readUInt16LE(8)] : [12, head.readUInt32LE(8)]
  if (length > MOST_HEADER) throw new DamagedFile('the header of a NumPy array is too long')
  if (head.length < at + length) return null
  const text = head.toString('latin1', at, at + length)
  const [, order, type] = /'descr': *'([<>|=])([a-zA-Z]\d+)'/.exec(text) ?? []
  const shape = /'shape': *\(([\d, ]*)\)/.exec(text)?.[1]
  if (type === undefined || shape === undefined) throw new DamagedFile(`a NumPy array has the header ${text.trim()}`)
  const sizes = shape.split(',').filter((size) => size.trim() !== '')
  if (sizes.length > 1) throw new DamagedFile(`a NumPy array has ${sizes.length} dimensions, not one`)
  return { bytes: at + length, type, swapped: order === '>', length: Number(sizes[0] ?? 1) }
}
