import { lowerBound } from '../../base/ranges.ts'
import { PIECE_BYTES } from '../../base/sums.ts'
import { type PieceFile, PieceWriter } from '../piece-writer.ts'
import { BucketChunks, type FilledBuckets } from './buckets.ts'
import { growTo, openSorter, type Sorter } from '../bucket-sorter.ts'
import { LONG_LIST, MOST_DEGREE_BYTES } from './list-maker.ts'

/** Lists in their buckets, by {@link ListMaker}. */
export interface GraphTask extends PieceFile {
  readonly buckets: FilledBuckets
  /** Before each bucket, and in all. */
  readonly arcsBefore: Float64Array
  readonly verticesBefore: Float64Array
  /** null where they have gaps. */
  readonly base: number | null
  readonly ranks: WebAssembly.Memory
}

export class ListPieces {
  readonly writer: PieceWriter
  readonly #task: GraphTask
  readonly #chunks: BucketChunks
  readonly #sorter: Sorter
  readonly #bytes: Buffer
  #degrees = new Uint32Array(0)
  #degreeBytes = Buffer.alloc(0)

  constructor(task: GraphTask) {
    this.#task = task
    this.#chunks = new BucketChunks(task.buckets)
    this.#sorter = openSorter(task.ranks)
    growTo(this.#sorter.memory, PIECE_BYTES)
    const sections = {
      ends: this.#ends.bind(this),
      targets: this.#targets.bind(this),
      ...(task.weighted ? { weights: this.#weights.bind(this) } : {}),
    }
    const words = new Uint32Array(this.#sorter.memory.buffer as ArrayBuffer, 0, PIECE_BYTES / 4)
    this.#bytes = Buffer.from(words.buffer)
    this.writer = new PieceWriter(task, sections, words)
  }

  #ends(first: number, last: number, into: Uint32Array): void {
    const { arcsBefore, verticesBefore } = this.#task
    let at = 0
    this.#each(verticesBefore, first, last, (bucket, from, to) => {
      const degrees = this.#degreesOf(bucket, to)
      let end = arcsBefore[bucket]!
      for (let v = 0; v < to; v++) {
        end += degrees[v]!
        if (v < from) continue
        into[at++] = end
        into[at++] = end / 2 ** 32
      }
    })
  }

  #degreesOf(bucket: number, count: number): Uint32Array {
    const { arcsBefore, weighted } = this.#task
    if (this.#degrees.length < count) {
      this.#degrees = new Uint32Array(2 * count)
      this.#degreeBytes = Buffer.alloc(MOST_DEGREE_BYTES * 2 * count)
    }
    const bytes = this.#degreeBytes
    const from = (weighted ? 8 : 4) * (arcsBefore[bucket + 1]! - arcsBefore[bucket]!)
    this.#chunks.read(bucket, from, bytes, 0, MOST_DEGREE_BYTES * count)
    const degrees = this.#degrees.subarray(0, count)
    for (let v = 0, at = 0; v < count; v++) {
      let degree = bytes[at++]!
      if (degree === LONG_LIST) {
        degree = (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0
        at += 4
      }
      degrees[v] = degree
    }
    return degrees
  }

  #targets(first: number, last: number, into: Uint32Array): void {
    const { base } = this.#task
    this.#copy(first, last, into, 0)
    const end = into.byteOffset + into.byteLength
    if (base === null) this.#sorter.rank(into.byteOffset, end)
    else if (base > 0) this.#sorter.subtract(into.byteOffset, end, base)
  }

  #weights(first: number, last: number, into: Uint32Array): void {
    this.#copy(first, last, into, 1)
  }

  /** @param section 1: behind all targets of a bucket */
  #copy(first: number, last: number, into: Uint32Array, section: 0 | 1): void {
    const { arcsBefore } = this.#task
    let at = into.byteOffset
    this.#each(arcsBefore, first, last, (bucket, from, to) => {
      const skipped = section * (arcsBefore[bucket + 1]! - arcsBefore[bucket]!)
      this.#chunks.read(bucket, 4 * (skipped + from), this.#bytes, at, 4 * (to - from))
      at += 4 * (to - from)
    })
  }

  #each(
    before: Float64Array,
    first: number,
    last: number,
    take: (bucket: number, from: number, to: number) => void,
  ): void {
    for (
      let bucket = lowerBound(1, before.length - 1, (b) => before[b]! <= first) - 1, at = first;
      at < last;
      bucket++
    ) {
      const to = Math.min(last, before[bucket + 1]!)
      if (to > at) take(bucket, at - before[bucket]!, to - before[bucket]!)
      at = to
    }
  }
}
