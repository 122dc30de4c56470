/**
 * A thread's part in attributes: it takes pieces of a table in lines, finds the vertices of each ordinary row, and keeps its cells as they are
 * written, in buckets of first vertices. Rows that are not ordinary (quotes within quotes, ids of other forms, comments, weights that need a
 * rule) go back to the reader of the file, with the rows between them in order. It costs one look at each byte, in WebAssembly
 * (row-pieces.wat). attributes/spread-rows.ts gives out pieces and takes rows in the order of the file.
 */

import { isUtf8 } from 'node:buffer'
import { findWhole, wholeAt, type WholeLabels } from '../../graph/labels.ts'
import { wasmExports } from '../../../kernels/parts/wasm-exports.ts'
import { wholeNumber } from '../reader/numbers.ts'
import { type OddLines, PieceLines } from '../reader/plain-lines.ts'
import { hasMarks, columnPlaces, type RowShape } from '../reader/plain-row.ts'
import { rankMemory } from './bucket-sorter.ts'
import { type CellCounts, CellKinds } from './cell-kinds.ts'
import { ROW_PIECES } from './modules.ts'
import type { RowBuckets } from './row-bytes.ts'

/** Labels that occur among whole numbers from `first` on, as pairs of u32: which of 32, and how many are smaller. */
interface RankedLabels {
  readonly first: number
  readonly memory: WebAssembly.Memory
}

export interface RowsTask {
  readonly shape: RowShape
  /** The column of each cell in the rows. */
  readonly columns: readonly number[]
  readonly labels: WholeLabels
  /** The same labels, if one look finds a vertex. */
  readonly ranked: RankedLabels | null
  readonly buckets: RowBuckets
  /** The most bytes of a piece. */
  readonly pieceBytes: number
}

export interface RowsText {
  /** Whole lines. */
  readonly bytes: Uint8Array
  /** Takes the rows: {@link roomFor} them. */
  readonly into: SharedArrayBuffer
}

/** The rows of a piece. */
export interface RowsPiece extends OddLines {
  readonly rows: Uint8Array
  /** Ends of the buckets; where there are odd lines, of the rows before each of them. */
  readonly ends: Uint32Array
  /** Rows before each odd line, and all. */
  readonly counts: readonly number[]
  /** What each kept column holds. */
  readonly kinds: readonly CellCounts[]
  /** Rows of no vertex. */
  readonly strangers: number
}

/** Bytes of a look-up for each vertex, at most. */
const MOST_RANKED = 32

/** Labels that have few gaps, for a look-up of so many bytes at most. */
export function rankedLabels(labels: WholeLabels, mostBytes: number): RankedLabels | null {
  const { vertices } = labels
  if (!('halves' in labels) || vertices === 0) return null
  const { halves } = labels
  const smallest = wholeAt(halves, 0)
  const first = smallest - (smallest % 32)
  const range = wholeAt(halves, vertices - 1) - first + 1
  if (range / 4 > Math.min(mostBytes, MOST_RANKED * vertices, 2 ** 31)) return null
  const memory = rankMemory(range)
  if (memory === null) return null
  const pairs = new Uint32Array(memory.buffer)
  for (let v = 0; v < vertices; v++) {
    const at = wholeAt(halves, v) - first
    const pair = 2 * Math.floor(at / 32)
    if (pairs[pair] === 0) pairs[pair + 1] = v
    pairs[pair]! |= 1 << (at & 31)
  }
  return { first, memory }
}

/** Bytes of rows for bytes of lines: a cell of a byte and its delimiter take four, an edge of four bytes 15. */
export const roomFor = (pieceBytes: number): number => 6 * pieceBytes

interface RowParser {
  /** @returns the start of the first row that is not ordinary, or `end` */
  parse(at: number, end: number): number
  spread(at: number, end: number, bits: number, into: number, ends: number, buckets: number): void
}

const PAGE_BYTES = 1 << 16
const PLACES = 128
const CELL_BYTES = 24
const PADDING_BYTES = 64
const MOST_INT = 2 ** 31 - 1
/** Words that the module is given and gives, as row-pieces.wat has them. */
const IS_MARKED = 11
const ROWS_END = 16
const COUNT = 17
const STRANGERS = 18
const ORDINARY = 19
/** Words of a cell. */
const [COLUMN, CELLS, NUMBERS, FLAGS] = [2, 3, 4, 5]
const HAS_POINT = 2
const NO_RANKS = new WebAssembly.Memory({ initial: 0, maximum: 0, shared: true })

export class RowPieces {
  readonly #task: RowsTask
  readonly #parser: RowParser
  readonly #bytes: Uint8Array
  readonly #words: Int32Array
  readonly #cells: number
  readonly #text: number
  readonly #rows: number
  /** Rows in buckets, and behind these the ends of buckets. */
  readonly #spread: number
  #kinds: readonly CellKinds[] = []

