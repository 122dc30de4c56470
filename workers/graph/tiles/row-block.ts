import { TILE_WORDS, columnsOfTiles } from './tile-format.ts'

/** The tiles of 16 vertices, built arc by arc. One object serves one row block after another. */
export class RowBlock {
  /** Where a column of tiles has its bits; -1: nowhere yet. */
  readonly #slots: Int32Array
  #columns: number[] = []
  #bits = new Uint32Array(64 * TILE_WORDS)

  constructor(vertices: number) {
    this.#slots = new Int32Array(columnsOfTiles(vertices)).fill(-1)
  }

  /** @param neighbours of the vertex of this row, 0 to 15 */
  add(row: number, neighbours: Uint32Array): void {
    for (let i = 0; i < neighbours.length; i++) {
      const target = neighbours[i]!
      const column = target >>> 5
      if (this.#slots[column] === -1) this.#slots[column] = this.#open(column)
      this.#bits[TILE_WORDS * this.#slots[column]! + row]! |= 1 << (target & 31)
    }
  }

  /** Hands out its tiles, ascending by column, and is empty. */
  take(write: (column: number, bits: Uint32Array) => void): void {
    for (const column of Uint32Array.from(this.#columns).sort()) {
      const at = TILE_WORDS * this.#slots[column]!
      write(column, this.#bits.subarray(at, at + TILE_WORDS))
      this.#slots[column] = -1
    }
    this.#bits.fill(0, 0, TILE_WORDS * this.#columns.length)
    this.#columns = []
  }

  #open(column: number): number {
    const slot = this.#columns.push(column) - 1
    if (TILE_WORDS * slot === this.#bits.length) {
      const grown = new Uint32Array(2 * this.#bits.length)
      grown.set(this.#bits)
      this.#bits = grown
    }
    return slot
  }
}
