/**
 * Random automorphisms of a graph in memory, by colour refinement (McKay, Practical Graph Isomorphism, 1981): a vertex of the largest colour
 * class gets one of its own, and classes are split by the colours of neighbours, until each vertex has a colour of its own. Two labellings whose
 * random choices are alike map one to the other; whether the map keeps all edges is then looked up. Graphs without symmetry are found out by the
 * first refinement. A labelling takes some dozens of passes over the arcs. symmetric-searches.ts draws groups from them.
 */

import { CounterHash, type Xorshift } from '../../generate/random.ts'
import type { Adjacency } from './in-memory-graph.ts'

/** A permutation of the vertices: the image of each. */
export type Automorphism = Uint32Array

/** Arcs of the graph, classes for a vertex that the first refinement leaves, and vertices that a labelling colours, at most. */
const MOST = { arcs: 1 << 22, classes: 1 / 2, coloured: 64 }

/** Draws automorphisms of one graph. */
export class Automorphisms {
  readonly #adjacency: Adjacency
  readonly #first: Uint32Array | undefined
  /** The vertex of each colour in the first labelling; undefined: most vertices are unlike all others, or the graph is too large. */
  readonly #base: Uint32Array | undefined

  constructor(adjacency: Adjacency) {
    this.#adjacency = adjacency
    if (adjacency.targets.length > MOST.arcs) return
    const colours = this.#refine(new Uint32Array(adjacency.vertices))
    // Some vertices that are alike are no symmetry of the whole.
    if (new Set(colours).size > MOST.classes * adjacency.vertices) return
    this.#first = colours
    this.#base = this.#labelling(() => 0)
  }

  /** @returns undefined where what was drawn leads to none */
  draw(random: Xorshift): Automorphism | undefined {
    if (this.#base === undefined) return undefined
    const other = this.#labelling((size) => random.draw(size))
    if (other === undefined) return undefined
    const image = new Uint32Array(other.length)
    this.#base.forEach((v, colour) => (image[v] = other[colour]!))
    return this.#keepsEdges(image) ? image : undefined
  }

  /** Whether any may be drawn. */
  get isSymmetric(): boolean {
    return this.#base !== undefined
  }

  /** Colours vertices one by one until all have colours of their own. @param choose a member of a class */
  #labelling(choose: (size: number) => number): Uint32Array | undefined {
    let colours = this.#first!
    for (let coloured = 0; coloured < MOST.coloured; coloured++) {
      const { colour, size } = largestClass(colours)
      if (size < 2) {
        const vertices = new Uint32Array(colours.length)
        colours.forEach((own, v) => (vertices[own] = v))
        return vertices
      }
      const chosen = choose(size)
      let seen = 0
      const next = colours.slice()
      for (let v = 0; v < next.length; v++) if (next[v] === colour && seen++ === chosen) next[v] = next.length
      colours = this.#refine(next)
    }
    return undefined
  }

  /** Splits classes until the vertices of each have equally many neighbours of each. Colours follow from what they tell apart, not from ids. */
  #refine(colours: Uint32Array): Uint32Array {
    const { vertices, starts, targets } = this.#adjacency
    const order = Uint32Array.from(colours.keys())
    const sums = [new Uint32Array(vertices), new Uint32Array(vertices)] as const
    const mixed = [new Uint32Array(vertices + 1), new Uint32Array(vertices + 1)] as const
    const hash = new CounterHash(0)
    for (let c = 0; c <= vertices; c++) {
      hash.item(c)
      mixed[0][c] = hash.word(0)
      mixed[1][c] = hash.word(1)
    }
    let [now, count] = [colours, -1]
    for (;;) {
      for (let v = 0; v < vertices; v++) {
        let [low, high] = [0, 0]
        for (let i = starts[v]!; i < starts[v + 1]!; i++) {
          const colour = now[targets[i]!]!
          low = (low + mixed[0][colour]!) | 0
          high = (high + mixed[1][colour]!) | 0
        }
        sums[0][v] = low
        sums[1][v] = high
      }
      const before = now
      const compare = (u: number, v: number): number =>
        before[u]! - before[v]! || sums[0][u]! - sums[0][v]! || sums[1][u]! - sums[1][v]!
      order.sort(compare)
      now = new Uint32Array(vertices)
      let classes = 0
      for (let i = 0; i < vertices; i++) {
        if (i > 0 && compare(order[i - 1]!, order[i]!) !== 0) classes++
        now[order[i]!] = classes
      }
      if (classes === count) return now
      count = classes
    }
  }

  #keepsEdges(image: Automorphism): boolean {
    const { vertices, starts, targets } = this.#adjacency
    const marks = new Uint32Array(vertices)
    for (let v = 0; v < vertices; v++) {
      const u = image[v]!
      for (let i = starts[u]!; i < starts[u + 1]!; i++) marks[targets[i]!] = v + 1
      for (let i = starts[v]!; i < starts[v + 1]!; i++) if (marks[image[targets[i]!]!] !== v + 1) return false
    }
    return true
  }
}

function largestClass(colours: Uint32Array): { readonly colour: number; readonly size: number } {
  const sizes = new Uint32Array(colours.length)
  for (const colour of colours) sizes[colour]!++
  let colour = 0
  sizes.forEach((size, each) => {
    if (size > sizes[colour]!) colour = each
  })
  return { colour, size: sizes[colour] ?? 0 }
}

/** The powers of a permutation whose orders are primes: all their orbits have one or so many vertices. */
export function primePowers(permutation: Automorphism): { readonly prime: number; readonly power: Automorphism }[] {
  const cycles = cyclesOf(permutation)
  const lengths = [...new Set(cycles.map(({ length }) => length))]
  const order = lengths
    .map(BigInt)
    .reduce((multiple, length) => (multiple * length) / commonDivisor(multiple, length), 1n)
  return [...new Set(lengths.flatMap(primeFactors))].map((prime) => {
    const power = new Uint32Array(permutation.length)
    for (const cycle of cycles) {
      const shift = Number((order / BigInt(prime)) % BigInt(cycle.length))
      cycle.forEach((v, i) => (power[v] = cycle[(i + shift) % cycle.length]!))
    }
    return { prime, power }
  })
}

const commonDivisor = (a: bigint, b: bigint): bigint => (b === 0n ? a : commonDivisor(b, a % b))

function primeFactors(length: number): number[] {
  const found: number[] = []
  let rest = length
  for (let factor = 2; rest > 1; factor++) {
    if (rest % factor !== 0) continue
    found.push(factor)
    while (rest % factor === 0) rest /= factor
  }
  return found
}

/** The cycles of a permutation, those of single vertices among them. */
export function cyclesOf(permutation: Automorphism): number[][] {
  const isSeen = new Uint8Array(permutation.length)
  const cycles: number[][] = []
  for (let first = 0; first < permutation.length; first++) {
    if (isSeen[first] === 1) continue
    const cycle: number[] = []
    for (let v = first; isSeen[v] === 0; v = permutation[v]!) {
      isSeen[v] = 1
      cycle.push(v)
    }
    cycles.push(cycle)
  }
  return cycles
}
