/**
 * The scan of best-neighbours.ts in WebAssembly, for lists of which all neighbours, or all that are copied, are free: several times as fast as
 * the twin, with the same words. It works on blocks of lists that it copies into a memory of its own. It does not know ties by degree or weights
 * counted as integers; `BestScanner.for` is undefined then, and the twin scans. match-workers.ts of ld-gpu calls both.
 */

import { type EdgeOrderParams, tieRules, edgeWeightRules } from './edge-order.ts'
import { isMatched, keptWords } from '../matching/match-state.ts'
import { BEST_SCANNER } from './modules.ts'
import { wasmExports } from './wasm-exports.ts'

/*
 * best-scanner.wat writes the best neighbours of vertices [first, first + count), all of them free, by the keys of edge-order.wgsl; places are bytes
 * of its memory, the first list begins with target `before`. The result is as match-state.ts says.
 */

/** Arcs scanned together: they stay in the cache. */
const BLOCK_ARCS = 1 << 16
const BLOCK_VERTICES = 1 << 14
const PAGE_BYTES = 1 << 16
/** Places in words, behind the ends; each begins one word later where that suits what is copied. */
const TARGETS_AT = BLOCK_VERTICES
const WEIGHTS_AT = TARGETS_AT + BLOCK_ARCS + 2
const KEPT_AT = WEIGHTS_AT + BLOCK_ARCS + 2
const MOST_CANDIDATES = 4

interface Module {
  readonly memory: WebAssembly.Memory
  scan(
    first: number,
    count: number,
    before: number,
    ends: number,
    targets: number,
    weights: number,
    kept: number,
    candidates: number,
    rule: number,
    byHash: number,
    seedLow: number,
    seedHigh: number,
    least: number,
  ): void
}

export interface NeighbourPlace {
  readonly targets: Uint32Array
  readonly weights: Uint32Array
  readonly start: number
  readonly weightsStart: number
  readonly count: number
}

/** Scans lists where all vertices are free; several times as fast. */
export class BestScanner {
  /** The scanner used last, for many phases. */
  static #last: { readonly of: string; readonly scanner: BestScanner } | undefined
  readonly #module: Module
  readonly #order: EdgeOrderParams
  readonly #candidates: number
  readonly #words: Uint32Array

  private constructor(order: EdgeOrderParams, candidates: number) {
    this.#module = wasmExports(BEST_SCANNER)
    this.#order = order
    this.#candidates = candidates
    // All four are written.
    const words = KEPT_AT + keptWords(candidates) * BLOCK_VERTICES + MOST_CANDIDATES + 1
    this.#module.memory.grow(Math.ceil((4 * words) / PAGE_BYTES))
    this.#words = new Uint32Array(this.#module.memory.buffer)
  }

  /** undefined for an order or a number of candidates that the module does not know */
  static for(order: EdgeOrderParams, candidates: number): BestScanner | undefined {
    if (candidates > MOST_CANDIDATES) return undefined
    if (order.ties === tieRules.degree || order.weights === edgeWeightRules.integers) return undefined
    const of = JSON.stringify([order, candidates])
    if (BestScanner.#last?.of !== of) BestScanner.#last = { of, scanner: new BestScanner(order, candidates) }
    return BestScanner.#last.scanner
  }

  /**
   * As many lists as fit. @param origin arc of the first target, modulo 2^32; `weightsAt` that of the first weight
   * @returns the first vertex not scanned
   */
  scan(
    first: number,
    end: number,
    ends: Uint32Array,
    lists: { readonly targets: Uint32Array; readonly weightBits: Uint32Array },
    origin: number,
    weightsAt: number,
    kept: Uint32Array,
  ): number {
    const words = this.#words
    const before = first === 0 ? 0 : ends[first - 1]!
    const most = Math.min(end - first, BLOCK_VERTICES)
    let [count, arcs] = [0, 0]
    for (; count < most; count++) {
      const upTo = (ends[first + count]! - before) >>> 0
      if (upTo > BLOCK_ARCS) break
      words[count] = upTo
      arcs = upTo
    }
    if (count === 0) return first
    const from = (before - origin) >>> 0
    const targetsAt = likeParity(from, TARGETS_AT)
    words.set(lists.targets.subarray(from, from + arcs), targetsAt)
    let weightsFrom = WEIGHTS_AT
    if (this.#order.weights === edgeWeightRules.column) {
      const at = (before - weightsAt) >>> 0
      weightsFrom = likeParity(at, WEIGHTS_AT)
      words.set(lists.weightBits.subarray(at, at + arcs), weightsFrom)
    }
    const each = keptWords(this.#candidates)
    const keptAt = likeParity(each * first, KEPT_AT)
    this.#scan(first, count, targetsAt, weightsFrom, keptAt)
    kept.set(words.subarray(keptAt, keptAt + each * count), each * first)
    return first + count
  }

  /** Some neighbours have a mate. @returns false where too many are free */
  scanFree(
    v: number,
    { targets, weights: bits, start, weightsStart, count }: NeighbourPlace,
    matched: Uint32Array,
    kept: Uint32Array,
  ): boolean {
    const words = this.#words
    const { weights } = this.#order
    const weighted = weights === edgeWeightRules.column
    let free = 0
    for (let i = 0; i < count; i++) {
      const u = targets[start + i]!
      if (isMatched(matched, u)) continue
      if (free === BLOCK_ARCS) return false
      words[TARGETS_AT + free] = u
      if (weighted) words[WEIGHTS_AT + free] = bits[weightsStart + i]!
      free++
    }
    words[0] = free
    this.#scan(v, 1, TARGETS_AT, WEIGHTS_AT, KEPT_AT)
    const each = keptWords(this.#candidates)
    for (let word = 0; word < each; word++) kept[each * v + word] = words[KEPT_AT + word]!
    return true
  }

  #scan(first: number, count: number, targetsAt: number, weightsAt: number, keptAt: number): void {
    const { weights, ties, seedLow, seedHigh, least } = this.#order
    const byHash = ties === tieRules.hash ? 1 : 0
    const order = [this.#candidates, weights, byHash, seedLow, seedHigh, least] as const
    this.#module.scan(first, count, 0, 0, 4 * targetsAt, 4 * weightsAt, 4 * keptAt, ...order)
  }
}

/** Shared memory is copied byte by byte where two places differ in their distance from a multiple of 8. */
const likeParity = (word: number, at: number): number => at + ((word ^ at) & 1)
