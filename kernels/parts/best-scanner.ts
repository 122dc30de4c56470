import type { EdgeOrderParams } from './edge-order.ts'
import { tieRules, weightRules } from './edge-order.ts'
import { isMatched, keptWords } from '../matching/match-state.ts'
import { BEST_SCANNER } from './modules.ts'

/*
 * best-scanner.wat, as JavaScript has no 64-bit integers that stay in registers, writes the best neighbours of vertices [first, first + count), all
 * of them free; places are bytes of its memory, the first list begins at arc `before`. For each arc, as in edge-order.wgsl:
 *
 *   x = (min(u, v) + 1) * 0x9E3779B97F4A7C15 + max(u, v) + seed, mixed as splitmix64 does
 *   weight = rule is 2: x modulo 1000; is 1: the word of the weights, ascending; else 0
 *   key = weight << 32 | (byHash ? x >> 32 : 0)
 *
 * An edge with weight < least is left out; of equal keys the larger neighbour comes first. The result is as match-state.ts says.
 */

/** Arcs scanned together: they stay in the cache. */
const BLOCK_ARCS = 1 << 16
const BLOCK_VERTICES = 1 << 14
const PAGE_BYTES = 1 << 16
/** Of the ends, behind the best neighbours of a list; in words. */
const ENDS_AT = 64

interface Module {
  readonly memory: WebAssembly.Memory
  scan(
    first: number,
    count: number,
    ends: number,
    before: number,
    targets: number,
    weights: number,
    kept: number,
    candidates: number,
    rule: number,
    byHash: number,
    seed: bigint,
    least: number,
  ): void
}

/** A list of neighbours among words, and their weights. */
export interface NeighbourPlace {
  readonly targets: Uint32Array
  readonly weights: Uint32Array
  readonly start: number
  readonly weightsStart: number
  readonly count: number
}

/** The twin of match-best.wgsl where all vertices are free, several times as fast. */
export class BestScanner {
  /** A thread keeps its order for many phases. */
  static #last: { readonly of: string; readonly scanner: BestScanner } | undefined
  readonly #module: Module
  readonly #order: EdgeOrderParams
  readonly #candidates: number
  readonly #words: Uint32Array
  readonly #targetsAt = ENDS_AT + BLOCK_VERTICES
  readonly #weightsAt = ENDS_AT + BLOCK_VERTICES + BLOCK_ARCS
  readonly #keptAt = ENDS_AT + BLOCK_VERTICES + 2 * BLOCK_ARCS

  private constructor(order: EdgeOrderParams, candidates: number) {
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(BEST_SCANNER, 'base64')))
    this.#module = exports as unknown as Module
    this.#order = order
    this.#candidates = candidates
    const words = this.#keptAt + keptWords(candidates) * BLOCK_VERTICES
    this.#module.memory.grow(Math.ceil((4 * words) / PAGE_BYTES))
    this.#words = new Uint32Array(this.#module.memory.buffer)
  }

  /** undefined for an order that the module does not know */
  static for(order: EdgeOrderParams, candidates: number): BestScanner | undefined {
    if (order.ties === tieRules.degree || order.weights === weightRules.integers) return undefined
    const of = JSON.stringify([order, candidates])
    if (BestScanner.#last?.of !== of) BestScanner.#last = { of, scanner: new BestScanner(order, candidates) }
    return BestScanner.#last.scanner
  }

  /**
   * Scans lists from vertex `first` on, as many as fit, up to `end`.
   * @param origin arc of the first target, modulo 2^32; `weightsAt` that of the first weight
   * @returns the first vertex not scanned; `first` where its list is too long
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
      words[ENDS_AT + count] = upTo
      arcs = upTo
    }
    if (count === 0) return first
    const { weights } = this.#order
    const from = (before - origin) >>> 0
    words.set(lists.targets.subarray(from, from + arcs), this.#targetsAt)
    if (weights === weightRules.column) {
      const at = (before - weightsAt) >>> 0
      words.set(lists.weightBits.subarray(at, at + arcs), this.#weightsAt)
    }
    this.#scan(first, count)
    const each = keptWords(this.#candidates)
    kept.set(words.subarray(this.#keptAt, this.#keptAt + each * count), each * first)
    return first + count
  }

  /** Scans one list, some of whose neighbours have a mate. @returns false where too many are free */
  scanFree(
    v: number,
    { targets, weights: bits, start, weightsStart, count }: NeighbourPlace,
    matched: Uint32Array,
    kept: Uint32Array,
  ): boolean {
    const words = this.#words
    const { weights } = this.#order
    const weighted = weights === weightRules.column
    let free = 0
    for (let i = 0; i < count; i++) {
      const u = targets[start + i]!
      if (isMatched(matched, u)) continue
      if (free === BLOCK_ARCS) return false
      words[this.#targetsAt + free] = u
      if (weighted) words[this.#weightsAt + free] = bits[weightsStart + i]!
      free++
    }
    words[ENDS_AT] = free
    this.#scan(v, 1)
    const each = keptWords(this.#candidates)
    for (let word = 0; word < each; word++) kept[each * v + word] = words[this.#keptAt + word]!
    return true
  }

  #scan(first: number, count: number): void {
    const { weights, ties, seedLow, seedHigh, least } = this.#order
    const seed = (BigInt(seedHigh) << 32n) | BigInt(seedLow)
    const places = [4 * ENDS_AT, 0, 4 * this.#targetsAt, 4 * this.#weightsAt, 4 * this.#keptAt] as const
    const byHash = ties === tieRules.hash ? 1 : 0
    this.#module.scan(first, count, ...places, this.#candidates, weights, byHash, seed, least)
  }
}
