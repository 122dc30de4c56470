/**
 * Rows of attributes as bytes: their length and the ids of their vertices in words, then cells, each with its column, its form and its length; the
 * next row begins at a whole word. Rows are written one behind the other, put into buckets by their first vertex, and walked without an object a
 * row. row-pieces.ts writes them in threads, attributes/attribute-rows.ts keeps them on the disk.
 */

/** How a value came: a cell of a table of texts is what all cells of its column look like. */
export const forms = ['cell', 'text', 'number', 'boolean'] as const
export type Form = (typeof forms)[number]
/** Columns that a cell can name. */
export const MOST_COLUMNS = 1 << 12
/** Length, u, v; cells follow. */
export const ROW_BYTES = 12
/** Column and form, and a length below 255; a longer one has four bytes more. */
const CELL_BYTES = 3
const LONG = 255
/** Texts up to here are copied faster by a loop than by a call. */
const SHORT_TEXT = 48

export const rowStride = (length: number): number => (length + 3) & ~3

/** What a row may have, and what is thrown for one that has more. */
export interface RowLimit {
  readonly mostBytes: number
  tooLong(u: number, v: number): Error
}

/** Rows one behind the other. */
export class RowBytes {
  readonly #limit: RowLimit
  #bytes = new Uint8Array(1 << 16)
  #words = new Uint32Array(this.#bytes.buffer)
  #at = 0
  /** Bytes of whole rows. */
  length = 0

  constructor(limit: RowLimit) {
    this.#limit = limit
  }

  begin(u: number, v: number): void {
    this.#at = this.length + ROW_BYTES
    if (this.#at > this.#bytes.length) this.#grow(this.#at)
    this.#words[(this.length >> 2) + 1] = u
    this.#words[(this.length >> 2) + 2] = v
  }

  /** A cell of bytes [start, end). @throws what the limit says */
  add(column: number, form: number, from: Uint8Array, start: number, end: number): void {
    const size = end - start
    let at = this.#at + CELL_BYTES
    if (at + size + 8 > this.#bytes.length) this.#grow(at + size + 8)
    const bytes = this.#bytes
    bytes[at - 3] = column & 255
    bytes[at - 2] = (column >> 8) | (form << 4)
    bytes[at - 1] = size < LONG ? size : LONG
    if (size >= LONG) {
      for (let shift = 0; shift < 32; shift += 8) bytes[at++] = size >>> shift
    }
    if (size > SHORT_TEXT) bytes.set(from.subarray(start, end), at)
    else for (let i = 0; i < size; i++) bytes[at + i] = from[start + i]!
    this.#at = at + size
  }

  end(): void {
    this.#requireShort(this.#at)
    this.#words[this.length >> 2] = this.#at - this.length
    this.length = rowStride(this.#at)
  }

  /** All rows, valid until the next one begins: none is left. */
  take(): Uint8Array {
    const rows: Uint8Array = this.#bytes.subarray(0, this.length)
    this.length = 0
    return rows
  }

  #requireShort(end: number): void {
    if (end - this.length <= this.#limit.mostBytes) return
    const at = this.length >> 2
    throw this.#limit.tooLong(this.#words[at + 1]!, this.#words[at + 2]!)
  }

  #grow(least: number): void {
    this.#requireShort(least)
    // Strides are whole numbers of 31 bits.
    const bytes = new Uint8Array(rowStride(Math.max(least, Math.min(2 * least, 2 ** 31 - 4))))
    bytes.set(this.#bytes)
    this.#bytes = bytes
    this.#words = new Uint32Array(bytes.buffer)
  }
}

export const wordsOf = ({ buffer, byteOffset, length }: Uint8Array): Uint32Array =>
  new Uint32Array(buffer, byteOffset, length >> 2)

/** Buckets of rows whose first vertices are alike but for so many bits. */
export interface RowBuckets {
  readonly bits: number
  readonly count: number
}

/** Rows bucket by bucket, in their order. @param into gets them @returns where each bucket ends */
export function intoBuckets(
  rows: Uint8Array,
  { bits, count }: RowBuckets,
  into: Uint8Array = new Uint8Array(rows.length),
) {
  const words = wordsOf(rows)
  const ends = new Uint32Array(count)
  if (count === 1) {
    ends[0] = rows.length
    into.set(rows)
    return { rows: into, ends }
  }
  for (let at = 0; at < words.length; at += rowStride(words[at]!) >> 2)
    ends[words[at + 1]! >>> bits]! += rowStride(words[at]!)
  const next = new Uint32Array(count)
  for (let bucket = 1; bucket < count; bucket++) {
    next[bucket] = ends[bucket - 1]! >> 2
    ends[bucket]! += ends[bucket - 1]!
  }
  const sorted = wordsOf(into)
  for (let at = 0; at < words.length;) {
    const bucket = words[at + 1]! >>> bits
    let into = next[bucket]!
    for (const end = at + (rowStride(words[at]!) >> 2); at < end;) sorted[into++] = words[at++]!
    next[bucket] = into
  }
  return { rows: into, ends }
}
