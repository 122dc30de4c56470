import { closeSync } from 'node:fs'
import { PIECE_BYTES, pieceBytes, type SummedPieces, SumsBuilder } from '../../base/sums.ts'
import { openFile, writeFully } from '../../base/file-bytes.ts'
import { GR_HEADER_BYTES, grLayout } from '../../graph/graph-file.ts'
import { BucketChunks, type FilledBuckets } from './buckets.ts'
import { growTo, openSorter, type Sorter } from './list-maker.ts'

/** Lists in their buckets. All in shared memory. */
export interface PiecesTask {
  readonly path: string
  readonly buckets: FilledBuckets
  readonly vertices: number
  readonly arcs: number
  readonly weighted: boolean
  /** Before each bucket, and in all. */
  readonly arcsBefore: Float64Array
  readonly verticesBefore: Float64Array
  /** null where they have gaps. */
  readonly base: number | null
  readonly ranks: WebAssembly.Memory
}

interface Stretch {
  readonly at: number
  readonly end: number
}

/** Writes and sums pieces of graph.gr. */
export class GraphPieces {
  readonly #task: PiecesTask
  readonly #chunks: BucketChunks
  readonly #sorter: Sorter
  readonly #sums = new SumsBuilder()
  readonly #file: number
  readonly #words: Uint32Array<ArrayBuffer>
  #degrees = new Uint32Array(1 << 10)

  constructor(task: PiecesTask) {
    this.#task = task
    this.#chunks = new BucketChunks(task.buckets)
    this.#sorter = openSorter(task.ranks)
    growTo(this.#sorter.memory, PIECE_BYTES)
    this.#words = new Uint32Array(this.#sorter.memory.buffer as ArrayBuffer, 0, PIECE_BYTES / 4)
    this.#file = openFile(task.path, 'r+')
  }

  /** @throws Failure (storage) */
  write(piece: number): void {
    const { vertices, arcs, weighted, path } = this.#task
    const { targetsAt, weightsAt, fileBytes } = grLayout(vertices, arcs, weighted)
    const at = piece * PIECE_BYTES
    const whole = { at, end: at + pieceBytes(fileBytes, piece) }
    const words = this.#words.subarray(0, (whole.end - at) / 4)
    if (piece === 0) this.#header(words)
    this.#items(whole, GR_HEADER_BYTES, 8, vertices, (first, last, into) => this.#ends(first, last, into))
    this.#items(whole, targetsAt, 4, arcs, (first, last, into) => this.#targets(first, last, into))
    if (arcs % 2 === 1 && whole.at < weightsAt && weightsAt <= whole.end) words[(weightsAt - at) / 4 - 1] = 0
    if (weighted) this.#items(whole, weightsAt, 4, arcs, (first, last, into) => this.#weights(first, last, into))
    const bytes = new Uint8Array(words.buffer, 0, words.byteLength)
    this.#sums.addPiece(piece, bytes)
    writeFully(this.#file, bytes, at, path)
  }

  get pieces(): SummedPieces {
    return this.#sums.pieces
  }

  close(): void {
    closeSync(this.#file)
  }

  #header(words: Uint32Array): void {
    const { vertices, arcs, weighted } = this.#task
    words.set([1, 0, weighted ? 4 : 0, 0, vertices, 0, arcs, Math.floor(arcs / 2 ** 32)])
  }

  #items(
    { at, end }: Stretch,
    sectionAt: number,
    bytesEach: number,
    count: number,
    make: (first: number, last: number, into: Uint32Array) => void,
  ): void {
    const first = Math.max(0, (at - sectionAt) / bytesEach)
    const last = Math.min(count, (end - sectionAt) / bytesEach)
    if (first >= last) return
    const from = (sectionAt + first * bytesEach - at) / 4
    make(first, last, this.#words.subarray(from, from + ((last - first) * bytesEach) / 4))
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
    const { arcsBefore } = this.#task
    if (this.#degrees.length < count) this.#degrees = new Uint32Array(2 * count)
    const degrees = this.#degrees.subarray(0, count)
    this.#chunks.read(bucket, arcsBefore[bucket + 1]! - arcsBefore[bucket]!, degrees)
    return degrees
  }

  #targets(first: number, last: number, into: Uint32Array): void {
    const { arcsBefore, base } = this.#task
    let at = 0
    this.#each(arcsBefore, first, last, (bucket, from, to) => {
      this.#chunks.read(bucket, from, into.subarray(at, at + to - from))
      at += to - from
    })
    const end = into.byteOffset + into.byteLength
    if (base === null) this.#sorter.rank(into.byteOffset, end)
    else if (base > 0) this.#sorter.subtract(into.byteOffset, end, base)
  }

  #weights(first: number, last: number, into: Uint32Array): void {
    const { arcsBefore, verticesBefore } = this.#task
    let at = 0
    this.#each(arcsBefore, first, last, (bucket, from, to) => {
      const words =
        arcsBefore[bucket + 1]! - arcsBefore[bucket]! + verticesBefore[bucket + 1]! - verticesBefore[bucket]!
      this.#chunks.read(bucket, words + from, into.subarray(at, at + to - from))
      at += to - from
    })
  }

  #each(
    before: Float64Array,
    first: number,
    last: number,
    take: (bucket: number, from: number, to: number) => void,
  ): void {
    for (let bucket = bucketOf(before, first), at = first; at < last; bucket++) {
      const to = Math.min(last, before[bucket + 1]!)
      if (to > at) take(bucket, at - before[bucket]!, to - before[bucket]!)
      at = to
    }
  }
}

/** Or before. */
function bucketOf(before: Float64Array, item: number): number {
  let [low, high] = [0, before.length - 1]
  while (high - low > 1) {
    const middle = (low + high) >>> 1
    if (before[middle]! <= item) low = middle
    else high = middle
  }
  return low
}
