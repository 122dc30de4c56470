import { crc32 } from 'node:zlib'
import { writeFully } from '../../file-bytes.ts'
import { HEAD_WIDTH, NO_ENTRY } from '../oriented-view.ts'
import { levelStart, levelsOf } from '../view-levels.ts'
import { bytesOf } from './bucket-tables.ts'
import { WordStream } from './slab-writer.ts'
import type { ListWriter } from './slab-writer.ts'
import type { LevelOutput, SlabOutput } from './view-task.ts'

/** A piece of a view in levels: its number, its first vertex, and where the tail of this begins when they follow one another. */
export interface LevelPiece {
  readonly output: SlabOutput
  readonly levels: LevelOutput
  readonly piece: number
  readonly first: number
  readonly firstTail: number
}

/** Writes the lists of consecutive vertices into a view in levels: their tails are gathered by region, and each region is written at once. */
export class LevelWriter implements ListWriter {
  readonly #of: LevelPiece
  readonly #heads: WordStream
  readonly #offsets: WordStream
  readonly #tails: Uint32Array
  /** Where the next entries of each region go in `#tails`. */
  readonly #cursors: Float64Array
  #vertex: number
  #tailAt: number

  /** @param tails room for all tails of the piece */
  constructor(of: LevelPiece, room: Uint32Array, tails: Uint32Array) {
    const { output, first, firstTail, piece, levels } = of
    const part = Math.floor(room.length / 2)
    this.#of = of
    this.#heads = new WordStream(output, room.subarray(0, part), output.headsAt + 4 * HEAD_WIDTH * first)
    this.#offsets = new WordStream(output, room.subarray(part), output.tailOffsetsAt + 4 * first)
    this.#tails = tails
    this.#vertex = first
    this.#tailAt = firstTail
    this.#cursors = new Float64Array(levels.regions)
    let at = 0
    for (let region = 0; region < levels.regions; region++) {
      this.#cursors[region] = at
      at += levels.sizes[piece * levels.regions + region]!
    }
  }

  add(list: Uint32Array, start: number, count: number): void {
    const { firsts, regions } = this.#of.levels
    this.#offsets.push(this.#tailAt >>> 0)
    for (let i = 0; i < HEAD_WIDTH; i++) this.#heads.push(i < count ? list[start + i]! : NO_ENTRY)
    const vertex = this.#vertex++
    if (count <= HEAD_WIDTH) return
    const tail = count - HEAD_WIDTH
    this.#tailAt += tail
    const from = start + HEAD_WIDTH
    if (firsts[firsts[vertex]!] === vertex) return this.#put(regions - 1, list, from, tail)
    for (let level = 0, levels = levelsOf(tail); level < levels; level++) {
      const first = levelStart(level)
      this.#put(level, list, from + first, Math.min(tail, levelStart(level + 1)) - first)
    }
  }

  finish(piece: number): void {
    const { output, levels } = this.#of
    for (const [slab, stream] of [this.#heads, this.#offsets].entries()) {
      stream.flush()
      output.checksums[3 * piece + slab] = stream.crc
    }
    for (let region = 0; region < levels.regions; region++) {
      const at = piece * levels.regions + region
      const end = this.#cursors[region]!
      const bytes = bytesOf(this.#tails.subarray(end - levels.sizes[at]!, end))
      levels.checksums[at] = crc32(bytes)
      writeFully(output.file, bytes, output.tailsAt + 4 * levels.starts[at]!, output.path)
    }
  }

  #put(region: number, list: Uint32Array, start: number, count: number): void {
    const at = this.#cursors[region]!
    const tails = this.#tails
    for (let i = 0; i < count; i++) tails[at + i] = list[start + i]!
    this.#cursors[region] = at + count
  }
}
