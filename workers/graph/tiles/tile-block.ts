import { TILE_ROWS, TILE_WORDS, columnsOfTiles, foldColumns, foldRows } from './tile-format.ts'

/** Cuts the lists of 16 vertices into tiles. One object serves one row block after another. */
export class TileBlock {
  /** Tiles of the row block. */
  tiles = 0
  /** Their bits, in the order of `columns`. */
  bits = new Uint32Array(0)
  /** Their columns, ascending. */
  columns = new Uint32Array(0)
  readonly #slots: Int32Array

  constructor(vertices: number) {
    this.#slots = new Int32Array(columnsOfTiles(vertices)).fill(-1)
  }

  /** @param lists neighbours of up to 16 vertices one after another; row r is lists[ends[r - 1], ends[r]) */
  cut(lists: Uint32Array, ends: readonly number[]): void {
    const arcs = ends[ends.length - 1] ?? 0
    this.#findColumns(lists, arcs)
    this.bits.fill(0, 0, TILE_WORDS * this.tiles)
    for (let row = 0, at = 0; row < ends.length; row++)
      for (; at < ends[row]!; at++) {
        const target = lists[at]!
        this.bits[TILE_WORDS * this.#slots[target >>> 5]! + row]! |= 1 << (target & 31)
      }
    for (let i = 0; i < this.tiles; i++) this.#slots[this.columns[i]!] = -1
  }

  /** What the index says of tile `i`, the difference to the chunk's first row block left out. */
  summaryOf(i: number): number {
    let columns = 0
    let rows = 0
    for (let row = 0; row < TILE_ROWS; row++) {
      const word = this.bits[TILE_WORDS * i + row]!
      columns |= word
      if (word !== 0) rows |= 1 << row
    }
    return foldColumns(columns) | (foldRows(rows) << 16)
  }

  #findColumns(lists: Uint32Array, arcs: number): void {
    this.tiles = 0
    for (let at = 0; at < arcs; at++) {
      const column = lists[at]! >>> 5
      if (this.#slots[column] !== -1) continue
      this.#slots[column] = 0
      this.#makeRoom()
      this.columns[this.tiles++] = column
    }
    const columns = this.columns.subarray(0, this.tiles).sort()
    columns.forEach((column, i) => (this.#slots[column] = i))
  }

  #makeRoom(): void {
    if (this.tiles < this.columns.length) return
    const room = Math.min(this.#slots.length, Math.max(64, 2 * this.tiles))
    const columns = new Uint32Array(room)
    columns.set(this.columns)
    this.columns = columns
    this.bits = new Uint32Array(TILE_WORDS * room)
  }
}
