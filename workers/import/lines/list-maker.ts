import { MergedWeight, type WeightMerge } from '../external/weight-merge.ts'
import { BucketChunks, type FilledBuckets, recordsOf } from './buckets.ts'
import { BUCKET_SORTER } from './modules.ts'

/** All in shared memory. */
export interface ListsTask {
  readonly buckets: FilledBuckets
  /** Bucket b has the sources from bounds[b] to bounds[b + 1] - 1. */
  readonly bounds: Float64Array
  readonly idBits: number
  readonly merge: WeightMerge
  /** Pairs of u32 for 32 ids: bits of those that occur, and room for the rank of the first. */
  readonly ranks: WebAssembly.Memory
  /** By bucket; `seen`: sources that occur. */
  readonly arcs: Float64Array
  readonly seen: Float64Array
}

export interface ListCounts {
  records: number
  /** Read in this direction. */
  given: number
  loops: number
  maxDegree: number
  isolated: number
  smallestWeight: number
  largestWeight: number
}

export const noLists = (): ListCounts => ({
  records: 0,
  given: 0,
  loops: 0,
  maxDegree: 0,
  isolated: 0,
  smallestWeight: Infinity,
  largestWeight: 0,
})

export function addLists(sum: ListCounts, more: ListCounts): void {
  sum.records += more.records
  sum.given += more.given
  sum.loops += more.loops
  sum.maxDegree = Math.max(sum.maxDegree, more.maxDegree)
  sum.isolated += more.isolated
  sum.smallestWeight = Math.min(sum.smallestWeight, more.smallestWeight)
  sum.largestWeight = Math.max(sum.largestWeight, more.largestWeight)
}

/** Counters stay in the nearest cache. */
const MOST_DIGIT_BITS = 12
/** Counters, at the start of the sorter's memory. */
export const DIGITS_BYTES = 4 << MOST_DIGIT_BITS

interface Records {
  readonly at: number
  readonly room: number
  readonly count: number
  readonly size: 8 | 12
}

/** Stable radix sort by some bits of the first u64. @returns where the records are */
export function sortBits(sorter: Sorter, { at, room, count, size }: Records, low: number, bits: number): number {
  const digits = Math.ceil(bits / MOST_DIGIT_BITS)
  const digitBits = Math.ceil(bits / digits)
  const tableEnd = 4 << digitBits
  let [from, to] = [at, room]
  for (let done = 0; done < bits; done += digitBits) {
    const shift = BigInt(low + done)
    const mask = BigInt(2 ** Math.min(digitBits, bits - done) - 1)
    const end = from + count * size
    new Uint8Array(sorter.memory.buffer, 0, tableEnd).fill(0)
    sorter.count(from, end, size, shift, mask, 0)
    sorter.starts(0, tableEnd, to, size)
    sorter.spread(from, end, size, shift, mask, 0)
    ;[from, to] = [to, from]
  }
  return from
}

interface Places {
  readonly sources: number
  readonly degrees: number
  readonly bits: number
  readonly records: number
  readonly room: number
}

interface Lists {
  readonly targets: number
  readonly arcs: number
  readonly weights: number | null
  readonly seen: number
  readonly counts: Omit<ListCounts, 'records'>
}

