import { Failure } from '../../base/failure.ts'
import type { MergeRule } from '../../contract/jobs.ts'
import { ExactSum } from '../../base/exact-sum.ts'

/** Which weight stays where an edge is given several times; each is first taken as scale * w + offset. */
export interface WeightMerge {
  readonly rule: MergeRule
  readonly scale: number
  readonly offset: number
}

/**
 * The weight of one edge, from the weights of the entries that gave it: first those of each direction are merged, then the two
 * directions, of which the larger stays (`min`: the smaller; `first`: that from the smaller id). Sums are of one direction,
 * as many files list both.
 */
export class MergedWeight {
  readonly #merge: WeightMerge
  readonly #sums = [new ExactSum(), new ExactSum()] as const
  readonly #values = new Float64Array(2)
  readonly #given = new Uint8Array(2)

  constructor(merge: WeightMerge) {
    this.#merge = merge
  }

  start(): void {
    this.#given.fill(0)
  }

  /** @param direction 1 for the entries of the other direction */
  add(weight: number, direction: 0 | 1): void {
    const { rule, scale, offset } = this.#merge
    const value = scale === 1 && offset === 0 ? weight : Math.fround(scale * weight + offset)
    const values = this.#values
    if (this.#given[direction] === 0) {
      this.#given[direction] = 1
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

  /** As it is stored, for the arc from `source` to `target`. @throws Failure (input) when a sum is past the range of f32. */
  value(source: number, target: number): number {
    const both = this.#given[0] === 1 && this.#given[1] === 1
    const here = both ? this.#ofBoth(source < target) : this.#of(this.#given[0] === 1 ? 0 : 1)
    if (Number.isFinite(here)) return here
    throw new Failure({
      code: 'input',
      what: 'the weights of an edge that is given several times add up to more than a 32-bit float holds',
      remedy: 'Merge them another way, or divide the weights first.',
    })
  }

  #ofBoth(ascends: boolean): number {
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
