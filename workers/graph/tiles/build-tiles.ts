import { writeFully } from '../../base/file-bytes.ts'
import type { JobContext } from '../../base/job.ts'
import { finishSums, SumsBuilder } from '../../base/sums.ts'
import { fillAside } from '../../base/output-file.ts'
import type { GaloisGr } from '../galois-gr.ts'
import { bareLists } from '../weighed-lists.ts'
import { RowBlock } from './row-block.ts'
import { TILE_HEADER_BYTES, encodeTileHeader } from './tile-file.ts'
import { CHUNK_TILES, CHUNK_WORDS, INDEX_WORDS, TILE_ROWS, TILE_WORDS, columnsOfTiles } from './tile-format.ts'

/** What one pass over the lists has at hand. */
const STREAM_BYTES = 16 << 20
const CHUNKS_PER_WRITE = 256

/** Host memory for building: a slot for each column of tiles, and the tiles of one row block. */
export const tileBuildBytes = (vertices: number): number => STREAM_BYTES + 8 * columnsOfTiles(vertices)

/**
 * Builds the tiles of a graph, row block by row block, in one pass over its lists.
 * @param checksum of the graph
 * @throws Failure (storage); (cancelled)
 */
export function buildTiles(graph: GaloisGr, path: string, checksum: string, job: JobContext): void {
  const { vertices, arcs } = graph
  const sums = new SumsBuilder()
  fillAside(path, (file) => {
    const writer = new TileWriter((bytes, at) => {
      writeFully(file, bytes, TILE_HEADER_BYTES + at, path)
      sums.add(TILE_HEADER_BYTES + at, bytes)
    })
    const block = new RowBlock(vertices)
    for (const { v, neighbours } of bareLists(graph, false, 'cut tiles', job)) {
      block.add(v % TILE_ROWS, neighbours)
      if (v % TILE_ROWS < TILE_ROWS - 1 && v < vertices - 1) continue
      block.take((column, bits) => writer.push(Math.floor(v / TILE_ROWS), column, bits))
    }
    writer.finish()
    writeFully(file, encodeTileHeader({ graph: checksum, vertices, arcs, tiles: writer.tiles }), 0, path)
  })
  finishSums(path, sums)
}

/** Gathers tiles into chunks, and writes many of these at once. */
class TileWriter {
  tiles = 0
  readonly #write: (bytes: Uint8Array, at: number) => void
  readonly #chunks = new Uint32Array(CHUNKS_PER_WRITE * CHUNK_WORDS)
  #writtenBytes = 0

  constructor(write: (bytes: Uint8Array, at: number) => void) {
    this.#write = write
  }

  push(rowBlock: number, column: number, bits: Uint32Array): void {
    const place = this.tiles % CHUNK_TILES
    const chunk = (Math.floor(this.tiles / CHUNK_TILES) % CHUNKS_PER_WRITE) * CHUNK_WORDS
    let columns = 0
    let rows = 0
    for (let row = 0; row < TILE_ROWS; row++) {
      columns |= bits[row]!
      if (bits[row] !== 0) rows |= 1 << row
    }
    this.#chunks.set([rowBlock, column, columns, rows], chunk + INDEX_WORDS * place)
    this.#chunks.set(bits, chunk + INDEX_WORDS * CHUNK_TILES + TILE_WORDS * place)
    if (++this.tiles % (CHUNKS_PER_WRITE * CHUNK_TILES) === 0) this.#flush(CHUNKS_PER_WRITE)
  }

  /** Writes what is left. */
  finish(): void {
    this.#flush(Math.ceil(this.tiles / CHUNK_TILES) % CHUNKS_PER_WRITE)
  }

  #flush(chunks: number): void {
    if (chunks === 0) return
    const bytes = new Uint8Array(this.#chunks.buffer, 0, 4 * CHUNK_WORDS * chunks)
    this.#write(bytes, this.#writtenBytes)
    this.#writtenBytes += bytes.length
    this.#chunks.fill(0)
  }
}
