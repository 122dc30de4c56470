/**
 * The heaviest matching by the primal-dual method (Edmonds 1965; Galil, Micali, Gabow, SIAM Journal on Computing 15, 1986), from exposed
 * vertices in turn (alternating-tree.ts). Prices bound what every matching weighs, at any time; a search that ends early takes the heavier half
 * of every path and cycle that its matching makes with the best one. It takes 8 bytes an arc and 137 a vertex of the host's memory, and n
 * searches of m log n at most. improve-matching.ts of ld-gpu chooses it where the graph fits; augment.ts there is its streamed companion.
 */

import { type JobContext, cancelled, throwIfCancelled } from '../../base/job.ts'
import { placeOf } from '../../base/ranges.ts'
import type { EdgeOrder } from '../../graph/edge-order.ts'
import type { GaloisGr } from '../../graph/galois-gr.ts'
import type { GraphSize } from '../plan-request.ts'
import { Blossoms, NONE } from './blossoms.ts'
import {
  type Loading,
  WEIGHED_BYTES,
  type WeighedGraph,
  hostRoom,
  loadWeighed,
  type Objective,
} from './in-memory-graph.ts'
import type { SearchQuality } from './quality-option.ts'
import { ExactSum } from '../../base/exact-sum.ts'
import { AlternatingTree } from './alternating-tree.ts'

/** Steps, and a share of the vertices, after which the matching is compared with the best one, and can be resumed: the larger of both. */
const EPOCH = { steps: 1 << 14, ofVertices: 1 / 4 }
/** "better" ends where at most this share of the bound is missing. */
const NEAR = 0.01
/** Bytes of a vertex besides: mates of both matchings, and what is compared. */
const COMPARED_BYTES = 9

/** Host memory that the search takes. */
export const heavyMatchingBytes = (
  { vertices, arcs }: Pick<GraphSize, 'vertices' | 'arcs'>,
  objective: Objective = 'weight',
): number =>
  (WEIGHED_BYTES.vertex + PRIMAL_DUAL_BYTES + COMPARED_BYTES) * vertices +
  (objective === 'weight' ? WEIGHED_BYTES.arc : WEIGHED_BYTES.scoredArc) * arcs

/** Whether a graph can be held. @param memoryBytes of a limit, or undefined */
export const holdsMatching = (size: Pick<GraphSize, 'vertices' | 'arcs'>, memoryBytes: number | undefined): boolean =>
  size.arcs < 2 ** 32 && size.vertices < 2 ** 30 && heavyMatchingBytes(size) <= hostRoom(memoryBytes)

/** How far a search has come; with the best matching, all that the rest of it follows from. */
export interface HeavySoFar {
  readonly steps: number
  /** Weights of the best matching after each epoch, and what none exceeds; of pairs, where most pairs come first. */
  readonly weights: readonly number[]
  readonly bounds: readonly number[]
  /** What no matching of as many pairs weighs more, or less, than; known where most pairs come first and there are as many as the bound. */
  readonly weightBound?: number | undefined
  /** Weight, or pairs, more than before. */
  readonly gain: number
  readonly elapsedMs: number
  readonly isHeaviest: boolean
  /** Whether no further step is made. */
  readonly isOver: boolean
}

interface HeavyInput {
  /** Replaced by heavier ones. */
  readonly mates: Uint32Array
  readonly order: EdgeOrder
  readonly objective: Objective
  readonly quality: SearchQuality
  /** The place where another attempt left the search. */
  readonly from: { readonly soFar: HeavySoFar; readonly state: PrimalDualState } | undefined
  readonly loading?: Loading
}

/**
 * Makes a matching heavier, in place: the heaviest one where that is found in time. Where it is not, the best one is the heavier of both
 * matchings in every path and cycle that they make together. It never gets lighter.
 * @param afterEpoch called with the best mates as they are then; for checkpoints. `isCancelled`: nothing comes after it, of a search that ends by time
 */
