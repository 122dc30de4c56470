import { readFully, writeFully } from '../../file-bytes.ts'

/**
 * Buckets of words on one scratch file, written by several threads at once. The file is cut into blocks of equal size; a thread
 * gathers the words of each bucket in a block of its own and writes the block out, wherever there is room, when it is full. The blocks of a
 * (thread, bucket) form a chain from the last to the first. All tables are shared memory.
 */
export interface BucketTables {
  readonly path: string
  readonly file: number
  /** Bucket b holds the positions [bounds[b], bounds[b + 1]). */
  readonly bounds: Uint32Array
  readonly blockWords: number
  /** Blocks given out so far. */
  readonly nextBlock: Int32Array
  /** The block before this one in its chain, -1 for the first. */
  readonly previous: Int32Array
  /** last[thread * buckets + bucket], -1 where there is none. */
  readonly last: Int32Array
  /** Words of each (thread, bucket). */
  readonly words: Float64Array
  /** Entries past the heads of each (thread, bucket). */
  readonly tails: Float64Array
}

export const bucketsOf = ({ bounds }: BucketTables): number => Math.max(0, bounds.length - 1)

export interface BucketShape {
  readonly bounds: Uint32Array
  readonly threads: number
  readonly blockWords: number
  /** An upper bound on the words of all buckets together. */
  readonly mostWords: number
}

/** Blocks that buckets of this shape can take: the full ones, and one begun in each (thread, bucket). */
export function mostBlocks({ bounds, threads, blockWords, mostWords }: BucketShape): number {
  return Math.ceil(mostWords / blockWords) + threads * Math.max(0, bounds.length - 1)
}

const shared = (bytes: number): SharedArrayBuffer => new SharedArrayBuffer(bytes)

export function newBucketTables(path: string, file: number, shape: BucketShape): BucketTables {
  const chains = shape.threads * Math.max(0, shape.bounds.length - 1)
  return {
    path,
    file,
    bounds: shape.bounds,
    blockWords: shape.blockWords,
    nextBlock: new Int32Array(shared(4)),
    previous: new Int32Array(shared(4 * mostBlocks(shape))).fill(-1),
    last: new Int32Array(shared(4 * chains)).fill(-1),
    words: new Float64Array(shared(8 * chains)),
    tails: new Float64Array(shared(8 * chains)),
  }
}

/** One thread's side of the buckets while they are filled. */
export class BucketWriter {
  readonly #tables: BucketTables
  readonly #thread: number
  readonly #buckets: number
  readonly #blocks: Uint32Array
  readonly #filled: Uint32Array

  constructor(tables: BucketTables, thread: number) {
    this.#tables = tables
    this.#thread = thread
    this.#buckets = bucketsOf(tables)
    this.#blocks = new Uint32Array(this.#buckets * tables.blockWords)
    this.#filled = new Uint32Array(this.#buckets)
  }

  /** Appends the record `position, count, entries...`; the entries are list[start, start + count). */
  append(bucket: number, position: number, list: Uint32Array, start: number, count: number): void {
    const { blockWords } = this.#tables
    const filled = this.#filled[bucket]!
    if (filled + 2 + count > blockWords) return this.#appendAcross(bucket, position, list, start, count)
    let at = bucket * blockWords + filled
    this.#blocks[at++] = position
    this.#blocks[at++] = count
    for (let i = start; i < start + count; i++) this.#blocks[at++] = list[i]!
    this.#filled[bucket] = filled + 2 + count
  }

  /** Counts the entries of a record that will not stand in a head. */
  countTail(bucket: number, entries: number): void {
    this.#tables.tails[this.#thread * this.#buckets + bucket]! += entries
  }

  /** Writes out what is left. @throws Failure (storage) when the disk is full. */
  finish(): void {
    for (let bucket = 0; bucket < this.#buckets; bucket++) if (this.#filled[bucket]! > 0) this.#flush(bucket)
  }

  #appendAcross(bucket: number, position: number, list: Uint32Array, start: number, count: number): void {
    this.#word(bucket, position)
    this.#word(bucket, count)
    const { blockWords } = this.#tables
    for (let done = 0; done < count;) {
      if (this.#filled[bucket] === blockWords) this.#flush(bucket)
      const filled = this.#filled[bucket]!
      const part = Math.min(count - done, blockWords - filled)
      this.#blocks.set(list.subarray(start + done, start + done + part), bucket * blockWords + filled)
      this.#filled[bucket] = filled + part
      done += part
    }
  }

  #word(bucket: number, word: number): void {
    if (this.#filled[bucket] === this.#tables.blockWords) this.#flush(bucket)
    this.#blocks[bucket * this.#tables.blockWords + this.#filled[bucket]!++] = word
  }

  #flush(bucket: number): void {
    const { path, file, blockWords, nextBlock, previous, last, words } = this.#tables
    const filled = this.#filled[bucket]!
    const block = Atomics.add(nextBlock, 0, 1)
    const chain = this.#thread * this.#buckets + bucket
    previous[block] = last[chain]!
    last[chain] = block
    words[chain]! += filled
    const from = bucket * blockWords
    writeFully(file, bytesOf(this.#blocks.subarray(from, from + filled)), 4 * blockWords * block, path)
    this.#filled[bucket] = 0
  }
}

/** Words of a bucket, of all threads together. */
export function bucketWords({ words, ...tables }: BucketTables, bucket: number): number {
  const buckets = Math.max(0, tables.bounds.length - 1)
  let sum = 0
  for (let chain = bucket; chain < words.length; chain += buckets) sum += words[chain]!
  return sum
}

/** Reads all records of a bucket into `into`. */
export function readBucket(tables: BucketTables, bucket: number, into: Uint32Array): void {
  const { path, file, blockWords, previous, last, words } = tables
  let first = 0
  for (let chain = bucket; chain < words.length; chain += bucketsOf(tables)) {
    const count = words[chain]!
    let end = count
    // Only the block written last is not full.
    for (let block = last[chain]!; block >= 0; block = previous[block]!) {
      const start = Math.floor((end - 1) / blockWords) * blockWords
      readFully(file, bytesOf(into.subarray(first + start, first + end)), 4 * blockWords * block, path)
      end = start
    }
    first += count
  }
}

export const bytesOf = (words: Uint32Array): Uint8Array =>
  new Uint8Array(words.buffer, words.byteOffset, words.byteLength)
