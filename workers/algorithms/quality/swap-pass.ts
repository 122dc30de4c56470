import type { GaloisGr } from '../../graph/galois-gr.ts'
import type { VertexSet } from '../../graph/vertex-set.ts'
import { type JobContext, throwIfCancelled } from '../../base/job.ts'
import { placeOf } from '../../base/lower-bound.ts'

/** Members that must stay, vertices that must not join. */
export interface SwapLimits {
  readonly keep?: VertexSet | undefined
  readonly exclude?: VertexSet | undefined
}

export interface SwapCounts {
  /** Members that made way for two others. */
  readonly swaps: number
  /** Vertices that joined because no neighbour was a member any more. */
  readonly joined: number
}

const NONE = 0xffffffff

/**
 * One-for-two swaps on a set that is changed in place, with n bits and 8 bytes a vertex beside one streamed reading of the
 * graph (the idea of one-k-swaps: Liu, Lu, Yang, Xiao, Wei, PVLDB 8(13), 2015; the local search of Andrade, Resende and
 * Werneck, Journal of Heuristics 18, 2012, has them on a graph in memory).
 *
 * Only the vertex that is visited has its neighbours at hand, so one half of a swap must wait for the other. A vertex whose
 * only member neighbour is w waits at w. When another one of w comes that is not adjacent to it, w leaves and both join.
 *
 * Invariant: a vertex that waits has no member neighbour but w and, w's own waiters aside, no neighbour that waits. A vertex that
 * comes later and joins has its neighbours at hand, and sends those that wait away. Hence a waiter may join unseen.
 * As any two at w that are not adjacent swap at once, the waiters of w are a clique, and its list is short.
 */
export class SwapPass {
  readonly #set: VertexSet
  readonly #limits: SwapLimits
  /** Of a vertex that waits: the member it waits at; else NONE. */
  readonly #waitsAt: Uint32Array
  /** Of a member: the first that waits there; of a vertex that waits: the next one. */
  readonly #next: Uint32Array
  #swaps = 0
  #joined = 0

  constructor(set: VertexSet, limits: SwapLimits) {
    this.#set = set
    this.#limits = limits
    this.#waitsAt = new Uint32Array(set.vertices)
    this.#next = new Uint32Array(set.vertices)
  }

  run(graph: GaloisGr, backwards: boolean, job: JobContext): SwapCounts {
    this.#waitsAt.fill(NONE)
    this.#next.fill(NONE)
    this.#swaps = 0
    this.#joined = 0
    visitAll(graph, backwards, 'swap', job, (v, targets, from, to) => this.#visit(v, targets, from, to))
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

const ARCS_PER_READ = 1 << 20
const VERTICES_PER_READ = 1 << 18

/** Called for each vertex with its neighbours, ascending: targets [from, to). The array is used again by the next read. */
export type Visit = (v: number, targets: Uint32Array, from: number, to: number) => void

/** Visits every vertex once, the canonical graph streamed through buffers of bounded size. Forwards or backwards. */
export function visitAll(graph: GaloisGr, backwards: boolean, phase: string, job: JobContext, visit: Visit): void {
  let targets = new Uint32Array(0)
  const inTurn = <T>(all: T[]): T[] => (backwards ? all.reverse() : all)
  const chunks = Array.from({ length: Math.ceil(graph.vertices / VERTICES_PER_READ) }, (_, chunk) => chunk)
  for (const [turn, chunk] of inTurn(chunks).entries()) {
    const first = chunk * VERTICES_PER_READ
    const offsets = graph.readOffsets(first, Math.min(graph.vertices, first + VERTICES_PER_READ))
    for (const [begin, end] of inTurn(cut(offsets))) {
      throwIfCancelled(job.signal)
      const base = offsets[begin]!
      const arcs = offsets[end]! - base
      if (targets.length < arcs) targets = new Uint32Array(Math.max(ARCS_PER_READ, arcs))
      graph.readTargets(base, base + arcs, targets.subarray(0, arcs))
      for (let step = begin; step < end; step++) {
        const i = backwards ? begin + end - 1 - step : step
        visit(first + i, targets, offsets[i]! - base, offsets[i + 1]! - base)
      }
    }
    const done = Math.min(graph.vertices, (turn + 1) * VERTICES_PER_READ)
    job.progress({ phase, done, total: graph.vertices, unit: 'vertices' })
  }
}

/** Ranges of vertices whose arcs fit a read; a vertex with more has a range of its own. */
function cut(offsets: Float64Array): [number, number][] {
  const pieces: [number, number][] = []
  const count = offsets.length - 1
  for (let begin = 0; begin < count;) {
    let end = begin + 1
    while (end < count && offsets[end + 1]! - offsets[begin]! <= ARCS_PER_READ) end++
    pieces.push([begin, end])
    begin = end
  }
  return pieces
}
