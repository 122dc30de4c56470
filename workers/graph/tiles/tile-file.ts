import { CheckedFile } from '../../base/checked-file.ts'
import { readSums, SUMS_SUFFIX } from '../../base/sums.ts'
import { Failure } from '../../base/failure.ts'
import type { FileSection, SectionReader } from './tile-section.ts'
import { TILE_DAMAGE } from './tile-section.ts'
import type { TileOrder } from './tile-format.ts'
import { CELLS_PER_TILE, CHUNK_RECORD_WORDS, INDEX_WORDS, TILE_WORDS } from './tile-format.ts'

/**
 * The tiles of a graph on disk: 4096 bytes of JSON header padded with spaces, then sections of little-endian u32. Vertices stand
 * in the file's own order; `order` names the vertex at each position and is empty where that is the graph's order.
 */
const TILE_HEADER_BYTES = 4096
const FORMAT = 'anticlique tile view 1'

export interface TileHeader {
  readonly format: string
  /** SHA-256 of the canonical graph. */
  readonly graph: string
  readonly order: TileOrder
  readonly vertices: number
  readonly arcs: number
  readonly tiles: number
  /** Tiles that the graph's own order makes; for the effect of another one. */
  readonly naturalTiles: number
  readonly chunks: number
  readonly vertexAt: FileSection
  /** n + 1 places in `lists`, modulo 2^32: they never descend. */
  readonly listOffsets: FileSection
  /** The neighbours of each position, as positions, ascending. */
  readonly lists: FileSection
  /** The chunks one after another. */
  readonly data: FileSection
  /** A record a chunk; see tile-format.ts. */
  readonly records: FileSection
}

const tileSections = ['vertexAt', 'listOffsets', 'lists', 'data', 'records'] as const
export type TileSection = (typeof tileSections)[number]

/** What is known of a tile file before its tiles are counted. */
export type TileSizes = Pick<TileHeader, 'vertices' | 'arcs' | 'order'>

/** Where the sections whose size the graph alone tells lie, and where the chunks begin. */
export function fixedSections({ vertices, order }: TileSizes): Record<'vertexAt' | 'listOffsets' | 'lists', number> {
  const listOffsets = TILE_HEADER_BYTES + (order === 'none' ? 0 : 4 * vertices)
  return { vertexAt: TILE_HEADER_BYTES, listOffsets, lists: listOffsets + 4 * (vertices + 1) }
}

export const dataStart = (sizes: TileSizes): number => fixedSections(sizes).lists + 4 * sizes.arcs

export function encodeTileHeader(header: Omit<TileHeader, 'format'>): Uint8Array {
  return Buffer.from(JSON.stringify({ format: FORMAT, ...header }).padEnd(TILE_HEADER_BYTES))
}

/** How well tiles are filled and what they take; for plans, records and people. */
export interface TileStatistics {
  readonly tiles: number
  /** Arcs in a tile's 512 cells, on average. */
  readonly fill: number
  /** Bits and index words, a byte count. */
  readonly bytes: number
  readonly bytesPerCell: number
  /** Tiles that the graph's own order makes. */
  readonly naturalTiles: number
}

export function tileStatistics({ tiles, arcs, naturalTiles, data, records }: TileHeader): TileStatistics {
  const cells = tiles * CELLS_PER_TILE
  const bytes = data.bytes + records.bytes
  return {
    tiles,
    fill: tiles === 0 ? 0 : arcs / cells,
    bytes,
    bytesPerCell: tiles === 0 ? 0 : bytes / cells,
    naturalTiles,
  }
}

/** Small enough to stay in the processor's cache between verifying and copying. */
const SCRATCH_BYTES = 1 << 20

/** A tile file that is open; what is read of it was verified. */
export class TileFile {
  readonly header: TileHeader
  readonly kind = 'tiles' as const
  readonly #checked: CheckedFile
  #bytesRead = 0

  private constructor(checked: CheckedFile, header: TileHeader) {
    this.#checked = checked
    this.header = header
  }

  /** Opens a tile file of any graph and order; undefined where there is none, or none that is whole by its sums, header and length. */
  static open(path: string): TileFile | undefined {
    const checked = openChecked(path)
    if (checked === undefined) return undefined
    const header = readTileHeader(checked)
    if (header !== undefined && isWhole(header, checked.bytes)) return new TileFile(checked, header)
    checked.close()
    return undefined
  }

  get path(): string {
    return this.#checked.path
  }

  get bytesRead(): number {
    return this.#bytesRead
  }

  /** Reads `bytes.length` bytes at `at` of a section. @throws Failure (input) when they are damaged */
  read(section: Pick<FileSection, 'at'>, at: number, bytes: Uint8Array): void {
    this.#checked.read(section.at + at, bytes.length, bytes)
    this.#bytesRead += bytes.length
  }

  /** A reader of one section for memory that is slow to read back, mapped for a device. */
  checkedReader(section: Pick<FileSection, 'at'>): SectionReader {
    const scratch = new Uint8Array(SCRATCH_BYTES)
    return (at, bytes) => {
      for (let done = 0; done < bytes.length; done += SCRATCH_BYTES) {
        const part = scratch.subarray(0, Math.min(SCRATCH_BYTES, bytes.length - done))
        this.read(section, at + done, part)
        bytes.set(part, done)
      }
    }
  }

  /** The sections with checksums, for whoever reads everything. */
  get sections(): FileSection[] {
    return tileSections.map((name) => this.header[name])
  }

  /** A whole section in memory, checked. @throws Failure (input) when it is damaged */
  readWords(name: TileSection): Uint32Array {
    const section = this.header[name]
    const words = new Uint32Array(section.bytes / 4)
    this.read(section, 0, new Uint8Array(words.buffer))
    return words
  }

  close(): void {
    this.#checked.close()
  }
}

/** undefined where the file or its sums are not there, or do not belong together. */
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
    return JSON.parse(Buffer.from(checked.read(0, TILE_HEADER_BYTES)).toString('utf8')) as TileHeader
  } catch {
    return undefined
  }
}

/** Whether the header is one of ours, its sections follow one another as they must, and the file ends with the last one. */
function isWhole(header: TileHeader, fileBytes: number): boolean {
  if (header.format !== FORMAT || tileSections.some((name) => header[name] === undefined)) return false
  const { vertexAt, listOffsets, lists, data, records, tiles, chunks } = header
  const fixed = fixedSections(header)
  return (
    vertexAt.at === fixed.vertexAt &&
    listOffsets.at === fixed.listOffsets &&
    lists.at === fixed.lists &&
    data.at === dataStart(header) &&
    data.bytes >= 4 * (TILE_WORDS + INDEX_WORDS) * tiles &&
    records.at === data.at + data.bytes &&
    records.bytes === 4 * CHUNK_RECORD_WORDS * chunks &&
    fileBytes === records.at + records.bytes
  )
}
