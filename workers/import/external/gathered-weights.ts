import type { ParseTask } from '../build/entry-store.ts'
import type { GatheredPiece } from '../build/weight-gatherer.ts'
import type { WeightCodes } from '../reader/weight-codes.ts'
import type { LineSink, ReadLines } from '../reading/read-graph-file.ts'
import { LineSpreader, ordinaryShape } from './line-spreader.ts'
import type { Scratch } from './spilled-entries.ts'

/** Gives lines to threads that gather their weights, which all come together in one table. */
export class GatheredWeights implements Pick<LineSink, 'spread' | 'settle' | 'spreadBytes'> {
  readonly #scratch: Pick<Scratch, 'pool' | 'shares'>
  readonly #codes: WeightCodes
  #spreader: LineSpreader<GatheredPiece> | null = null

  constructor(scratch: Pick<Scratch, 'pool' | 'shares'>, codes: WeightCodes) {
    this.#scratch = scratch
    this.#codes = codes
  }

  get spreadBytes(): number {
    return this.#spreads ? this.#scratch.shares.pieceBytes : Infinity
  }

  async spread(lines: ReadLines): Promise<number> {
    if (this.#spreads && ordinaryShape(lines.reader) !== null) this.#spreader ??= await this.#open()
    return (await this.#spreader?.take(lines)) === true ? lines.end : lines.start
  }

  async settle(): Promise<void> {
    if (this.#spreader === null) return
    await this.#spreader.settle()
    for (const values of await this.#scratch.pool.each('weights', 'taken', undefined)) this.#take(values)
  }

  get #spreads(): boolean {
    return this.#scratch.pool.threads.length > 1
  }

  async #open(): Promise<LineSpreader<GatheredPiece>> {
    const { pool, shares } = this.#scratch
    await pool.open('weights', () => ({ tableBytes: shares.dictionaryBytes }))
    const parse = (task: ParseTask) => pool.run('weights', 'parse', task)
    return new LineSpreader(pool, shares, parse, ({ values }) => this.#take(values))
  }

  /** @throws Failure (usage) without memory */
  #take(values: readonly Float64Array[]): void {
    for (const some of values) for (const value of some) this.#codes.take(value)
  }
}
