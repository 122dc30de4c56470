import { randomFillSync } from 'node:crypto'
import { ARC_SUMS } from './modules.ts'

/** Independent sums of 32 bits; their number decides how probable it is that two different sets of arcs are taken for one. */
const LANES = 4
/** Per lane: two words each for the hash of smaller ends, of larger ends and of weights. */
const LANE_KEYS = 6

/** i32 [LANES * LANE_KEYS]: drawn anew for every import, so that no file can be made to match. */
export type FingerprintKeys = Int32Array

export function newFingerprintKeys(): FingerprintKeys {
  return randomFillSync(new Int32Array(new SharedArrayBuffer(4 * LANES * LANE_KEYS)))
}

/** Which of the three keyed hashes of a lane. */
const SMALLER = 0
const LARGER = 2
const WEIGHT = 4

/**
 * Fingerprints of the arcs u -> v with u < v, and of those with u > v reversed; equal ones mean that the graph is symmetric
 * (docs/decisions/0007-canonical-files-are-copied.md). In every SIMD lane, modulo 2^32, a half is the sum over its edges of
 * a(smaller end) * b(larger end) [* c(weight)], with keyed hashes a, b and c: independent of order, additive over parts,
 * and one hash per arc and lane, as the factor of the list's own vertex is outside the sum over the list.
 */
export class ArcFingerprint {
  readonly #sums = new Int32Array(2 * LANES)
  /** Arcs of each half. */
  readonly counts = new Float64Array(2)
  readonly #keys: FingerprintKeys

  #block: ArcBlock | undefined

  constructor(keys: FingerprintKeys) {
    this.#keys = keys
  }

  /** i32 [2 * LANES]: sums of the half u < v, then of the half u > v, of what was settled. */
  get sums(): Int32Array {
    const plain = this.#block?.sums
    return plain === undefined ? this.#sums : this.#sums.map((sum, i) => sum + plain[i]!)
  }

  /**
   * Adds the part [from, to) of `targets`, which belongs to the list of u. Parts without weights are checked in batches: the array
   * must not change before `settle`.
   * @param before the target before the part in the same list, or -1
   * @param weights bits of the f32 weights, beside the targets; null where there are none
   * @returns false where targets do not ascend strictly, from `before` on, or u is among them, as far as they were checked
   */
  addList(
    u: number,
    targets: Uint32Array,
    from: number,
    to: number,
    before: number,
    weights: Int32Array | null,
  ): boolean {
    if (weights === null) {
      this.#block ??= new ArcBlock(this.#plainKeys())
      return this.#block.add(u, targets, from, to, before, this.counts)
    }
    let last = before
    let at = from
    for (; at < to && targets[at]! < u; at++) {
      const v = targets[at]!
      if (v <= last) return false
      last = v
    }
    const middle = at
    for (; at < to; at++) {
      const v = targets[at]!
      if (v <= last || v === u) return false
      last = v
    }
    this.counts[0]! += to - middle
    this.counts[1]! += middle - from
    if (middle < to) this.#addWeighted(u, SMALLER, LARGER, 0, targets, middle, to, weights)
    if (from < middle) this.#addWeighted(u, LARGER, SMALLER, LANES, targets, from, middle, weights)
    return true
  }

  /** Looks at all that was added. @returns as addList */
  settle(): boolean {
    return this.#block?.settle(this.counts) ?? true
  }

  /** Adds sums and counts made with the same keys. */
  add(sums: Int32Array, counts: Float64Array): void {
    for (let i = 0; i < sums.length; i++) this.#sums[i]! += sums[i]!
    for (let i = 0; i < counts.length; i++) this.counts[i]! += counts[i]!
  }

  /** Whether both halves are the same edges. */
  get symmetric(): boolean {
    if (this.counts[0] !== this.counts[1]) return false
    const { sums } = this
    for (let lane = 0; lane < LANES; lane++) if (sums[lane] !== sums[LANES + lane]) return false
    return true
  }

