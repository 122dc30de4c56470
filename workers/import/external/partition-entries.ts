import { type BucketBounds, BucketFinder } from './bucket-bounds.ts'
import { BucketWriter, type ChunkIndex } from './bucket-writer.ts'
import { type EntryBatches, type EntrySource, openEntries, recordWordsOf, type SourceSlice } from './entry-source.ts'

export interface PartitionPlan {
  readonly source: EntrySource
  readonly bounds: BucketBounds
  /** Of the entries as they go on: weights are left behind where the graph has none. */
  readonly recordWords: 2 | 3
  readonly budgetBytes: number
}

export interface PartitionTask extends PartitionPlan {
  readonly path: string
}

/** What a thread put into its file of buckets. */
export interface Partitioned extends ChunkIndex {
  readonly entries: number
  readonly loops: number
}

/** Puts both directions of every entry into the bucket of their source; loops are counted and left behind. */
export class EntryPartitioner {
  readonly #plan: PartitionPlan
  readonly #batches: EntryBatches<SourceSlice>
  readonly #entryWords: 2 | 3
  readonly #finder: BucketFinder
  readonly #writer: BucketWriter
  #entries = 0
  #loops = 0

  constructor(path: string, plan: PartitionPlan) {
    this.#plan = plan
    this.#entryWords = recordWordsOf(plan.source)
    this.#finder = new BucketFinder(plan.bounds)
    this.#writer = new BucketWriter(path, plan.bounds.length - 1, plan.recordWords, plan.budgetBytes)
    this.#batches = openEntries(plan.source)
  }

  /** @returns false where the entries are not as they must be */
  take(slice: SourceSlice): boolean {
    return this.#batches.each(slice, (records) => this.#scatter(records))
  }

  #scatter(words: Uint32Array): void {
    const { bounds } = this.#plan
    const entryWords = this.#entryWords
    const finder = this.#finder
    const writer = this.#writer
    this.#entries += words.length / entryWords
    for (let i = 0; i < words.length; i += entryWords) {
      const u = words[i]!
      const v = words[i + 1]!
      if (u === v) {
        this.#loops++
        continue
      }
      const weight = entryWords === 3 ? words[i + 2]! : 0
      const a = finder.find(u)
      writer.add(a, 2 * (u - bounds[a]!), v, weight)
      const b = finder.find(v)
      writer.add(b, 2 * (v - bounds[b]!) + 1, u, weight)
    }
  }

  finish(): Partitioned {
    const index = this.#writer.finish()
    this.close()
    return { ...index, entries: this.#entries, loops: this.#loops }
  }

  /** Needed in every case; may be repeated. */
  close(): void {
    this.#batches.close()
    this.#writer.close()
  }
}
