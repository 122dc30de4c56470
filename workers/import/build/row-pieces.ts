/**
 * A thread's part in attributes: it takes pieces of a table in lines, finds the vertices of each ordinary row, and keeps its cells as they are
 * written, in buckets of first vertices. Rows that are not ordinary (quotes within quotes, ids of other forms, comments, weights that need a
 * rule) go back to the reader of the file, with the rows between them in order. It costs one look at each byte. attributes/spread-rows.ts gives
 * out pieces and takes rows in the order of the file.
 */

import { findWhole, type WholeLabels } from '../../graph/labels.ts'
import { wholeNumber } from '../reader/numbers.ts'
import { type OddLines, PieceLines } from '../reader/plain-lines.ts'
import { hasMarks, PlainRow, type RowShape } from '../reader/plain-row.ts'
import { type CellCounts, CellKinds } from './cell-kinds.ts'
import { forms, intoBuckets, RowBytes, type RowBuckets } from './row-bytes.ts'

export interface RowsTask {
  readonly shape: RowShape
  /** The column of each cell in the rows. */
  readonly columns: readonly number[]
  readonly labels: WholeLabels
  readonly buckets: RowBuckets
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

const CELL = forms.indexOf('cell')

export class RowPieces {
  readonly #task: RowsTask
  readonly #row: PlainRow
  readonly #rows = new RowBytes()

  constructor(task: RowsTask) {
    this.#task = task
    this.#row = new PlainRow(task.shape)
  }

  /** @param bytes whole lines */
  parse(bytes: Uint8Array): RowsPiece {
    const { shape, buckets } = this.#task
    const kinds = shape.cells.map(() => new CellKinds())
    const piece = new PieceLines()
    const ends: number[] = []
    const counts: number[] = []
    const isMarked = hasMarks(bytes)
    let [strangers, count] = [0, 0]
    for (let at = 0; at < bytes.length;) {
      const next = this.#row.read(bytes, at, isMarked)
      if (next < 0 || !this.#isSound(bytes)) {
        ends.push(this.#rows.length)
        counts.push(count)
        at = piece.keepOdd(bytes, at)
        continue
      }
      const { length } = this.#rows
      if (!this.#keep(bytes, kinds)) strangers++
      if (this.#rows.length > length) count++
      piece.took(1, 0)
      at = next
    }
    const rows = this.#rows.take()
    const kept = ends.length === 0 ? intoBuckets(rows, buckets) : { rows: rows.slice(), ends: Uint32Array.from(ends) }
    const seen = kinds.map(({ cells, numbers, isPoint, isComma, isSurelyComma }) => ({
      ...{ cells, numbers, isPoint, isComma, isSurelyComma },
    }))
    return { ...piece.odd(), ...kept, counts: [...counts, count], kinds: seen, strangers }
  }

  /** Whether its weight is one under any rule. */
  #isSound(bytes: Uint8Array): boolean {
    const { weightStart, weightEnd } = this.#row
    if (this.#task.shape.weight === null) return true
    const weight = wholeNumber(bytes, weightStart, weightEnd)
    return weight !== undefined && weight > 0 && weight < Infinity
  }

  /** @returns false where an id is of no vertex */
  #keep(bytes: Uint8Array, kinds: readonly CellKinds[]): boolean {
    const { labels, columns, shape } = this.#task
    const { first, second, starts, ends } = this.#row
    const u = findWhole(labels, first)
    const isEdge = shape.ids.length === 2
    const v = isEdge ? findWhole(labels, second) : 0
    if (u < 0 || v < 0) return false
    if (isEdge && u === v) return true
    const rows = this.#rows
    if (isEdge && v < u) rows.begin(v, u)
    else rows.begin(u, v)
    for (let i = 0; i < columns.length; i++) {
      const [start, end] = [starts[i]!, ends[i]!]
      if (start === end) continue
      kinds[i]!.see(bytes, start, end)
      rows.add(columns[i]!, CELL, bytes, start, end)
    }
    rows.end()
    return true
  }
}
