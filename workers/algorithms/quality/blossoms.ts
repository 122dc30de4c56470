/**
 * A matching with its nested odd cycles (Edmonds 1965). A node is a vertex, or a blossom: an odd cycle of nodes that counts as one. Nodes in no
 * blossom are outermost. Only those know their matched edge; the edges within a blossom follow from the vertex where it is entered, and are set
 * when it is expanded. Sides and prices of nodes during a search are in TreeSides below. Memory is linear in the vertices; alternating-tree.ts
 * shrinks and expands.
 */

/** No vertex, or no node. */
export const NONE = 0xffffffff

/** A matching with its nested odd cycles. */
export class Blossoms {
  readonly vertices: number
  /** The blossom around a node, or NONE. */
  readonly parent: Uint32Array
  /** The matched edge of an outermost node: its end inside, and the other one, NONE where the node is exposed. */
  readonly matchIn: Uint32Array
  readonly matchOut: Uint32Array
  /** The dual variable of a blossom. */
  readonly dual: Float64Array
  /** Towards the outermost node; for vertices outside a search that node itself. */
  readonly outer: Uint32Array
  /** The edge of the cycle from a node to the next one: its ends in this and in that. */
  readonly linkIn: Uint32Array
  readonly linkOut: Uint32Array
  readonly next: Uint32Array
  /** The vertices of a node are a chain. */
  readonly firstVertex: Uint32Array
  readonly lastVertex: Uint32Array
  readonly nextVertex: Uint32Array
  /** The first child of a blossom; NONE for a vertex, and for ids without one. */
  readonly #firstChild: Uint32Array
  readonly #unused: number[] = []
  #ids: number

  constructor(vertices: number) {
    // Each has three nodes at least.
    const nodes = vertices + (vertices >>> 1)
    const words = (size: number): Uint32Array => new Uint32Array(size).fill(NONE)
    this.vertices = vertices
    this.#ids = vertices
    this.parent = words(nodes)
    this.matchIn = words(nodes)
    this.matchOut = words(nodes)
    this.dual = new Float64Array(nodes)
    this.outer = words(nodes)
    this.linkIn = words(nodes)
    this.linkOut = words(nodes)
    this.next = words(nodes)
    this.firstVertex = words(nodes)
    this.lastVertex = words(nodes)
    this.nextVertex = words(vertices)
    this.#firstChild = words(nodes)
    for (const own of [this.matchIn, this.outer, this.firstVertex, this.lastVertex])
      for (let v = 0; v < vertices; v++) own[v] = v
  }

  /** All that another one needs to continue from here. */
  get parts(): readonly Uint32Array[] {
    const { parent, matchIn, matchOut, outer, linkIn, linkOut, next, firstVertex, lastVertex, nextVertex } = this
    const words = [parent, matchIn, matchOut, outer, linkIn, linkOut, next, firstVertex, lastVertex, nextVertex]
    return [...words, this.#firstChild, new Uint32Array(this.dual.buffer)]
  }

  restore(parts: readonly Uint32Array[]): void {
    this.parts.forEach((part, i) => part.set(parts[i]!))
    for (let id = this.vertices; id < this.parent.length; id++) {
      if (this.#firstChild[id] === NONE) continue
      for (; this.#ids < id; this.#ids++) this.#unused.push(this.#ids)
      this.#ids = id + 1
    }
  }

  /** The outermost node of a node. Halves the paths. */
  find(node: number): number {
    const { outer } = this
    for (let above = outer[node]!; above !== node;) {
      const next = outer[above]!
      outer[node] = next
      node = next
      above = outer[node]!
    }
    return node
  }

  eachVertex(node: number, visit: (v: number) => void): void {
    const { firstVertex, lastVertex, nextVertex } = this
    const last = lastVertex[node]!
    for (let v = firstVertex[node]!; ; v = nextVertex[v]!) {
      visit(v)
      if (v === last) return
    }
  }

  isBlossom(node: number): boolean {
    return node >= this.vertices
  }

  /** Makes a blossom of an odd cycle of outermost nodes whose links are set; the first is the one whose match leads outside. */
  shrink(cycle: readonly number[]): number {
    const blossom = this.#unused.pop() ?? this.#ids++
    const first = cycle[0]!
    let last = NONE
    for (let i = 0; i < cycle.length; i++) {
      const node = cycle[i]!
      this.parent[node] = blossom
      this.outer[node] = blossom
      this.next[node] = cycle[i + 1] ?? first
      if (last !== NONE) this.nextVertex[last] = this.firstVertex[node]!
      last = this.lastVertex[node]!
    }
    this.#firstChild[blossom] = first
    this.firstVertex[blossom] = this.firstVertex[first]!
    this.lastVertex[blossom] = last
    this.matchIn[blossom] = this.matchIn[first]!
    this.matchOut[blossom] = this.matchOut[first]!
    this.outer[blossom] = blossom
    this.parent[blossom] = NONE
    this.dual[blossom] = 0
    return blossom
  }

  /** Makes the nodes of an outermost blossom outermost, matched as its match asks. @returns them, in the order of the cycle */
  expand(blossom: number): number[] {
    this.#matchChildren(blossom)
    const nodes = this.childrenOf(blossom)
    for (const node of nodes) {
      this.parent[node] = NONE
      this.outer[node] = node
      this.eachVertex(node, (v) => {
        this.outer[v] = node
      })
    }
    this.#firstChild[blossom] = NONE
    this.#unused.push(blossom)
    return nodes
  }

  /** The node of a blossom that has a vertex. */
  childOf(blossom: number, vertex: number): number {
    let node = vertex
    while (this.parent[node] !== blossom) node = this.parent[node]!
    return node
  }

  childrenOf(blossom: number): number[] {
    const first = this.#firstChild[blossom]!
    const nodes = [first]
    for (let node = this.next[first]!; node !== first; node = this.next[node]!) nodes.push(node)
    return nodes
  }

  /** All that there are, outer ones before those inside. */
  *all(): Generator<number> {
    for (let id = this.vertices; id < this.#ids; id++) {
      if (this.#firstChild[id] === NONE || this.parent[id] !== NONE) continue
      const open = [id]
      for (let blossom = open.pop(); blossom !== undefined; blossom = open.pop()) {
        yield blossom
        for (const node of this.childrenOf(blossom)) if (this.isBlossom(node)) open.push(node)
      }
    }
  }

  /** The mate of every vertex, NONE where it has none. */
  mates(): Uint32Array {
    for (const blossom of this.all()) this.#matchChildren(blossom)
    return this.matchOut.slice(0, this.vertices)
  }

  /** The node that the match enters keeps it; around the cycle the others are matched in pairs. */
  #matchChildren(blossom: number): void {
    const { matchIn, matchOut, linkIn, linkOut, next } = this
    const base = this.childOf(blossom, matchIn[blossom]!)
    matchIn[base] = matchIn[blossom]!
    matchOut[base] = matchOut[blossom]!
    for (let node = next[base]!; node !== base;) {
      const partner = next[node]!
      matchIn[node] = matchOut[partner] = linkIn[node]!
      matchOut[node] = matchIn[partner] = linkOut[node]!
      node = next[partner]!
    }
  }
}

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
  /** The change of prices so far. */
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
