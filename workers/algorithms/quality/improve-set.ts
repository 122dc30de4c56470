/**
 * One-for-two swaps on a set that is changed in place, with n bits and 8 bytes a vertex beside one streamed reading of the
 * graph (the idea of one-k-swaps: Liu, Lu, Yang, Xiao, Wei, PVLDB 8(13), 2015; the local search of Andrade, Resende and
 * Werneck, Journal of Heuristics 18, 2012, has them on a graph in memory).
 * Only the vertex that is visited has its neighbours at hand, so one half of a swap must wait for the other. A vertex whose
 * only member neighbour is w waits at w. When another one of w comes that is not adjacent to it, w leaves and both join.
 * Invariant: a vertex that waits has no member neighbour but w and, w's own waiters aside, no neighbour that waits. A vertex that
 * comes later and joins has its neighbours at hand, and sends those that wait away. Hence a waiter may join unseen.
 * As any two at w that are not adjacent swap at once, the waiters of w are a clique, and its list is short.
 * near-optimal.ts improves more where the graph fits memory.
 */

import type { JobContext } from '../../base/job.ts'
import { placeOf } from '../../base/ranges.ts'
import type { GaloisGr } from '../../graph/galois-gr.ts'
import { eachList, listsOf } from '../../graph/scan-lists.ts'
import type { VertexSet } from '../../graph/vertex-set.ts'
import type { SetQuality } from './quality-option.ts'

const NONE = 0xffffffff

/** Members that must stay, vertices that must not join. */
interface SwapLimits {
  readonly keep?: VertexSet | undefined
  readonly exclude?: VertexSet | undefined
}

export interface Improvement {
  /** Members more after each pass of swaps. */
  readonly gains: readonly number[]
  readonly elapsedMs: number
}

/** How far the passes of swaps have come; with the set, all that the next one follows from. */
export interface SwapsSoFar {
  readonly gains: readonly number[]
  /** Passes in a row that changed nothing, and whether the last one swapped. */
  readonly idle: number
  readonly swapped: boolean
  readonly elapsedMs: number
}

/** A pass that changes nothing says little of one the other way round; two in a row mean that the next would not either. */
const IDLE_PASSES = 2

/**
 * Makes a maximal independent set larger, in place: passes of one-for-two swaps over the streamed graph, forwards and
 * backwards in turn. The set never shrinks, and is maximal again at the end.
 * @param from where another attempt left the set
 * @param afterPass called with the set as it is then; for checkpoints
 */
export function improveSet(
  graph: GaloisGr,
  set: VertexSet,
  { passes: wanted, limitMs }: SetQuality,
  limits: SwapLimits,
  job: JobContext,
  from?: SwapsSoFar,
  afterPass: (soFar: SwapsSoFar) => void = () => {},
): Improvement {
  const startMs = performance.now() - (from?.elapsedMs ?? 0)
  const gains = [...(from?.gains ?? [])]
  if (wanted === 0) return { gains, elapsedMs: 0 }
  const pass = new SwapPass(set, limits)
  let { idle, swapped } = from ?? { idle: 0, swapped: false }
  while (
    gains.length < wanted &&
    job.signal.enough !== true &&
    idle < IDLE_PASSES &&
    performance.now() - startMs < limitMs
  ) {
    const { swaps, joined } = pass.run(graph, gains.length % 2 === 1, job)
    swapped = swaps > 0
    idle = swaps + joined === 0 ? idle + 1 : 0
    gains.push(swaps + joined)
    afterPass({ gains, idle, swapped, elapsedMs: performance.now() - startMs })
  }
  // A pass without swaps takes no member out, and lets in every free vertex; after swaps a vertex may have become free behind it.
  if (swapped) gains[gains.length - 1]! += fillUp(graph, set, limits, job)
  return { gains, elapsedMs: performance.now() - startMs }
}

