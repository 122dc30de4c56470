import { rmSync } from 'node:fs'
import { type SummedPieces, SumsBuilder } from '../../base/sums.ts'
import { type ArcCounts, ArcOutput, type ArcOutputPlan } from './arc-output.ts'
import { BucketWriter, chunksByBucket, mostBuckets } from './buckets.ts'
import { bytesOf, ScratchFiles } from './scratch-file.ts'

/** Records of one bucket: triples of file number, byte position and records. */
export type Places = readonly number[]

export interface Bucket {
  readonly first: number
  readonly last: number
  readonly paths: readonly string[]
  readonly places: Places
}

interface BuildPlan extends ArcOutputPlan {
  readonly recordWords: 2 | 3
  /** For sorting. */
  readonly budgetBytes: number
  /** Beside this path a bucket that is too large for the memory is divided once more. */
  readonly splitPath: string
}

/** Buckets are written in order: a task waits for its turn, then reads its position. */
export interface BuildTask extends BuildPlan {
  /** One word: the next bucket to write. */
  readonly turn: Int32Array
  /** One number: arcs of the buckets before. */
  readonly position: Float64Array
}

/** A part of a bucket: sources [first, last), targets [targetFirst, targetLast). */
interface Part extends Bucket {
  readonly targetFirst: number
  readonly targetLast: number
  readonly depth: number
}

/**
 * Makes the adjacency lists of one bucket: sorts its records by source and target and writes each arc once. A bucket
 * larger than the memory is split by sources or, of one source, by targets, recursively.
 */
export class BucketBuilder {
  readonly #plan: BuildPlan
  readonly #output: ArcOutput
  readonly #sums = new SumsBuilder()
  readonly #files = new ScratchFiles()
  readonly #capacity: number
  readonly #records: Uint32Array
  readonly #room: Uint32Array

  constructor(plan: BuildPlan) {
    this.#plan = plan
    this.#output = new ArcOutput(plan, this.#sums)
    this.#capacity = capacityOf(plan.budgetBytes, plan.recordWords)
    this.#records = new Uint32Array(this.#capacity * plan.recordWords)
    this.#room = new Uint32Array(this.#capacity * plan.recordWords)
  }

  /** @param position waits, when it is called, until the arcs before this bucket are counted */
  build(bucket: Bucket, position: () => number): { readonly start: number; readonly counts: ArcCounts } {
    const part = { ...bucket, targetFirst: 0, targetLast: this.#plan.vertices, depth: 0 }
    // The turn is waited for as late as possible: sorting needs none.
    const sorted = this.#fits(part) ? this.#sorted(part) : null
    const start = position()
    this.#output.begin(bucket.first, bucket.last, start)
    if (sorted !== null) this.#output.take(sorted, this.#plan.recordWords, bucket.first)
    else this.#divide(part)
    return { start, counts: this.#output.finish() }
  }

  /** Of graph.gr: the pieces that were written here as a whole. */
  get pieces(): SummedPieces {
    return this.#sums.pieces
  }

  close(): void {
    this.#output.close()
    this.#files.close()
  }

  #fits(part: Part): boolean {
    return recordsIn(part.places) <= this.#capacity
  }

  #sorted(part: Part): Uint32Array {
    const { recordWords } = this.#plan
    let at = 0
    for (let i = 0; i < part.places.length; i += 3) {
      const words = part.places[i + 2]! * recordWords
      this.#read(part, i, this.#records.subarray(at, at + words))
      at += words
    }
    const [records, room] = [this.#records.subarray(0, at), this.#room.subarray(0, at)]
    return sortRecords(records, room, recordWords, part.last - part.first, part.targetLast)
  }

  #read({ paths, places }: Part, i: number, into: Uint32Array): void {
    this.#files.read(paths[places[i]!]!, bytesOf(into), places[i + 1]!)
  }

  #emit(part: Part): void {
    if (this.#fits(part)) this.#output.take(this.#sorted(part), this.#plan.recordWords, part.first)
    else if (part.last - part.first === 1 && part.targetLast - part.targetFirst === 1) this.#fold(part)
    else this.#divide(part)
  }

