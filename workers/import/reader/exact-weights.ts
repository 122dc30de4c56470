/**
 * Weights of 64 bits that several threads meet: each gives codes from 0 in the order in which they come, several where one comes again much later, and a float whose bits are the
 * code stands for a weight in blocks of entries and in records. When the last line was read, all distinct weights are put in order, and
 * keys take the place of codes. weight-codes.ts says what keys are, build/line-buckets.ts has the codes of a thread.
 */

import { lowerBound } from '../../base/ranges.ts'
import { type CodedWeights, codedWeights, type WeightTaker } from './weight-codes.ts'

const code = new Int32Array(1)
const float = new Float32Array(code.buffer)

/** The float of these bits. Codes are below 2^28, so that it is a number. */
export function floatOfCode(of: number): number {
  code[0] = of
  return float[0]!
}

/** The weights of lines that the reader of a file takes itself, each with a code of its own. */
export class ReaderWeights implements WeightTaker {
  readonly #values: number[] = []

  take(value: number): number {
    return floatOfCode(this.#values.push(value) - 1)
  }

  /** The weights that stand for themselves in a block. */
  valuesOf(floats: Float32Array, count: number): Float64Array {
    const codes = new Int32Array(floats.buffer, floats.byteOffset, count)
    return Float64Array.from(codes, (of) => this.#values[of]!)
  }

  /** All of them, ascending: also those of rows that were refused later. */
  distinct(): Float64Array {
    return Float64Array.from(new Set(this.#values)).sort()
  }
}

/** All distinct weights and their keys, in shared memory. @param lists of threads, each ascending, without repeats @param others most of which are in the lists */
export function keysOfAll(
  lists: readonly Float64Array[],
  others: Float64Array,
): CodedWeights & { readonly values: Float64Array } {
  const missing = others.filter((value) => !lists.some((list) => isIn(list, value)))
  let left = [...lists, missing]
  while (left.length > 1) left = left.flatMap((list, i) => (i % 2 === 1 ? [] : [union(list, left[i + 1])]))
  const values = left[0]!
  return { ...codedWeights(values), values }
}

function isIn(list: Float64Array, value: number): boolean {
  return list[lowerBound(0, list.length, (at) => list[at]! < value)] === value
}

function union(a: Float64Array, b: Float64Array | undefined): Float64Array {
  if (b === undefined || b.length === 0) return a
  if (a.length === 0) return b
  const both = new Float64Array(new SharedArrayBuffer(8 * (a.length + b.length)))
  let [count, i, j] = [0, 0, 0]
  while (i < a.length || j < b.length) {
    const x = i < a.length ? a[i]! : Infinity
    const y = j < b.length ? b[j]! : Infinity
    both[count++] = Math.min(x, y)
    if (x <= y) i++
    if (y <= x) j++
  }
  return both.subarray(0, count)
}