/** Lets every vertex without a member among its neighbours join; returns how many. */
export function fillUp(graph: GaloisGr, set: VertexSet, { exclude }: SwapLimits, job: JobContext): number {
  let joined = 0
  eachList(graph, job, 'fill up', (v, start, end, targets) => {
    if (set.has(v) || exclude?.has(v)) return
    for (let i = start; i < end; i++) if (set.has(targets[i]!)) return
    set.add(v)
    joined++
  })
  return joined
}

/** One pass of swaps, forwards or backwards. */
class SwapPass {
  readonly #set: VertexSet
  readonly #limits: SwapLimits
  /** The member at which a vertex waits; NONE: it does not wait. */
  readonly #waitsAt: Uint32Array
  /** The first vertex that waits at a member; the next one behind a vertex that waits. */
  readonly #next: Uint32Array
  #swaps = 0
  #joined = 0

  constructor(set: VertexSet, limits: SwapLimits) {
    this.#set = set
    this.#limits = limits
    this.#waitsAt = new Uint32Array(set.vertices)
    this.#next = new Uint32Array(set.vertices)
  }

  /** @returns members that made way for two others, and vertices that joined because no neighbour was a member any more */
  run(graph: GaloisGr, backwards: boolean, job: JobContext): { readonly swaps: number; readonly joined: number } {
    this.#waitsAt.fill(NONE)
    this.#next.fill(NONE)
    this.#swaps = 0
    this.#joined = 0
    for (const { first, offsets, targets } of listsOf(graph, job, 'swap', undefined, backwards)) {
      const count = offsets.length - 1
      for (let step = 0; step < count; step++) {
        const row = backwards ? count - 1 - step : step
        this.#visit(first + row, targets, offsets[row]!, offsets[row + 1]!)
      }
    }
    return { swaps: this.#swaps, joined: this.#joined }
  }

  #visit(v: number, targets: Uint32Array, from: number, to: number): void {
    const set = this.#set
    if (set.has(v) || this.#limits.exclude?.has(v)) return
    let member = NONE
    for (let i = from; i < to; i++) {
      const u = targets[i]!
      if (!set.has(u)) continue
      if (member !== NONE) return
      member = u
    }
    if (member === NONE) {
      this.#join(v, targets, from, to)
      this.#joined++
      return
    }
    if (this.#limits.keep?.has(member)) return
    const partner = this.#partner(member, targets, from, to)
    if (partner !== NONE) this.#swap(member, partner, v, targets, from, to)
    else if (!this.#hasForeignWaiter(member, targets, from, to)) this.#wait(v, member)
  }

  /** A waiter of w that is not among the neighbours; drops from the list those that were sent away. */
  #partner(w: number, targets: Uint32Array, from: number, to: number): number {
    let before = w
    for (let u = this.#next[w]!; u !== NONE; u = this.#next[u]!) {
      if (this.#waitsAt[u] !== w) {
        this.#next[before] = this.#next[u]!
        continue
      }
      if (placeOf(targets, from, to, u) < 0) return u
      before = u
    }
    return NONE
  }

  #hasForeignWaiter(w: number, targets: Uint32Array, from: number, to: number): boolean {
    for (let i = from; i < to; i++) {
      const at = this.#waitsAt[targets[i]!]!
      if (at !== NONE && at !== w) return true
    }
    return false
  }

  #wait(v: number, w: number): void {
    this.#waitsAt[v] = w
    this.#next[v] = this.#next[w]!
    this.#next[w] = v
  }

  #swap(w: number, partner: number, v: number, targets: Uint32Array, from: number, to: number): void {
    for (let u = this.#next[w]!; u !== NONE;) {
      const after = this.#next[u]!
      if (this.#waitsAt[u] === w) this.#waitsAt[u] = NONE
      this.#next[u] = NONE
      u = after
    }
    this.#next[w] = NONE
    this.#set.bytes[w >>> 3]! &= ~(1 << (w & 7))
    this.#set.add(partner)
    this.#join(v, targets, from, to)
    this.#swaps++
  }

  #join(v: number, targets: Uint32Array, from: number, to: number): void {
    this.#set.add(v)
    for (let i = from; i < to; i++) this.#waitsAt[targets[i]!] = NONE
  }
}
