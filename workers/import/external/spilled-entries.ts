import { join } from 'node:path'
import type { EntryBlock, EntrySink } from '../../graph/entries.ts'
import type { YieldScheduler } from '../../threads/yield-scheduler.ts'
import type { LabelTable } from '../label-table.ts'
import type { ThreadPool } from './thread-pool.ts'
import { EntryStore, IntegerCodes, TextCodes } from './entry-store.ts'
import type { EntrySegment } from './entry-ids.ts'
import type { GeneratedEntries, ListsInFile } from './entry-source.ts'
import type { MemoryShares } from './memory-shares.ts'
import { bytesOf, ScratchFiles } from './scratch-file.ts'

export interface Scratch {
  readonly folder: string
  readonly shares: MemoryShares
  readonly pool: ThreadPool
}

export interface StoredEntries {
  readonly recordWords: 2 | 3
  readonly segments: readonly EntrySegment[]
  /** Bit l: the label l occurs. null for texts. */
  readonly bitmapPath: string | null
  /** Up to the last label that occurs. */
  readonly bitmapWords: number
  readonly direct: number
  /** Of the imported file or a generator: there are no segments. */
  readonly elsewhere?: ListsInFile | GeneratedEntries
}

export class SpilledEntries implements EntrySink {
  readonly #scratch: Scratch
  readonly #table: LabelTable | null
  readonly #texts: TextCodes | null
  readonly #bitmap: Int32Array
  readonly #recordWords: 2 | 3
  readonly #store: EntryStore
  #storesOpen = false

  /** @param table of texts, emptied when full; null for integers */
  constructor({ folder, shares, pool }: Scratch, weighted: boolean, table: LabelTable | null) {
    this.#scratch = { folder, shares, pool }
    this.#table = table
    this.#texts = table === null ? null : new TextCodes(table)
    this.#recordWords = weighted ? 3 : 2
    const words = table === null ? Math.min(2 ** 27, Math.max(1, Math.floor(shares.bitmapBytes / 4))) : 0
    this.#bitmap = new Int32Array(new SharedArrayBuffer(4 * words))
    const codes = this.#texts ?? new IntegerCodes(this.#bitmap, shares.dictionaryBytes)
    this.#store = new EntryStore({ folder, name: 'own', recordWords: this.#recordWords }, codes, pool.memory)
  }

  accept(block: EntryBlock): void {
    this.#store.accept(block)
  }

  /** To be emptied once pending entries are accepted. */
  get isFull(): boolean {
    return this.#table !== null && this.#table.usedBytes > this.#scratch.shares.textBytes
  }

  endEpoch(): void {
    this.#store.endEpoch()
  }

  async openStores(): Promise<void> {
    if (this.#storesOpen) return
    this.#storesOpen = true
    const { pool, folder, shares } = this.#scratch
    const labels = { bitmap: this.#bitmap, dictionaryBytes: shares.dictionaryBytes }
    await pool.open('store', (i) => ({ folder, name: String(i), recordWords: this.#recordWords, labels }))
  }

  async finish(scheduler: YieldScheduler): Promise<StoredEntries> {
    await this.#texts?.sort(scheduler)
    const own = this.#store.finish()
    this.close()
    const { pool, folder } = this.#scratch
    const others = this.#storesOpen ? await pool.finish('store') : []
    const bitmapPath = this.#table === null ? join(folder, 'bitmap') : null
    const bitmapWords = usedWords(this.#bitmap)
    if (bitmapPath !== null) {
      const files = new ScratchFiles(pool.memory)
      files.create(bitmapPath)
      files.write(bitmapPath, bytesOf(this.#bitmap.subarray(0, bitmapWords)), 0)
      files.close()
    }
    const segments = [...own, ...others.flat()]
    const direct = 32 * this.#bitmap.length
    return { recordWords: this.#recordWords, segments, bitmapPath, bitmapWords, direct }
  }

  close(): void {
    this.#store.close()
  }
}

function usedWords(words: Int32Array): number {
  let used = words.length
  while (used > 0 && words[used - 1] === 0) used--
  return used
}