  /** @throws RangeError without memory */
  constructor(task: RowsTask) {
    this.#task = task
    const { shape, labels, ranked, pieceBytes } = task
    const places = columnPlaces(shape)
    const cells = PLACES + 4 * places.length + (places.length % 2) * 4
    this.#cells = cells / 4
    this.#text = cells + CELL_BYTES * shape.cells.length
    this.#rows = this.#text + pieceBytes + PADDING_BYTES
    const room = roomFor(pieceBytes) + PADDING_BYTES
    this.#spread = 8 * Math.ceil((this.#rows + room) / 8)
    const initial = Math.ceil((this.#spread + room + 8 * task.buckets.count) / PAGE_BYTES)
    const memory = new WebAssembly.Memory({ initial, maximum: initial })
    this.#bytes = new Uint8Array(memory.buffer)
    this.#words = new Int32Array(memory.buffer)
    this.#words.set(places, PLACES / 4)
    shape.cells.forEach((_, i) => (this.#words[this.#cells + 6 * i + COLUMN] = task.columns[i]!))
    const { delimiter, ids, weight, comment = -1, mostColumns } = shape
    const form = [delimiter, delimiter === 9 ? 32 : 9, comment, ids.length, weight === null ? 0 : 1]
    const most = Math.min(MOST_INT, mostColumns)
    const kind = 'base' in labels ? 1 : ranked === null ? 0 : 2
    this.#words.set([...form, most, places.length, PLACES, shape.cells.length, cells, kind])
    const base = 'base' in labels ? labels.base : (ranked?.first ?? 0)
    const count = 'base' in labels ? labels.vertices : 4 * (ranked?.memory.buffer.byteLength ?? 0)
    new BigInt64Array(memory.buffer).set([BigInt(base), BigInt(count)], 6)
    const bytes = this.#bytes
    this.#parser = wasmExports<RowParser>(ROW_PIECES, {
      memory,
      ranks: ranked?.memory ?? NO_RANKS,
      find: (label: number) => findWhole(labels, label),
      isText: (start: number, end: number) => (isUtf8(bytes.subarray(start, end)) ? 1 : 0),
      isWeight: (start: number, end: number) => {
        const number = wholeNumber(bytes, start, end)
        return number !== undefined && number > 0 && number < Infinity ? 1 : 0
      },
      see: (cell: number, flags: number, start: number, end: number) => {
        const kinds = this.#kinds[cell]!
        if ((flags & HAS_POINT) !== 0) kinds.isComma = false
        kinds.see(bytes, start, end)
        return kinds.isPoint || kinds.isComma ? 0 : 1
      },
    })
  }

  parse({ bytes, into }: RowsText): RowsPiece {
    const [words, text, rowsAt] = [this.#words, this.#text, this.#rows]
    this.#bytes.set(bytes, text)
    this.#kinds = this.#task.shape.cells.map(() => new CellKinds())
    this.#kinds.forEach((_, i) => words.fill(0, this.#cells + 6 * i + CELLS, this.#cells + 6 * (i + 1)))
    words[IS_MARKED] = hasMarks(bytes) ? 1 : 0
    words[ROWS_END] = rowsAt
    words.fill(0, COUNT, ORDINARY + 1)
    const piece = new PieceLines()
    const ends: number[] = []
    const counts: number[] = []
    for (let at = 0; at < bytes.length;) {
      words[ORDINARY] = 0
      at = this.#parser.parse(text + at, text + bytes.length) - text
      piece.took(words[ORDINARY]!, 0)
      if (at === bytes.length) break
      ends.push(words[ROWS_END]! - rowsAt)
      counts.push(words[COUNT]!)
      at = piece.keepOdd(bytes, at)
    }
    const kept = this.#kept(into, ends)
    const kinds = this.#kinds.map((kind, i) => this.#countsOf(kind, this.#cells + 6 * i))
    return { ...piece.odd(), ...kept, counts: [...counts, words[COUNT]!], kinds, strangers: words[STRANGERS]! }
  }

  /** Copies the rows, in buckets where no odd line is between them. @param odd ends of the rows before each odd line */
  #kept(into: SharedArrayBuffer, odd: readonly number[]): Pick<RowsPiece, 'rows' | 'ends'> {
    const { bits, count } = this.#task.buckets
    const end = this.#words[ROWS_END]!
    const rows = new Uint8Array(into, 0, end - this.#rows)
    if (odd.length > 0 || count === 1) {
      rows.set(this.#bytes.subarray(this.#rows, end))
      return { rows, ends: Uint32Array.from(odd.length > 0 ? odd : [rows.length]) }
    }
    const ends = 4 * Math.ceil((this.#spread + rows.length) / 4)
    this.#parser.spread(this.#rows, end, bits, this.#spread, ends, count)
    rows.set(this.#bytes.subarray(this.#spread, this.#spread + rows.length))
    return { rows, ends: new Uint32Array(this.#bytes.buffer.slice(ends, ends + 4 * count)) }
  }

  /** @param cell where the module counts plain numbers, and all cells */
  #countsOf({ numbers, isPoint, isComma, isSurelyComma }: CellKinds, cell: number): CellCounts {
    const words = this.#words
    const hasPoint = (words[cell + FLAGS]! & HAS_POINT) !== 0
    return {
      cells: words[cell + CELLS]!,
      numbers: numbers + words[cell + NUMBERS]!,
      ...{ isPoint, isComma: isComma && !hasPoint, isSurelyComma },
    }
  }
}
