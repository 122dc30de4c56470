import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { crc32 } from 'node:zlib'
import { asFailure } from '../../failure.ts'
import type { ViewIdentity } from '../view-file.ts'
import { asidePath, encodeViewHeader, viewSections } from '../view-file.ts'
import { bytesOf, writeFully } from './bucket-tables.ts'
import { combineCrc32 } from './crc32-combine.ts'
import type { SlabOutput } from './view-task.ts'

const POSITIONS_PER_WRITE = 1 << 20

/** How many words a piece wrote to each of its three slabs. */
export interface PieceSizes {
  readonly heads: number
  readonly tailOffsets: number
  readonly tails: number
}

/** A view that is written in pieces, by several threads, and gets its name when it is whole. */
export class SlabFile {
  readonly path: string
  readonly output: SlabOutput
  readonly #identity: ViewIdentity
  readonly #aside: string

  /** @throws Failure (storage) */
  constructor(path: string, identity: ViewIdentity, pieces: number) {
    this.path = path
    this.#identity = identity
    this.#aside = asidePath(path)
    const { kind, vertices, tailEntries } = identity
    const sections = viewSections(kind, vertices, tailEntries, [0, 0, 0, 0])
    this.output = {
      path,
      file: createFile(this.#aside),
      headsAt: sections.heads.at,
      tailOffsetsAt: sections.tailOffsets.at,
      tailsAt: sections.tails.at,
      checksums: new Uint32Array(new SharedArrayBuffer(12 * pieces)),
    }
  }

  /** Adds the last tail offset, the positions where there are any, and the header; then renames. @throws Failure (storage) */
  finish(pieces: readonly PieceSizes[], positions: Uint32Array): void {
    const { file, checksums } = this.output
    const { kind, vertices, tailEntries } = this.#identity
    const sections = viewSections(kind, vertices, tailEntries, [0, 0, 0, 0])
    const lastOffset = bytesOf(Uint32Array.of(tailEntries >>> 0))
    writeFully(file, lastOffset, sections.tailOffsets.at + 4 * vertices, this.path)
    const sums = [0, 0, 0]
    pieces.forEach((piece, i) => {
      const words = [piece.heads, piece.tailOffsets, piece.tails]
      for (let slab = 0; slab < 3; slab++)
        sums[slab] = combineCrc32(sums[slab]!, checksums[3 * i + slab]!, 4 * words[slab]!)
    })
    sums[1] = crc32(lastOffset, sums[1])
    const header = encodeViewHeader(this.#identity, [...sums, this.#writePositions(positions, sections.positions.at)])
    writeFully(file, header, 0, this.path)
    try {
      fsyncSync(file)
      renameSync(this.#aside, this.path)
    } catch (error) {
      throw asFailure(error, this.path)
    }
  }

  /** Needed in every case; what has no name by then is removed. */
  close(): void {
    closeSync(this.output.file)
    rmSync(this.#aside, { force: true })
  }

  #writePositions(positions: Uint32Array, at: number): number {
    let crc = 0
    for (let first = 0; first < positions.length; first += POSITIONS_PER_WRITE) {
      const bytes = bytesOf(positions.subarray(first, first + POSITIONS_PER_WRITE))
      crc = crc32(bytes, crc)
      writeFully(this.output.file, bytes, at + 4 * first, this.path)
    }
    return crc
  }
}

/** A scratch file beside `path`, gone when it is closed. */
export class ScratchFile {
  readonly path: string
  readonly file: number

  constructor(path: string) {
    this.path = asidePath(`${path}.scratch`)
    this.file = createFile(this.path)
  }

  close(): void {
    closeSync(this.file)
    rmSync(this.path, { force: true })
  }
}

function createFile(path: string): number {
  try {
    mkdirSync(dirname(path), { recursive: true })
    const file = openSync(path, 'wx+')
    writeSync(file, new Uint8Array(0))
    return file
  } catch (error) {
    throw asFailure(error, path)
  }
}
