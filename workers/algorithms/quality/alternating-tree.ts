import { type Blossoms, NONE } from './blossoms.ts'
import { EventQueue } from './event-queue.ts'
import type { WeighedGraph } from './weighed-graph.ts'

const OUTSIDE = 0
const EVEN = 1
const ODD = 2

/** In place of the second vertex: the first number is a vertex that joins, or a blossom to expand. */
const JOINS = -1
const EXPANDS = -2

/** Events between two calls of `pause`. */
const EVENTS_A_PAUSE = 1 << 10

/**
 * A search of the primal-dual method for the heaviest matching (Edmonds 1965; Galil, Micali, Gabow 1986), from one exposed vertex. An
 * alternating tree grows along edges that are paid for exactly, and prices change where none is left, until the tree meets another exposed
 * vertex or a price falls to 0.
 *
 * Between two searches every edge is paid for by the prices of its ends and the duals of the blossoms around both, and matched edges exactly. So
 * no matching weighs more than all prices, and this one weighs as much but for the prices of vertices that are exposed.
 *
 * In a search the prices of even vertices fall and those of odd ones rise together: what is kept is a price as it would have been at its
 * beginning, and events, by the change that has been made when they happen.
 */
export class AlternatingTree {
  readonly #graph: WeighedGraph
  readonly #prices: Float64Array
  readonly #blossoms: Blossoms
  /** Of vertices. */
  readonly #sides: Uint8Array
  /** The same, of outermost nodes. */
  readonly #nodeSides: Uint8Array
  /** The edge of the tree to an odd node: its end there, and that in the even node above. */
  readonly #treeIn: Uint32Array
  readonly #treeOut: Uint32Array
  readonly #nodes: number[] = []
  /** Of a vertex outside: the least key at which it joins, and the even vertex beside it then. */
  readonly #reached: Float64Array
  readonly #reachedFrom: Uint32Array
  readonly #reachedVertices: number[] = []
  readonly #events = new EventQueue()
  readonly #marks: Uint32Array
  #mark = 0
  /** Of the prices so far. */
  #change = 0
  /** The change at which the search ends: by an edge between an even and an exposed vertex, by an even vertex at price 0, or because it is enough. */
  #end = 0
  #endFrom = NONE
  #endTo = NONE

