/**
 * Entries as records in buckets of sources, on the disk: bounds of buckets from a sample of ends, and one file of chunks a thread, written
 * through a buffer for each bucket (external distribution sort; Knuth, volume 3, section 5.4). Both directions of an entry are records; loops
 * are only counted. Cost is two passes over the records. bucket-builder.ts reads them back.
 */

import { AppendFile, ScratchFiles } from './scratch-file.ts'
import { bytesOf } from '../../base/words.ts'
import { type EntryBatches, type EntrySource, openEntries, type SourceSlice } from './entry-source.ts'

/** Bucket b holds the vertices from bounds[b] to bounds[b + 1] - 1. */
type BucketBounds = Float64Array

export function bucketBounds(sample: Uint32Array, vertices: number, buckets: number): BucketBounds {
  const sorted = sample.slice().sort()
  const cuts = new Set<number>([0])
  for (let b = 1; b < buckets && sorted.length > 0; b++) {
    const vertex = sorted[Math.floor((b * sorted.length) / buckets)]!
    if (cuts.has(vertex)) cuts.add(Math.min(vertices, vertex + 1))
    else cuts.add(vertex)
  }
  // A local id has 31 bits.
  const widest = Math.max(1, Math.min(2 ** 30, Math.ceil(vertices / Math.max(1, buckets)) * 64))
  for (let v = widest; v < vertices; v += widest) cuts.add(v)
  cuts.delete(vertices)
  return Float64Array.from([...cuts].sort((a, b) => a - b).concat(vertices))
}

/** The bucket of a vertex. */
function bucketFinder(bounds: BucketBounds): (vertex: number) => number {
  const vertices = bounds[bounds.length - 1]!
  let shift = 0
  while (vertices / 2 ** shift > 1 << 16) shift++
  /** The bucket of the first of 2^shift vertices. */
  const blocks = new Uint32Array(Math.ceil(vertices / 2 ** shift) + 1)
  for (let block = 0, b = 0; block < blocks.length; block++) {
    while (b + 2 < bounds.length && bounds[b + 1]! <= block * 2 ** shift) b++
    blocks[block] = b
  }
  return (vertex) => {
    let b = blocks[vertex >>> shift]!
    while (bounds[b + 1]! <= vertex) b++
    return b
  }
}

/** Chunks in the order of the file. */
export interface ChunkIndex {
  readonly path: string
  readonly chunks: Uint32Array
}

const SMALLEST_BUFFER_BYTES = 1 << 12
const LARGEST_BUFFER_BYTES = 1 << 18

export function mostBuckets(budgetBytes: number): number {
  return Math.max(2, Math.min(1 << 14, Math.floor(budgetBytes / (2 * SMALLEST_BUFFER_BYTES))))
}

/**
 * Writes records through a buffer a bucket into one file of chunks. Record: u32 2 * (u - first of the bucket) + (1
 * where the entry was v, u), u32 v and, where weighted, f32 weight.
 */
export class BucketWriter {
  readonly #recordWords: 2 | 3
  readonly #room: number
  readonly #words: Uint32Array
  readonly #filled: Uint32Array
  readonly #file: AppendFile
  readonly #chunks: number[] = []

  constructor(files: ScratchFiles, path: string, buckets: number, recordWords: 2 | 3, budgetBytes: number) {
    this.#recordWords = recordWords
    const bytes = Math.max(SMALLEST_BUFFER_BYTES, Math.min(LARGEST_BUFFER_BYTES, Math.floor(budgetBytes / buckets)))
    this.#room = Math.floor(bytes / 4 / recordWords) * recordWords
    this.#words = new Uint32Array(this.#room * buckets)
    this.#filled = new Uint32Array(buckets)
    this.#file = new AppendFile(files, path, 0)
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
    return { path: this.#file.path, chunks: Uint32Array.from(this.#chunks) }
  }
}

/** For each bucket, triples of file number, byte position and records. */
export function chunksByBucket(indexes: readonly ChunkIndex[], buckets: number, recordWords: 2 | 3): number[][] {
  const places: number[][] = Array.from({ length: buckets }, () => [])
  for (const [number, { chunks }] of indexes.entries())
    for (let i = 0, at = 0; i < chunks.length; i += 2) {
      places[chunks[i]!]!.push(number, at, chunks[i + 1]!)
      at += 4 * recordWords * chunks[i + 1]!
    }
  return places
}

export interface PartitionTask {
  readonly path: string
  readonly source: EntrySource
  readonly bounds: BucketBounds
  /** Without weights where the graph has none. */
  readonly recordWords: 2 | 3
  readonly budgetBytes: number
}

export interface Partitioned extends ChunkIndex {
  readonly entries: number
  readonly loops: number
}

/** Loops are only counted. */
export class EntryPartitioner {
  readonly #bounds: BucketBounds
  readonly #batches: EntryBatches<SourceSlice>
  readonly #entryWords: 2 | 3
  readonly #find: (vertex: number) => number
  readonly #files = new ScratchFiles()
  readonly #writer: BucketWriter
  #entries = 0
  #loops = 0

  constructor({ path, source, bounds, recordWords, budgetBytes }: PartitionTask) {
    this.#bounds = bounds
    this.#entryWords = source.recordWords
    this.#find = bucketFinder(bounds)
    this.#writer = new BucketWriter(this.#files, path, bounds.length - 1, recordWords, budgetBytes)
    this.#batches = openEntries(source)
  }

  /** @returns false for irregular entries */
  take(slice: SourceSlice): boolean {
    return this.#batches.each(slice, (records) => this.#scatter(records))
  }

  #scatter(words: Uint32Array): void {
    const bounds = this.#bounds
    const entryWords = this.#entryWords
    const find = this.#find
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
      const a = find(u)
      writer.add(a, 2 * (u - bounds[a]!), v, weight)
      const b = find(v)
      writer.add(b, 2 * (v - bounds[b]!) + 1, u, weight)
    }
  }

  finish(): Partitioned {
    return { ...this.#writer.finish(), entries: this.#entries, loops: this.#loops }
  }

  close(): void {
    this.#batches.close()
    this.#files.close()
  }
}
