import { ExactSum } from '../base/exact-sum.ts'
import { Failure } from '../base/failure.ts'
import type { MergeRule } from '../contract/jobs.ts'
import type { CountedGraph } from './import-report.ts'

/** Of adjacency lists, which were made of a record for each direction of an entry. */
export interface ArcCounts {
  /** Without those of loops. */
  records: number
  loops: number
  arcs: number
  /** Arcs that were read in this direction. */
  given: number
  maxDegree: number
  isolated: number
  smallestWeight: number
  largestWeight: number
}

export const noArcs = (): ArcCounts => ({
  ...{ records: 0, loops: 0, arcs: 0, given: 0, maxDegree: 0, isolated: 0 },
  smallestWeight: Infinity,
  largestWeight: 0,
})

/** The largest and smallest of these, and sums of the others. */
export function addCounts<C extends object>(sum: C, more: C): void {
  const all = sum as Record<string, number>
  for (const [name, count] of Object.entries(more) as [string, number][])
    if (name === 'smallestWeight') all[name] = Math.min(all[name]!, count)
    else if (name === 'maxDegree' || name === 'largestWeight') all[name] = Math.max(all[name]!, count)
    else all[name]! += count
}

/** @throws Error where entries were lost */
export function countedGraph(
  counts: ArcCounts,
  { entries, weighted, ...graph }: { entries: number; weighted: boolean } & Pick<CountedGraph, 'vertices' | 'labels'>,
): CountedGraph {
  const { records, loops, arcs, given, isolated, smallestWeight, largestWeight } = counts
  if (records !== 2 * (entries - loops))
    throw new Error(`records were lost: ${records} of ${entries} entries with ${loops} loops`)
  return {
    ...graph,
    arcs,
    loopsRemoved: loops,
    duplicatesMerged: entries - loops - given,
    reverseArcsAdded: arcs - given,
    isolatedVertices: isolated,
    weights: weighted ? { smallest: arcs === 0 ? 0 : smallestWeight, largest: largestWeight } : null,
  }
}

/** Of an edge given several times. Each weight is first taken as scale * w + offset. */
export interface WeightMerge {
  readonly rule: MergeRule
  readonly scale: number
  readonly offset: number
}

/**
 * Merges the weights of one edge: first by direction, then the larger of both (`min`: the smaller; `first`: that
 * from the smaller id). Sums are of one direction, as many files list both.
 */
export class MergedWeight {
  readonly #merge: WeightMerge
  readonly #sums = [new ExactSum(), new ExactSum()] as const
  readonly #values = new Float64Array(2)
  readonly #given = [false, false]
  #entries = 0
  #only = 0
  #onlyDirection: 0 | 1 = 0

  constructor(merge: WeightMerge) {
    this.#merge = merge
  }

  start(): void {
    this.#entries = 0
  }

  /** @param direction 1 for the reverse */
  add(weight: number, direction: 0 | 1): void {
    this.#entries++
    if (this.#entries === 1) {
      this.#only = weight
      this.#onlyDirection = direction
      return
    }
    if (this.#entries === 2) {
      this.#given[0] = this.#given[1] = false
      this.#merged(this.#only, this.#onlyDirection)
    }
    this.#merged(weight, direction)
  }

  #mapped(weight: number): number {
    const { scale, offset } = this.#merge
    return scale === 1 && offset === 0 ? weight : Math.fround(scale * weight + offset)
  }

  #merged(weight: number, direction: 0 | 1): void {
    const { rule } = this.#merge
    const value = this.#mapped(weight)
    const values = this.#values
    if (!this.#given[direction]) {
      this.#given[direction] = true
      values[direction] = value
      if (rule === 'sum') this.#sums[direction].start(value)
      return
    }
    switch (rule) {
      case 'max':
        if (value > values[direction]!) values[direction] = value
        return
      case 'min':
        if (value < values[direction]!) values[direction] = value
        return
      case 'sum':
        this.#sums[direction].add(value)
        return
      case 'first':
    }
  }

  /** For the arc from `source` to `target`. @throws Failure (input) for a sum past the range of f32 */
  value(source: number, target: number): number {
    const here = this.#entries === 1 ? this.#mapped(this.#only) : this.#ofAll(source < target)
    if (Number.isFinite(here)) return here
    throw new Failure({
      code: 'input',
      what: 'the weights of an edge that is given several times add up to more than a 32-bit float holds',
      remedy: 'Merge them another way, or divide the weights first.',
    })
  }

  #ofAll(ascends: boolean): number {
    if (!this.#given[1]) return this.#of(0)
    if (!this.#given[0]) return this.#of(1)
    const [forward, backward] = [this.#of(0), this.#of(1)]
    switch (this.#merge.rule) {
      case 'max':
      case 'sum':
        return Math.max(forward, backward)
      case 'min':
        return Math.min(forward, backward)
      case 'first':
        return ascends ? forward : backward
    }
  }

  #of(direction: 0 | 1): number {
    return Math.fround(this.#merge.rule === 'sum' ? this.#sums[direction].value : this.#values[direction]!)
  }
}