  /** All records are the same arc: nothing to sort. */
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
    const writer = new BucketWriter(path, children, this.#plan.recordWords, this.#plan.budgetBytes / 4)
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
      writer.close()
      this.#files.forget(path)
      rmSync(path, { force: true })
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

  /** The records of a part in the order in which they were written, as much at a time as there is memory for. */
  *#pieces(part: Part): Generator<Uint32Array> {
    for (let i = 0; i < part.places.length; i += 3) {
      const [file, at, records] = part.places.slice(i, i + 3) as [number, number, number]
      for (let done = 0; done < records; done += this.#capacity) {
        const count = Math.min(this.#capacity, records - done)
        const { recordWords } = this.#plan
        const piece = this.#records.subarray(0, count * recordWords)
        this.#files.read(part.paths[file]!, bytesOf(piece), at + 4 * recordWords * done)
        yield piece
      }
    }
  }
}

/** Records that can be sorted at once: two copies of them. */
export function capacityOf(budgetBytes: number, recordWords: 2 | 3): number {
  return Math.max(64, Math.floor(budgetBytes / (8 * recordWords)))
}

export function recordsIn(places: Places): number {
  let records = 0
  for (let i = 2; i < places.length; i += 3) records += places[i]!
  return records
}

const DIGIT_BITS = 11

/** One pass of a radix sort: by `bits` bits of a word of the record, from bit `shift`. */
interface Digit {
  readonly word: 0 | 1
  readonly shift: number
  readonly bits: number
}

/**
 * Sorts records by source (word 0 without its lowest bit), then by target (word 1), stably. Overwrites both arrays.
 * @param sources, targets one more than the largest that occurs
 * @returns the array with the sorted records
 */
function sortRecords(
  records: Uint32Array,
  room: Uint32Array,
  recordWords: 2 | 3,
  sources: number,
  targets: number,
): Uint32Array {
  let from = records
  let into = room
  for (const digit of [...digits(1, 0, targets), ...digits(0, 1, sources)]) {
    const starts = digitStarts(from, recordWords, digit)
    if (starts === null) continue
    if (recordWords === 2) scatterPairs(from, into, starts, digit)
    else scatterTriples(from, into, starts, digit)
    ;[from, into] = [into, from]
  }
  return from
}

function digits(word: 0 | 1, skipped: number, values: number): Digit[] {
  const bits = Math.ceil(Math.log2(Math.max(2, values)))
  const passes = Math.ceil(bits / DIGIT_BITS)
  const width = Math.ceil(bits / passes)
  return Array.from({ length: passes }, (_, i) => ({ word, shift: skipped + i * width, bits: width }))
}

/** Where the records of each value of the digit go; null where all have the same. */
function digitStarts(records: Uint32Array, recordWords: number, { word, shift, bits }: Digit): Uint32Array | null {
  const counts = new Uint32Array(1 << bits)
  const mask = (1 << bits) - 1
  for (let i = word; i < records.length; i += recordWords) counts[(records[i]! >>> shift) & mask]!++
  let sum = 0
  for (let d = 0; d < counts.length; d++) {
    const count = counts[d]!
    if (count * recordWords === records.length) return null
    counts[d] = sum
    sum += count * recordWords
  }
  return counts
}

function scatterPairs(from: Uint32Array, into: Uint32Array, starts: Uint32Array, { word, shift, bits }: Digit): void {
  const mask = (1 << bits) - 1
  for (let i = 0; i < from.length; i += 2) {
    const d = (from[i + word]! >>> shift) & mask
    const at = starts[d]!
    into[at] = from[i]!
    into[at + 1] = from[i + 1]!
    starts[d] = at + 2
  }
}

function scatterTriples(from: Uint32Array, into: Uint32Array, starts: Uint32Array, { word, shift, bits }: Digit): void {
  const mask = (1 << bits) - 1
  for (let i = 0; i < from.length; i += 3) {
    const d = (from[i + word]! >>> shift) & mask
    const at = starts[d]!
    into[at] = from[i]!
    into[at + 1] = from[i + 1]!
    into[at + 2] = from[i + 2]!
    starts[d] = at + 3
  }
}
