import type { EntryBlock, EntryOutput } from '../../graph/entries.ts'
import type { YieldScheduler } from '../../threads/yield-scheduler.ts'
import type { GraphReader } from '../graph-reader.ts'
import { LabelTable } from '../label-table.ts'
import type { LineSink, ReadLines } from '../read-graph-file.ts'
import { memoryToBuild, sharesForCodes } from './memory-shares.ts'
import { SpilledEntries, type Scratch, type StoredEntries } from './spilled-entries.ts'
import type { PlainShape } from '../plain-lines.ts'
import type { ThreadPool } from './thread-pool.ts'
import type { ParsedPiece } from './piece-parser.ts'

interface ImportSinkOptions {
  readonly inMemoryBytes: number
  /** Called at most once between two calls of `clear`. */
  readonly openScratch: (entries: number, weighted: boolean, textBytes: number, vertices: number) => Scratch
  readonly closeScratch: () => Promise<void>
  /** Whether threads may parse lines out of order. */
  readonly spreads: boolean
}

/** Keeps entries in memory as long as they fit, else spills all to disk. */
export class ImportSink implements LineSink {
  readonly #options: ImportSinkOptions
  #blocks: EntryBlock[] = []
  #entries = 0
  #blockBytes = 0
  #spilled: SpilledEntries | null = null
  #spreader: LineSpreader | null = null
  #table: LabelTable | null = null

  constructor(options: ImportSinkOptions) {
    this.#options = options
  }

  newTable(): LabelTable {
    return (this.#table = new LabelTable())
  }

  accept(block: EntryBlock): void {
    if (this.#spilled !== null) return this.#spilled.accept(block)
    this.#blocks.push(block)
    this.#entries += block.count
    this.#blockBytes += block.from.length * (block.weights === null ? 8 : 12)
    if (this.#neededFor(2 * this.#entries) > this.#options.inMemoryBytes) this.#spill(block.weights !== null)
  }

  async spread(lines: ReadLines): Promise<boolean> {
    return this.#spreader !== null && this.#spreader.take(lines)
  }

  get spreadBytes(): number {
    return this.#spreader?.pieceBytes ?? Infinity
  }

  async settle(): Promise<void> {
    await this.#spreader?.settle()
  }

  async betweenLines(drain: () => Promise<void>): Promise<void> {
    const isFull =
      this.#spilled === null ? (this.#table?.usedBytes ?? 0) > this.#options.inMemoryBytes : this.#spilled.isFull
    if (!isFull) return
    await drain()
    this.#spilled?.endEpoch()
  }

  async clear(): Promise<void> {
    this.close()
    this.#takeBlocks()
    this.#spilled = this.#spreader = this.#table = null
    await this.#options.closeScratch()
  }

  close(): void {
    this.#spilled?.close()
  }

  /** A graph of many vertices may not fit, however few entries it has. */
  spillFor(vertices: number, weighted: boolean): void {
    if (this.#spilled === null && this.#neededFor(vertices) > this.#options.inMemoryBytes)
      this.#spill(weighted, vertices)
  }

  /** null: they are in memory. */
  async finish(scheduler: YieldScheduler): Promise<StoredEntries | null> {
    return this.#spilled === null ? null : this.#spilled.finish(scheduler)
  }

  async keep({ folder, shares, pool }: Scratch, weighted: boolean, scheduler: YieldScheduler): Promise<StoredEntries> {
    const kept = { folder, pool, shares: sharesForCodes(shares, this.#blocks, this.#entries) }
    const spilled = new SpilledEntries(kept, weighted, this.#table)
    const blocks = this.#takeBlocks().reverse()
    for (let block = blocks.pop(); block !== undefined; block = blocks.pop()) {
      spilled.accept(block)
      await scheduler.yield({ phase: 'labels', done: 0, unit: 'vertices' })
    }
    return spilled.finish(scheduler)
  }

  #neededFor(vertices: number): number {
    return this.#blockBytes + memoryToBuild(this.#entries, vertices) + (this.#table?.usedBytes ?? 0)
  }

  #takeBlocks(): EntryBlock[] {
    const blocks = this.#blocks
    this.#blocks = []
    this.#entries = this.#blockBytes = 0
    return blocks
  }

  #spill(weighted: boolean, vertices = 0): void {
    const scratch = this.#options.openScratch(this.#entries, weighted, this.#table?.usedBytes ?? 0, vertices)
    const spilled = new SpilledEntries(scratch, weighted, this.#table)
    this.#spilled = spilled
    for (const block of this.#takeBlocks()) spilled.accept(block)
    if (this.#options.spreads && this.#table === null && scratch.pool.threads.length > 1)
      this.#spreader = new LineSpreader(scratch.pool, spilled, scratch.shares.pieceBytes)
  }
}

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
 * Threads parse ordinary lines; the reader gets the others in order, so that it counts lines and finds the first fault.
 */
class LineSpreader {
  readonly #pool: ThreadPool
  readonly #entries: SpilledEntries
  readonly #slots: Uint8Array<SharedArrayBuffer>[] = []
  readonly #pieces: Piece[] = []
  readonly pieceBytes: number
  #sent = 0

  constructor(pool: ThreadPool, entries: SpilledEntries, pieceBytes: number) {
    this.#pool = pool
    this.#entries = entries
    this.pieceBytes = pieceBytes
  }

  /** @returns false: the reader has to @throws Failure at a line of an earlier piece */
  async take(lines: ReadLines): Promise<boolean> {
    const { reader, output, bytes, start, end } = lines
    if (end - start > this.pieceBytes || plainShape(reader) === null) {
      await this.settle()
      return false
    }
    await this.#entries.openStores()
    const slots = 2 * this.#pool.threads.length + 1
    if (this.#pieces.length === slots) await this.#applyOldest()
    const shape = plainShape(reader)
    if (shape === null) return this.take(lines)
    const slot = (this.#slots[this.#sent++ % slots] ??= new Uint8Array(new SharedArrayBuffer(this.pieceBytes)))
    slot.set(bytes.subarray(start, end))
    const parsed = this.#pool.run('store', 'parse', { bytes: slot, length: end - start, shape })
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

/** @throws Failure (input) at the first line with a fault */
export function readPiece(
  reader: GraphReader,
  output: EntryOutput,
  { between, odd, oddEnds, entries }: ParsedPiece,
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
