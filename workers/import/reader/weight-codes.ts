/**
 * Decides how the weights of a file are stored (workers/graph/weight-values.ts). {@link WeightDigits} tells in the first pass over the file whether
 * 32-bit floats, or their short decimals, are all there is. If not, plain lines in memory are parsed once more (exact-weights.ts), and any other
 * file is read twice more: {@link WeightCodes} gathers the distinct weights, takes 12 bytes for each and 12 for a free place, gives each its
 * key, and encodes. Threads that parse lines have a part in both: they gather in tables of their own (build/weight-gatherer.ts), whose weights
 * come together here, and look keys up in shared memory.
 */

import { Failure } from '../../base/failure.ts'
import { addsWeights } from '../../contract/graph-formats.ts'
import type { ImportArgs } from '../../contract/jobs.ts'
import { behindGraph, shortDecimal, type WeightForm, type WeightTable } from '../../graph/weight-values.ts'

/** A change of all weights: scale * w + offset, in 64 bits. */
export interface WeightMap {
  readonly scale: 1 | -1
  readonly offset: number
  /** The part of the offset that makes weights positive. */
  readonly shift: number
}

/** Whether an import rounds weights to 32-bit floats: as it was asked to, or as sums of weights are kept in these. */
export const roundsWeights = ({ roundWeights, merge }: Pick<ImportArgs, 'roundWeights' | 'merge'>): boolean =>
  roundWeights === true || addsWeights(merge)

/** Weights of so many digits at most are told apart by 32-bit floats. */
export const MOST_SURE_MANTISSA = 999_999
const MOST_SHORT_WHOLE = 1e7

/** Counts weights by what a 32-bit float keeps of them. */
export class WeightDigits {
  /** Short decimals of floats, and no floats themselves. */
  printed = 0
  /** Floats that are not their own short decimal. */
  long = 0
  /** Neither: rounded, they could not be told from others. */
  lost = 0

  note(value: number, stored: number): void {
    if (stored === value) {
      if (!(value < MOST_SHORT_WHOLE && Number.isInteger(value)) && shortDecimal(value) !== value) this.long++
    } else if (value === shortDecimal(stored)) this.printed++
    else this.lost++
  }

  add({ printed, long, lost }: DigitCounts): void {
    this.printed += printed
    this.long += long
    this.lost += lost
  }

  /** What was counted since the last call. */
  taken(): DigitCounts {
    const { printed, long, lost } = this
    this.printed = this.long = this.lost = 0
    return { printed, long, lost }
  }

  /** Whether some weights are not the floats that stand for them. */
  get areDecimals(): boolean {
    return this.printed > 0
  }

  /** Whether floats have the order of the weights, and tell which is which. */
  get areKept(): boolean {
    return this.lost === 0 && (this.printed === 0 || this.long === 0)
  }
}

/** What a log says of them. */
export const WIDE_WEIGHTS =
  'weights have more digits than 32-bit floats: their order and their values are kept beside these'

/** Takes weights that 32-bit floats do not hold. */
export interface WeightTaker {
  /** @returns the float that stands for a weight in blocks of entries */
  take(value: number): number
}

export type DigitCounts = Pick<WeightDigits, 'printed' | 'long' | 'lost'>

const FEWEST_SLOTS = 1 << 12
const SMALLEST_KEY = 0x0080_0000
const LARGEST_KEY = 0x7f7f_ffff
export const LARGEST_FLOAT = 2 ** 128 - 2 ** 104

/** The distinct weights of a file, then their keys. */
export class WeightCodes implements WeightTaker, WeightForm {
  /** null where floats hold what became of all weights. */
  table: WeightTable | null = null
  /** What became of the smallest and the largest weight. */
  map: WeightMap | null = null
  /** Whether these are short decimals of floats. */
  areDecimals = false
  readonly #source: string
  readonly #mostBytes: number
  /** Open addressing; NaN where a place is free. */
  #slots = freeSlots(FEWEST_SLOTS)
  #count = 0
  /** The key of each slot, once all weights are known. */
  #keys: Float32Array | null = null

  constructor(source: string, mostBytes: number) {
    this.#source = source
    this.#mostBytes = mostBytes
  }

  get areKnown(): boolean {
    return this.#keys !== null
  }

  /** The keys for other threads, once all weights are known. */
  get shared(): SharedKeys | undefined {
    return this.#keys === null ? undefined : { slots: this.#slots, keys: this.#keys }
  }

