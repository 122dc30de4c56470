import { type EdgeOrderParams, tieRules } from '../parts/edge-order.ts'
import { BestScanner } from '../parts/best-scanner.ts'
import { keptWords } from './match-state.ts'
import { MATCH_ROUNDS } from './modules.ts'
import { wasmExports } from '../parts/wasm-exports.ts'

/*
 * match-rounds.wat has the twins of match-point.ts and match-pair.ts, for a memory that threads share, with the lists in it: every thread would
 * compile JavaScript for itself.
 */

/** The state of all vertices. */
interface SharedVertices {
  readonly memory: WebAssembly.Memory
  readonly ends: Uint32Array
  readonly kept: Uint32Array
  readonly pointers: Uint32Array
  readonly matched: Uint32Array
  /** Adjacency lists, where they are here; the arcs of the first words, modulo 2^32. */
  readonly lists: Uint32Array | undefined
  readonly origin: number
  readonly weightsAt: number
}

interface Module {
  readonly opened: WebAssembly.Global<'i32'>
  readonly arcs: WebAssembly.Global<'i32'>
  place(...words: number[]): void
  point(first: number, count: number, list: number, next: number, which: number, looks: number): number
  pair(list: number, count: number): void
  scan(first: number, count: number, before: number, ...words: number[]): void
}

/** A scan writes so many. */
const SCANNED_CANDIDATES = 4

/** Rounds on a thread. */
export class MatchRounds {
  /** The module, compiled once for many phases. */
  static #compiled: WebAssembly.Module | undefined
  readonly #module: Module
  readonly #looks: boolean
  readonly #shared: SharedVertices
  readonly #scanned: readonly number[]
  /** Whether {@link scan} can be used. */
  readonly scans: boolean

  /** Rounds for an order and a number of candidates that {@link MatchRounds.knows}. */
  constructor(order: EdgeOrderParams, candidates: number, shared: SharedVertices) {
    const { memory, ends, kept, pointers, matched, lists, origin, weightsAt } = shared
    MatchRounds.#compiled ??= new WebAssembly.Module(Buffer.from(MATCH_ROUNDS, 'base64'))
    this.#module = wasmExports(MatchRounds.#compiled, { shared: memory })
    this.#shared = shared
    this.#looks = lists !== undefined
    this.scans = lists !== undefined && candidates === SCANNED_CANDIDATES
    const { weights, ties, seedLow, seedHigh, least } = order
    const listsAt = lists?.byteOffset ?? 0
    const places = [ends, kept, pointers, matched].map(({ byteOffset }) => byteOffset)
    const rule = [candidates, weights, ties === tieRules.hash ? 1 : 0, seedLow, seedHigh, least]
    const arcs = [listsAt - 4 * origin, listsAt - 4 * weightsAt] as const
    this.#module.place(...places, ...arcs, ...rule)
    this.#scanned = [...arcs, ...rule]
  }

  /** The best neighbours of vertices [first, end), all of them free, of lists that are here. */
  scan(first: number, end: number): void {
    const { ends, kept } = this.#shared
    const [targets, weights, ...rule] = this.#scanned as readonly [number, number, ...number[]]
    const before = first === 0 ? 0 : ends[first - 1]!
    const keptAt = kept.byteOffset + 4 * keptWords(SCANNED_CANDIDATES) * first
    const endsAt = ends.byteOffset + 4 * first
    this.#module.scan(first, end - first, before, endsAt, targets, weights, keptAt, ...rule)
  }

  static knows(order: EdgeOrderParams, candidates: number): boolean {
    return BestScanner.for(order, candidates) !== undefined
  }

  /**
   * Vertices whose candidates are all matched scan their lists, where these are here.
   * @param list of active vertices; undefined: all from `first` on @param which as match-point.ts counts
   */
  point(first: number, count: number, list: Uint32Array | undefined, next: Uint32Array, which: number) {
    const { point, opened, arcs } = this.#module
    const pointing = point(first, count, list?.byteOffset ?? 0, next.byteOffset, which, this.#looks ? 1 : 0)
    return { pointing, opened: opened.value >>> 0, arcs: arcs.value >>> 0 }
  }

  /** @param count vertices of the list */
  pair(list: Uint32Array, count: number): void {
    this.#module.pair(list.byteOffset, count)
  }
}
