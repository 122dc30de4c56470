/**
 * Weights as a file gives them: numbers of 64 bits. A graph stores a 32-bit float for each arc, its *key*, and kernels compare keys. Where all
 * weights are such floats, they are their keys. Where all are short decimals of floats, such as 0.1, these floats are the keys, and the short
 * decimal of a key is the weight. Else a key is a float near the weight, chosen so that keys have the order of the weights and no two weights
 * share one, and a table gives the weight of each key. Sums are sums of weights.
 *
 * The last two stand behind graph.gr (workers/graph/graph-file.ts): zeros up to a multiple of 8 bytes; D keys, f32, ascending; zeros up to a
 * multiple of 8; D weights, f64; 32 bytes of footer: "ACQ.VALU", u64 D (0: decimals), f64 the largest weight / key, u64 version 1.
 */

import { bytesOf } from '../base/words.ts'

const MAGIC = 'ACQ.VALU'
const VERSION = 1n
export const VALUES_FOOTER_BYTES = 32

/** The place of the table in the file. */
export interface ValuesPlace {
  readonly keysAt: number
  readonly valuesAt: number
  /** 0: weights are the short decimals of their keys. */
  readonly count: number
  /** No weight is more than so many times its key; at least 1. */
  readonly ratio: number
  readonly fileBytes: number
}

export interface WeightTable {
  /** Ascending. */
  readonly keys: Float32Array
  /** Those of the keys, ascending. */
  readonly values: Float64Array
}

/** Weights of arcs: 32-bit floats, or numbers of 64 bits where a graph has a table. */
export type WeightArray = Float32Array | Float64Array

const aligned = (bytes: number): number => Math.ceil(bytes / 8) * 8

/** @param graphBytes without a table @returns null where the footer is none, or of a file of another length */
export function valuesPlace(footer: Uint8Array, graphBytes: number, fileBytes: number): ValuesPlace | null {
  if (footer.length !== VALUES_FOOTER_BYTES) return null
  const view = new DataView(footer.buffer, footer.byteOffset, footer.byteLength)
  if (Buffer.from(footer.subarray(0, 8)).toString('latin1') !== MAGIC || view.getBigUint64(24, true) !== VERSION)
    return null
  const place = placeOf(graphBytes, Number(view.getBigUint64(8, true)), view.getFloat64(16, true))
  return place.fileBytes === fileBytes ? place : null
}

function placeOf(graphBytes: number, count: number, ratio: number): ValuesPlace {
  const keysAt = aligned(graphBytes)
  const valuesAt = aligned(keysAt + 4 * count)
  return { keysAt, valuesAt, count, ratio, fileBytes: valuesAt + 8 * count + VALUES_FOOTER_BYTES }
}

/** What stands behind a graph of so many bytes. */
export function encodedTable({ keys, values }: WeightTable, graphBytes: number, leastRatio = 1): Uint8Array {
  let ratio = leastRatio
  for (let i = 0; i < keys.length; i++) ratio = Math.max(ratio, values[i]! / keys[i]!)
  // Quotients are rounded.
  if (ratio > leastRatio) ratio *= 1 + 2 ** -52
  const { keysAt, valuesAt, count, fileBytes } = placeOf(graphBytes, keys.length, ratio)
  const bytes = Buffer.alloc(fileBytes - graphBytes)
  bytes.set(bytesOf(keys), keysAt - graphBytes)
  bytes.set(bytesOf(values), valuesAt - graphBytes)
  const footerAt = bytes.length - VALUES_FOOTER_BYTES
  bytes.write(MAGIC, footerAt, 'latin1')
  bytes.writeBigUInt64LE(BigInt(count), footerAt + 8)
  bytes.writeDoubleLE(ratio, footerAt + 16)
  bytes.writeBigUInt64LE(VERSION, footerAt + 24)
  return bytes
}

/** A short decimal is nearer to its float than half of a unit in the last of 24 bits. */
const DECIMAL_RATIO = 1 + 2 ** -24

/** What stands behind a graph whose weights are the short decimals of its floats. */
export function decimalFooter(graphBytes: number): Uint8Array {
  return encodedTable({ keys: new Float32Array(0), values: new Float64Array(0) }, graphBytes, DECIMAL_RATIO)
}

/** The weight of a key of the table. @throws RangeError for a float that is no key */
export function valueOf({ keys, values }: WeightTable, key: number): number {
  const at = placeIn(keys, key)
  if (keys[at] !== key) throw new RangeError(`${key} is no key of a weight`)
  return values[at]!
}

/** What the weights of a graph are to the floats that are stored for them: their values in a table, their short decimals, or these themselves. */
export interface WeightForm {
  readonly table: WeightTable | null
  readonly areDecimals: boolean
}

/** The weight that a float stands for. */
export function weightIn({ table, areDecimals }: WeightForm, key: number): number {
  if (table !== null) return valueOf(table, key)
  return areDecimals ? shortDecimal(key) : key
}

/** What stands behind a graph of so many bytes, if anything. */
export function behindGraph({ table, areDecimals }: WeightForm, graphBytes: number): Uint8Array {
  if (table !== null) return encodedTable(table, graphBytes)
  return areDecimals ? decimalFooter(graphBytes) : new Uint8Array(0)
}

/** The least key whose weight is not below a bound; Infinity where there is none. */
export function leastKeyFrom({ keys, values }: WeightTable, bound: number): number {
  return keys[placeIn(values, bound)] ?? Infinity
}

/** The same of short decimals. */
export function leastDecimalFrom(bound: number): number {
  let key = Math.fround(bound)
  if (!(key > 0) || !Number.isFinite(key)) return bound
  const bits = new Uint32Array(Float32Array.of(key).buffer)
  // The float before may have a decimal that is not below it, and that of the float itself may be.
  bits[0]!--
  while (shortDecimal((key = new Float32Array(bits.buffer)[0]!)) < bound) bits[0]!++
  return key
}

const KNOWN = 1 << 14

/** Remembers the weights of keys that were asked for lately: graphs have few, and lists repeat them. */
export class KnownValues {
  readonly #valueOf: (key: number) => number
  readonly #keys = new Float32Array(KNOWN)
  readonly #values = new Float64Array(KNOWN)
  readonly #key = new Float32Array(1)
  readonly #bits = new Uint32Array(this.#key.buffer)

  constructor(valueOf: (key: number) => number) {
    this.#valueOf = valueOf
  }

  of(key: number): number {
    this.#key[0] = key
    const place = Math.imul(this.#bits[0]!, 0x9e3779b1) >>> 18
    if (this.#keys[place] !== key) {
      this.#values[place] = this.#valueOf(key)
      this.#keys[place] = key
    }
    return this.#values[place]!
  }
}

/** The place of the first number that is not below x. */
function placeIn(ascending: WeightArray, x: number): number {
  let [low, high] = [0, ascending.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (ascending[middle]! < x) low = middle + 1
    else high = middle
  }
  return low
}

/** The decimal that stands for a 32-bit float: of seven digits where that is enough, else of nine. */
export function shortDecimal(weight: number): number {
  const short = Number(weight.toPrecision(7))
  return Math.fround(short) === weight ? short : Number(weight.toPrecision(9))
}
