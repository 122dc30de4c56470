import type { TileBlock } from './tile-block.ts'
import {
  CHUNK_RECORD_WORDS,
  CHUNK_ROW_BLOCKS,
  CHUNK_TILES,
  INDEX_ROW_SHIFT,
  INDEX_WORDS,
  TILE_WORDS,
  chunkWords,
} from './tile-format.ts'
import type { WordStream } from './word-stream.ts'

/** Gathers tiles into chunks and writes these; the records of the chunks stay in memory until the end. */
export class ChunkWriter {
  readonly #data: WordStream
  readonly #bits = new Uint32Array(TILE_WORDS * CHUNK_TILES)
  readonly #index = new Uint32Array(INDEX_WORDS * CHUNK_TILES)
  #records = new Uint32Array(1024)
  #chunks = 0
  #inChunk = 0
  #firstRow = 0
  #lastRow = 0
  #tiles = 0

  constructor(data: WordStream) {
    this.#data = data
  }

  get tiles(): number {
    return this.#tiles
  }

  /** Row blocks come in ascending order. */
  add(rowBlock: number, block: TileBlock): void {
    for (let i = 0; i < block.tiles; i++) {
      if (this.#inChunk === CHUNK_TILES || rowBlock - this.#firstRow >= CHUNK_ROW_BLOCKS) this.#close()
      if (this.#inChunk === 0) this.#firstRow = rowBlock
      const slot = this.#inChunk++
      this.#bits.set(block.bits.subarray(TILE_WORDS * i, TILE_WORDS * (i + 1)), TILE_WORDS * slot)
      this.#index[INDEX_WORDS * slot] = block.columns[i]!
      this.#index[INDEX_WORDS * slot + 1] = block.summaryOf(i) | ((rowBlock - this.#firstRow) << INDEX_ROW_SHIFT)
      this.#lastRow = rowBlock
      this.#tiles++
    }
  }

  /** Writes the last chunk; returns the records of all. */
  finish(): Uint32Array {
    this.#close()
    return this.#records.subarray(0, CHUNK_RECORD_WORDS * this.#chunks)
  }

  #close(): void {
    const count = this.#inChunk
    if (count === 0) return
    this.#data.pushAll(this.#bits.subarray(0, TILE_WORDS * count))
    this.#data.pushAll(this.#index.subarray(0, INDEX_WORDS * count))
    for (let pad = (TILE_WORDS + INDEX_WORDS) * count; pad < chunkWords(count); pad++) this.#data.push(0)
    const at = CHUNK_RECORD_WORDS * this.#chunks++
    if (at === this.#records.length) {
      const records = new Uint32Array(2 * at)
      records.set(this.#records)
      this.#records = records
    }
    this.#records.set([(this.#tiles - count) >>> 0, count, this.#firstRow, this.#lastRow], at)
    this.#inChunk = 0
  }
}
