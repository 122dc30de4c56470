import { inputFailure } from '../failure.ts'
import type { WeightRule } from '../jobs.ts'

const SMALLEST = 2 ** -149
const decoder = new TextDecoder()

export interface WeightOptions {
  readonly rule: WeightRule
  /** Matrix Market by default: a zero keeps its edge, and the graph goes without weights. */
  readonly zeroMeansPattern: boolean
}

/**
 * Decides about every weight that is not an ordinary positive number, and counts what it did. Weights are stored as f32:
 * what is past its range is refused, what is below it becomes the smallest positive one, with a warning.
 */
export class WeightPolicy {
  readonly rule: WeightRule
  absolute = 0
  dropped = 0
  zeros = 0
  #tiny = 0
  readonly #zeroMeansPattern: boolean

  constructor(options: WeightOptions) {
    this.rule = options.rule
    this.#zeroMeansPattern = options.zeroMeansPattern
  }

  /**
   * The weight to store, or null when the rule drops the entry. `text` is what stood in the file, for the message.
   * @throws Failure (input) at `where` for NaN and infinite weights, and for those that the rule refuses.
   */
  apply(value: number, where: () => string, text: Uint8Array | string): number | null {
    const stored = Math.fround(value)
    if (stored > 0 && stored < Infinity) return stored
    if (Number.isNaN(value)) throw weightFailure(where(), text, 'is not a number')
    if (!Number.isFinite(stored)) throw weightFailure(where(), text, 'is infinite or past the range of a 32-bit float')
    if (value === 0) return this.#zero(where, text)
    if (value < 0) return this.#negative(value, where, text)
    this.#tiny++
    return SMALLEST
  }

  #zero(where: () => string, text: Uint8Array | string): number | null {
    if (this.rule === 'drop') return this.#drop()
    if (!this.#zeroMeansPattern) throw ruleFailure(where(), text, 'zero', 'drop')
    this.zeros++
    return 0
  }

  #negative(value: number, where: () => string, text: Uint8Array | string): number | null {
    if (this.rule === 'drop') return this.#drop()
    if (this.rule === 'reject') throw ruleFailure(where(), text, 'negative', 'absolute (or drop)')
    this.absolute++
    return this.apply(-value, where, text)
  }

  #drop(): null {
    this.dropped++
    return null
  }

  /** True when the graph must go without weights, because a weight of zero is none. */
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
    if (this.#tiny > 0)
      said.push(`${this.#tiny} weights are below the range of a 32-bit float and became its smallest positive number`)
    return said
  }
}

function weightFailure(where: string, text: Uint8Array | string, trouble: string) {
  return inputFailure(where, `the weight "${excerpt(text)}" ${trouble}`, 'Mend it, or import with --ignore-weights.')
}

function ruleFailure(where: string, text: Uint8Array | string, trouble: string, rule: string) {
  return inputFailure(
    where,
    `the weight "${excerpt(text)}" is ${trouble} (the first such one), and weights must be positive`,
    `Choose --weight-rule ${rule}, or --ignore-weights.`,
  )
}

/** A piece of the input for a message: at most 40 characters, nothing unprintable. */
export function excerpt(text: Uint8Array | string): string {
  const whole = typeof text === 'string' ? text : decoder.decode(text.subarray(0, 200))
  const plain = whole.replace(/[^\P{C}]/gu, '?').trim()
  return plain.length > 40 ? `${plain.slice(0, 40)}...` : plain
}
