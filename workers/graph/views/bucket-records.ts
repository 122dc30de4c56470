import type { BucketTables } from './bucket-tables.ts'
import { bucketWords, readBucket } from './bucket-tables.ts'

/** The records of one bucket after another, in memory that is used again. */
export class BucketRecords {
  readonly #tables: BucketTables
  #words = new Uint32Array(0)
  #records = new Uint32Array(0)
  /** The bucket's ranks: [first, end). */
  first = 0
  end = 0

  constructor(tables: BucketTables) {
    this.#tables = tables
  }

  get words(): Uint32Array {
    return this.#words
  }

  /** records[rank - first]: where the list of a rank begins in `words`, behind its length; 0 where it has none. */
  get records(): Uint32Array {
    return this.#records
  }

  load(bucket: number): void {
    const { bounds } = this.#tables
    this.first = bounds[bucket]!
    this.end = bounds[bucket + 1]!
    const used = bucketWords(this.#tables, bucket)
    const count = this.end - this.first
    if (used > this.#words.length) this.#words = new Uint32Array(used)
    if (count > this.#records.length) this.#records = new Uint32Array(count)
    readBucket(this.#tables, bucket, this.#words)
    this.#records.fill(0)
    for (let at = 0; at < used; at += 2 + this.#words[at + 1]!) this.#records[this.#words[at]! - this.first] = at + 2
  }
}
