/**
 * Gives pieces of a text to threads, which parse ordinary lines; the reader gets the others in the order of the file, so that it counts lines and
 * finds the first fault as if it were alone. A reader may change the shape of lines with any line.
 */

import type { EntryOutput } from '../../graph/entries.ts'
import type { ParseTask } from '../build/entry-store.ts'
import type { ThreadPool } from '../build/import-threads.ts'
import type { GraphReader } from '../reader/graph-reader.ts'
import type { MemoryShares } from '../reader/import-resources.ts'
import { type ParsedPiece, type PlainShape, readPiece, sharedSlots } from '../reader/plain-lines.ts'
import type { ReadLines } from '../reading/read-graph-file.ts'

interface Piece<P> {
  readonly reader: GraphReader
  readonly output: EntryOutput
  readonly parsed: Promise<P>
}

/** The shape of ordinary lines from here on; null where the reader has to parse all. */
export function ordinaryShape(reader: GraphReader): PlainShape | null {
  return reader.tookLines === undefined ? null : (reader.plainShape ?? null)
}

export class LineSpreader<P extends ParsedPiece> {
  readonly #parse: (task: ParseTask) => Promise<P>
  readonly #pieceBytes: number
  readonly #took: (piece: P) => void
  readonly #most: number
  readonly #hold: ReturnType<typeof sharedSlots>
  readonly #pieces: Piece<P>[] = []

  /** @param parse runs in one of the threads @param took called in the order of the file */
  constructor(
    pool: ThreadPool,
    { pieceBytes }: MemoryShares,
    parse: (task: ParseTask) => Promise<P>,
    took: (piece: P) => void,
  ) {
    this.#parse = parse
    this.#pieceBytes = pieceBytes
    this.#most = 2 * pool.threads.length + 1
    this.#hold = sharedSlots(this.#most, pieceBytes)
    this.#took = took
  }

  /** @returns false: the reader has to @throws Failure at a line of an earlier piece */
  async take({ reader, output, bytes, start, end }: ReadLines): Promise<boolean> {
    if (this.#pieces.length === this.#most) await this.#applyOldest()
    const shape = ordinaryShape(reader)
    if (end - start > this.#pieceBytes || shape === null) {
      await this.settle()
      return false
    }
    const parsed = this.#parse({ bytes: this.#hold(bytes.subarray(start, end)), shape })
    this.#pieces.push({ reader, output, parsed })
    return true
  }

  /** @throws Failure at the first line with a fault */
  async settle(): Promise<void> {
    while (this.#pieces.length > 0) await this.#applyOldest()
  }

  async #applyOldest(): Promise<void> {
    const { reader, output, parsed } = this.#pieces.shift()!
    const piece = await parsed
    readPiece(reader, output, piece)
    this.#took(piece)
  }
}
