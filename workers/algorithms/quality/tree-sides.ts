import { type Blossoms, NONE } from './blossoms.ts'

/** Not in the tree; at an even or odd distance from its root. */
export const OUTSIDE = 0
export const EVEN = 1
export const ODD = 2

/**
 * The outermost nodes of an alternating tree, and what the search changes: prices of even vertices fall and those of odd ones rise by `change`
 * in all, the duals of their blossoms by twice as much the other way. Prices and duals of what is in the tree are kept as they would have
 * been at its beginning.
 */
export class TreeSides {
  readonly ofVertices: Uint8Array
  readonly ofNodes: Uint8Array
  /** Of the prices so far. */
  change = 0
  readonly #prices: Float64Array
  readonly #blossoms: Blossoms
  readonly #nodes: number[] = []

  constructor(prices: Float64Array, blossoms: Blossoms) {
    this.#prices = prices
    this.#blossoms = blossoms
    this.ofVertices = new Uint8Array(blossoms.vertices)
    this.ofNodes = new Uint8Array(blossoms.parent.length)
  }

  /** A node from outside. */
  join(node: number, side: typeof EVEN | typeof ODD): void {
    this.#nodes.push(node)
    this.#set(node, side, side === EVEN ? this.change : -this.change)
    this.#blossoms.dual[node]! += side === EVEN ? -2 * this.change : 2 * this.change
  }

  /** An odd node that becomes part of an even one. */
  turnEven(node: number): void {
    this.#set(node, EVEN, 2 * this.change)
  }

  /** The dual of a node that becomes part of another one is that of now. */
  freeze(node: number): void {
    this.#blossoms.dual[node]! += (this.ofNodes[node] === EVEN ? 2 : -2) * this.change
  }

  /** A new blossom of nodes of the tree. */
  add(blossom: number): void {
    this.#nodes.push(blossom)
    this.ofNodes[blossom] = EVEN
    this.#blossoms.dual[blossom] = -2 * this.change
  }

  /** A node that was part of an odd one is outside. */
  part(node: number): void {
    this.#set(node, OUTSIDE, this.change)
  }

  /** All nodes are outside, with the prices and duals of now. */
  clear(): void {
    const { parent, outer } = this.#blossoms
    for (const node of this.#nodes) {
      const side = this.ofNodes[node]
      this.ofNodes[node] = OUTSIDE
      if (side === OUTSIDE || parent[node] !== NONE) continue
      this.ofNodes[node] = side!
      this.freeze(node)
      this.#set(node, OUTSIDE, side === EVEN ? -this.change : this.change)
      this.#blossoms.eachVertex(node, (v) => {
        outer[v] = node
      })
    }
    this.#nodes.length = 0
  }

  #set(node: number, side: number, raise: number): void {
    this.ofNodes[node] = side
    this.#blossoms.eachVertex(node, (v) => {
      this.ofVertices[v] = side
      this.#prices[v]! += raise
    })
  }
}
