import type { EntryBlock, EntrySink } from '../../graph/entries.ts'
import type { WeightMap, WeightRange } from '../weight-policy.ts'

/** Passes blocks on and keeps the smallest and largest weight among them. */
export class MeasuredSink implements EntrySink {
  readonly #sink: EntrySink
  #smallest = Infinity
  #largest = -Infinity

  constructor(sink: EntrySink) {
    this.#sink = sink
  }

  accept(block: EntryBlock): void | Promise<void> {
    if (block.weights !== null) {
      for (let i = 0; i < block.count; i++) {
        const weight = block.weights[i]!
        if (weight < this.#smallest) this.#smallest = weight
        if (weight > this.#largest) this.#largest = weight
      }
    }
    return this.#sink.accept(block)
  }

  /** null where there were no weights. */
  get range(): WeightRange | null {
    return this.#smallest > this.#largest ? null : { smallest: this.#smallest, largest: this.#largest }
  }
}

/** Applies a map to the weights of a block in place. */
export function mapWeights({ weights, count }: EntryBlock, { scale, offset }: WeightMap): void {
  if (weights === null) return
  for (let i = 0; i < count; i++) weights[i] = scale * weights[i]! + offset
}