  /** Those of the lanes beside one another, as arc-sums.wat has them. */
  #plainKeys(): Int32Array {
    const own = [SMALLER, SMALLER + 1, LARGER, LARGER + 1]
    return Int32Array.from(
      own.flatMap((key) => Array.from({ length: LANES }, (_, lane) => this.#keys[lane * LANE_KEYS + key]!)),
    )
  }

  #addWeighted(
    u: number,
    own: number,
    other: number,
    half: number,
    targets: Uint32Array,
    from: number,
    to: number,
    weights: Int32Array,
  ) {
    const lanes = [0, 0, 0, 0]
    for (let lane = 0; lane < LANES; lane++) {
      const at = lane * LANE_KEYS
      const [k0, k1] = [this.#keys[at + other]!, this.#keys[at + other + 1]!]
      const [w0, w1] = [this.#keys[at + WEIGHT]!, this.#keys[at + WEIGHT + 1]!]
      let sum = 0
      for (let i = from; i < to; i++)
        sum = (sum + Math.imul(keyedHash(targets[i]!, k0, k1), keyedHash(weights[i]!, w0, w1))) | 0
      lanes[lane] = sum
    }
    this.#multiply(u, own, half, lanes[0]!, lanes[1]!, lanes[2]!, lanes[3]!)
  }

  #multiply(u: number, own: number, half: number, a: number, b: number, c: number, d: number): void {
    const keys = this.#keys
    const sums = this.#sums
    const hash = (lane: number) => keyedHash(u, keys[lane * LANE_KEYS + own]!, keys[lane * LANE_KEYS + own + 1]!)
    sums[half]! += Math.imul(hash(0), a)
    sums[half + 1]! += Math.imul(hash(1), b)
    sums[half + 2]! += Math.imul(hash(2), c)
    sums[half + 3]! += Math.imul(hash(3), d)
  }
}

/** A 32-bit finaliser (the "lowbias32" constants, as in counter-hash.ts) with a key before each of its rounds. */
function keyedHash(word: number, first: number, second: number): number {
  let x = word ^ first
  x = Math.imul(x ^ (x >>> 16), 0x21f0aaad) ^ second
  x = Math.imul(x ^ (x >>> 15), 0x735a2d97)
  return x ^ (x >>> 15)
}

/** Lists and targets that are looked at together: they stay in the processor's cache. */
const BLOCK_LISTS = 1 << 14
const BLOCK_ARCS = 1 << 16
const HEAD_WORDS = 3
/** Words of the module's memory; see arc-sums.wat. */
const SUMS_AT = 16
const COUNTS_AT = 24
const HEADS_AT = 32
const TARGETS_AT = HEADS_AT + HEAD_WORDS * BLOCK_LISTS
const PAGE_WORDS = 1 << 14

interface Module {
  readonly memory: WebAssembly.Memory
  add(lists: number, heads: number, at: number): number
}

let compiled: WebAssembly.Module | undefined

/** Sums adjacency lists that follow one another, many at a time, in WebAssembly: the fingerprints of arc-fingerprint.ts without weights. */
class ArcBlock {
  readonly #module: Module
  readonly #words: Int32Array
  #source: Uint32Array = new Uint32Array(0)
  /** The part of the source that waits, and its lists. */
  #from = 0
  #to = 0
  #lists = 0

  /** @param keys four vectors: two for smaller ends, two for larger ones */
  constructor(keys: Int32Array) {
    compiled ??= new WebAssembly.Module(Buffer.from(ARC_SUMS, 'base64'))
    const instance = new WebAssembly.Instance(compiled)
    this.#module = instance.exports as unknown as Module
    this.#module.memory.grow(Math.ceil((TARGETS_AT + BLOCK_ARCS) / PAGE_WORDS) - 1)
    this.#words = new Int32Array(this.#module.memory.buffer)
    this.#words.set(keys)
  }

  /** A copy of the sums: those of the half u < v first. */
  get sums(): Int32Array {
    return this.#words.slice(SUMS_AT, COUNTS_AT)
  }

  /**
   * Takes targets [from, to) of the list of u, to be checked now or by `settle`.
   * @param before the target before the part in the same list, or -1
   * @param counts to which the arcs of both halves are added
   * @returns whether what was checked ascends and has no loops
   */
  add(u: number, targets: Uint32Array, from: number, to: number, before: number, counts: Float64Array): boolean {
    let [start, last] = [from, before]
    while (start < to) {
      if (!this.#goesOn(targets, start)) {
        if (!this.settle(counts)) return false
        this.#goesOn(targets, start)
      }
      const end = Math.min(to, this.#from + BLOCK_ARCS)
      const head = HEADS_AT + HEAD_WORDS * this.#lists++
      this.#words[head] = u
      this.#words[head + 1] = last + 1
      this.#words[head + 2] = 4 * (TARGETS_AT + end - this.#from)
      this.#to = end
      last = targets[end - 1]!
      start = end
    }
    return true
  }

  /** Looks at what was taken. */
  settle(counts: Float64Array): boolean {
    if (this.#lists > 0) {
      this.#words.set(this.#source.subarray(this.#from, this.#to), TARGETS_AT)
      if (this.#module.add(this.#lists, 4 * HEADS_AT, 4 * TARGETS_AT) === 0) return false
      counts[0]! += this.#words[COUNTS_AT]!
      counts[1]! += this.#words[COUNTS_AT + 1]!
    }
    this.#lists = 0
    this.#from = this.#to
    return true
  }

  /** Whether a list that begins there has room behind those that wait. An empty block begins anywhere. */
  #goesOn(targets: Uint32Array, start: number): boolean {
    if (this.#lists === 0) {
      this.#source = targets
      this.#from = start
      return true
    }
    const hasRoom = this.#lists < BLOCK_LISTS && start < this.#from + BLOCK_ARCS
    return hasRoom && targets === this.#source && start === this.#to
  }
}