export function searchHeavyMatching(
  graph: GaloisGr,
  { mates, order, objective, quality, from, loading }: HeavyInput,
  job: JobContext,
  afterEpoch: (soFar: HeavySoFar, state: () => PrimalDualState, isCancelled: boolean) => void = () => {},
): HeavySoFar {
  const startMs = performance.now() - (from?.soFar.elapsedMs ?? 0)
  const held = loadWeighed(graph, order, job, objective, loading)
  const figure = figuresOf(held)
  const search = new PrimalDual(held, from?.state)
  const [weights, bounds] = [[...(from?.soFar.weights ?? [])], [...(from?.soFar.bounds ?? [])]]
  const wanted = quality.steps ?? Infinity
  const epoch = Math.max(EPOCH.steps, Math.ceil(EPOCH.ofVertices * graph.vertices))
  const { limitMs } = quality
  const before = figure.of(mates) - (from?.soFar.gain ?? 0)
  const known = { best: before, bound: bounds.at(-1) ?? Infinity }
  // Another search is the same however often it is interrupted: it resumes from the end of an epoch.
  const isKept = Number.isFinite(limitMs)
  let isCancelled = false
  const pause = (): boolean => {
    isCancelled ||= isKept && job.signal.aborted
    if (isCancelled) return true
    throwIfCancelled(job.signal)
    const elapsedMs = performance.now() - startMs
    const total = Number.isFinite(limitMs) ? limitMs : undefined
    const { best, bound } = known
    job.progress({ phase: 'search', done: elapsedMs, total, unit: 'ms', best, ...(bound < Infinity && { bound }) })
    return elapsedMs >= limitMs || job.signal.enough === true
  }
  const begun = { steps: 0, weights, bounds, gain: 0, elapsedMs: 0, isHeaviest: false, isOver: false }
  let soFar: HeavySoFar = from?.soFar ?? begun
  while (!soFar.isOver) {
    const steps = Math.min(epoch, wanted - soFar.steps)
    const { isHeaviest, made } = search.run(steps, pause)
    takeHeavier(held, mates, search.mates())
    known.best = figure.of(mates)
    const bound = search.bound()
    known.bound = Math.min(known.bound, figure.bound(bound))
    weights.push(known.best)
    bounds.push(known.bound)
    const isNear = quality.steps === undefined && known.bound - known.best <= NEAR * known.bound
    const isOver = isHeaviest || (made < steps && !isCancelled) || steps < epoch || isNear
    const elapsedMs = performance.now() - startMs
    const weightBound = known.best === known.bound ? figure.weightBound(bound, known.best) : undefined
    const reached = { gain: known.best - before, weightBound, elapsedMs, isHeaviest, isOver }
    soFar = { steps: soFar.steps + made, weights, bounds, ...reached }
    afterEpoch(soFar, () => search.state(), isCancelled)
    if (isCancelled) throw cancelled()
  }
  return soFar
}

/** What a search tells of a matching and of a bound on scores: its weight; the pairs, where most of these come first. */
function figuresOf(held: WeighedGraph) {
  const { units, scores } = held
  if (scores === undefined) {
    const weight = (sum: number): number => sum / units
    return { of: (mates: Uint32Array) => weight(weightOf(held, mates)), bound: weight, weightBound: () => undefined }
  }
  const { each, sign } = scores
  return {
    of: pairsOf,
    // A matching of k pairs scores k times `each`, and its weights, which are less than `each` together.
    bound: (score: number) => (sign === 1 ? Math.floor(score / each) : Math.ceil(score / each)),
    weightBound: (score: number, pairs: number) => (sign * (score - pairs * each)) / units,
  }
}

function pairsOf(mates: Uint32Array): number {
  let pairs = 0
  for (let v = 0; v < mates.length; v++) if (mates[v]! < v) pairs++
  return pairs
}

