/**
 * Gives pieces of a table in lines to threads, which keep the cells of ordinary rows (build/row-pieces.ts), and takes these to their buckets in the
 * order of the file; the reader of the file gets all other lines between them. Memory holds a few pieces a thread. Whatever the threads, rows
 * come in one order.
 */

import type { Labels, WholeLabels } from '../../graph/labels.ts'
import type { ThreadPool } from '../build/import-threads.ts'
import { intoBuckets } from '../build/row-bytes.ts'
import { rankedLabels, roomFor, type RowsPiece } from '../build/row-pieces.ts'
import { readOdd, sharedSlots } from '../reader/plain-lines.ts'
import type { RowShape } from '../reader/plain-row.ts'
import type { RowLines, RowReader } from '../reader/graph-reader.ts'
import type { RowSpreader } from '../reading/vertex-file.ts'
import type { AttributeSpill } from './attribute-rows.ts'

const PIECE_BYTES = 1 << 19
const NEWLINE = 10
/** Part of an import's memory for finding vertices. */
const INDEX_SHARE = 1 / 8

interface Waiting {
  readonly reader: RowReader
  readonly piece: Promise<RowsPiece>
}

export class SpreadRows implements RowSpreader {
  readonly pieceBytes = PIECE_BYTES
  readonly #spill: AttributeSpill
  readonly #whole: WholeLabels | undefined
  readonly #pool: ThreadPool
  readonly #memoryBytes: number
  readonly #took: (rows: Uint8Array, piece: RowsPiece) => void
  readonly #most: number
  readonly #hold: ReturnType<typeof sharedSlots>
  /** Memory for the rows of pieces, each good until all others were used. */
  readonly #rooms: SharedArrayBuffer[] = []
  #next = 0
  readonly #waiting: Waiting[] = []
  #columns: readonly number[] | null = null

  /** @param took called with the rows of each piece, in order */
  constructor(
    spill: AttributeSpill,
    { whole }: Labels,
    pool: ThreadPool,
    memoryBytes: number,
    took: (rows: Uint8Array, piece: RowsPiece) => void = () => {},
  ) {
    this.#spill = spill
    this.#whole = whole
    this.#pool = pool
    this.#memoryBytes = memoryBytes
    this.#took = took
    this.#most = 2 * pool.threads.length + 1
    this.#hold = sharedSlots(this.#most, PIECE_BYTES)
  }

  /** @returns where lines are left that the reader has to read itself @throws Failure at a line of an earlier piece */
  async take({ reader, bytes, start, end }: RowLines): Promise<number> {
    let at = start
    // The first row of data says what columns there are.
    while (this.#whole !== undefined && reader.rowShape === undefined && at < end && at - start < PIECE_BYTES) {
      const next = bytes.indexOf(NEWLINE, at) + 1
      reader.readLines(bytes, at, next)
      at = next
    }
    while (at < end) {
      const cut = end - at <= PIECE_BYTES ? end : bytes.lastIndexOf(NEWLINE, at + PIECE_BYTES - 1) + 1
      const shape = cut > at ? reader.rowShape : undefined
      if (shape === undefined || !(await this.#open(shape))) break
      if (this.#waiting.length === this.#most) await this.#takeOldest()
      const into = (this.#rooms[this.#next] ??= new SharedArrayBuffer(roomFor(PIECE_BYTES)))
      this.#next = (this.#next + 1) % this.#most
      const text = { bytes: this.#hold(bytes.subarray(at, cut)), into }
      this.#waiting.push({ reader, piece: this.#pool.run('rows', 'parse', text) })
      at = cut
    }
    if (at < end) await this.settle()
    return at
  }

  async settle(): Promise<void> {
    while (this.#waiting.length > 0) await this.#takeOldest()
    this.#columns = null
  }

  /** @returns false where rows cannot be kept by threads */
  async #open(shape: RowShape): Promise<boolean> {
    if (this.#columns !== null) return true
    const columns = shape.names.map((name) => this.#spill.place(name))
    if (this.#whole === undefined || columns.includes(null)) return false
    this.#columns = columns as number[]
    const labels = this.#whole
    const ranked = rankedLabels(labels, INDEX_SHARE * this.#memoryBytes)
    const task = {
      shape,
      columns: this.#columns,
      labels,
      ranked,
      buckets: this.#spill.buckets,
      pieceBytes: PIECE_BYTES,
    }
    await this.#pool.open('rows', () => task)
    return true
  }

  async #takeOldest(): Promise<void> {
    const { reader, piece: coming } = this.#waiting.shift()!
    const piece = await coming
    const { rows, ends, counts, kinds, odd } = piece
    this.#took(rows, piece)
    kinds.forEach((one, i) => this.#spill.addKinds(this.#columns![i]!, one))
    if (odd === null) {
      readOdd(reader, piece)
      this.#spill.addRows(rows, ends, counts.at(-1)!)
      return
    }
    const between = (from: number, to: number, count: number): void => {
      const part = intoBuckets(rows.subarray(from, to), this.#spill.buckets)
      this.#spill.addRows(part.rows, part.ends, count)
    }
    let [at, before] = [0, 0]
    readOdd(reader, piece, (number) => {
      between(at, ends[number]!, counts[number]! - before)
      ;[at, before] = [ends[number]!, counts[number]!]
    })
    between(at, rows.length, counts.at(-1)! - before)
  }
}