  /** Adds a weight; once all are known, its key. @throws Failure (usage) without memory */
  take(value: number): number {
    const at = slotOf(this.#slots, value)
    if (this.#keys !== null) return this.#keys[at]!
    if (Number.isNaN(this.#slots[at]!)) {
      this.#slots[at] = value
      this.#count++
      if (2 * this.#count > this.#slots.length) this.#grow()
    }
    return Math.fround(value)
  }

  /** Ends the first pass. @param mapFor what becomes of weights in this range */
  close(mapFor: (range: { readonly smallest: number; readonly largest: number } | null) => WeightMap | null): void {
    const weights = this.#slots.filter((value) => !Number.isNaN(value)).sort()
    const range = weights.length === 0 ? null : { smallest: weights[0]!, largest: weights.at(-1)! }
    this.map = mapFor(range)
    const { scale = 1, offset = 0 } = this.map ?? {}
    const isReversed = scale < 0
    const mapped = weights.map((weight) => scale * weight + offset)
    if (isReversed) mapped.reverse()
    const values = this.map === null ? mapped : mapped.filter((value, i) => i === 0 || value !== mapped[i - 1])
    const coded = codedWeights(values)
    const keys = new Float32Array(new SharedArrayBuffer(4 * this.#slots.length))
    for (let i = 0, next = 0; i < weights.length; i++) {
      // Several weights may have become one.
      if (i > 0 && mapped[i] !== mapped[i - 1]) next++
      keys[slotOf(this.#slots, weights[isReversed ? weights.length - 1 - i : i]!)] = coded.keys[next]!
    }
    this.#keys = keys
    this.table = coded.table
    this.areDecimals = coded.areDecimals
  }

  #grow(): void {
    const old = this.#slots
    const bytes = 12 * 2 * old.length
    if (bytes > this.#mostBytes) throw tooMany(this.#source, this.#count, 2 * bytes)
    this.#slots = freeSlots(2 * old.length)
    for (const value of old) if (!Number.isNaN(value)) this.#slots[slotOf(this.#slots, value)] = value
  }
}

/** Weights by open addressing, NaN where a place is free, and the key of each place, in shared memory. */
export interface SharedKeys {
  readonly slots: Float64Array
  readonly keys: Float32Array
}

/** Gives the keys of weights that are all known. */
export class KeyTaker implements WeightTaker {
  readonly #shared: SharedKeys

  constructor(shared: SharedKeys) {
    this.#shared = shared
  }

  take(value: number): number {
    const { slots, keys } = this.#shared
    return keys[slotOf(slots, value)]!
  }
}

const freeSlots = (count: number): Float64Array => new Float64Array(new SharedArrayBuffer(8 * count)).fill(NaN)

/** The place of a value in a table of open addressing, or a free one. */
export function slotOf(slots: Float64Array, value: number): number {
  const mask = slots.length - 1
  let at = hashOf(value) & mask
  while (slots[at] !== value && !Number.isNaN(slots[at]!)) at = (at + 1) & mask
  return at
}

/** The keys of all weights of a file. */
export interface CodedWeights extends WeightForm {
  /** Keys of the weights, ascending, in shared memory. */
  readonly keys: Float32Array
}

/** @param values positive, ascending, all different */
export function codedWeights(values: Float64Array): CodedWeights {
  const digits = new WeightDigits()
  for (let i = 0; i < values.length && digits.areKept; i++) digits.note(values[i]!, Math.fround(values[i]!))
  if (digits.areKept) {
    const keys = new Float32Array(new SharedArrayBuffer(4 * values.length))
    keys.set(values)
    return { keys, table: null, areDecimals: digits.areDecimals }
  }
  const keys = keysOf(values)
  return { keys, table: { keys, values }, areDecimals: false }
}

/** The nearest floats of those that all devices compare alike, but no two the same. @param values positive, ascending, all different @returns shared memory */
export function keysOf(values: Float64Array): Float32Array {
  const keys = new Float32Array(new SharedArrayBuffer(4 * values.length))
  keys.set(values)
  const bits = new Uint32Array(keys.buffer)
  for (let i = 0, last = SMALLEST_KEY - 1; i < bits.length; i++)
    last = bits[i] = Math.max(Math.min(LARGEST_KEY, bits[i]!), last + 1)
  for (let i = bits.length - 1, next = LARGEST_KEY + 1; i >= 0 && bits[i]! >= next; i--) next = bits[i] = next - 1
  return keys
}

/** What weights are to the floats that are stored for them, of an import. */
export type StoredAs = 'floats' | 'decimals' | 'table'

/** How positive weights are stored: a float for each, and what stands behind a graph of so many bytes. */
export function storedWeights(weights: Float64Array): {
  readonly stored: Float32Array
  readonly behind: (graphBytes: number) => Uint8Array
} {
  const digits = new WeightDigits()
  for (const weight of weights) digits.note(weight, Math.fround(weight))
  const behind = (form: WeightForm) => (graphBytes: number) => behindGraph(form, graphBytes)
  const { areDecimals } = digits
  if (digits.areKept) return { stored: new Float32Array(weights), behind: behind({ table: null, areDecimals }) }
  const codes = new WeightCodes('', Infinity)
  for (const weight of weights) codes.take(weight)
  codes.close(() => null)
  return { stored: Float32Array.from(weights, (weight) => codes.take(weight)), behind: behind(codes) }
}

const double = new Float64Array(1)
const words = new Uint32Array(double.buffer)

function hashOf(value: number): number {
  double[0] = value
  let x = Math.imul(words[0]! ^ Math.imul(words[1]!, 0x9e3779b1), 0x85ebca6b)
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35)
  return (x ^ (x >>> 16)) >>> 0
}

function tooMany(source: string, count: number, bytes: number): Failure {
  return new Failure({
    code: 'usage',
    where: source,
    what: `more than ${count} different weights have more digits than 32-bit floats, and too little memory is left to keep their order`,
    remedy: '',
    fixes: [
      { action: 'raise', option: 'memoryBytes', to: 2 * bytes },
      { action: 'set', option: 'roundWeights', to: true },
    ],
  })
}