/** The weight of a matching, in units. */
function weightOf(graph: WeighedGraph, mates: Uint32Array): number {
  let sum = 0
  for (let v = 0; v < mates.length; v++) if (mates[v]! < v) sum += edgeWeight(graph, v, mates[v]!)
  return sum
}

/** 0 where there is no edge. */
function edgeWeight({ starts, targets, weights }: WeighedGraph, v: number, u: number): number {
  return weights[placeOf(targets, starts[v]!, starts[v + 1]!, u)] ?? 0
}

/** Takes the edges of the second matching in each path and cycle of both in which they weigh more. */
export function takeHeavier(graph: WeighedGraph, mates: Uint32Array, others: Uint32Array): void {
  const isSeen = new Uint8Array(mates.length)
  const component: number[] = []
  for (let v = 0; v < mates.length; v++) {
    if (isSeen[v] === 1 || mates[v] === others[v]) continue
    component.length = 0
    // From v along its own edge, and back to it or along the other one.
    walk(v, mates, others)
    walk(others[v]!, mates, others)
    let [weight, other] = [0, 0]
    for (const u of component) {
      if (mates[u]! < u) weight += edgeWeight(graph, u, mates[u]!)
      if (others[u]! < u) other += edgeWeight(graph, u, others[u]!)
    }
    if (other > weight) for (const u of component) mates[u] = others[u]!
  }

  function walk(v: number, first: Uint32Array, second: Uint32Array): void {
    for (let [next, after] = [first, second]; v !== NONE && isSeen[v] === 0; [next, after] = [after, next]) {
      isSeen[v] = 1
      component.push(v)
      v = next[v]!
    }
  }
}

/** How far prices may fall in the first round, of the mean price of exposed vertices; and how much further in each other round. */
const REACH = { first: 1 / 4, growth: 1.3 }
/** Events of a tree in the first round, and how many more in each other: trees that grow large meet another exposed vertex later. */
const EFFORT = { first: 16, growth: 1.5 }
/** Steps of a reach, so that sums stay exact. */
const GRAINS = 16

/** Trees between two calls of `pause`. */
const GROWN_A_PAUSE = 64

/** Bytes of a vertex: prices, blossoms and trees. */
const PRIMAL_DUAL_BYTES = 124

/** All that a search needs to continue, beside the graph. */
export interface PrimalDualState {
  readonly parts: readonly Uint32Array[]
  readonly place: Place
}

/** The state of a round: the vertex from which it continues, whether it left one exposed, and its limits. */
interface Place {
  readonly cursor: number
  readonly leftOne: boolean
  readonly reach: number
  readonly effort: number
}

/**
 * The heaviest matching of a graph by the primal-dual method (Edmonds 1965), from exposed vertices in turn (see AlternatingTree). A round
 * goes over all of them in ascending order and lets prices fall by the same amount at most, and the next one by more: trees meet halfway, and
 * stay small. At any time the prices bound what every matching weighs, and the one that is there is near it by the prices of exposed vertices.
 *
 * The same graph and number of steps give the same matching and bound.
 */
export class PrimalDual {
  readonly #graph: WeighedGraph
  readonly #prices: Float64Array
  readonly #blossoms: Blossoms
  readonly #tree: AlternatingTree
  readonly #grain: number
  #place: Place

