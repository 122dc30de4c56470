import type { EntryBlock } from '../graph/entries.ts'
import type { YieldScheduler } from '../threads/yield-scheduler.ts'

const LIMB = 2 ** 32
const STEP = 1 << 18

/** Labels of the vertices in ascending order; null where they are base, base + 1, ... */
export interface OccurringIds {
  readonly vertices: number
  readonly base: number
  readonly values: BigUint64Array | null
}

/** Replaces the 64-bit ids in the blocks by the rank of each among all that occur, from 0. */
export async function rankOccurringIds(
  blocks: readonly EntryBlock[],
  scheduler: YieldScheduler,
): Promise<OccurringIds> {
  let largest = 0
  let wide = false
  let endpoints = 0
  for (const block of blocks) {
    wide ||= block.fromHigh !== null
    largest = Math.max(largest, largestOf(block.from, block.count), largestOf(block.to, block.count))
    endpoints += 2 * block.count
    await scheduler.yield({ phase: 'build', done: 0, unit: 'arcs' })
  }
  // A bitmap over all possible ids costs an eighth of a byte each: worth it unless they are few and far between.
  if (!wide && largest <= 64 * endpoints + 2 ** 20) return rankByBitmap(blocks, largest, scheduler)
  return rankBySorting(blocks, endpoints, scheduler)
}

async function rankByBitmap(
  blocks: readonly EntryBlock[],
  largest: number,
  scheduler: YieldScheduler,
): Promise<OccurringIds> {
  const words = new Uint32Array(Math.floor(largest / 32) + 1)
  for (const { from, to, count } of blocks) {
    mark(words, from, count)
    mark(words, to, count)
    await scheduler.yield({ phase: 'build', done: 0, unit: 'arcs' })
  }
  const ranks = new Uint32Array(words.length)
  let vertices = 0
  const step = (first: number, last: number) => {
    for (let w = first; w < last; w++) {
      ranks[w] = vertices
      vertices += bitsSet(words[w]!)
    }
  }
  await scheduler.over(words.length, 16 * STEP, { phase: 'build', done: 0, unit: 'arcs' }, step)
  const base = firstBit(words)
  if (vertices === largest - base + 1) {
    for (const { from, to, count } of base > 0 ? blocks : []) {
      shift(from, count, base)
      shift(to, count, base)
    }
    return { vertices, base, values: null }
  }
  for (const { from, to, count } of blocks) {
    rank(words, ranks, from, count)
    rank(words, ranks, to, count)
    await scheduler.yield({ phase: 'build', done: 0, unit: 'arcs' })
  }
  return { vertices, base, values: bitPositions(words, vertices) }
}

async function rankBySorting(
  blocks: readonly EntryBlock[],
  endpoints: number,
  scheduler: YieldScheduler,
): Promise<OccurringIds> {
  const low = new Uint32Array(endpoints)
  const high = new Uint32Array(endpoints)
  let at = 0
  for (const { from, fromHigh, to, toHigh, count } of blocks) {
    low.set(from.subarray(0, count), at)
    low.set(to.subarray(0, count), at + count)
    if (fromHigh !== null) high.set(fromHigh.subarray(0, count), at)
    if (toHigh !== null) high.set(toHigh.subarray(0, count), at + count)
    at += 2 * count
    await scheduler.yield({ phase: 'build', done: 0, unit: 'arcs' })
  }
  const sorted = await sortHalves({ low, high }, scheduler)
  const vertices = removeRepeats(sorted)
  const ids = new Uint32Array(2 * vertices)
  for (let v = 0; v < vertices; v++) {
    ids[2 * v] = sorted.low[v]!
    ids[2 * v + 1] = sorted.high[v]!
  }
  const table = new RankTable(ids, vertices)
  for (const block of blocks) {
    table.rank(block.from, block.fromHigh, block.count)
    table.rank(block.to, block.toHigh, block.count)
    block.fromHigh = block.toHigh = null
    await scheduler.yield({ phase: 'build', done: 0, unit: 'arcs' })
  }
  return { ...table.base(), vertices }
}

/** Keeps each id of an ascending sequence once, at the front; returns how many there are. */
function removeRepeats({ low, high }: Halves): number {
  let kept = 0
  for (let i = 0; i < low.length; i++) {
    if (kept > 0 && low[kept - 1] === low[i] && high[kept - 1] === high[i]) continue
    low[kept] = low[i]!
    high[kept] = high[i]!
    kept++
  }
  return kept
}

/** Ranks of 64-bit ids by an open hash table. */
class RankTable {
  readonly #ids: Uint32Array<ArrayBuffer>
  readonly #slots: Uint32Array
  readonly #vertices: number

  /** `ids`: low and high halves, ascending. */
  constructor(ids: Uint32Array<ArrayBuffer>, vertices: number) {
    this.#ids = ids
    this.#vertices = vertices
    this.#slots = new Uint32Array(2 ** Math.ceil(Math.log2(2 * vertices + 2)))
    const mask = this.#slots.length - 1
    for (let v = 0; v < vertices; v++) {
      let slot = slotOf(ids[2 * v]!, ids[2 * v + 1]!) & mask
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask
      this.#slots[slot] = v + 1
    }
  }

