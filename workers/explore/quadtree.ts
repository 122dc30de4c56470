/**
 * The sum of the forces of all nodes on one (J. Barnes, P. Hut, "A hierarchical O(N log N) force-calculation algorithm", 1986), in the plane,
 * with a force of m m' / d: squares within squares, of which one that is seen under a small angle pushes as one mass at its centre. Building
 * costs n log n, and so do all sums; memory is used again from step to step. force-layout.ts moves the nodes.
 */

/** The places of nodes, by their index. */
export interface Places {
  readonly x: Float64Array
  readonly y: Float64Array
}

/** Deeper squares hold what has one place. */
const DEEPEST = 24
const NONE = -1

/** A tree of squares over the nodes. */
export class Quadtree {
  readonly #theta: number
  /** Four squares within each, or NONE; then its centre of mass, its mass and its width. */
  #children = new Int32Array()
  #x = new Float64Array()
  #y = new Float64Array()
  #mass = new Float64Array()
  #width = new Float64Array()
  /** The node of a leaf, or NONE. */
  #node = new Int32Array()
  #count = 0
  readonly #stack = new Int32Array(4 * (DEEPEST + 2))
  #places: Places = { x: new Float64Array(), y: new Float64Array() }
  #masses: Float64Array = new Float64Array()

  constructor(nodes: number, theta: number) {
    this.#theta = theta
    this.#grow(4 * nodes + 64)
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
    }
    const width = Math.max(right - left, bottom - top, 1e-9) * 1.001
    this.#add(width)
    for (let v = 0; v < n; v++) this.#insert(v, left, top, width)
    this.#sum()
  }

  /** Adds what pushes a node. */
  push(v: number, forceX: Float64Array, forceY: Float64Array): void {
    // Fields are read once: this is the innermost loop of a layout.
    const [xs, ys, masses, widths, nodes] = [this.#x, this.#y, this.#mass, this.#width, this.#node]
    const [children, stack] = [this.#children, this.#stack]
    const x = this.#places.x[v]!
    const y = this.#places.y[v]!
    const square = this.#theta * this.#theta
    let depth = 1
    let fx = 0
    let fy = 0
    stack[0] = 0
    while (depth > 0) {
      const at = stack[--depth]!
      const dx = x - xs[at]!
      const dy = y - ys[at]!
      const distance = dx * dx + dy * dy
      const node = nodes[at]!
      if (node === NONE && widths[at]! * widths[at]! >= square * distance) {
        for (let i = 4 * at; i < 4 * at + 4; i++) if (children[i]! !== NONE) stack[depth++] = children[i]!
      } else if (node !== v) {
        const force = masses[at]! / (distance + 1e-3)
        fx += dx * force
        fy += dy * force
      }
    }
    forceX[v]! += fx * this.#masses[v]!
    forceY[v]! += fy * this.#masses[v]!
  }

  #add(width: number): number {
    const at = this.#count++
    if (at >= this.#node.length) this.#grow(2 * at)
    this.#children.fill(NONE, 4 * at, 4 * at + 4)
    this.#x[at] = this.#y[at] = this.#mass[at] = 0
    this.#width[at] = width
    this.#node[at] = NONE
    return at
  }

  #grow(room: number): void {
    const longer = <A extends Int32Array | Float64Array>(old: A, made: A): A => {
      made.set(old)
      return made
    }
    this.#children = longer(this.#children, new Int32Array(4 * room))
    this.#x = longer(this.#x, new Float64Array(room))
    this.#y = longer(this.#y, new Float64Array(room))
    this.#mass = longer(this.#mass, new Float64Array(room))
    this.#width = longer(this.#width, new Float64Array(room))
    this.#node = longer(this.#node, new Int32Array(room))
  }

  /** Goes down to a square that is empty; one that holds another node is divided. What has one place is one leaf of both. */
  #insert(v: number, left: number, top: number, whole: number): void {
    let [at, x, y, width] = [0, left, top, whole]
    let held = NONE
    for (let depth = 0; ; depth++) {
      const half = width / 2
      if (held !== NONE) {
        const quarter = this.#quarterOf(held, x + half, y + half)
        this.#children[4 * at + quarter] = this.#leaf(held, half)
        held = NONE
      }
      const quarter = this.#quarterOf(v, x + half, y + half)
      const child = this.#children[4 * at + quarter]!
      if (child === NONE) {
        this.#children[4 * at + quarter] = this.#leaf(v, half)
        return
      }
      if (this.#node[child] !== NONE) {
        if (depth >= DEEPEST - 2) {
          this.#mass[child]! += this.#masses[v]!
          return
        }
        held = this.#node[child]!
        this.#node[child] = NONE
      }
      at = child
      x += quarter % 2 === 1 ? half : 0
      y += quarter > 1 ? half : 0
      width = half
    }
  }

  #quarterOf(v: number, middleX: number, middleY: number): number {
    return (this.#places.x[v]! >= middleX ? 1 : 0) + (this.#places.y[v]! >= middleY ? 2 : 0)
  }

  #leaf(v: number, width: number): number {
    const at = this.#add(width)
    this.#node[at] = v
    this.#mass[at] = this.#masses[v]!
    this.#x[at] = this.#places.x[v]!
    this.#y[at] = this.#places.y[v]!
    return at
  }

  /** Children come after their square, so that one pass from the end sums all. */
  #sum(): void {
    for (let at = this.#count - 1; at >= 0; at--) {
      if (this.#node[at] !== NONE) continue
      let [x, y, mass] = [0, 0, 0]
      for (let i = 0; i < 4; i++) {
        const child = this.#children[4 * at + i]!
        if (child === NONE) continue
        mass += this.#mass[child]!
        x += this.#mass[child]! * this.#x[child]!
        y += this.#mass[child]! * this.#y[child]!
      }
      this.#mass[at] = mass
      this.#x[at] = mass === 0 ? 0 : x / mass
      this.#y[at] = mass === 0 ? 0 : y / mass
    }
  }
}
