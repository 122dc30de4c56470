/**
 * A search of the primal-dual method for the heaviest matching (Edmonds 1965; Galil, Micali, Gabow 1986), from one exposed vertex. An
 * alternating tree grows along edges that are paid for exactly, and prices change where none is left, until the tree meets another exposed
 * vertex or a price falls to 0.
 * Between two searches every edge is paid for by the prices of its ends and the duals of the blossoms around both, and matched edges exactly. So
 * no matching weighs more than all prices, and this one weighs as much but for the prices of vertices that are exposed.
 * The key of an event is the change of prices at which it happens.
 * heavy-matching.ts starts one tree after another; blossoms.ts keeps odd cycles, event-queue.ts the events.
 */

import { type Blossoms, EVEN, NONE, ODD, OUTSIDE, TreeSides } from './blossoms.ts'
import { EventQueue } from './event-queue.ts'
import type { WeighedGraph } from './in-memory-graph.ts'

/** What stands in place of the second vertex: the first number is a vertex that joins, or a blossom to expand. */
const JOINS = -1
const EXPANDS = -2

/** Events between two calls of `pause`. */
const EVENTS_A_PAUSE = 1 << 10

/** One search of the primal-dual method, from one exposed vertex. */
export class AlternatingTree {
  readonly #graph: WeighedGraph
  readonly #prices: Float64Array
  readonly #blossoms: Blossoms
  readonly #sides: TreeSides
  /** The edge of the tree to an odd node: its end there, and that in the even node above. */
  readonly #treeIn: Uint32Array
  readonly #treeOut: Uint32Array
  /** The least key at which a vertex outside joins, and the even vertex beside it then. */
  readonly #reached: Float64Array
  readonly #reachedFrom: Uint32Array
  readonly #reachedVertices: number[] = []
  readonly #events = new EventQueue()
  readonly #marks: Uint32Array
  #mark = 0
  /** The change at which the search ends: by an edge between an even and an exposed vertex, by an even vertex at price 0, or because it is enough. */
  #end = 0
  #endFrom = NONE
  #endTo = NONE

  constructor(graph: WeighedGraph, prices: Float64Array, blossoms: Blossoms) {
    const nodes = blossoms.parent.length
    this.#graph = graph
    this.#prices = prices
    this.#blossoms = blossoms
    this.#sides = new TreeSides(prices, blossoms)
    this.#treeIn = new Uint32Array(nodes)
    this.#treeOut = new Uint32Array(nodes)
    this.#reached = new Float64Array(graph.vertices).fill(Infinity)
    this.#reachedFrom = new Uint32Array(graph.vertices)
    this.#marks = new Uint32Array(nodes)
  }