  rank(low: Uint32Array, high: Uint32Array | null, count: number): void {
    const ids = this.#ids
    const slots = this.#slots
    const mask = slots.length - 1
    for (let i = 0; i < count; i++) {
      const [l, h] = [low[i]!, high === null ? 0 : high[i]!]
      let slot = slotOf(l, h) & mask
      let v = slots[slot]! - 1
      while (ids[2 * v] !== l || ids[2 * v + 1] !== h) v = slots[(slot = (slot + 1) & mask)]! - 1
      low[i] = v
    }
  }

  /** The smallest id, and all of them unless they have no gaps (and it is a number that a double holds). */
  base(): { base: number; values: BigUint64Array | null } {
    const ids = this.#ids
    const last = 2 * this.#vertices - 2
    const smallest = ids[0]! + ids[1]! * LIMB
    const largest = ids[last]! + ids[last + 1]! * LIMB
    const gapless = largest <= Number.MAX_SAFE_INTEGER && largest - smallest + 1 === this.#vertices
    return { base: smallest, values: gapless ? null : new BigUint64Array(ids.buffer) }
  }
}

function slotOf(low: number, high: number): number {
  let x = Math.imul(low ^ Math.imul(high, 0x9e3779b1), 0x45d9f3b)
  x = Math.imul(x ^ (x >>> 16), 0x45d9f3b)
  return x ^ (x >>> 16)
}

function largestOf(ids: Uint32Array, count: number): number {
  let largest = 0
  for (let i = 0; i < count; i++) if (ids[i]! > largest) largest = ids[i]!
  return largest
}

function mark(words: Uint32Array, ids: Uint32Array, count: number): void {
  for (let i = 0; i < count; i++) words[ids[i]! >>> 5]! |= 1 << (ids[i]! & 31)
}

function rank(words: Uint32Array, ranks: Uint32Array, ids: Uint32Array, count: number): void {
  for (let i = 0; i < count; i++) {
    const id = ids[i]!
    ids[i] = ranks[id >>> 5]! + bitsSet(words[id >>> 5]! & ((1 << (id & 31)) - 1))
  }
}

function shift(ids: Uint32Array, count: number, base: number): void {
  for (let i = 0; i < count; i++) ids[i]! -= base
}

function bitsSet(word: number): number {
  let x = word - ((word >>> 1) & 0x55555555)
  x = (x & 0x33333333) + ((x >>> 2) & 0x33333333)
  return Math.imul((x + (x >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

function firstBit(words: Uint32Array): number {
  const word = words.findIndex((bits) => bits !== 0)
  return 32 * word + 31 - Math.clz32(words[word]! & -words[word]!)
}

function bitPositions(words: Uint32Array, vertices: number): BigUint64Array {
  const halves = new Uint32Array(2 * vertices)
  let v = 0
  for (let w = 0; w < words.length; w++)
    for (let bits = words[w]!; bits !== 0; bits &= bits - 1) halves[2 * v++] = 32 * w + 31 - Math.clz32(bits & -bits)
  return new BigUint64Array(halves.buffer)
}

/** 64-bit numbers as their low and high halves. */
interface Halves {
  readonly low: Uint32Array
  readonly high: Uint32Array
}

const DIGIT_BITS = 16
const SORT_STEP = 1 << 20

/** Sorts ascending, 16 bits at a time from the lowest; digits that are the same everywhere cost one look. Uses both arrays up. */
export async function sortHalves(numbers: Halves, scheduler: YieldScheduler): Promise<Halves> {
  let source = numbers
  let target: Halves | null = null
  const total = source.low.length
  const progress = { phase: 'build', done: 0, unit: 'arcs' as const }
  for (let digit = 0; digit < 4; digit++) {
    const counts = new Uint32Array(1 << DIGIT_BITS)
    const keys = digit < 2 ? 'low' : 'high'
    const shift = (digit % 2) * DIGIT_BITS
    await scheduler.over(total, SORT_STEP, progress, (first, last) =>
      countDigits(source[keys], shift, counts, first, last),
    )
    if (counts.includes(total)) continue
    startsOf(counts)
    const into: Halves = (target ??= { low: new Uint32Array(total), high: new Uint32Array(total) })
    const from: Halves = source
    await scheduler.over(total, SORT_STEP, progress, (first, last) =>
      scatter(from, from[keys], shift, counts, into, first, last),
    )
    target = from
    source = into
  }
  return source
}

function countDigits(keys: Uint32Array, shift: number, counts: Uint32Array, first: number, last: number): void {
  for (let i = first; i < last; i++) counts[(keys[i]! >>> shift) & 0xffff]!++
}

function startsOf(counts: Uint32Array): void {
  let sum = 0
  for (let d = 0; d < counts.length; d++) {
    const count = counts[d]!
    counts[d] = sum
    sum += count
  }
}

function scatter(
  from: Halves,
  keys: Uint32Array,
  shift: number,
  starts: Uint32Array,
  into: Halves,
  first: number,
  last: number,
) {
  for (let i = first; i < last; i++) {
    const at = starts[(keys[i]! >>> shift) & 0xffff]!++
    into.low[at] = from.low[i]!
    into.high[at] = from.high[i]!
  }
}
