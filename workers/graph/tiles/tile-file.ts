/**
 * The adjacency matrix in tiles of 16 rows by 32 columns of bits, only those that hold an arc, ascending by row block, then by column, in chunks
 * of 64: first four words for each tile (its row block, its column of tiles, the columns and the rows of it that hold an arc, which is enough to
 * skip most tiles), then 16 words for each, word r holding row r and bit c of it column c. The last chunk is filled up with zeros. Built in one
 * pass and kept beside the dataset for TC-MIS (algorithms/tc-mis).
 */

import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { CheckedFile, type DamageWords } from '../../base/checked-file.ts'
import { Failure } from '../../base/failure.ts'
import { writeFully } from '../../base/file-bytes.ts'
import type { JobContext } from '../../base/job.ts'
import { fillAside, sweepAsides } from '../../base/output-file.ts'
import { finishSums, readSums, SUMS_SUFFIX, SumsBuilder } from '../../base/sums.ts'
import { TILES_FOLDER } from '../../contract/jobs.ts'
import type { GaloisGr } from '../galois-gr.ts'
import { bareLists } from '../scan-lists.ts'

export const TILE_ROWS = 16
export const TILE_COLUMNS = 32
export const TILE_WORDS = 16
export const INDEX_WORDS = 4
export const CHUNK_TILES = 64
export const CHUNK_WORDS = (TILE_WORDS + INDEX_WORDS) * CHUNK_TILES
export const TILE_CHUNK_BYTES = 4 * CHUNK_WORDS

export const tileChunks = (tiles: number): number => Math.ceil(tiles / CHUNK_TILES)
export const columnsOfTiles = (vertices: number): number => Math.ceil(vertices / TILE_COLUMNS)
export const rowBlocks = (vertices: number): number => Math.ceil(vertices / TILE_ROWS)

/** The header on disk: 4096 bytes of JSON padded with spaces, then the chunks, little-endian. */
const TILE_HEADER_BYTES = 4096
const FORMAT = 'anticlique tiles 3'

export interface TileHeader {
  readonly format: string
  /** The identity of the canonical graph. */
  readonly graph: string
  readonly vertices: number
  readonly arcs: number
  readonly tiles: number
}

function encodeTileHeader(header: Omit<TileHeader, 'format'>): Uint8Array {
  return Buffer.from(JSON.stringify({ format: FORMAT, ...header }).padEnd(TILE_HEADER_BYTES))
}

export const tileFileBytes = (tiles: number): number => TILE_HEADER_BYTES + TILE_CHUNK_BYTES * tileChunks(tiles)

const TILE_DAMAGE: DamageWords = {
  what: 'the file of tiles is damaged',
  remedy: 'Delete this file; the next run that needs it builds it again.',
}

export function areDamagedTiles(error: unknown): error is Failure & { readonly where: string } {
  return error instanceof Failure && error.what.startsWith(TILE_DAMAGE.what) && error.where !== undefined
}

const SCRATCH_BYTES = 1 << 20

export class TileFile {
  readonly header: TileHeader
  bytesRead = 0
  readonly #checked: CheckedFile
  readonly #scratch = new Uint8Array(SCRATCH_BYTES)

  private constructor(checked: CheckedFile, header: TileHeader) {
    this.#checked = checked
    this.header = header
  }

  /** undefined where there is no file, or not whole by its sums, header and length. */
  static open(path: string, checksum: string): TileFile | undefined {
    const checked = openChecked(path)
    if (checked === undefined) return undefined
    const header = readTileHeader(checked)
    if (header?.format === FORMAT && header.graph === checksum && checked.bytes === tileFileBytes(header.tiles))
      return new TileFile(checked, header)
    checked.close()
    return undefined
  }

