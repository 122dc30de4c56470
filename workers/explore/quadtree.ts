/**
 * The sum of the forces of all nodes on one (J. Barnes, P. Hut, "A hierarchical O(N log N) force-calculation algorithm", 1986), in the plane,
 * with a force of m m' / d: squares within squares, of which one that is seen under a small angle pushes as one mass at its centre. Building
 * costs n log n, and so do all sums; memory is used again from step to step. Squares stand in the order of a walk through them, each with the one
 * behind all that is in it: a walk takes the next one or jumps ahead, and needs no stack. force-layout.ts moves the nodes.
 */

/** The places of nodes, by their index. */
export interface Places {
  readonly x: Float64Array
  readonly y: Float64Array
}

/** Squares of this depth hold what has one place. */
const DEEPEST = 23
const NONE = -1

/** A tree of squares over the nodes. */
export class Quadtree {
  readonly #theta: number
  /** Four numbers a square: its centre of mass, its mass, and its width times itself. */
  #squares = new Float64Array()
  /** Two a square: the one behind all that is in it; the node of a leaf, or NONE. */
  #links = new Int32Array()
  #count = 0
  /** The nodes of each square beside each other. */
  readonly #order: Uint32Array
  #places: Places = { x: new Float64Array(), y: new Float64Array() }
  #masses: Float64Array = new Float64Array()

  constructor(nodes: number, theta: number) {
    this.#theta = theta
    this.#order = new Uint32Array(nodes)
    this.#grow(2 * nodes + 64)
  }

  build(places: Places, masses: Float64Array): void {
    this.#places = places
    this.#masses = masses
    this.#count = 0
    const n = masses.length
    let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity]
    for (let v = 0; v < n; v++) {
      left = Math.min(left, places.x[v]!)
      right = Math.max(right, places.x[v]!)
      top = Math.min(top, places.y[v]!)
      bottom = Math.max(bottom, places.y[v]!)
      this.#order[v] = v
    }
    if (n > 0) this.#add(0, n, left, top, Math.max(right - left, bottom - top, 1e-9) * 1.001, 0)
  }

  /** Adds what pushes a node. */
  push(v: number, forceX: Float64Array, forceY: Float64Array): void {
    // Fields are read once: this is the innermost loop of a layout.
    const [squares, links, end] = [this.#squares, this.#links, this.#count]
    const x = this.#places.x[v]!
    const y = this.#places.y[v]!
    const angle = this.#theta * this.#theta
    let fx = 0
    let fy = 0
    for (let at = 0; at < end;) {
      const dx = x - squares[4 * at]!
      const dy = y - squares[4 * at + 1]!
      const distance = dx * dx + dy * dy
      const node = links[2 * at + 1]!
      if (node === NONE && squares[4 * at + 3]! >= angle * distance) at++
      else {
        if (node !== v) {
          const force = squares[4 * at + 2]! / (distance + 1e-3)
          fx += dx * force
          fy += dy * force
        }
        at = links[2 * at]!
      }
    }
    forceX[v]! += fx * this.#masses[v]!
    forceY[v]! += fy * this.#masses[v]!
  }

  #grow(room: number): void {
    const [squares, links] = [new Float64Array(4 * room), new Int32Array(2 * room)]
    squares.set(this.#squares)
    links.set(this.#links)
    ;[this.#squares, this.#links] = [squares, links]
  }

  /** Adds the square of the nodes `from` to below `to` in the order, and its quarters, unless it is a leaf. */
  #add(from: number, to: number, left: number, top: number, width: number, depth: number): void {
    const at = this.#count++
    if (2 * at >= this.#links.length) this.#grow(2 * at)
    let x = 0
    let y = 0
    let mass = 0
    if (to - from === 1 || depth === DEEPEST) {
      const v = this.#order[from]!
      for (let i = from; i < to; i++) mass += this.#masses[this.#order[i]!]!
      x = this.#places.x[v]!
      y = this.#places.y[v]!
      this.#links[2 * at + 1] = v
    } else {
      const half = width / 2
      const middle = this.#split(from, to, this.#places.y, top + half)
      const above = this.#split(from, middle, this.#places.x, left + half)
      const below = this.#split(middle, to, this.#places.x, left + half)
      if (from < above) this.#add(from, above, left, top, half, depth + 1)
      if (above < middle) this.#add(above, middle, left + half, top, half, depth + 1)
      if (middle < below) this.#add(middle, below, left, top + half, half, depth + 1)
      if (below < to) this.#add(below, to, left + half, top + half, half, depth + 1)
      const squares = this.#squares
      for (let child = at + 1; child < this.#count; child = this.#links[2 * child]!) {
        const own = squares[4 * child + 2]!
        mass += own
        x += own * squares[4 * child]!
        y += own * squares[4 * child + 1]!
      }
      x /= mass
      y /= mass
      this.#links[2 * at + 1] = NONE
    }
    this.#squares[4 * at] = x
    this.#squares[4 * at + 1] = y
    this.#squares[4 * at + 2] = mass
    this.#squares[4 * at + 3] = width * width
    this.#links[2 * at] = this.#count
  }

  /** Nodes below a line before the others. @returns where the others begin in the order */
  #split(from: number, to: number, along: Float64Array, line: number): number {
    const order = this.#order
    let [low, high] = [from, to]
    while (low < high) {
      const v = order[low]!
      if (along[v]! < line) low++
      else {
        order[low] = order[--high]!
        order[high] = v
      }
    }
    return low
  }
}
