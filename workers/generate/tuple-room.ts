/**
 * Tuples as they are drawn: blocks of both ends in the memory of a WebAssembly module (tuple-room.wat), which computes the words of CounterHash,
 * numbers below a limit, permutations and R-MAT four at a time, each as random.ts has it in JavaScript. A model fills the blocks one after
 * another (graph-model.ts); a block is good until the next. A tuple costs some nanoseconds, R-MAT one for each two levels.
 */

import { wasmExports } from '../../kernels/parts/wasm-exports.ts'
import { type CounterHash, HASH_STEP, type Permutation } from './random.ts'
import { TUPLE_ROOM } from './tuple-module.ts'

/** Ends of tuples, good until the next block. */
interface TupleBlock {
  readonly count: number
  readonly from: Uint32Array
  readonly to: Uint32Array
}

export type TakeBlock = (block: TupleBlock) => void

type Item = readonly [low: number, high: number, count: number, seedLow: number, seedHigh: number]
type Keys = readonly [number, number, number, number]

interface TupleModule {
  rmat(...of: readonly [...Item, scale: number, ...bounds: RmatBounds, from: number, to: number]): void
  words(...of: readonly [...Item, step: number, at: number]): void
  below(...of: readonly [...Item, step: number, limit: number, at: number]): void
  permute(...of: readonly [at: number, count: number, list: number, n: number, half: number, ...keys: Keys]): void
}

/** Bounds of a word: below the first the quadrant is a, then b, c and d. */
export type RmatBounds = readonly [a: number, b: number, c: number]

export const BLOCK_TUPLES = 1 << 12
/** One more than a block, in whole vectors. */
const ROOM_WORDS = BLOCK_TUPLES + 4
const ARRAYS = 5
/** Room for addresses, behind the arrays. */
const LIST_AT = 4 * ROOM_WORDS * ARRAYS
const PAGES = 2
const LIMB = 2 ** 32

const inVectors = (count: number): number => 4 * Math.ceil(count / 4)

export class TupleRoom implements TupleBlock {
  count = 0
  readonly from: Uint32Array
  readonly to: Uint32Array
  /** Room for words of a block, and one more. */
  readonly more: readonly [Uint32Array, Uint32Array, Uint32Array]
  readonly #module: TupleModule
  #take: TakeBlock = () => {}

  constructor() {
    const memory = new WebAssembly.Memory({ initial: PAGES })
    this.#module = wasmExports(TUPLE_ROOM, { memory })
    const [from, to, ...more] = Array.from(
      { length: ARRAYS },
      (_, i) => new Uint32Array(memory.buffer, 4 * ROOM_WORDS * i, ROOM_WORDS),
    ) as [Uint32Array, Uint32Array, Uint32Array, Uint32Array, Uint32Array]
    this.from = from
    this.to = to
    this.more = more
  }

  /** Begins a range whose tuples come one by one. */
  begin(take: TakeBlock): void {
    this.#take = take
    this.count = 0
  }

  add(from: number, to: number): void {
    this.from[this.count] = from
    this.to[this.count++] = to
    if (this.count === BLOCK_TUPLES) this.end()
  }

  /** Hands on what was added. */
  end(): void {
    if (this.count > 0) this.#take(this)
    this.count = 0
  }

  /** Ranges of at most a block, whose items have the same upper word. */
  each(first: number, last: number, block: (first: number, count: number) => void): void {
    for (let i = first; i < last;) {
      const count = Math.min(BLOCK_TUPLES, last - i, (Math.floor(i / LIMB) + 1) * LIMB - i)
      block(i, count)
      i += count
    }
  }

  /** Draws the tuples of R-MAT from `first` on. Each level takes a word w: u gets the bit w >= b, v the bit that a <= w < b or w >= c. */
  rmat(hash: CounterHash, first: number, count: number, scale: number, bounds: RmatBounds): void {
    this.count = count
    this.#module.rmat(...itemOf(hash, first, count), scale, ...bounds, this.from.byteOffset, this.to.byteOffset)
  }

  /** The word k of each item. */
  words(hash: CounterHash, first: number, count: number, k: number, into: Uint32Array): void {
    this.#module.words(...itemOf(hash, first, count), stepOf(k), into.byteOffset)
  }

  /** A number below a limit for each item, by its words k and k + 1. */
  below(hash: CounterHash, first: number, count: number, limit: number, k: number, into: Uint32Array): void {
    this.#module.below(...itemOf(hash, first, count), stepOf(k), limit, into.byteOffset)
  }

  /** Numbers become those of a permutation. */
  permute({ n, half, keys }: Permutation, numbers: Uint32Array, count: number): void {
    const all = inVectors(count)
    // What is no number below n might never become one.
    numbers.fill(0, count, all)
    this.#module.permute(numbers.byteOffset, all, LIST_AT, n, half, ...keys)
  }
}

const itemOf = (hash: CounterHash, first: number, count: number): Item => [
  first | 0,
  Math.floor(first / LIMB),
  inVectors(count),
  ...hash.seeds,
]

const stepOf = (k: number): number => Math.imul(k + 1, HASH_STEP)
