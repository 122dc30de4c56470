import type { EntryBlock, EntryOutput } from '../../graph/entries.ts'
import { EntryCollector } from '../entry-collector.ts'
import type { GraphReader } from '../graph-reader.ts'
import { LabelTable } from '../label-table.ts'
import type { LineSink } from '../read-graph-file.ts'
import { LineSpreader } from './line-spreader.ts'
import { SpilledEntries, type Scratch } from './spilled-entries.ts'

interface ImportSinkOptions {
  /** Entries that fit in so much memory, the building of their graph included, never go to disk. */
  readonly inMemoryBytes: number
  /** Opens a scratch when they do not; called at most once between two calls of `clear`. */
  readonly openScratch: (entries: number, weighted: boolean, textBytes: number, vertices: number) => Scratch
  /** Gives the scratch up. */
  readonly closeScratch: () => Promise<void>
  /** Whether lines may be parsed out of their order, by several threads. */
  readonly spreads: boolean
}

/** Where the entries of an import go: into memory as long as they fit, else all of them to disk. */
export class ImportSink implements LineSink {
  readonly collector = new EntryCollector()
  readonly #options: ImportSinkOptions
  #spilled: SpilledEntries | null = null
  #spreader: LineSpreader | null = null
  #table: LabelTable | null = null

  constructor(options: ImportSinkOptions) {
    this.#options = options
  }

  /** The entries on disk; null while all are in memory. */
  get spilled(): SpilledEntries | null {
    return this.#spilled
  }

  /** A table for texts that may be emptied when it gets large (`betweenLines`). */
  newTable(): LabelTable {
    return (this.#table = new LabelTable())
  }

  /** Whether this is the sink's own table, whose numbers hold for one epoch. */
  ownsTable(table: LabelTable): boolean {
    return table === this.#table
  }

  accept(block: EntryBlock): void {
    if (this.#spilled !== null) return this.#spilled.accept(block)
    this.collector.accept(block)
    if (this.#usedBytes > this.#options.inMemoryBytes) this.#spill(block.weights !== null)
  }

  /** Has whole lines parsed by other threads; false where the reader has to read them itself. */
  async spread(
    reader: GraphReader,
    output: EntryOutput,
    bytes: Uint8Array,
    start: number,
    end: number,
  ): Promise<boolean> {
    return this.#spreader !== null && this.#spreader.take(reader, output, bytes, start, end)
  }

  /** Most bytes for one call of `spread`. */
  get spreadBytes(): number {
    return this.#spreader?.pieceBytes ?? Infinity
  }

  /** Waits for what was spread. */
  async settle(): Promise<void> {
    await this.#spreader?.settle()
  }

  /** To be called between lines: where the table of texts has grown too large, empties it. */
  async betweenLines(drain: () => Promise<void>): Promise<void> {
    const isFull =
      this.#spilled === null ? (this.#table?.usedBytes ?? 0) > this.#options.inMemoryBytes : this.#spilled.isFull
    if (!isFull) return
    await drain()
    this.#spilled?.endEpoch()
  }

  async clear(): Promise<void> {
    this.close()
    this.collector.clear()
    this.#spilled = this.#spreader = this.#table = null
    await this.#options.closeScratch()
  }

  close(): void {
    this.#spilled?.close()
  }

  get #usedBytes(): number {
    return this.collector.neededFor(2 * this.collector.entries) + (this.#table?.usedBytes ?? 0)
  }

  /** To be called when all entries have come: a graph of so many vertices may not fit, however few entries it has. */
  spillFor(vertices: number, weighted: boolean): void {
    const bytes = this.collector.neededFor(vertices)
    if (this.#spilled === null && bytes > this.#options.inMemoryBytes) this.#spill(weighted, vertices)
  }

  #spill(weighted: boolean, vertices = 0): void {
    const { entries } = this.collector
    const scratch = this.#options.openScratch(entries, weighted, this.#table?.usedBytes ?? 0, vertices)
    const spilled = new SpilledEntries(scratch, weighted, this.#table)
    this.#spilled = spilled
    for (const block of this.collector.takeBlocks()) spilled.accept(block)
    if (this.#options.spreads && this.#table === null && scratch.pool.threads.length > 1)
      this.#spreader = new LineSpreader(scratch.pool, spilled, scratch.shares.pieceBytes)
  }
}
