import type { WeighedList } from '../graph/weighed-lists.ts'

/**
 * An upper bound on the weight of any matching, by duality: with a price on each vertex so that the prices at the ends of every edge add
 * up to its weight at least, no matching weighs more than all prices together. Two such prices to start from: half of the
 * heaviest edge at each vertex, and the weight of its matched edge. One pass over the graph then sets the price of each vertex in turn to
 * the least that its neighbours' allow; after it every edge is paid for, whatever the prices were, by the end that came last.
 */
export class DualBound {
  readonly #halves: Float32Array
  readonly #mates: Float32Array

  /** @param heaviest of the edges at each vertex; `mateWeights` of its matched edge, 0 where there is none */
  constructor(heaviest: Float32Array, mateWeights: Float32Array) {
    this.#halves = heaviest.map((weight) => weight / 2)
    this.#mates = mateWeights.slice()
  }

  /** Every vertex once. */
  visit({ v, neighbours, weights }: WeighedList): void {
    let half = 0
    let mate = 0
    for (let i = 0; i < neighbours.length; i++) {
      const weight = weights[i]!
      const u = neighbours[i]!
      const needed = weight - this.#mates[u]!
      if (needed > mate) mate = needed
      if (weight - this.#halves[u]! > half) half = weight - this.#halves[u]!
    }
    this.#halves[v] = Math.min(this.#halves[v]!, roundedUp(half))
    this.#mates[v] = roundedUp(mate)
  }

  get value(): number {
    let [halves, mates] = [0, 0]
    for (let v = 0; v < this.#halves.length; v++) {
      halves += this.#halves[v]!
      mates += this.#mates[v]!
    }
    return Math.min(halves, mates)
  }
}

/** The least f32 that is not below x, or the next one. */
function roundedUp(x: number): number {
  const near = Math.fround(x)
  return near >= x ? near : Math.fround(near * (1 + 2 ** -23))
}
