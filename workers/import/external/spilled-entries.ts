/**
 * Takes entries and lines of a reader to scratch files: threads parse ordinary lines, the reader gets the others in order, so that it counts
 * lines and finds the first fault as if it were alone. A reader may change the shape of lines with any line. Memory is shared out between
 * parsing and codes. entry-store.ts writes, line-spreader.ts gives lines to threads.
 */

import { join } from 'node:path'
import { type JobContext, YieldScheduler } from '../../base/job.ts'
import type { EntryBlock } from '../../graph/entries.ts'
import { LabelTable } from '../reader/input-ids.ts'
import type { ParsedPiece } from '../reader/plain-lines.ts'
import type { SharedKeys } from '../reader/weight-codes.ts'
import type { LineSink, ReadLines } from '../reading/read-graph-file.ts'
import type { ThreadPool } from '../build/import-threads.ts'
import { EntryStore, IntegerCodes, type ParseTask, TextCodes } from '../build/entry-store.ts'
import type { StoredEntries } from '../build/entry-source.ts'
import { ScratchFiles } from '../build/scratch-file.ts'
import type { MemoryShares } from '../reader/import-resources.ts'
import { bytesOf } from '../../base/words.ts'
import { LineSpreader, ordinaryShape } from './line-spreader.ts'

/** The folder of a graph that is built through the disk. */
export interface Scratch {
  readonly folder: string
  /** The folder in which the graph is made. */
  readonly dataset: string
  readonly shares: MemoryShares
  readonly pool: ThreadPool
  /** Does what an interrupted import has not done; what it gives is plain JSON. */
  readonly stage: <T>(name: string, work: () => Promise<T>) => Promise<T>
}

interface SpillOptions {
  /** Whether threads may parse lines out of order. */
  readonly spreads?: boolean
  /** Keys that stand for weights. */
  readonly weights?: SharedKeys | undefined
  /** Called each time that the entries have doubled. @throws Failure (storage) */
  readonly requireRoom?: (entries: number, weighted: boolean, textBytes: number) => void
}

const FIRST_CHECKED = 1 << 20

/** Entries in files of the scratch folder. */
export class SpilledEntries implements LineSink {
  readonly #scratch: Scratch
  readonly #job: JobContext
  readonly #options: SpillOptions
  #table: LabelTable | null = null
  #texts: TextCodes | null = null
  #bitmap: Int32Array = new Int32Array(0)
  #recordWords: 2 | 3 = 2
  #store: EntryStore | null = null
  #spreader: LineSpreader<ParsedPiece> | null = null
  #entries = 0
  #nextChecked = FIRST_CHECKED

  constructor(scratch: Scratch, job: JobContext, options: SpillOptions = {}) {
    this.#scratch = scratch
    this.#job = job
    this.#options = options
  }

  newTable(): LabelTable {
    return (this.#table = new LabelTable())
  }

  accept(block: EntryBlock): void {
    this.#opened(block.weights !== null).accept(block)
    this.#count(block.count)
  }

  async betweenLines(drain: () => Promise<void>): Promise<void> {
    if (this.#textBytes <= this.#scratch.shares.textBytes) return
    await drain()
    // The stage of labels has not come.
    await this.#texts?.sort(new YieldScheduler({ ...this.#job, progress: () => {} }))
    this.#store?.endEpoch()
  }

  get spreadBytes(): number {
    return this.#spreads ? this.#scratch.shares.pieceBytes : Infinity
  }

  async spread(lines: ReadLines): Promise<number> {
    const shape = this.#spreads ? ordinaryShape(lines.reader) : null
    if (shape !== null) this.#spreader ??= await this.#openSpreader(shape.weighted)
    return (await this.#spreader?.take(lines)) === true ? lines.end : lines.start
  }

  async settle(): Promise<void> {
    await this.#spreader?.settle()
  }

  /** @param weighted where there are no entries */
  async finish(weighted: boolean): Promise<StoredEntries> {
    const store = this.#opened(weighted)
    await this.#texts?.sort(new YieldScheduler(this.#job))
    const own = store.finish()
    this.close()
    const { pool, folder } = this.#scratch
    const others = this.#spreader === null ? [] : await pool.finish('store')
    const bitmapPath = this.#texts === null ? join(folder, 'bitmap') : null
    const bitmapWords = usedWords(this.#bitmap)
    if (bitmapPath !== null) {
      const files = new ScratchFiles()
      files.create(bitmapPath)
      files.write(bitmapPath, bytesOf(this.#bitmap.subarray(0, bitmapWords)), 0)
      files.close()
    }
    const segments = [...own, ...others.flat()]
    const direct = 32 * this.#bitmap.length
    return { kind: 'stored', recordWords: this.#recordWords, segments, bitmapPath, bitmapWords, direct }
  }

  close(): void {
    this.#store?.close()
  }

  get #textBytes(): number {
    return this.#table?.usedBytes ?? 0
  }

  get #spreads(): boolean {
    return this.#options.spreads === true && this.#table === null && this.#scratch.pool.threads.length > 1
  }

  #opened(weighted: boolean): EntryStore {
    if (this.#store !== null) return this.#store
    const { folder, shares } = this.#scratch
    this.#recordWords = weighted ? 3 : 2
    if (this.#table !== null) this.#texts = new TextCodes(this.#table)
    else {
      const words = Math.min(2 ** 27, Math.max(1, Math.floor(shares.bitmapBytes / 4)))
      this.#bitmap = new Int32Array(new SharedArrayBuffer(4 * words))
    }
    const codes = this.#texts ?? new IntegerCodes(this.#bitmap, shares.dictionaryBytes)
    return (this.#store = new EntryStore({ folder, name: 'own', recordWords: this.#recordWords }, codes))
  }

  async #openSpreader(weighted: boolean): Promise<LineSpreader<ParsedPiece>> {
    this.#opened(weighted)
    const { pool, folder, shares } = this.#scratch
    const recordWords = this.#recordWords
    const labels = { bitmap: this.#bitmap, dictionaryBytes: shares.dictionaryBytes }
    const { weights } = this.#options
    await pool.open('store', (i) => ({ folder, name: String(i), recordWords, labels, weights }))
    const parse = (task: ParseTask) => pool.run('store', 'parse', task)
    return new LineSpreader(pool, shares, parse, ({ entries }) => this.#count(entries))
  }

  #count(entries: number): void {
    this.#entries += entries
    if (this.#entries < this.#nextChecked) return
    this.#nextChecked = 2 * this.#entries
    this.#options.requireRoom?.(this.#entries, this.#recordWords === 3, this.#textBytes)
  }
}

function usedWords(words: Int32Array): number {
  let used = words.length
  while (used > 0 && words[used - 1] === 0) used--
  return used
}
