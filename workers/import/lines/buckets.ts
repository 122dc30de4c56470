/** Of one bucket. */
export const CHUNK_RECORDS = 512
/** A record has 31 bits for the target. */
export const ID_LIMIT = 2 ** 31

const MOST_BUCKETS = 1024
/** Sorted in the cache: half a MiB, and as much room. */
const BUCKET_RECORDS = 1 << 16
/** Of one thread: 4 GiB. */
export const MOST_CHUNKS = 1 << 20

/** {@link bucketTable} may make a quarter more. */
const bucketsFor = (records: number, each = BUCKET_RECORDS): number =>
  Math.max(1, Math.min(MOST_BUCKETS, Math.ceil(records / each)))

/** Source, target and direction; weight. */
export const recordBytesOf = (weighted: boolean): 8 | 12 => (weighted ? 12 : 8)

/** Kept for its GPU, never ended. */
export interface FilledBuckets {
  readonly memories: readonly SharedArrayBuffer[]
  readonly chunksAt: number
  readonly recordBytes: 8 | 12
  /** Thread * 2^20 + chunk, by bucket. */
  readonly chunks: Uint32Array
  readonly counts: Uint16Array
  /** Bucket b has the chunks [firsts[b], firsts[b + 1]). */
  readonly firsts: Uint32Array
}

export interface ThreadBuckets {
  readonly memory: SharedArrayBuffer
  readonly chunks: number
  readonly owners: Uint16Array
  readonly cursors: Uint32Array
  readonly chunksAt: number
  /** All ids, or-ed. */
  readonly bits: number
}

/** By bucket. */
export function gatherBuckets(threads: readonly ThreadBuckets[], buckets: number, recordBytes: 8 | 12): FilledBuckets {
  const firsts = new Uint32Array(new SharedArrayBuffer(4 * (buckets + 1)))
  const each = (take: (bucket: number, thread: number, chunk: number, records: number) => void): void => {
    for (const [thread, { chunks, owners, cursors }] of threads.entries())
      for (let chunk = 0; chunk < chunks; chunk++) {
        const bucket = owners[chunk]!
        const next = cursors[bucket]!
        const isLast = Math.floor(next / CHUNK_RECORDS) === chunk
        const records = isLast ? next % CHUNK_RECORDS : CHUNK_RECORDS
        if (records > 0) take(bucket, thread, chunk, records)
      }
  }
  each((bucket) => firsts[bucket + 1]!++)
  for (let b = 0; b < buckets; b++) firsts[b + 1]! += firsts[b]!
  const all = firsts[buckets]!
  const chunks = new Uint32Array(new SharedArrayBuffer(4 * all))
  const counts = new Uint16Array(new SharedArrayBuffer(2 * all))
  const next = firsts.slice(0, buckets)
  each((bucket, thread, chunk, records) => {
    const at = next[bucket]!++
    chunks[at] = thread * MOST_CHUNKS + chunk
    counts[at] = records
  })
  return {
    memories: threads.map(({ memory }) => memory),
    chunksAt: threads[0]!.chunksAt,
    recordBytes,
    chunks,
    counts,
    firsts,
  }
}

export function recordsOf({ counts, firsts }: FilledBuckets, bucket: number): number {
  let records = 0
  for (let i = firsts[bucket]!; i < firsts[bucket + 1]!; i++) records += counts[i]!
  return records
}

export class BucketChunks {
  readonly #buckets: FilledBuckets
  readonly #bytes: readonly Uint8Array[]
  readonly #words: readonly Uint32Array[]
  readonly #chunkWords: number

  constructor(buckets: FilledBuckets) {
    this.#buckets = buckets
    this.#bytes = buckets.memories.map((memory) => new Uint8Array(memory))
    this.#words = buckets.memories.map((memory) => new Uint32Array(memory))
    this.#chunkWords = (CHUNK_RECORDS * buckets.recordBytes) / 4
  }

  /** Returns where they end. */
  copy(bucket: number, into: Uint8Array, at: number): number {
    const { chunks, counts, firsts, recordBytes, chunksAt } = this.#buckets
    let end = at
    for (let i = firsts[bucket]!; i < firsts[bucket + 1]!; i++) {
      const place = chunks[i]!
      const from = chunksAt + (place % MOST_CHUNKS) * 4 * this.#chunkWords
      const bytes = counts[i]! * recordBytes
      into.set(this.#bytes[Math.floor(place / MOST_CHUNKS)]!.subarray(from, from + bytes), end)
      end += bytes
    }
    return end
  }

  /** In place of records, from the word `at` on. */
  write(bucket: number, words: Uint32Array, at: number): void {
    this.#each(bucket, at, words.length, (chunk, done) => chunk.set(words.subarray(done, done + chunk.length)))
  }

  read(bucket: number, at: number, into: Uint32Array): void {
    this.#each(bucket, at, into.length, (chunk, done) => into.set(chunk, done))
  }

  #each(bucket: number, at: number, length: number, take: (words: Uint32Array, done: number) => void): void {
    const { chunks, firsts, chunksAt } = this.#buckets
    const chunkWords = this.#chunkWords
    for (let done = 0; done < length;) {
      const word = at + done
      const place = chunks[firsts[bucket]! + Math.floor(word / chunkWords)]!
      const skipped = word % chunkWords
      const from = chunksAt / 4 + (place % MOST_CHUNKS) * chunkWords + skipped
      const count = Math.min(length - done, chunkWords - skipped)
      take(this.#words[Math.floor(place / MOST_CHUNKS)]!.subarray(from, from + count), done)
      done += count
    }
  }
}

export const TABLE_ENTRIES = 1 << 14

/** Bucket b holds the ids from bounds[b] to bounds[b + 1] - 1, the last also all larger ones. */
export interface BucketTable {
  /** By id >> shift, at most the last. Shared memory. */
  readonly entries: Uint16Array
  readonly shift: number
  /** f64 [buckets + 1] */
  readonly bounds: Float64Array
  /** A power of two above the sample. */
  readonly idLimit: number
}

/**
 * Cuts ids into ranges of about as many arcs, by a sample. Bounds are multiples of 32: ranges share no word of a
 * bitmap.
 * @param records in all buckets, and `each` of them at most
 * @param expected ids below this may occur outside the sample
 */
export function bucketTable(sample: Uint32Array, records: number, each?: number, expected = 1): BucketTable {
  const largest = sample.reduce((most, id) => Math.max(most, id), expected - 1)
  const bits = 32 - Math.clz32(largest)
  const shift = Math.max(5, bits - Math.log2(TABLE_ENTRIES))
  const used = (largest >>> shift) + 1
  const counts = new Uint32Array(used)
  for (const id of sample) counts[id >>> shift]!++
  const wanted = bucketsFor(records, each)
  // Sources of a range are counted one by one.
  const widest = Math.ceil((4 * used) / wanted)
  const entries = new Uint16Array(new SharedArrayBuffer(2 * TABLE_ENTRIES))
  const bounds = [0]
  let seen = 0
  for (let entry = 0; entry < used; entry++) {
    const first = bounds.at(-1)! / 2 ** shift
    const isFull = seen * wanted >= bounds.length * sample.length
    if (entry > first && (isFull || entry - first >= widest)) bounds.push(entry * 2 ** shift)
    entries[entry] = bounds.length - 1
    seen += counts[entry]!
  }
  entries.fill(bounds.length - 1, used)
  return { entries, shift, bounds: Float64Array.from([...bounds, ID_LIMIT]), idLimit: 2 ** bits }
}
