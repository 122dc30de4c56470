/**
 * Sorts the records of buckets, and puts in their place: u32 targets [arcs], f32 weights [arcs], degrees [sources that occur], of a byte each,
 * or of 255 and a u32. Sorting is by radix in the cache of a thread; several directions of one edge are merged (merged-arcs.ts). piece-writer.ts
 * writes what stands in the buckets then.
 */

import { addCounts, type ArcCounts, MergedWeight, noArcs, type WeightMerge } from './merged-arcs.ts'
import { BucketChunks, CHUNK_BYTES, type FilledBuckets, recordsOf } from './filled-buckets.ts'
import { DIGITS_BYTES, growTo, openSorter, sortBits, type Sorter } from './bucket-sorter.ts'

/** All in shared memory. */
export interface ListsTask {
  readonly buckets: FilledBuckets
  /** Bucket b has the sources from bounds[b] to bounds[b + 1] - 1. */
  readonly bounds: Float64Array
  readonly idBits: number
  readonly merge: WeightMerge
  /** Pairs of u32 for 32 ids: bits of those that occur, and room for the rank of the first. */
  readonly ranks: WebAssembly.Memory
  /** Arcs by bucket. */
  readonly arcs: Float64Array
}

/** A byte that says that a u32 follows. */
export const LONG_LIST = 255
export const MOST_DEGREE_BYTES = 5

interface Places {
  readonly sources: number
  readonly degrees: number
  readonly bits: number
  readonly records: number
  readonly room: number
}

interface Lists {
  readonly targets: number
  readonly weights: number | null
  readonly degreesBytes: number
  readonly counts: ArcCounts
}

/** Makes the lists of one bucket after another. */
export class ListMaker {
  readonly #task: ListsTask
  readonly #chunks: BucketChunks
  readonly #sorter: Sorter
  readonly #ranks: Int32Array

  constructor(task: ListsTask) {
    this.#task = task
    this.#chunks = new BucketChunks(task.buckets)
    this.#sorter = openSorter(task.ranks)
    this.#ranks = new Int32Array(task.ranks.buffer)
  }

  /** @returns null without memory. @throws Failure (input) for a sum that is too large */
  make(bucketNumbers: readonly number[]): ArcCounts | null {
    const sum = noArcs()
    for (const bucket of bucketNumbers) {
      const counts = this.#make(bucket)
      if (counts === null) return null
      addCounts(sum, counts)
    }
    return sum
  }

