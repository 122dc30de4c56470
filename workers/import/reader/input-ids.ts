/**
 * Ids of the input: texts numbered in order of first appearance (open hashing over an arena of bytes, FNV-1a), sorted by merging runs; and, for
 * whole numbers, which ids below a limit occur and their ranks, by a bitmap with counts. Both give ids that ascend with labels, whatever the
 * order of lines. Memory is bounded by the reader's share. build/entry-store.ts is the way through the disk.
 */

import { isUtf8 } from 'node:buffer'
import { randomInt } from 'node:crypto'
import type { YieldScheduler } from '../../base/job.ts'
import { bitsSet, lowestBit } from '../../base/words.ts'

/** Text labels, numbered in order of first appearance: open hashing over an arena of bytes. */
export class LabelTable {
  count = 0
  #slots = new Uint32Array(1 << 12)
  #hashes = new Uint32Array(1 << 11)
  #ends = new Float64Array(1 << 11)
  #arena = new Uint8Array(1 << 16)
  /** Random, so that no file can be made of labels that collide. */
  readonly #basis: number

  constructor(basis: number = randomInt(2 ** 32)) {
    this.#basis = basis
  }

  /** -1 when the bytes are not printable UTF-8. */
  intern(label: Uint8Array): number {
    const hash = this.hashOf(label)
    let mask = this.#slots.length - 1
    let slot = hash & mask
    for (let entry = this.#slots[slot]!; entry !== 0; entry = this.#slots[(slot = (slot + 1) & mask)]!)
      if (this.#hashes[entry - 1] === hash && this.#equals(entry - 1, label)) return entry - 1
    if (!isPrintable(label)) return -1
    if (2 * (this.count + 1) > this.#slots.length) {
      this.#grow()
      mask = this.#slots.length - 1
      for (slot = hash & mask; this.#slots[slot] !== 0;) slot = (slot + 1) & mask
    }
    this.#slots[slot] = this.count + 1
    return this.#append(label, hash)
  }

  hashOf(label: Uint8Array): number {
    return labelHash(label, this.#basis)
  }

  /** A view. */
  bytes(index: number): Uint8Array {
    return this.#arena.subarray(index === 0 ? 0 : this.#ends[index - 1], this.#ends[index])
  }

  get totalBytes(): number {
    return this.count === 0 ? 0 : this.#ends[this.count - 1]!
  }

  /** Numbers of the labels by ascending UTF-8 bytes, which is the order of code points. */
  async ascending(scheduler: YieldScheduler): Promise<Uint32Array> {
    const prefixes = new Float64Array(this.count)
    const numbers = new Uint32Array(this.count)
    await scheduler.over(this.count, 1 << 16, { phase: 'labels', done: 0, unit: 'vertices' }, (first, last) => {
      for (let i = first; i < last; i++) {
        numbers[i] = i
        prefixes[i] = prefixOf(this.bytes(i))
      }
    })
    // Six bytes fit a double and settle nearly every comparison.
    const compare = (a: number, b: number): number =>
      prefixes[a]! - prefixes[b]! || Buffer.compare(this.bytes(a), this.bytes(b))
    return mergeSort(numbers, compare, scheduler)
  }

  /** Sorting included. */
  get usedBytes(): number {
    return this.totalBytes + 36 * this.count
  }

  /** Keeps the memory; labels are numbered from 0 again. */
  clear(): void {
    this.#slots.fill(0)
    this.count = 0
  }

  #append(label: Uint8Array, hash: number): number {
    const index = this.count++
    if (index === this.#ends.length) {
      this.#ends = larger(this.#ends, new Float64Array(2 * index))
      this.#hashes = larger(this.#hashes, new Uint32Array(2 * index))
    }
    const start = index === 0 ? 0 : this.#ends[index - 1]!
    if (start + label.length > this.#arena.length)
      this.#arena = larger(this.#arena, new Uint8Array(Math.max(2 * this.#arena.length, start + label.length)))
    this.#arena.set(label, start)
    this.#ends[index] = start + label.length
    this.#hashes[index] = hash
    return index
  }

  #equals(index: number, label: Uint8Array): boolean {
    const start = index === 0 ? 0 : this.#ends[index - 1]!
    if (this.#ends[index]! - start !== label.length) return false
    for (let i = 0; i < label.length; i++) if (this.#arena[start + i] !== label[i]) return false
    return true
  }

  #grow(): void {
    const slots = new Uint32Array(2 * this.#slots.length)
    const mask = slots.length - 1
    for (let i = 0; i < this.count; i++) {
      let slot = this.#hashes[i]! & mask
      while (slots[slot] !== 0) slot = (slot + 1) & mask
      slots[slot] = i + 1
    }
    this.#slots = slots
  }
}

/** FNV-1a, mixed so that its low bits can index a table. */
export function labelHash(label: Uint8Array, basis: number): number {
  let hash = basis
  for (let i = 0; i < label.length; i++) hash = Math.imul(hash ^ label[i]!, 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b)
  return (hash ^ (hash >>> 15)) >>> 0
}

function isPrintable(label: Uint8Array): boolean {
  for (let i = 0; i < label.length; i++) if (label[i]! < 32 || label[i] === 127) return false
  return isUtf8(label)
}

function prefixOf(label: Uint8Array): number {
  let prefix = 0
  for (let i = 0; i < 6; i++) prefix = prefix * 256 + (label[i] ?? 0)
  return prefix
}

function larger<T extends Float64Array | Uint32Array | Uint8Array>(from: T, into: T): T {
  into.set(from)
  return into
}

const RUN = 1 << 14

/** Yields between runs and merges. */
async function mergeSort(
  items: Uint32Array<ArrayBuffer>,
  compare: (a: number, b: number) => number,
  scheduler: YieldScheduler,
): Promise<Uint32Array> {
  const progress = { phase: 'labels', done: 0, unit: 'vertices' as const }
  await scheduler.over(items.length, RUN, progress, (first, last) => items.subarray(first, last).sort(compare))
  let from = items
  let into = new Uint32Array(items.length)
  for (let width = RUN; width < items.length; width *= 2) {
    for (let start = 0; start < items.length; start += 2 * width) {
      let i = start
      let j = Math.min(items.length, start + width)
      const [middle, end] = [j, Math.min(items.length, start + 2 * width)]
      await scheduler.over(end - start, RUN, progress, (first, last) => {
        for (let k = start + first; k < start + last; k++)
          into[k] = j >= end || (i < middle && compare(from[i]!, from[j]!) <= 0) ? from[i++]! : from[j++]!
      })
    }
    ;[from, into] = [into, from]
  }
  return from
}

/** Labels of a part of {@link OccurringIds.labels}, but for those of its last word. */
const PART_LABELS = 1 << 16

/** Which ids below a limit occur, and their ranks. */
export class OccurringIds {
  /** For 32 ids each, two words: a bit for each that occurs, and how many smaller ones do. */
  readonly pairs: Int32Array
  readonly count: number
  /** The smallest and the largest; 0 where there is none. */
  readonly first: number
  readonly last: number

  /** @param pairs with bits; counts are filled in */
  constructor(pairs: Int32Array) {
    this.pairs = pairs
    let count = 0
    let [first, last] = [-1, 0]
    for (let at = 0; at < pairs.length; at += 2) {
      const bits = pairs[at]!
      pairs[at + 1] = count
      if (bits === 0) continue
      count += bitsSet(bits)
      if (first < 0) first = 16 * at + lowestBit(bits)
      last = 16 * at + 31 - Math.clz32(bits)
    }
    this.count = count
    this.first = Math.max(0, first)
    this.last = last
  }

  /** How many smaller ones there are. */
  before(id: number): number {
    return 2 * (id >>> 5) < this.pairs.length ? rankOf(this.pairs, id) : this.count
  }

  /** Ascending, in parts that are good until the next. */
  *labels(): Generator<BigUint64Array> {
    const part = new BigUint64Array(PART_LABELS + 32)
    const halves = new Uint32Array(part.buffer)
    let count = 0
    for (let at = 0; at < this.pairs.length; at += 2) {
      for (let bits = this.pairs[at]!; bits !== 0; bits &= bits - 1) halves[2 * count++] = 16 * at + lowestBit(bits)
      if (count < PART_LABELS) continue
      yield part.subarray(0, count)
      count = 0
    }
    yield part.subarray(0, count)
  }
}

/** The rank of an id that occurs. @param pairs of {@link OccurringIds} */
export function rankOf(pairs: Int32Array, id: number): number {
  const at = 2 * (id >>> 5)
  return (pairs[at + 1]! + bitsSet(pairs[at]! & ((1 << (id & 31)) - 1))) >>> 0
}
