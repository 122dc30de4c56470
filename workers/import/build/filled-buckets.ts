/**
 * Buckets of records in memory, which threads fill side by side: chunks of 4 KiB in one arena a thread, linked by bucket, so that no thread
 * waits for another and nothing is moved before it is sorted. Ranges of ids come from a sample, each with about as many arcs, by a table of id
 * >> shift. Records have 2 words or 3 with a weight. line-buckets.ts fills them, list-maker.ts sorts.
 */

/** Bytes of a chunk of records of one bucket. */
export const CHUNK_BYTES = 1 << 12
/** A record has up to 31 bits for the target. */
export const ID_LIMIT = 2 ** 31

const MOST_BUCKETS = 1024
/** Sorted in the cache: half a MiB, and as much room. */
const BUCKET_RECORDS = 1 << 16
/** The most chunks of one thread: 4 GiB. */
export const MOST_CHUNKS = 1 << 20

/** {@link bucketTable} may make half as many more. */
const bucketsFor = (records: number, each = BUCKET_RECORDS): number =>
  Math.max(1, Math.min(MOST_BUCKETS, Math.ceil(records / each)))

/** As few bytes as hold it: source within its bucket, target, direction; then a float. */
interface RecordForm {
  readonly bytes: number
  readonly weighted: boolean
  readonly sourceBits: number
  /** Target and direction. */
  readonly wordBits: number
}

/** What a bucket becomes takes no more: four bytes a target, and one or five a source. */
const LEAST_KEY_BYTES = 5
const MOST_KEY_BYTES = 8

/** @param range of the ids of any bucket, all of which are below the limit */
function recordForm(range: number, idLimit: number, weighted: boolean): RecordForm {
  const [sourceBits, wordBits] = [bitsBelow(range), bitsBelow(idLimit) + 1]
  const keyBytes = Math.max(LEAST_KEY_BYTES, Math.ceil((sourceBits + wordBits) / 8))
  return { bytes: keyBytes + (weighted ? 4 : 0), weighted, sourceBits, wordBits }
}

const bitsBelow = (limit: number): number => 32 - Math.clz32(limit - 1)

/** Written for a record, a part of them behind its end. */
export const touchedBytes = ({ bytes }: RecordForm): number => Math.max(MOST_KEY_BYTES, bytes)

export const chunkRecords = (form: RecordForm): number =>
  Math.floor((CHUNK_BYTES - touchedBytes(form)) / form.bytes) + 1

/** Kept for its GPU, never ended. */
export interface FilledBuckets {
  readonly memories: readonly SharedArrayBuffer[]
  readonly chunksAt: number
  readonly form: RecordForm
  /** Thread * 2^20 + chunk, by bucket. */
  readonly chunks: Uint32Array
  readonly counts: Uint16Array
  /** Bucket b has the chunks [firsts[b], firsts[b + 1]). */
  readonly firsts: Uint32Array
}

export interface ThreadBuckets {
  readonly module: WebAssembly.Memory
  readonly memory: SharedArrayBuffer
  readonly chunks: number
  readonly owners: Uint16Array
  /** The place of the next record, by bucket. */
  readonly cursors: Uint32Array
  readonly chunksAt: number
  /** All ids, or-ed. */
  readonly bits: number
  /** Sums of the fingerprint of lists: those of all threads are 0 where each edge is in both its lists. */
  readonly sums: readonly [number, number]
}

