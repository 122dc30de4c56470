import { closeSync, fsyncSync, ftruncateSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { crc32 } from 'node:zlib'
import { asFailure } from '../../failure.ts'
import { writeFully } from '../../file-bytes.ts'
import type { ViewIdentity } from '../view-file.ts'
import { encodeViewHeader, viewSections } from '../view-file.ts'
import { asidePath } from '../../base/write-aside.ts'
import { bytesOf } from './bucket-tables.ts'
import { combineCrc32 } from './crc32-combine.ts'
import type { SlabOutput } from './view-task.ts'

const WORDS_PER_WRITE = 1 << 20

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
  readonly #identity: Omit<ViewIdentity, 'openTails'>
  readonly #aside: string

  /** @throws Failure (storage) */
  constructor(path: string, identity: Omit<ViewIdentity, 'openTails'>, pieces: number) {
    this.path = path
    this.#identity = identity
    this.#aside = asidePath(path)
    const sections = viewSections(identity)
    this.output = {
      path,
      file: createFile(this.#aside),
      headsAt: sections.heads.at,
      tailOffsetsAt: sections.tailOffsets.at,
      tailsAt: sections.tails.at,
      checksums: new Uint32Array(new SharedArrayBuffer(12 * pieces)),
    }
  }

  /**
   * Adds the last tail offset, what stands behind the front and the bits of the front where there are any, and the header; then renames.
   * @param tailsSum the CRC-32 of the tails where they do not follow one another as the pieces do
   * @throws Failure (storage)
   */
  finish(
    pieces: readonly PieceSizes[],
    openTails: number,
    behind: Uint32Array = new Uint32Array(0),
    frontBits: Uint32Array = new Uint32Array(0),
    tailsSum?: number,
  ): void {
    const { file, checksums } = this.output
    const { vertices, front, tailEntries } = this.#identity
    const sections = viewSections(this.#identity)
    const lastOffset = bytesOf(Uint32Array.of(tailEntries >>> 0))
    writeFully(file, lastOffset, sections.tailOffsets.at + 4 * (vertices - front), this.path)
    const sums = [0, 0, 0]
    pieces.forEach((piece, i) => {
      const words = [piece.heads, piece.tailOffsets, piece.tails]
      for (let slab = 0; slab < 3; slab++)
        sums[slab] = combineCrc32(sums[slab]!, checksums[3 * i + slab]!, 4 * words[slab]!)
    })
    sums[1] = crc32(lastOffset, sums[1])
    if (tailsSum !== undefined) sums[2] = tailsSum
    sums.push(this.#writeWords(behind, sections.behind.at), this.#writeWords(frontBits, sections.frontBits.at))
    const header = encodeViewHeader({ ...this.#identity, openTails }, sums)
    writeFully(file, header, 0, this.path)
    try {
      // Nothing may have been written at the end, behind a gap.
      ftruncateSync(file, sections.frontBits.at + sections.frontBits.bytes)
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

  #writeWords(words: Uint32Array, at: number): number {
    let crc = 0
    for (let first = 0; first < words.length; first += WORDS_PER_WRITE) {
      const bytes = bytesOf(words.subarray(first, first + WORDS_PER_WRITE))
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
