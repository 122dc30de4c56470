import { AppendFile, bytesOf } from './scratch-file.ts'

/** Words of the chunks of one file in the order in which they lie: pairs of bucket and records. */
export interface ChunkIndex {
  readonly path: string
  readonly chunks: Uint32Array
}

const SMALLEST_BUFFER_BYTES = 1 << 12
const LARGEST_BUFFER_BYTES = 1 << 18

/** Most buckets that a writer can have with so much memory. */
export function mostBuckets(budgetBytes: number): number {
  return Math.max(2, Math.min(1 << 14, Math.floor(budgetBytes / (2 * SMALLEST_BUFFER_BYTES))))
}

/**
 * Writes records into buckets: a buffer for each, and one file for all, to which full buffers are appended as chunks. However
 * many buckets, one file is open.
 *
 * A record says that vertex u of the bucket has the neighbour v: u32 2 * (u - first of the bucket) + (1 where the entry was
 * v, u), u32 v and, where weighted, the bits of the f32 weight.
 */
export class BucketWriter {
  readonly #recordWords: 2 | 3
  readonly #room: number
  readonly #words: Uint32Array
  readonly #filled: Uint32Array
  readonly #file: AppendFile
  readonly #chunks: number[] = []

  constructor(path: string, buckets: number, recordWords: 2 | 3, budgetBytes: number) {
    this.#recordWords = recordWords
    const bytes = Math.max(SMALLEST_BUFFER_BYTES, Math.min(LARGEST_BUFFER_BYTES, Math.floor(budgetBytes / buckets)))
    this.#room = Math.floor(bytes / 4 / recordWords) * recordWords
    this.#words = new Uint32Array(this.#room * buckets)
    this.#filled = new Uint32Array(buckets)
    this.#file = new AppendFile(path, 0)
  }

  add(bucket: number, source: number, target: number, weight: number): void {
    const filled = this.#filled[bucket]!
    const at = bucket * this.#room + filled
    this.#words[at] = source
    this.#words[at + 1] = target
    if (this.#recordWords === 3) this.#words[at + 2] = weight
    this.#filled[bucket] = filled + this.#recordWords
    if (filled + this.#recordWords === this.#room) this.#flush(bucket)
  }

  #flush(bucket: number): void {
    const filled = this.#filled[bucket]!
    if (filled === 0) return
    const start = bucket * this.#room
    this.#file.append(bytesOf(this.#words.subarray(start, start + filled)))
    this.#chunks.push(bucket, filled / this.#recordWords)
    this.#filled[bucket] = 0
  }

  finish(): ChunkIndex {
    for (let bucket = 0; bucket < this.#filled.length; bucket++) this.#flush(bucket)
    this.close()
    return { path: this.#file.path, chunks: Uint32Array.from(this.#chunks) }
  }

  /** Needed in every case; may be repeated. */
  close(): void {
    this.#file.close()
  }
}

/** Where the chunks of each bucket lie: for each bucket, triples of file number, byte position and records. */
export function chunksByBucket(indexes: readonly ChunkIndex[], buckets: number, recordWords: 2 | 3): number[][] {
  const places: number[][] = Array.from({ length: buckets }, () => [])
  for (const [number, { chunks }] of indexes.entries())
    for (let i = 0, at = 0; i < chunks.length; i += 2) {
      places[chunks[i]!]!.push(number, at, chunks[i + 1]!)
      at += 4 * recordWords * chunks[i + 1]!
    }
  return places
}
