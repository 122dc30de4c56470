import type { EntryOutput } from '../../graph/entries.ts'
import type { GraphReader } from '../graph-reader.ts'
import type { PlainShape } from '../plain-lines.ts'
import type { ThreadPool } from './thread-pool.ts'
import type { ParsedPiece } from './piece-parser.ts'
import type { SpilledEntries } from './spilled-entries.ts'

interface Piece {
  readonly reader: GraphReader
  readonly output: EntryOutput
  readonly parsed: Promise<ParsedPiece>
}

/** A reader may change it with any line. */
function plainShape(reader: GraphReader): PlainShape | null {
  return reader.tookLines === undefined ? null : (reader.plainShape ?? null)
}

/**
 * Spreads text over threads, which parse ordinary lines; the reader gets the others in order, so that it counts
 * lines and finds the first fault.
 */
export class LineSpreader {
  readonly #pool: ThreadPool
  readonly #entries: SpilledEntries
  readonly #slots: Uint8Array<SharedArrayBuffer>[] = []
  readonly #tails: Promise<unknown>[]
  readonly #pieces: Piece[] = []
  readonly #slotBytes: number
  #sent = 0

  constructor(pool: ThreadPool, entries: SpilledEntries, slotBytes: number) {
    this.#pool = pool
    this.#entries = entries
    this.#slotBytes = slotBytes
    this.#tails = pool.threads.map(() => Promise.resolve())
  }

  get pieceBytes(): number {
    return this.#slotBytes
  }

  /** @returns false where the reader has to read these lines @throws Failure at a line of an earlier piece */
  async take(
    reader: GraphReader,
    output: EntryOutput,
    bytes: Uint8Array,
    start: number,
    end: number,
  ): Promise<boolean> {
    if (end - start > this.#slotBytes || plainShape(reader) === null) {
      await this.settle()
      return false
    }
    await this.#entries.openStores()
    const slots = 2 * this.#pool.threads.length + 1
    if (this.#pieces.length === slots) await this.#applyOldest()
    const shape = plainShape(reader)
    if (shape === null) return this.take(reader, output, bytes, start, end)
    const slot = (this.#slots[this.#sent % slots] ??= new Uint8Array(new SharedArrayBuffer(this.#slotBytes)))
    slot.set(bytes.subarray(start, end))
    const number = this.#sent++ % this.#pool.threads.length
    const thread = this.#pool.threads[number]!
    const task = { bytes: slot, length: end - start, shape }
    const parsed = this.#tails[number]!.then(() => thread.run('parse', task))
    // Met at this piece's turn.
    this.#tails[number] = parsed.catch(() => {})
    this.#pieces.push({ reader, output, parsed })
    return true
  }

  /** @throws Failure at the first line with a fault */
  async settle(): Promise<void> {
    while (this.#pieces.length > 0) await this.#applyOldest()
  }

  async #applyOldest(): Promise<void> {
    const { reader, output, parsed } = this.#pieces.shift()!
    readPiece(reader, output, await parsed)
  }
}

/** Counts ordinary lines of a piece and reads the others. @throws Failure (input) at the first line with a fault */
export function readPiece(
  reader: GraphReader,
  output: EntryOutput,
  { between, odd, oddEnds, entries }: Pick<ParsedPiece, 'between' | 'odd' | 'oddEnds' | 'entries'>,
): void {
  output.entries += entries
  let start = 0
  for (let i = 0; i < between.length; i += 2) {
    reader.tookLines?.(between[i]!, between[i + 1]!)
    if (odd === null || i / 2 === oddEnds.length) continue
    const end = oddEnds[i / 2]!
    reader.readLines(odd, start, end)
    start = end
  }
}