  constructor(graph: WeighedGraph, prices: Float64Array, blossoms: Blossoms) {
    const nodes = blossoms.parent.length
    this.#graph = graph
    this.#prices = prices
    this.#blossoms = blossoms
    this.#sides = new Uint8Array(graph.vertices)
    this.#nodeSides = new Uint8Array(nodes)
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
    this.#change = 0
    this.#end = most
    this.#endFrom = this.#endTo = NONE
    this.#events.clear()
    this.#join(root, EVEN)
    this.#scanNode(root)
    const events = this.#events
    for (let handled = 1; events.key < this.#end; handled++) {
      this.#change = events.key
      if (handled > effort || (handled % EVENTS_A_PAUSE === 0 && pause())) {
        this.#leave()
        return handled > effort
      }
      const { first, second } = events
      events.pop()
      this.#handle(first, second)
    }
    this.#change = this.#end
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
      if (this.#sides[first] === OUTSIDE && this.#reached[first] === this.#change) this.#take(first)
    } else if (second === EXPANDS) {
      if (this.#nodeSides[first] === ODD && blossoms.parent[first] === NONE) this.#expand(first)
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
    this.#join(odd, ODD)
    const even = blossoms.outer[blossoms.matchOut[odd]!]!
    this.#join(even, EVEN)
    this.#scanNode(even)
  }

  /** A node from outside. */
  #join(node: number, side: number): void {
    const { dual, firstVertex, lastVertex, nextVertex } = this.#blossoms
    const change = this.#change
    this.#nodes.push(node)
    this.#nodeSides[node] = side
    const last = lastVertex[node]!
    for (let v = firstVertex[node]!; ; v = nextVertex[v]!) {
      this.#sides[v] = side
      this.#prices[v]! += side === EVEN ? change : -change
      if (side === EVEN) this.#lookAtPrice(v)
      if (v === last) break
    }
    if (!this.#blossoms.isBlossom(node)) return
    dual[node]! += side === EVEN ? -2 * change : 2 * change
    if (side === ODD && dual[node]! / 2 < this.#end) this.#events.push(dual[node]! / 2, node, EXPANDS)
  }

  #lookAtPrice(v: number): void {
    if (this.#prices[v]! >= this.#end) return
    this.#end = this.#prices[v]!
    this.#endFrom = v
    this.#endTo = NONE
  }

  #scanNode(node: number): void {
    const { firstVertex, lastVertex, nextVertex } = this.#blossoms
    const last = lastVertex[node]!
    for (let v = firstVertex[node]!; ; v = nextVertex[v]!) {
      this.#scan(v)
      if (v === last) break
    }
  }

  /** Of an even vertex: when its edges are paid for exactly. */
  #scan(u: number): void {
    const { starts, targets, weights } = this.#graph
    const { outer, matchOut } = this.#blossoms
    const [prices, sides, reached, events] = [this.#prices, this.#sides, this.#reached, this.#events]
    const own = prices[u]!
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
        if (reached[v] === Infinity) this.#reachedVertices.push(v)
        reached[v] = key
        this.#reachedFrom[v] = u
        events.push(key, v, JOINS)
      } else if (side === EVEN && key / 2 < this.#end && this.#blossoms.find(u) !== this.#blossoms.find(v))
        events.push(key / 2, u, v)
    }
  }

  /** The even nodes x of u and y of v are joined by an edge: with the paths to where they meet, an odd cycle. */
  #shrink(u: number, v: number, x: number, y: number): void {
    const { linkIn, linkOut, matchIn, matchOut, dual } = this.#blossoms
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
    const change = this.#change
    const odds = cycle.filter((node) => this.#nodeSides[node] === ODD)
    for (const node of cycle)
      if (this.#blossoms.isBlossom(node)) dual[node]! += (this.#nodeSides[node] === EVEN ? 2 : -2) * change
    for (const node of odds) this.#turnEven(node)
    const blossom = this.#blossoms.shrink(cycle)
    dual[blossom] = -2 * change
    this.#nodeSides[blossom] = EVEN
    this.#nodes.push(blossom)
    for (const node of odds) this.#scanNode(node)
  }

  #turnEven(node: number): void {
    const { firstVertex, lastVertex, nextVertex } = this.#blossoms
    this.#nodeSides[node] = EVEN
    const last = lastVertex[node]!
    for (let v = firstVertex[node]!; ; v = nextVertex[v]!) {
      this.#sides[v] = EVEN
      this.#prices[v]! += 2 * this.#change
      this.#lookAtPrice(v)
      if (v === last) break
    }
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

  /** Where the paths of two even nodes towards the root meet. */
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
    this.#nodeSides[blossom] = OUTSIDE
    const nodes = blossoms.expand(blossom)
    for (const node of nodes) this.#part(node)
    const before = new Map(nodes.map((node) => [next[node]!, node]))
    // Along the matched edge of the first.
    const isForward = top === base || blossoms.find(matchOut[top]!) === next[top]
    let [odd, treeIn, treeOut] = [top, from, this.#treeOut[blossom]!]
    const evens: number[] = []
    for (;;) {
      this.#treeIn[odd] = treeIn
      this.#treeOut[odd] = treeOut
      this.#join(odd, ODD)
      if (odd === base) break
      const even = blossoms.find(matchOut[odd]!)
      this.#join(even, EVEN)
      evens.push(even)
      odd = isForward ? next[even]! : before.get(even)!
      treeIn = isForward ? linkOut[even]! : linkIn[odd]!
      treeOut = isForward ? linkIn[even]! : linkOut[odd]!
    }
    for (const even of evens) this.#scanNode(even)
    for (const node of nodes) if (this.#nodeSides[node] === OUTSIDE) this.#lookBack(node)
  }

  /** Its vertices are outside, with the prices of now. */
  #part(node: number): void {
    const { firstVertex, lastVertex, nextVertex } = this.#blossoms
    const last = lastVertex[node]!
    this.#nodeSides[node] = OUTSIDE
    for (let v = firstVertex[node]!; ; v = nextVertex[v]!) {
      this.#sides[v] = OUTSIDE
      this.#prices[v]! += this.#change
      this.#reached[v] = Infinity
      if (v === last) break
    }
  }

  /** The events of a node that left the tree: even vertices were scanned before. */
  #lookBack(node: number): void {
    const { starts, targets, weights } = this.#graph
    const { firstVertex, lastVertex, nextVertex } = this.#blossoms
    const last = lastVertex[node]!
    for (let v = firstVertex[node]!; ; v = nextVertex[v]!) {
      for (let i = starts[v]!; i < starts[v + 1]!; i++) {
        const u = targets[i]!
        if (this.#sides[u] !== EVEN) continue
        const key = this.#prices[u]! + this.#prices[v]! - weights[i]!
        if (key >= this.#end || key >= this.#reached[v]!) continue
        this.#reached[v] = key
        this.#reachedFrom[v] = u
        this.#reachedVertices.push(v)
        this.#events.push(key, v, JOINS)
      }
      if (v === last) break
    }
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

  /** The tree is taken apart; prices and duals are those of now. */
  #leave(): void {
    const blossoms = this.#blossoms
    const { parent, dual, firstVertex, lastVertex, nextVertex, outer } = blossoms
    const change = this.#change
    for (const node of this.#nodes) {
      const side = this.#nodeSides[node]
      this.#nodeSides[node] = OUTSIDE
      if (side === OUTSIDE || parent[node] !== NONE) continue
      const sign = side === EVEN ? -1 : 1
      if (blossoms.isBlossom(node)) dual[node]! -= 2 * sign * change
      const last = lastVertex[node]!
      for (let v = firstVertex[node]!; ; v = nextVertex[v]!) {
        this.#sides[v] = OUTSIDE
        this.#prices[v]! += sign * change
        outer[v] = node
        if (v === last) break
      }
    }
    this.#nodes.length = 0
    for (const v of this.#reachedVertices) this.#reached[v] = Infinity
    this.#reachedVertices.length = 0
  }
}