  /**
   * Grows a tree from an exposed node, and takes it apart: the node is matched then, or has a vertex at price 0, or its prices are lower.
   * @param most that its prices may fall
   * @param effort events after which it ends
   * @param pause called now and then; whether the search is to end as it is. What it throws is thrown
   * @returns whether it was not paused
   */
  grow(root: number, most: number, effort: number, pause: () => boolean): boolean {
    this.#sides.change = 0
    this.#end = most
    this.#endFrom = this.#endTo = NONE
    this.#events.clear()
    this.#sides.join(root, EVEN)
    this.#scanNode(root)
    const events = this.#events
    for (let handled = 1; events.key < this.#end; handled++) {
      this.#sides.change = events.key
      if (handled > effort || (handled % EVENTS_A_PAUSE === 0 && pause())) {
        this.#leave()
        return handled > effort
      }
      const { first, second } = events
      events.pop()
      this.#handle(first, second)
    }
    this.#sides.change = this.#end
    if (this.#endTo !== NONE) this.#match(this.#blossoms.find(this.#endTo), this.#endTo, this.#endFrom)
    if (this.#endFrom !== NONE) this.#flip(this.#endFrom, this.#endTo)
    this.#leave()
    return true
  }

  /** The numbers are two even vertices, where the second does not say otherwise. */
  #handle(first: number, second: number): void {
    const blossoms = this.#blossoms
    if (second === JOINS) {
      // Of a vertex that was odd meanwhile the price has changed.
      if (this.#sides.ofVertices[first] === OUTSIDE && this.#reached[first] === this.#sides.change) this.#take(first)
    } else if (second === EXPANDS) {
      if (this.#sides.ofNodes[first] === ODD && blossoms.parent[first] === NONE) this.#expand(first)
    } else {
      const [x, y] = [blossoms.find(first), blossoms.find(second)]
      if (x !== y) this.#shrink(first, second, x, y)
    }
  }

  /** A matched node joins as odd, and its mate as even. */
  #take(v: number): void {
    const blossoms = this.#blossoms
    const odd = blossoms.outer[v]!
    this.#treeIn[odd] = v
    this.#treeOut[odd] = this.#reachedFrom[v]!
    this.#joinOdd(odd)
    const even = blossoms.outer[blossoms.matchOut[odd]!]!
    this.#sides.join(even, EVEN)
    this.#scanNode(even)
  }

  #joinOdd(node: number): void {
    this.#sides.join(node, ODD)
    if (!this.#blossoms.isBlossom(node)) return
    const key = this.#blossoms.dual[node]! / 2
    if (key < this.#end) this.#events.push(key, node, EXPANDS)
  }

  #scanNode(node: number): void {
    this.#blossoms.eachVertex(node, (v) => this.#scan(v))
  }

  /** Notes when the price of an even vertex is 0, and when its edges are paid for exactly. */
  #scan(u: number): void {
    const { starts, targets, weights } = this.#graph
    const { outer, matchOut } = this.#blossoms
    const [prices, reached, events] = [this.#prices, this.#reached, this.#events]
    const sides = this.#sides.ofVertices
    const own = prices[u]!
    if (own < this.#end) {
      this.#end = own
      this.#endFrom = u
      this.#endTo = NONE
    }
    for (let i = starts[u]!, stop = starts[u + 1]!; i < stop; i++) {
      const v = targets[i]!
      const key = own + prices[v]! - weights[i]!
      const side = sides[v]
      if (side === OUTSIDE) {
        if (key >= this.#end || key >= reached[v]!) continue
        if (matchOut[outer[v]!] === NONE) {
          this.#end = key
          this.#endFrom = u
          this.#endTo = v
          continue
        }
        this.#reach(v, u, key)
      } else if (side === EVEN && key / 2 < this.#end && this.#blossoms.find(u) !== this.#blossoms.find(v))
        events.push(key / 2, u, v)
    }
  }

  /** The even nodes x of u and y of v are joined by an edge: with the paths to where they meet, an odd cycle. */
  #shrink(u: number, v: number, x: number, y: number): void {
    const { linkIn, linkOut, matchIn, matchOut } = this.#blossoms
    const meeting = this.#meetingOf(x, y)
    const cycle: number[] = []
    const link = (node: number, from: number, to: number): void => {
      linkIn[node] = from
      linkOut[node] = to
    }
    // Down from the meeting to x, backwards.
    for (let even = x; even !== meeting; even = this.#above(even)) {
      const odd = this.#mateOf(even)
      link(odd, matchOut[even]!, matchIn[even]!)
      link(this.#above(even), this.#treeOut[odd]!, this.#treeIn[odd]!)
      cycle.push(even, odd)
    }
    cycle.push(meeting)
    cycle.reverse()
    link(x, u, v)
    for (let even = y; even !== meeting; even = this.#above(even)) {
      const odd = this.#mateOf(even)
      link(even, matchIn[even]!, matchOut[even]!)
      link(odd, this.#treeIn[odd]!, this.#treeOut[odd]!)
      cycle.push(even, odd)
    }
    const odds = cycle.filter((node) => this.#sides.ofNodes[node] === ODD)
    for (const node of cycle) this.#sides.freeze(node)
    for (const node of odds) this.#sides.turnEven(node)
    this.#sides.add(this.#blossoms.shrink(cycle))
    for (const node of odds) this.#scanNode(node)
  }

  /** The odd node above an even one that is not the root. */
  #mateOf(even: number): number {
    return this.#blossoms.find(this.#blossoms.matchOut[even]!)
  }

  /** The even node above an even one; NONE of the root. */
  #above(even: number): number {
    if (this.#blossoms.matchOut[even] === NONE) return NONE
    return this.#blossoms.find(this.#treeOut[this.#mateOf(even)]!)
  }

  /** The node at which the paths of two even nodes towards the root meet. */
  #meetingOf(x: number, y: number): number {
    const marks = this.#marks
    const mark = ++this.#mark
    for (;;) {
      if (x !== NONE) {
        if (marks[x] === mark) return x
        marks[x] = mark
        x = this.#above(x)
      }
      ;[x, y] = [y, x]
    }
  }

  /** An odd blossom whose dual is 0: the nodes between its two edges of the tree stay there, the others leave it. */
  #expand(blossom: number): void {
    const blossoms = this.#blossoms
    const { next, matchIn, matchOut, linkIn, linkOut } = blossoms
    const from = this.#treeIn[blossom]!
    const [top, base] = [blossoms.childOf(blossom, from), blossoms.childOf(blossom, matchIn[blossom]!)]
    this.#sides.ofNodes[blossom] = OUTSIDE
    const nodes = blossoms.expand(blossom)
    for (const node of nodes) {
      this.#sides.part(node)
      blossoms.eachVertex(node, (v) => {
        this.#reached[v] = Infinity
      })
    }
    const before = new Map(nodes.map((node) => [next[node]!, node]))
    // Along the matched edge of the first.
    const isForward = top === base || blossoms.find(matchOut[top]!) === next[top]
    let [odd, treeIn, treeOut] = [top, from, this.#treeOut[blossom]!]
    const evens: number[] = []
    for (;;) {
      this.#treeIn[odd] = treeIn
      this.#treeOut[odd] = treeOut
      this.#joinOdd(odd)
      if (odd === base) break
      const even = blossoms.find(matchOut[odd]!)
      this.#sides.join(even, EVEN)
      evens.push(even)
      odd = isForward ? next[even]! : before.get(even)!
      treeIn = isForward ? linkOut[even]! : linkIn[odd]!
      treeOut = isForward ? linkIn[even]! : linkOut[odd]!
    }
    for (const even of evens) this.#scanNode(even)
    for (const node of nodes) if (this.#sides.ofNodes[node] === OUTSIDE) this.#lookBack(node)
  }

  /** The events of a node that left the tree: even vertices were scanned before. */
  #lookBack(node: number): void {
    const { starts, targets, weights } = this.#graph
    this.#blossoms.eachVertex(node, (v) => {
      for (let i = starts[v]!; i < starts[v + 1]!; i++) {
        const u = targets[i]!
        if (this.#sides.ofVertices[u] !== EVEN) continue
        const key = this.#prices[u]! + this.#prices[v]! - weights[i]!
        if (key >= this.#end || key >= this.#reached[v]!) continue
        this.#reach(v, u, key)
      }
    })
  }

  /** The even vertex u and v, which is outside. */
  #reach(v: number, u: number, key: number): void {
    if (this.#reached[v] === Infinity) this.#reachedVertices.push(v)
    this.#reached[v] = key
    this.#reachedFrom[v] = u
    this.#events.push(key, v, JOINS)
  }

  #match(node: number, inside: number, outside: number): void {
    this.#blossoms.matchIn[node] = inside
    this.#blossoms.matchOut[node] = outside
  }

  /** Exchanges matched and other edges from the even vertex u up to the root. @param v its new mate, or NONE */
  #flip(u: number, v: number): void {
    const blossoms = this.#blossoms
    for (;;) {
      const even = blossoms.find(u)
      const mate = blossoms.matchOut[even]!
      this.#match(even, u, v)
      if (mate === NONE) return
      const odd = blossoms.find(mate)
      u = this.#treeOut[odd]!
      v = this.#treeIn[odd]!
      this.#match(odd, v, u)
    }
  }

  #leave(): void {
    this.#sides.clear()
    for (const v of this.#reachedVertices) this.#reached[v] = Infinity
    this.#reachedVertices.length = 0
  }
}