  constructor(graph: WeighedGraph, state?: PrimalDualState) {
    const { vertices, quantum } = graph
    this.#graph = graph
    this.#prices = new Float64Array(vertices)
    this.#blossoms = new Blossoms(vertices)
    this.#tree = new AlternatingTree(graph, this.#prices, this.#blossoms)
    this.#start()
    const { price, count } = this.#exposed()
    const first = count === 0 ? 0 : 2 ** Math.floor(Math.log2((REACH.first * price) / count))
    const reach = Math.max(quantum / 2, first)
    this.#grain = Math.max(quantum / 2, reach / GRAINS)
    this.#place = state?.place ?? { cursor: 0, leftOne: false, reach, effort: EFFORT.first }
    if (state === undefined) return
    const [prices, ...parts] = state.parts
    new Uint32Array(this.#prices.buffer).set(prices!)
    this.#blossoms.restore(parts)
  }

  state(): PrimalDualState {
    return { parts: [new Uint32Array(this.#prices.buffer), ...this.#blossoms.parts], place: this.#place }
  }

  /**
   * @param pause called now and then; whether to stop. What it throws is thrown
   * @returns whether the matching is the heaviest, and how many steps were made
   */
  run(steps: number, pause: () => boolean): { readonly isHeaviest: boolean; readonly made: number } {
    const { outer, matchIn } = this.#blossoms
    let { cursor, leftOne, reach, effort } = this.#place
    for (let made = 0; ;) {
      for (; cursor < this.#graph.vertices; cursor++) {
        const node = outer[cursor]!
        if (!this.#isExposed(node, cursor)) continue
        const isTime = made === steps || (made % GROWN_A_PAUSE === 0 && pause())
        if (isTime || !this.#tree.grow(node, reach, effort, pause)) {
          this.#place = { cursor, leftOne, reach, effort }
          return { isHeaviest: false, made }
        }
        made++
        leftOne ||= this.#isExposed(node, matchIn[node]!)
      }
      if (!leftOne) return { isHeaviest: true, made }
      cursor = 0
      leftOne = false
      reach = this.#grain * Math.ceil((REACH.growth * reach) / this.#grain)
      effort *= EFFORT.growth
    }
  }

  /** The mate of every vertex. */
  mates(): Uint32Array {
    return this.#blossoms.mates()
  }

  /** No matching weighs more. In units. */
  bound(): number {
    const { quantum } = this.#graph
    const sum = new ExactSum()
    for (const price of this.#prices) sum.add(price)
    for (const blossom of this.#blossoms.all())
      sum.add((this.#blossoms.dual[blossom]! * (this.#sizeOf(blossom) - 1)) / 2)
    // Every matching weighs a multiple of it.
    return quantum * Math.floor(sum.value / quantum)
  }

  /** Whether a vertex is the exposed one of its outermost node, with a price to fall. */
  #isExposed(node: number, v: number): boolean {
    const { matchOut, matchIn } = this.#blossoms
    return matchOut[node] === NONE && matchIn[node] === v && this.#prices[v]! > 0
  }

  #exposed(): { readonly price: number; readonly count: number } {
    let [price, count] = [0, 0]
    for (let v = 0; v < this.#graph.vertices; v++) {
      if (!this.#isExposed(this.#blossoms.outer[v]!, v)) continue
      price += this.#prices[v]!
      count++
    }
    return { price, count }
  }

  #sizeOf(blossom: number): number {
    const { firstVertex, lastVertex, nextVertex } = this.#blossoms
    let size = 1
    for (let v = firstVertex[blossom]!; v !== lastVertex[blossom]; v = nextVertex[v]!) size++
    return size
  }

  /** Prices of half of the heaviest edge, lowered as far as the neighbours allow; edges that are paid for exactly are matched. */
  #start(): void {
    const { vertices, starts, targets, weights } = this.#graph
    const { matchOut } = this.#blossoms
    const prices = this.#prices
    for (let v = 0; v < vertices; v++) {
      let most = 0
      for (let i = starts[v]!; i < starts[v + 1]!; i++) if (weights[i]! > most) most = weights[i]!
      prices[v] = most / 2
    }
    for (let v = 0; v < vertices; v++) {
      let least = 0
      for (let i = starts[v]!; i < starts[v + 1]!; i++) least = Math.max(least, weights[i]! - prices[targets[i]!]!)
      prices[v] = least
      for (let i = starts[v]!; i < starts[v + 1]! && matchOut[v] === NONE; i++) {
        const u = targets[i]!
        if (matchOut[u] !== NONE || weights[i]! - prices[u]! !== least) continue
        matchOut[v] = u
        matchOut[u] = v
      }
    }
  }
}
