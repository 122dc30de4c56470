import { CheckedFile } from '../../base/checked-file.ts'
import { readSums, SUMS_SUFFIX } from '../../base/sums.ts'
import { Failure } from '../../base/failure.ts'
import type { FileSection, SectionReader } from './tile-section.ts'
import { TILE_DAMAGE } from './tile-section.ts'
import { CELLS_PER_TILE, CHUNK_RECORD_WORDS, INDEX_WORDS, TILE_WORDS } from './tile-format.ts'

/**
 * The tiles of a graph on disk: 4096 bytes of JSON header padded with spaces, then sections of little-endian u32.
 */
export const TILE_HEADER_BYTES = 4096
const FORMAT = 'anticlique tiles 2'

export interface TileHeader {
  readonly format: string
  /** SHA-256 of the canonical graph. */
  readonly graph: string
  readonly vertices: number
  readonly arcs: number
  readonly tiles: number
  readonly chunks: number
  /** The chunks one after another. */
  readonly data: FileSection
  /** A record a chunk; see tile-format.ts. */
  readonly records: FileSection
}

const tileSections = ['data', 'records'] as const
export type TileSection = (typeof tileSections)[number]

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
}

export function tileStatistics({ tiles, arcs, data, records }: TileHeader): TileStatistics {
  const cells = tiles * CELLS_PER_TILE
  const bytes = data.bytes + records.bytes
  return {
    tiles,
    fill: tiles === 0 ? 0 : arcs / cells,
    bytes,
    bytesPerCell: tiles === 0 ? 0 : bytes / cells,
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

  /** Opens a tile file of any graph; undefined where there is none, or none that is whole by its sums, header and length. */
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

  /** The sections with checksums, for a reader of everything. */
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
  const { data, records, tiles, chunks } = header
  return (
    data.at === TILE_HEADER_BYTES &&
    data.bytes >= 4 * (TILE_WORDS + INDEX_WORDS) * tiles &&
    records.at === data.at + data.bytes &&
    records.bytes === 4 * CHUNK_RECORD_WORDS * chunks &&
    fileBytes === records.at + records.bytes
  )
}