  #make(bucket: number): ArcCounts | null {
    const { buckets, bounds, idBits, arcs } = this.#task
    const records = recordsOf(buckets, bucket)
    if (records === 0) return noArcs()
    const first = bounds[bucket]!
    const last = Math.min(bounds[bucket + 1]!, 2 ** idBits)
    const places = this.#places(records, last - first)
    if (places === null) return null
    const { memory } = this.#sorter
    this.#widen(bucket, places.records, first)
    const words = this.#sort(places, records, first)
    const lists = buckets.form.weighted
      ? this.#merge(places, words, first, last)
      : this.#close(places, words, first, last)
    const all = Buffer.from(memory.buffer)
    let putBytes = 0
    const put = (from: number, bytes: number): void => {
      this.#chunks.write(bucket, putBytes, all, from, bytes)
      putBytes += bytes
    }
    const { counts } = lists
    put(lists.targets, 4 * counts.arcs)
    if (lists.weights !== null) put(lists.weights, 4 * counts.arcs)
    put(places.degrees, lists.degreesBytes)
    const bits = new Int32Array(memory.buffer, places.bits, Math.ceil((last - first) / 32))
    for (let w = 0; w < bits.length; w++) this.#ranks[2 * (first / 32 + w)] = bits[w]!
    arcs[bucket] = counts.arcs
    return { ...counts, records: records - counts.loops }
  }

  #places(records: number, range: number): Places | null {
    const sources = DIGITS_BYTES + CHUNK_BYTES
    const bits = sources + 4 * range
    const degrees = bits + 4 * Math.ceil(range / 32)
    const first = 8 * Math.ceil((degrees + MOST_DEGREE_BYTES * range) / 8)
    const bytes = 8 * Math.ceil((records * this.#size) / 8)
    return growTo(this.#sorter.memory, first + 2 * bytes)
      ? { sources, degrees, bits, records: first, room: first + bytes }
      : null
  }

  #widen(bucket: number, into: number, base: number): void {
    const { memory, widen } = this.#sorter
    const { bytes, weighted, sourceBits, wordBits } = this.#task.buckets.form
    const mask = 2 ** sourceBits - 1
    let at = into
    this.#chunks.records(bucket, Buffer.from(memory.buffer), DIGITS_BYTES, (records) => {
      widen(DIGITS_BYTES, records, bytes, base, mask, BigInt(wordBits), weighted ? 1 : 0, at)
      at += records * this.#size
    })
  }

  /** Bytes of a record with its whole source. */
  get #size(): 8 | 12 {
    return this.#task.buckets.form.weighted ? 12 : 8
  }

  /** Sorts by source, target, direction. @returns where the words without sources are */
  #sort({ sources, bits, records, room }: Places, count: number, first: number): number {
    const sorter = this.#sorter
    const size = this.#size
    const bytes = new Uint8Array(sorter.memory.buffer)
    const from = sortBits(sorter, { at: records, room, count, size }, 0, this.#task.idBits + 1)
    const to = from === records ? room : records
    const end = from + count * size
    bytes.fill(0, sources, bits)
    sorter.countSources(from, end, size, first, sources)
    sorter.starts(sources, bits, to, size - 4)
    sorter.spreadSources(from, end, size, first, sources)
    return to
  }

  #close({ sources, degrees, bits }: Places, words: number, first: number, last: number): Lists {
    const sorter = this.#sorter
    const end = sorter.close(words, sources, first, last, words, degrees, bits) >>> 0
    const counts = {
      ...noArcs(),
      arcs: (end - words) / 4,
      given: sorter.given.value,
      loops: sorter.loops.value,
      maxDegree: sorter.longest.value,
      isolated: sorter.empty.value,
    }
    return {
      targets: words,
      weights: null,
      degreesBytes: sorter.degreesEnd.value - degrees,
      counts,
    }
  }

  /** A weight follows each word. */
  #merge(places: Places, words: number, first: number, last: number): Lists {
    const { buffer } = this.#sorter.memory
    const memory = new Uint32Array(buffer)
    const view = new DataView(buffer)
    const floats = new Float32Array(buffer)
    const merged = new MergedWeight(this.#task.merge)
    const counts = noArcs()
    const ends = places.sources / 4
    const isOccurring = new Int32Array(buffer, places.bits, Math.ceil((last - first) / 32)).fill(0)
    // Of the two places, the one without the words is free.
    const targets = (words === places.room ? places.records : places.room) / 4
    const weights = targets + (memory[ends + last - first - 1]! - words) / 8
    let [at, arcs, degrees] = [words / 4, 0, places.degrees]
    for (let source = first; source < last; source++) {
      const end = memory[ends + source - first]! / 4
      if (at === end) continue
      isOccurring[(source - first) >>> 5]! |= 1 << ((source - first) & 31)
      const listStart = arcs
      while (at < end) {
        const word = memory[at]!
        const target = word >>> 1
        if (target === source) {
          counts.loops++
          at += 2
          continue
        }
        if ((word & 1) === 0) counts.given++
        merged.start()
        for (; at < end && memory[at]! >>> 1 === target; at += 2)
          merged.add(floats[at + 1]!, (memory[at]! & 1) as 0 | 1)
        const weight = merged.value(source, target)
        if (merged.differ) counts.differing++
        memory[targets + arcs] = target
        floats[weights + arcs++] = weight
        if (weight < counts.smallestWeight) counts.smallestWeight = weight
        if (weight > counts.largestWeight) counts.largestWeight = weight
      }
      const degree = arcs - listStart
      if (degree > counts.maxDegree) counts.maxDegree = degree
      if (degree === 0) counts.isolated++
      view.setUint8(degrees++, Math.min(degree, LONG_LIST))
      if (degree < LONG_LIST) continue
      view.setUint32(degrees, degree, true)
      degrees += 4
    }
    const degreesBytes = degrees - places.degrees
    return { targets: 4 * targets, weights: 4 * weights, degreesBytes, counts: { ...counts, arcs } }
  }
}
