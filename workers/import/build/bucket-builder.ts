/**
 * Makes the lists of one bucket of sources after the other from records on the disk: read, sorted by radix, merged, written to their place of
 * graph.gr. A bucket larger than the memory is split by sources or, of one source, by targets, recursively, so that memory is bounded whatever
 * the graph. Threads build buckets side by side: each waits for the number of arcs before it, which are counted before any is written.
 * entry-buckets.ts wrote the records, merged-arcs.ts merges, build-external.ts has the stages.
 */

import { Failure } from '../../base/failure.ts'
import { type StopSignal, throwIfCancelled } from '../../base/job.ts'
import { type SummedPieces, SumsBuilder } from '../../base/sums.ts'
import { DIGITS_BYTES, growTo, openSorter, sortBits } from './bucket-sorter.ts'
import { ArcOutput, type ArcOutputPlan, type ArcCounts } from './merged-arcs.ts'
import { BucketWriter, chunksByBucket, mostBuckets } from './entry-buckets.ts'
import { ScratchFiles } from './scratch-file.ts'
import { bytesOf } from '../../base/words.ts'

/** Triples: file number, byte position, records. */
type Places = readonly number[]

export interface Bucket {
  readonly first: number
  readonly last: number
  readonly paths: readonly string[]
  readonly places: Places
}

export interface BuildTask extends ArcOutputPlan {
  readonly recordWords: 2 | 3
  readonly budgetBytes: number
  /** For buckets that are too large for the memory. */
  readonly splitPath: string
  /** One word: the next bucket. */
  readonly turn: Int32Array
  /** One number: arcs of the buckets before. */
  readonly position: Float64Array
}

interface Part extends Bucket {
  readonly targetFirst: number
  readonly targetLast: number
  readonly depth: number
}

const TURN_WAIT_MS = 50

/** A bucket larger than the memory is split by sources or, of one source, by targets, recursively. */
export class BucketBuilder {
  readonly #plan: BuildTask
  readonly #signal: StopSignal
  readonly #output: ArcOutput
  readonly #sums = new SumsBuilder()
  readonly #files = new ScratchFiles()
  readonly #capacity: number
  readonly #sorter = openSorter()

  constructor(plan: BuildTask, signal: StopSignal) {
    this.#plan = plan
    this.#signal = signal
    this.#output = new ArcOutput(plan, this.#sums, this.#files)
    this.#capacity = capacityOf(plan.budgetBytes, plan.recordWords)
  }

  build({ number, bucket }: { readonly number: number; readonly bucket: Bucket }): ArcCounts {
    const { recordWords } = this.#plan
    const part = { ...bucket, targetFirst: 0, targetLast: this.#plan.vertices, depth: 0 }
    const sorted = this.#fits(part) ? this.#sorted(part) : null
    const known = sorted === null ? null : arcsOf(sorted, recordWords)
    const start = this.#arcsBefore(number)
    // What is known to follow lets the next bucket be written beside this one.
    if (known !== null) this.#giveTurn(number, start + known)
    this.#output.begin(bucket.first, bucket.last, start)
    if (sorted !== null) this.#output.take(sorted, recordWords, bucket.first)
    else this.#divide(part)
    const counts = this.#output.finish()
    if (known === null) this.#giveTurn(number, start + counts.arcs)
    else if (known !== counts.arcs) throw new Error(`a bucket of ${known} arcs has ${counts.arcs}`)
    return counts
  }

  #giveTurn(bucket: number, arcs: number): void {
    const { turn, position } = this.#plan
    position[0] = arcs
    Atomics.store(turn, 0, bucket + 1)
    Atomics.notify(turn, 0)
  }

  /** Waits until they are counted. */
  #arcsBefore(bucket: number): number {
    const { turn, position } = this.#plan
    for (let now = Atomics.load(turn, 0); now !== bucket; now = Atomics.load(turn, 0)) {
      throwIfCancelled(this.#signal)
      Atomics.wait(turn, 0, now, TURN_WAIT_MS)
    }
    return position[0]!
  }

  finish(): SummedPieces {
    return this.#sums.pieces
  }

  close(): void {
    this.#files.close()
  }