export function gatherBuckets(threads: readonly ThreadBuckets[], buckets: number, form: RecordForm): FilledBuckets {
  const full = chunkRecords(form)
  const firsts = new Uint32Array(new SharedArrayBuffer(4 * (buckets + 1)))
  const each = (take: (bucket: number, thread: number, chunk: number, records: number) => void): void => {
    for (const [thread, { chunks, chunksAt, owners, cursors }] of threads.entries())
      for (let chunk = 0; chunk < chunks; chunk++) {
        const bucket = owners[chunk]!
        const next = cursors[bucket]! - chunksAt
        const isLast = Math.floor(next / CHUNK_BYTES) === chunk
        const records = isLast ? (next % CHUNK_BYTES) / form.bytes : full
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
  return { memories: threads.map(({ memory }) => memory), chunksAt: threads[0]!.chunksAt, form, chunks, counts, firsts }
}

export function recordsOf({ counts, firsts }: FilledBuckets, bucket: number): number {
  let records = 0
  for (let i = firsts[bucket]!; i < firsts[bucket + 1]!; i++) records += counts[i]!
  return records
}

/** Copies without a view for each chunk, of which there are as many as pages. */
export class BucketChunks {
  readonly #buckets: FilledBuckets
  readonly #bytes: readonly Buffer[]

  constructor(buckets: FilledBuckets) {
    this.#buckets = buckets
    this.#bytes = buckets.memories.map((memory) => Buffer.from(memory))
  }

  /** @param take called with the records of a chunk when these are in `room` from `at` */
  records(bucket: number, room: Buffer, at: number, take: (records: number) => void): void {
    const { counts, firsts } = this.#buckets
    for (let i = firsts[bucket]!; i < firsts[bucket + 1]!; i++) {
      const start = this.#startOf(i)
      this.#memoryOf(i).copy(room, at, start, start + CHUNK_BYTES)
      take(counts[i]!)
    }
  }

  /** Writes bytes in place of records, from the byte `at` on. */
  write(bucket: number, at: number, bytes: Buffer, from: number, length: number): void {
    for (let done = 0; done < length;) {
      const chunk = this.#buckets.firsts[bucket]! + Math.floor((at + done) / CHUNK_BYTES)
      const skipped = (at + done) % CHUNK_BYTES
      const count = Math.min(length - done, CHUNK_BYTES - skipped)
      bytes.copy(this.#memoryOf(chunk), this.#startOf(chunk) + skipped, from + done, from + done + count)
      done += count
    }
  }

  /** What there is, at most `length` bytes. */
  read(bucket: number, at: number, into: Buffer, to: number, length: number): void {
    const { firsts } = this.#buckets
    const end = Math.min(length, (firsts[bucket + 1]! - firsts[bucket]!) * CHUNK_BYTES - at)
    for (let done = 0; done < end;) {
      const chunk = firsts[bucket]! + Math.floor((at + done) / CHUNK_BYTES)
      const skipped = (at + done) % CHUNK_BYTES
      const count = Math.min(end - done, CHUNK_BYTES - skipped)
      const start = this.#startOf(chunk) + skipped
      this.#memoryOf(chunk).copy(into, to + done, start, start + count)
      done += count
    }
  }

  #memoryOf(chunk: number): Buffer {
    return this.#bytes[Math.floor(this.#buckets.chunks[chunk]! / MOST_CHUNKS)]!
  }

  #startOf(chunk: number): number {
    const { chunks, chunksAt } = this.#buckets
    return chunksAt + (chunks[chunk]! % MOST_CHUNKS) * CHUNK_BYTES
  }
}

export const TABLE_ENTRIES = 1 << 14
/** Ids may be so much larger than those of the sample. */
const MARGIN = 1 / 16

/** Bucket b holds the ids from bounds[b] to bounds[b + 1] - 1. Behind the last is one of larger ids, which makes an import take the general way. */
export interface BucketTable {
  /** The bucket by (id - first) >> shift, at most {@link TABLE_ENTRIES}. Shared memory. */
  readonly entries: Uint16Array
  readonly shift: number
  /** f64 [buckets + 1] */
  readonly bounds: Float64Array
  /** A power of two above the sample. */
  readonly idLimit: number
  readonly form: RecordForm
}

interface BucketWishes {
  /** Records in all buckets. */
  readonly records: number
  readonly weighted: boolean
  /** Records of a bucket. */
  readonly bucketRecords?: number | undefined
  /** Ids below this may occur outside the sample. */
  readonly expected?: number
  /** The ids of the sample, and those expected, count from here, a multiple of 32; targets are below `targets`. */
  readonly first?: number
  readonly targets?: number
}

/**
 * Cuts ids into ranges of about as many arcs, by a sample. Bounds are multiples of 32: ranges share no word of a
 * bitmap.
 */
export function bucketTable(sample: Uint32Array, wishes: BucketWishes): BucketTable {
  const { records, weighted, bucketRecords, expected = 1, first: least = 0, targets = 0 } = wishes
  const largest = sample.reduce((most, id) => Math.max(most, id), expected - 1)
  const bits = 32 - Math.clz32(largest)
  const shift = Math.max(5, bits - Math.log2(TABLE_ENTRIES))
  const used = (largest >>> shift) + 1
  const most = Math.min(TABLE_ENTRIES, 2 ** Math.max(0, bits - shift), used + Math.ceil(used * MARGIN))
  const counts = new Uint32Array(used)
  for (const id of sample) counts[id >>> shift]!++
  const wanted = bucketsFor(records, bucketRecords)
  // Sources of a range are counted one by one.
  const widest = Math.ceil((2 * used) / wanted)
  const entries = new Uint16Array(new SharedArrayBuffer(2 * (TABLE_ENTRIES + 1)))
  const bounds = [0]
  let seen = 0
  for (let entry = 0; entry < most; entry++) {
    const first = bounds.at(-1)! / 2 ** shift
    const isFull = entry < used && seen * wanted >= bounds.length * sample.length
    if (entry > first && (isFull || entry - first >= widest)) bounds.push(entry * 2 ** shift)
    entries[entry] = bounds.length - 1
    seen += counts[entry] ?? 0
  }
  entries.fill(bounds.length, most)
  const limit = most * 2 ** shift
  const range = Math.min(limit, widest * 2 ** shift)
  return {
    entries,
    shift,
    bounds: Float64Array.from([...bounds, limit], (bound) => least + bound),
    idLimit: 2 ** bits,
    form: recordForm(range, Math.max(limit, targets), weighted),
  }
}

/** Counters and degrees of a source. */
const SOURCE_BYTES = 10

/** For the widest bucket, of at most so many records: two copies of them, with their whole sources. */
export function bytesToSort({ bounds, form }: BucketTable, records: number): number {
  const widest = bounds.reduce((most, end, b) => Math.max(most, end - (bounds[b - 1] ?? end)), 0)
  return SOURCE_BYTES * widest + 2 * (form.weighted ? 12 : 8) * records
}