  /** Reads chunks into memory that may be slow to read back. @throws Failure (input) when they are damaged */
  read(at: number, bytes: Uint8Array): void {
    for (let done = 0; done < bytes.length; done += SCRATCH_BYTES) {
      const part = this.#scratch.subarray(0, Math.min(SCRATCH_BYTES, bytes.length - done))
      this.#checked.readInto(TILE_HEADER_BYTES + at + done, part)
      bytes.set(part, done)
    }
    this.bytesRead += bytes.length
  }

  close(): void {
    this.#checked.close()
  }
}

/** undefined where the file or its sums are missing, or do not belong together. */
function openChecked(path: string): CheckedFile | undefined {
  try {
    const sums = readSums(`${path}${SUMS_SUFFIX}`)
    return sums === null ? undefined : CheckedFile.open(path, sums, TILE_DAMAGE)
  } catch (error) {
    if (error instanceof Failure && error.code === 'input') return undefined
    throw error
  }
}

function readTileHeader(checked: CheckedFile): TileHeader | undefined {
  if (checked.bytes < TILE_HEADER_BYTES) return undefined
  try {
    return JSON.parse(checked.read(0, TILE_HEADER_BYTES).toString('utf8')) as TileHeader
  } catch {
    return undefined
  }
}

export interface TilesPlace {
  readonly folder: string
  readonly checksum: string
}

export interface PreparedTiles {
  readonly tileFile: TileFile
  readonly buildMs: number
}

/** Builds them where they are missing, or of another graph. */
export function prepareTiles(place: TilesPlace, graph: GaloisGr, job: JobContext): PreparedTiles {
  const stored = openTiles(place)
  if (stored !== undefined) return { tileFile: stored, buildMs: 0 }
  const startMs = performance.now()
  const path = tilesPath(place)
  sweepTiles(place)
  buildTiles(graph, path, place.checksum, job)
  const tileFile = openTiles(place)
  if (tileFile === undefined) throw new Error(`${path} is not the tiles that were written there`)
  return { tileFile, buildMs: performance.now() - startMs }
}

export const openTiles = (place: TilesPlace): TileFile | undefined => TileFile.open(tilesPath(place), place.checksum)

const tilesPath = ({ folder }: TilesPlace): string => join(folder, TILES_FOLDER, TILES_FILE)

const TILES_FILE = 'graph.tiles'

/** Removes tiles of killed programs and of earlier versions. */
function sweepTiles({ folder }: TilesPlace): void {
  const tiles = join(folder, TILES_FOLDER)
  if (!existsSync(tiles)) return
  sweepAsides(tiles)
  for (const name of readdirSync(tiles))
    if (!name.startsWith(TILES_FILE) && !name.includes('.partial-')) rmSync(join(tiles, name), { force: true })
}

const STREAM_BYTES = 16 << 20
const CHUNKS_PER_WRITE = 256

/** A slot for each column of tiles, and the tiles of one row block. */
export const tileBuildBytes = (vertices: number): number => STREAM_BYTES + 8 * columnsOfTiles(vertices)

/** Writes all tiles in one pass. @throws Failure (storage); (cancelled) */
function buildTiles(graph: GaloisGr, path: string, checksum: string, job: JobContext): void {
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

/** The tiles of 16 vertices; reused. */
class RowBlock {
  /** -1: none yet. */
  readonly #slots: Int32Array
  #columns: number[] = []
  #bits = new Uint32Array(64 * TILE_WORDS)

  constructor(vertices: number) {
    this.#slots = new Int32Array(columnsOfTiles(vertices)).fill(-1)
  }

  /** @param row 0 to 15 */
  add(row: number, neighbours: Uint32Array): void {
    for (let i = 0; i < neighbours.length; i++) {
      const target = neighbours[i]!
      const column = target >>> 5
      if (this.#slots[column] === -1) this.#slots[column] = this.#open(column)
      this.#bits[TILE_WORDS * this.#slots[column]! + row]! |= 1 << (target & 31)
    }
  }

  /** Ascending by column; empties itself. */
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