  #fits(part: Part): boolean {
    return recordsIn(part.places) <= this.#capacity
  }

  /** Records by source and target; good until more are read. */
  #sorted(part: Part): Uint32Array {
    const { recordWords } = this.#plan
    const count = recordsIn(part.places)
    const words = this.#words(2 * count)
    let end = 0
    for (let i = 0; i < part.places.length; i += 3) {
      const start = end
      end += part.places[i + 2]! * recordWords
      this.#files.read(part.paths[part.places[i]!]!, bytesOf(words.subarray(start, end)), part.places[i + 1]!)
    }
    const size = recordWords === 2 ? 8 : 12
    const [front, back] = [words.byteOffset, words.byteOffset + count * size]
    const byTarget = sortBits(this.#sorter, { at: front, room: back, count, size }, 32, bitsOf(part.targetLast))
    const room = byTarget === front ? back : front
    const at = sortBits(this.#sorter, { at: byTarget, room, count, size }, 1, bitsOf(part.last - part.first))
    return new Uint32Array(words.buffer, at, end)
  }

  /** @throws Failure (engine) */
  #words(records: number): Uint32Array {
    const words = records * this.#plan.recordWords
    const { memory } = this.#sorter
    if (!growTo(memory, DIGITS_BYTES + 4 * words))
      throw new Failure({
        code: 'engine',
        what: `there is no memory left for the ${4 * words} bytes that a bucket is sorted in`,
        remedy: 'Close other programs.',
        fixes: [{ action: 'lower', option: 'memoryBytes' }],
      })
    return new Uint32Array(memory.buffer, DIGITS_BYTES, words)
  }

  #emit(part: Part): void {
    throwIfCancelled(this.#signal)
    if (this.#fits(part)) this.#output.take(this.#sorted(part), this.#plan.recordWords, part.first)
    else if (part.last - part.first === 1 && part.targetLast - part.targetFirst === 1) this.#fold(part)
    else this.#divide(part)
  }

  #fold(part: Part): void {
    for (const piece of this.#pieces(part)) this.#output.take(piece, this.#plan.recordWords, part.first)
  }

  #divide(part: Part): void {
    const bySource = part.last - part.first > 1
    const [low, high] = bySource ? [part.first, part.last] : [part.targetFirst, part.targetLast]
    const wanted = Math.ceil((2 * recordsIn(part.places)) / this.#capacity)
    const width = Math.ceil((high - low) / Math.min(wanted, mostBuckets(this.#plan.budgetBytes / 4), high - low))
    const children = Math.ceil((high - low) / width)
    const path = `${this.#plan.splitPath}-${part.depth}`
    const writer = new BucketWriter(this.#files, path, children, this.#plan.recordWords, this.#plan.budgetBytes / 4)
    try {
      for (const piece of this.#pieces(part)) this.#distribute(piece, writer, bySource, width, part.targetFirst)
      const places = chunksByBucket([writer.finish()], children, this.#plan.recordWords)
      for (let c = 0; c < children; c++) {
        const from = low + c * width
        const to = Math.min(high, from + width)
        const range = bySource ? { first: from, last: to } : { targetFirst: from, targetLast: to }
        this.#emit({ ...part, ...range, paths: [path], places: places[c]!, depth: part.depth + 1 })
      }
    } finally {
      this.#files.remove(path)
    }
  }

  #distribute(piece: Uint32Array, writer: BucketWriter, bySource: boolean, width: number, targetFirst: number): void {
    const { recordWords } = this.#plan
    for (let i = 0; i < piece.length; i += recordWords) {
      const source = piece[i]! >>> 1
      const target = piece[i + 1]!
      const weight = recordWords === 3 ? piece[i + 2]! : 0
      const child = Math.floor((bySource ? source : target - targetFirst) / width)
      const local = bySource ? piece[i]! - 2 * child * width : piece[i]!
      writer.add(child, local, target, weight)
    }
  }

  /** As they were written, as much at a time as fits. */
  *#pieces(part: Part): Generator<Uint32Array> {
    for (let i = 0; i < part.places.length; i += 3) {
      const [file, at, records] = part.places.slice(i, i + 3) as [number, number, number]
      for (let done = 0; done < records; done += this.#capacity) {
        throwIfCancelled(this.#signal)
        const count = Math.min(this.#capacity, records - done)
        const { recordWords } = this.#plan
        const piece = this.#words(count)
        this.#files.read(part.paths[file]!, bytesOf(piece), at + 4 * recordWords * done)
        yield piece
      }
    }
  }
}

/** Arcs of sorted records: one for all of the same source and target. */
function arcsOf(records: Uint32Array, recordWords: 2 | 3): number {
  let [arcs, source, target] = [0, -1, -1]
  for (let i = 0; i < records.length; i += recordWords) {
    if (records[i + 1] === target && records[i]! >>> 1 === source) continue
    source = records[i]! >>> 1
    target = records[i + 1]!
    arcs++
  }
  return arcs
}

function bitsOf(limit: number): number {
  return Math.ceil(Math.log2(Math.max(2, limit)))
}

/** Two copies of them. */
export function capacityOf(budgetBytes: number, recordWords: 2 | 3): number {
  return Math.max(64, Math.floor(budgetBytes / (8 * recordWords)))
}

export function recordsIn(places: Places): number {
  let records = 0
  for (let i = 2; i < places.length; i += 3) records += places[i]!
  return records
}
