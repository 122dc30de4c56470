import { ExactSum } from '../../base/exact-sum.ts'
import { AlternatingTree } from './alternating-tree.ts'
import { Blossoms, NONE } from './blossoms.ts'
import type { WeighedGraph } from './held-graph.ts'

/** How far prices may fall in the first round, of the mean price of exposed vertices; and how much further in each other round. */
const REACH = { first: 1 / 4, growth: 1.3 }
/** Events of a tree in the first round, and how many more in each other: trees that grow large meet another exposed vertex later. */
const EFFORT = { first: 16, growth: 1.5 }
/** Steps of a reach, so that sums stay exact. */
const GRAINS = 16

/** Trees between two calls of `pause`. */
const GROWN_A_PAUSE = 64

/** Bytes of a vertex: prices, blossoms and trees. */
export const PRIMAL_DUAL_BYTES = 124

/** All that a search needs to continue, beside the graph. */
export interface PrimalDualState {
  readonly parts: readonly Uint32Array[]
  readonly place: Place
}

/** In a round: the vertex from which it continues, whether it left one exposed, and its limits. */
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
