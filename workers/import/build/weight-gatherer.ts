/**
 * A thread's part in gathering the weights of lines that are read through the disk: their distinct values, in a table that is handed over
 * when it is half full, so that memory is bounded and values that come again and again are sent once. weight-codes.ts has all of them.
 */

import type { ParsedPiece } from '../reader/plain-lines.ts'
import { slotOf, type WeightTaker } from '../reader/weight-codes.ts'
import { type ParseTask, PieceParser } from './entry-store.ts'

export interface WeightsTask {
  readonly tableBytes: number
}

export interface GatheredPiece extends ParsedPiece {
  /** Weights that were handed over, each once at least. */
  readonly values: readonly Float64Array[]
}

const [FEWEST_SLOTS, MOST_SLOTS] = [2 ** 10, 2 ** 19]

export class WeightGatherer {
  readonly #table: DistinctWeights
  readonly #parser: PieceParser

  constructor({ tableBytes }: WeightsTask) {
    const slots = 2 ** Math.floor(Math.log2(tableBytes / 8))
    this.#table = new DistinctWeights(Math.max(FEWEST_SLOTS, Math.min(MOST_SLOTS, slots)))
    this.#parser = new PieceParser(true, this.#table, () => {})
  }

  parse(task: ParseTask): GatheredPiece {
    const piece = this.#parser.parse(task)
    return { ...piece, values: this.#table.full.splice(0) }
  }

  /** The weights that are left. */
  taken(): readonly Float64Array[] {
    this.#table.handOver()
    return this.#table.full.splice(0)
  }

  finish(): void {}
}

class DistinctWeights implements WeightTaker {
  /** What is to be handed over. */
  readonly full: Float64Array[] = []
  readonly #slots: Float64Array
  #count = 0

  constructor(slots: number) {
    this.#slots = new Float64Array(slots).fill(NaN)
  }

  take(value: number): number {
    const at = slotOf(this.#slots, value)
    if (Number.isNaN(this.#slots[at]!)) {
      this.#slots[at] = value
      if (2 * ++this.#count >= this.#slots.length) this.handOver()
    }
    return 1
  }

  handOver(): void {
    if (this.#count === 0) return
    this.full.push(this.#slots.filter((value) => !Number.isNaN(value)))
    this.#slots.fill(NaN)
    this.#count = 0
  }
}