/**
 * Sorts the records of buckets, and puts in their place, as u32: targets [arcs], degrees [sources that occur],
 * weights [arcs].
 */
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
  make(bucket: number): ListCounts | null {
    const { buckets, bounds, idBits, arcs, seen } = this.#task
    const records = recordsOf(buckets, bucket)
    if (records === 0) return noLists()
    const first = bounds[bucket]!
    const last = Math.min(bounds[bucket + 1]!, 2 ** idBits)
    const places = this.#places(records, last - first)
    if (places === null) return null
    const { memory } = this.#sorter
    this.#chunks.copy(bucket, new Uint8Array(memory.buffer), places.records)
    const words = this.#sort(places, records, first)
    const lists =
      buckets.recordBytes === 8 ? this.#close(places, words, first, last) : this.#merge(places, words, first, last)
    const put = (from: number, count: number, at: number): void =>
      this.#chunks.write(bucket, new Uint32Array(memory.buffer, from, count), at)
    put(lists.targets, lists.arcs, 0)
    put(places.degrees, lists.seen, lists.arcs)
    if (lists.weights !== null) put(lists.weights, lists.arcs, lists.arcs + lists.seen)
    const bits = new Int32Array(memory.buffer, places.bits, Math.ceil((last - first) / 32))
    for (let w = 0; w < bits.length; w++) this.#ranks[2 * (first / 32 + w)] = bits[w]!
    arcs[bucket] = lists.arcs
    seen[bucket] = lists.seen
    return { ...lists.counts, records }
  }

  #places(records: number, range: number): Places | null {
    const sources = DIGITS_BYTES
    const degrees = sources + 4 * range
    const bits = degrees + 4 * range
    const first = 8 * Math.ceil((bits + 4 * Math.ceil(range / 32)) / 8)
    const bytes = 8 * Math.ceil((records * this.#task.buckets.recordBytes) / 8)
    return growTo(this.#sorter.memory, first + 2 * bytes)
      ? { sources, degrees, bits, records: first, room: first + bytes }
      : null
  }

  /** By source, target, direction. @returns where the words without sources are */
  #sort({ sources, degrees, records, room }: Places, count: number, first: number): number {
    const sorter = this.#sorter
    const size = this.#task.buckets.recordBytes
    const bytes = new Uint8Array(sorter.memory.buffer)
    const from = sortBits(sorter, { at: records, room, count, size }, 0, this.#task.idBits + 1)
    const to = from === records ? room : records
    const end = from + count * size
    bytes.fill(0, sources, degrees)
    sorter.countSources(from, end, size, first, sources)
    sorter.starts(sources, degrees, to, size - 4)
    sorter.spreadSources(from, end, size, first, sources)
    return to
  }

  #close({ sources, degrees, bits }: Places, words: number, first: number, last: number): Lists {
    const sorter = this.#sorter
    const end = sorter.close(words, sources, first, last, words, degrees, bits) >>> 0
    const counts = {
      ...noLists(),
      given: sorter.given.value,
      loops: sorter.loops.value,
      maxDegree: sorter.longest.value,
      isolated: sorter.empty.value,
    }
    return { targets: words, arcs: (end - words) / 4, weights: null, seen: sorter.seen.value, counts }
  }

  /** A weight follows each word. */
  #merge(places: Places, words: number, first: number, last: number): Lists {
    const { buffer } = this.#sorter.memory
    const memory = new Uint32Array(buffer)
    const floats = new Float32Array(buffer)
    const merged = new MergedWeight(this.#task.merge)
    const counts = noLists()
    const ends = places.sources / 4
    const isOccurring = new Int32Array(buffer, places.bits, Math.ceil((last - first) / 32)).fill(0)
    // Of the two places, the one without the words is free.
    const targets = (words === places.room ? places.records : places.room) / 4
    const weights = targets + (memory[ends + last - first - 1]! - words) / 8
    let [at, arcs, seen] = [words / 4, 0, 0]
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
        memory[targets + arcs] = target
        floats[weights + arcs++] = weight
        if (weight < counts.smallestWeight) counts.smallestWeight = weight
        if (weight > counts.largestWeight) counts.largestWeight = weight
      }
      const degree = arcs - listStart
      if (degree > counts.maxDegree) counts.maxDegree = degree
      if (degree === 0) counts.isolated++
      memory[places.degrees / 4 + seen++] = degree
    }
    return { targets: 4 * targets, arcs, weights: 4 * weights, seen, counts }
  }
}

/** bucket-sorter.wat and its memory. Addresses are bytes. */
export interface Sorter {
  readonly memory: WebAssembly.Memory
  readonly given: WebAssembly.Global<'i32'>
  readonly loops: WebAssembly.Global<'i32'>
  readonly longest: WebAssembly.Global<'i32'>
  readonly seen: WebAssembly.Global<'i32'>
  readonly empty: WebAssembly.Global<'i32'>
  count(at: number, end: number, size: number, shift: bigint, mask: bigint, table: number): void
  countSources(at: number, end: number, size: number, base: number, table: number): void
  starts(table: number, end: number, first: number, size: number): void
  spread(at: number, end: number, size: number, shift: bigint, mask: bigint, table: number): void
  spreadSources(at: number, end: number, size: number, base: number, table: number): void
  close(at: number, ends: number, source: number, last: number, into: number, degrees: number, bits: number): number
  rank(at: number, end: number): void
  subtract(at: number, end: number, base: number): void
}

const PAGE_BYTES = 1 << 16
const MOST_PAGES = 1 << 16

/** @param ranks of ids: pairs of u32, bits of 32 ids and how many smaller ones occur */
export function openSorter(ranks = new WebAssembly.Memory({ initial: 0, maximum: 0, shared: true })): Sorter {
  const memory = new WebAssembly.Memory({ initial: 16, maximum: MOST_PAGES })
  const module = new WebAssembly.Module(Buffer.from(BUCKET_SORTER, 'base64'))
  const { exports } = new WebAssembly.Instance(module, { host: { memory, ranks } })
  return { ...(exports as unknown as Omit<Sorter, 'memory'>), memory }
}

/** @returns null without memory */
export function rankMemory(idLimit: number): WebAssembly.Memory | null {
  const pages = Math.ceil(idLimit / 4 / PAGE_BYTES)
  try {
    return new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true })
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

export function growTo(memory: WebAssembly.Memory, bytes: number): boolean {
  const missing = Math.ceil((bytes - memory.buffer.byteLength) / PAGE_BYTES)
  if (missing <= 0) return true
  try {
    memory.grow(missing)
    return true
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}
