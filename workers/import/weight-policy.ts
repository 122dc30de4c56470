import { Failure, type FailureValue, type Fix, inputFailure, WITHOUT_WEIGHTS } from '../base/failure.ts'
import type { WeightRule } from '../contract/jobs.ts'
import type { EntryBlock, EntrySink } from '../graph/entries.ts'
import { isMissingWord } from './formats/table-numbers.ts'
import { type CountedFailure, MISSING_WEIGHT_FIXES, SKIP_ROWS } from './row-policy.ts'

const SMALLEST = 2 ** -149
const decoder = new TextDecoder()

export interface WeightOptions {
  readonly rule: WeightRule
  /** A zero keeps its edge, and the graph goes without weights. */
  readonly zeroMeansPattern: boolean
  /** w becomes max + min - w. */
  readonly invert?: boolean | undefined
  /** Of rows whose weight is no number, or infinite; absent: they cannot be skipped. */
  readonly badRows?: 'stop' | 'skip' | undefined
}

/** scale * w + offset in f64, rounded to f32. */
export interface WeightMap {
  readonly scale: 1 | -1
  readonly offset: number
}

/** Before any map. */
interface WeightRange {
  readonly smallest: number
  readonly largest: number
}

/**
 * Decides on weights that are not positive f32 numbers, and counts its decisions. Those past the range are refused,
 * those below it become the smallest positive one.
 */
export class WeightPolicy {
  readonly rule: WeightRule
  absolute = 0
  dropped = 0
  zeros = 0
  skipped = 0
  #tiny = 0
  /** By trouble, in the order in which they were met. */
  readonly #refused = new Map<string, CountedFailure>()
  readonly #zeroMeansPattern: boolean
  readonly #invert: boolean
  readonly #badRows: WeightOptions['badRows']

  constructor(options: WeightOptions) {
    this.rule = options.rule
    this.#zeroMeansPattern = options.zeroMeansPattern
    this.#invert = options.invert === true
    this.#badRows = options.badRows
  }

  /** null when the entry is dropped or refused; `refuse` reports at the end. */
  apply(value: number, where: () => string, text: Uint8Array | string): number | null {
    const stored = Math.fround(value)
    if (stored > 0 && stored < Infinity) return stored
    if (!Number.isFinite(stored) && this.#badRows === 'skip') {
      this.skipped++
      return null
    }
    if (Number.isNaN(value)) return this.#count(where, text, 'is not a number')
    if (!Number.isFinite(stored)) return this.#count(where, text, 'is infinite or past the range of a 32-bit float')
    if (value === 0) return this.#zero(where, text)
    if (value < 0) return this.#negative(value, where, text)
    this.#tiny++
    return SMALLEST
  }

  /** @throws Failure (input) at the first refused weight, with their number */
  refuse(): void {
    const refusals = this.refusals()
    const [first] = refusals
    if (first === undefined) return
    const all = refusals.reduce((sum, { count }) => sum + count, 0)
    const others = all === 1 ? '' : ` (the first of ${all} weights that cannot be used)`
    throw new Failure({ ...first.failure, what: `${first.failure.what}${others}` })
  }

  refusals(): CountedFailure[] {
    return [...this.#refused.values()]
  }

  get needsRange(): boolean {
    return this.rule === 'shift' || this.#invert
  }

  /** null for no change. `range` is null without entries. */
  mapFor(range: WeightRange | null): WeightMap | null {
    if (range === null || !this.needsRange) return null
    const shift = this.rule === 'shift' && range.smallest <= 0 ? 1 - range.smallest : 0
    if (this.#invert) return { scale: -1, offset: range.smallest + range.largest + shift }
    return shift === 0 ? null : { scale: 1, offset: shift }
  }

  #zero(where: () => string, text: Uint8Array | string): number | null {
    if (this.rule === 'drop') return this.#drop()
    if (this.rule === 'shift') return 0
    if (!this.#zeroMeansPattern)
      return this.#count(where, text, 'is zero, and weights must be positive', ['drop', 'shift'])
    this.zeros++
    return 0
  }

  #negative(value: number, where: () => string, text: Uint8Array | string): number | null {
    if (this.rule === 'drop') return this.#drop()
    if (this.rule === 'shift') return Math.fround(value)
    if (this.rule === 'reject')
      return this.#count(where, text, 'is negative, and weights must be positive', ['absolute', 'shift', 'drop'])
    this.absolute++
    return this.apply(-value, where, text)
  }

  /** @param rules under which it could be used */
  #count(where: () => string, text: Uint8Array | string, trouble: string, rules: readonly WeightRule[] = []): null {
    const refused = this.#refused.get(trouble)
    if (refused !== undefined) refused.count++
    else this.#refused.set(trouble, { count: 1, failure: this.#refusal(where(), excerpt(text), trouble, rules) })
    return null
  }

  #refusal(where: string, text: string, trouble: string, rules: readonly WeightRule[]): FailureValue {
    const fixes = rules.map((to): Fix => ({ action: 'set', option: 'weightRule', to }))
    const missing = isMissingWord(text) ? MISSING_WEIGHT_FIXES : []
    const skip = rules.length > 0 || this.#badRows === undefined ? [] : [...missing, SKIP_ROWS]
    const remedy = rules.length === 0 ? 'Mend it.' : ''
    return inputFailure(where, `the weight "${text}" ${trouble}`, remedy, [
      ...fixes,
      ...skip,
      WITHOUT_WEIGHTS,
    ]).toValue()
  }

  #drop(): null {
    this.dropped++
    return null
  }

  /** A weight of zero is none: the graph goes without. */
  get patternOnly(): boolean {
    return this.zeros > 0
  }

  warnings(): string[] {
    const said: string[] = []
    if (this.zeros > 0)
      said.push(
        `${this.zeros} entries have the value zero: their edges are kept, and the graph is stored without weights`,
      )
    if (this.dropped > 0)
      said.push(`${this.dropped} entries were dropped for a zero or negative weight; they are not among the entries`)
    if (this.skipped > 0) said.push(`${this.skipped} rows were skipped, as their weights are no numbers or infinite`)
    if (this.#tiny > 0)
      said.push(`${this.#tiny} weights are below the range of a 32-bit float and became its smallest positive number`)
    return said
  }
}

/** At most 40 printable characters, for a message. */
export function excerpt(text: Uint8Array | string): string {
  const whole = typeof text === 'string' ? text : decoder.decode(text.subarray(0, 200))
  const plain = whole.replace(/[^\P{C}]/gu, '?').trim()
  return plain.length > 40 ? `${plain.slice(0, 40)}...` : plain
}

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

  /** null without weights. */
  get range(): WeightRange | null {
    return this.#smallest > this.#largest ? null : { smallest: this.#smallest, largest: this.#largest }
  }
}
