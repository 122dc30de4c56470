import type { GaloisGr } from '../../graph/galois-gr.ts'

/** A periodic cubic lattice: vertex (z * height + y) * width + x. */
export interface CubicLattice {
  readonly width: number
  readonly height: number
  readonly depth: number
}

/** By the list of vertex 0, which names the three sides; undefined where it does not, or a side is odd or below 4. */
export function latticeOf(graph: GaloisGr): CubicLattice | undefined {
  const { vertices } = graph
  if (vertices < 64) return undefined
  const { first, end } = graph.arcsOf(0)
  if (end - first !== 6) return undefined
  const [, , width = 0, , area = 0] = graph.readTargets(first, end)
  const [height, depth] = [area / width, vertices / area]
  const areEven = [width, height, depth].every((side) => Number.isInteger(side) && side >= 4 && side % 2 === 0)
  return areEven ? { width, height, depth } : undefined
}

/** Takes the couplings of a lattice, as spin-lattice reads them, vertex by vertex, while all are 1 or -1. */
export class LatticeBonds {
  readonly lattice: CubicLattice
  /** For each direction a bit a site, set where the coupling to the next site is negative; in shared memory. */
  readonly bits: Uint32Array
  readonly #words: number

  private constructor(lattice: CubicLattice, vertices: number) {
    this.lattice = lattice
    this.#words = Math.ceil(vertices / 32)
    this.bits = new Uint32Array(new SharedArrayBuffer(12 * this.#words))
  }

  static guess(graph: GaloisGr): LatticeBonds | undefined {
    const lattice = latticeOf(graph)
    return lattice && new LatticeBonds(lattice, graph.vertices)
  }

  /** @returns false where the list of a vertex is not that of the lattice, or a coupling is of another size */
  take(v: number, targets: Uint32Array, couplings: Uint32Array, begin: number, end: number): boolean {
    const { width, height, depth } = this.lattice
    if (end - begin !== 6) return false
    const area = width * height
    const x = v % width
    const y = Math.floor(v / width) % height
    const z = Math.floor(v / area)
    const right = x + 1 === width ? v + 1 - width : v + 1
    const under = y + 1 === height ? v + width - area : v + width
    const after = z + 1 === depth ? v - (depth - 1) * area : v + area
    const left = x === 0 ? v + width - 1 : v - 1
    const above = y === 0 ? v + area - width : v - width
    const before = z === 0 ? v + (depth - 1) * area : v - area
    for (let arc = begin; arc < end; arc++) {
      const u = targets[arc]!
      const coupling = couplings[arc]! | 0
      if (coupling !== 1 && coupling !== -1) return false
      if (u === left || u === above || u === before) continue
      let direction = 0
      if (u === under) direction = 1
      else if (u === after) direction = 2
      else if (u !== right) return false
      if (coupling < 0) this.bits[direction * this.#words + (v >>> 5)]! |= 1 << (v & 31)
    }
    return true
  }
}
