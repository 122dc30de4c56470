import { CheckedFile, type DamageWords } from '../../base/checked-file.ts'
import { Failure } from '../../base/failure.ts'
import { readSums, SUMS_SUFFIX } from '../../base/sums.ts'

/**
 * The adjacency matrix in tiles of 16 rows by 32 columns of bits, only those that hold an arc, ascending by row block, then by
 * column, in chunks of 64: first four words for each tile (its row block, its column of tiles, the columns and the rows of it
 * that hold an arc, which is enough to skip most tiles), then 16 words for each, word r holding row r and bit c of it column c.
 * The last chunk is filled up with zeros.
 */
export const TILE_ROWS = 16
export const TILE_COLUMNS = 32
export const TILE_WORDS = 16
export const INDEX_WORDS = 4
export const CHUNK_TILES = 64
export const CHUNK_WORDS = (TILE_WORDS + INDEX_WORDS) * CHUNK_TILES
export const CHUNK_BYTES = 4 * CHUNK_WORDS

export const chunksOf = (tiles: number): number => Math.ceil(tiles / CHUNK_TILES)
export const columnsOfTiles = (vertices: number): number => Math.ceil(vertices / TILE_COLUMNS)
export const rowBlocks = (vertices: number): number => Math.ceil(vertices / TILE_ROWS)

/** On disk: 4096 bytes of JSON padded with spaces, then the chunks, little-endian. */
export const TILE_HEADER_BYTES = 4096
const FORMAT = 'anticlique tiles 3'

export interface TileHeader {
  readonly format: string
  /** Of the canonical graph. */
  readonly graph: string
  readonly vertices: number
  readonly arcs: number
  readonly tiles: number
}

export function encodeTileHeader(header: Omit<TileHeader, 'format'>): Uint8Array {
  return Buffer.from(JSON.stringify({ format: FORMAT, ...header }).padEnd(TILE_HEADER_BYTES))
}

export const tileFileBytes = (tiles: number): number => TILE_HEADER_BYTES + CHUNK_BYTES * chunksOf(tiles)

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

  /** Of the chunks, into memory that may be slow to read back. @throws Failure (input) when they are damaged */
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
