import { type BucketBounds, BucketFinder } from './bucket-bounds.ts'
import { BucketWriter, type ChunkIndex } from './bucket-writer.ts'
import { type CodeMeaning, EntryIds, type EntrySlice } from './entry-ids.ts'

export interface PartitionPlan {
  readonly meaning: CodeMeaning
  readonly bounds: BucketBounds
  /** Of the entries as they are stored, and as they go on: weights are left behind where the graph has none. */
  readonly entryWords: 2 | 3
  readonly recordWords: 2 | 3
  readonly budgetBytes: number
}

/** What a thread put into its file of buckets. */
export interface Partitioned extends ChunkIndex {
  readonly loops: number
}

const STEP = 1 << 14

/** Puts both directions of every entry into the bucket of their source; loops are counted and left behind. */
export class EntryPartitioner {
  readonly #plan: PartitionPlan
  readonly #ids: EntryIds
  readonly #finder: BucketFinder
  readonly #writer: BucketWriter
  readonly #words: Uint32Array
  #loops = 0

  constructor(path: string, plan: PartitionPlan) {
    this.#plan = plan
    this.#ids = new EntryIds(plan.meaning, plan.entryWords)
    this.#finder = new BucketFinder(plan.bounds)
    this.#writer = new BucketWriter(path, plan.bounds.length - 1, plan.recordWords, plan.budgetBytes)
    this.#words = new Uint32Array(STEP * plan.entryWords)
  }

  take({ segment, first, last }: EntrySlice): void {
    for (let from = first; from < last; from += STEP)
      this.#scatter(this.#ids.read({ segment, first: from, last: Math.min(last, from + STEP) }, this.#words))
  }

  #scatter(words: Uint32Array): void {
    const { bounds, entryWords } = this.#plan
    const finder = this.#finder
    const writer = this.#writer
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
    return { ...index, loops: this.#loops }
  }

  /** Needed in every case; may be repeated. */
  close(): void {
    this.#ids.close()
    this.#writer.close()
  }
}
