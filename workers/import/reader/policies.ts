/**
 * What becomes of rows and weights that are no good, by the rules of the import: refused at the first one, skipped and counted, made positive,
 * dropped, shifted, or kept, with every decision counted for the balance and the first lines noted. Rules are data, and each refusal says which
 * one would let it pass. Readers of all formats ask the same two policies.
 */

import { counted } from '../../base/counted.ts'
import { excerpt, Failure, type FailureValue, type Fix, inputFailure, WITHOUT_WEIGHTS } from '../../base/failure.ts'
import type { ImportArgs, TableOptions, WeightRule } from '../../contract/jobs.ts'
import type { EntryBlock, EntrySink } from '../../graph/entries.ts'
import { isMissingWord } from './numbers.ts'
import { MOST_EXACT } from './plain-lines.ts'
import { LARGEST_FLOAT, WeightDigits, type WeightMap, type WeightTaker } from './weight-codes.ts'

const plural = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`

/** A sentence about values that are no weights. */
export const allZeros = (zeros: number): string =>
  `all ${zeros} stored values are zero: they are a pattern, and the graph has no weights`

/** What can be wrong with one row of a table, in words for a warning. */
const rules = {
  'missing-id': 'without two ids',
  'bad-id': 'with a broken id',
  quotes: 'with broken quotes',
  columns: 'with other columns than the first one',
  'missing-weight': 'without a weight',
} as const
type RowRule = keyof typeof rules

const SKIP_ROWS: Fix = { action: 'set', option: 'badRows', to: 'skip' }

/** A row that is no edge; the rows around it may be. */
export class BadRow extends Failure {
  readonly rule: RowRule

  constructor(rule: RowRule, where: string, what: string, remedy: string, fixes: readonly Fix[] = []) {
    super(inputFailure(where, what, remedy, rule === 'missing-weight' ? fixes : [...fixes, SKIP_ROWS]).toValue())
    this.rule = rule
  }
}

const MISSING_WEIGHT_FIXES: readonly Fix[] = [
  { action: 'set', option: 'missingWeight', to: 'one' },
  { action: 'set', option: 'missingWeight', to: 'skip' },
]

/** Fixes that also let weights be left out. */
export const NO_WEIGHT_FIXES: readonly Fix[] = [...MISSING_WEIGHT_FIXES, WITHOUT_WEIGHTS]

/** Failures that are alike, the first of them, and the lines of the first few. */
export interface CountedFailure {
  count: number
  readonly failure: FailureValue
  readonly rows: { readonly line: number | null; readonly what: string }[]
}

const MOST_ROWS = 100

function count<K>(seen: Map<K, CountedFailure>, kind: K, failure: () => FailureValue): void {
  const known = seen.get(kind)
  const isKept = known === undefined || known.rows.length < MOST_ROWS
  const value = isKept ? failure() : null
  if (known === undefined) seen.set(kind, { count: 1, failure: value!, rows: [] })
  else known.count++
  if (value !== null) seen.get(kind)!.rows.push({ line: lineOf(value), what: value.what })
}

/** The line or row that a failure names. */
export function lineOf({ where = '' }: FailureValue): number | null {
  const [, line] = /(?::|, row )(\d+)$/.exec(where) ?? []
  return line === undefined ? null : Number(line)
}

/** A place without the folders of its file, which may be one that only the program knows. */
const shortPlace = (where = ''): string => where.replace(/^.*[\\/]/, '')

/** The rule in a kind of bad rows. */
const ruleOf = (kind: string): RowRule => kind.split(':')[0] as RowRule

/** What becomes of rows that are no edges: the first one stops the import, or all are skipped and counted. */
export class RowPolicy {
  readonly missingWeight: 'stop' | 'one' | 'skip'
  readonly badRows: 'stop' | 'skip'
  /** Edges that got the weight 1. */
  ones = 0
  readonly #looksOn: boolean
  /** Skipped rows by rule and, for missing ids, by what is missing. */
  readonly #skipped = new Map<string, CountedFailure>()
  readonly #refused = new Map<string, CountedFailure>()

  /** @param looksOn counts what would be refused, for a preview */
  constructor({ missingWeight = 'stop', badRows = 'stop' }: TableOptions = {}, looksOn = false) {
    this.missingWeight = missingWeight
    this.badRows = badRows
    this.#looksOn = looksOn
  }

  /** @throws Error for all but a bad row, and for one that stops the import */
  skip(row: unknown): void {
    if (!(row instanceof BadRow)) throw row
    const skips = row.rule === 'missing-weight' ? this.missingWeight === 'skip' : this.badRows === 'skip'
    if (!skips && !this.#looksOn) throw row
    const kind = row.rule === 'missing-id' ? `${row.rule}:${row.toValue().what}` : row.rule
    count(skips ? this.#skipped : this.#refused, kind, () => row.toValue())
  }

  /** The weight of an edge without one. @throws BadRow */
  missing(weights: WeightPolicy, where: string, what: string, remedy = 'Add it.'): number {
    if (this.missingWeight !== 'one') throw new BadRow('missing-weight', where, what, remedy, NO_WEIGHT_FIXES)
    this.ones++
    return weights.one()
  }

  get skipped(): number {
    return [...this.#skipped.values()].reduce((sum, { count }) => sum + count, 0)
  }

  /** What is left out. */
  skips(): CountedFailure[] {
    return [...this.#skipped.values()]
  }

  /** What an import would stop at. */
  refusals(): CountedFailure[] {
    return [...this.#refused.values()]
  }

  warnings(): string[] {
    const byRule = new Map<RowRule, { count: number; where: string }>()
    for (const [kind, { count, failure }] of this.#skipped) {
      const known = byRule.get(ruleOf(kind))
      if (known === undefined) byRule.set(ruleOf(kind), { count, where: shortPlace(failure.where) })
      else known.count += count
    }
    const skipped = [...byRule].map(([rule, { count, where }]) => {
      const were = count === 1 ? 'was' : 'were'
      return `${plural(count, 'row', 'rows')} ${rules[rule]} ${were} skipped, the first at ${where}`
    })
    const ones = this.ones === 0 ? [] : [`${plural(this.ones, 'edge', 'edges')} without a weight got the weight 1`]
    return [...skipped, ...ones]
  }
}

const SMALLEST = 2 ** -149

interface WeightOptions {
  readonly rule: WeightRule
  /** A zero is no edge, unless all are: then they are a pattern, and the graph goes without weights. */
  readonly zerosAreNone: boolean
  /** w becomes max + min - w. */
  readonly invert?: boolean | undefined
  /** What becomes of rows whose weight is no number, or infinite; absent: they cannot be skipped. */
  readonly badRows?: 'stop' | 'skip' | undefined
  /** Gathers weights that 32-bit floats do not hold, or gives them their keys. */
  readonly codes?: WeightTaker | undefined
}

/** Before any map. */
interface WeightRange {
  readonly smallest: number
  readonly largest: number
}

/** Decides on weights that are not positive f32 numbers, and counts its decisions. */
export class WeightPolicy {
  readonly rule: WeightRule
  absolute = 0
  dropped = 0
  zeros = 0
  skipped = 0
  /** Below the range of f32, where weights are rounded. */
  tiny = 0
  /** Whole numbers past 2^53 that are not the number of 64 bits that stands for them. */
  past = 0
  readonly digits = new WeightDigits()
  /** For a preview: entries whose weights are refused stay. */
  showsRefused = false
  /** Refused weights by trouble, in the order in which they were met. */
  readonly #refused = new Map<string, CountedFailure>()
  /** Rows that were skipped for their weights, for a preview. */
  readonly #skips = new Map<string, CountedFailure>()
  readonly #zerosAreNone: boolean
  readonly #invert: boolean
  readonly #badRows: WeightOptions['badRows']
  /** Gathers weights, or gives them their keys. */
  readonly codes: WeightTaker | undefined

  constructor(options: WeightOptions) {
    this.rule = options.rule
    this.#zerosAreNone = options.zerosAreNone
    this.#invert = options.invert === true
    this.#badRows = options.badRows
    this.codes = options.codes
  }

  /** null when the entry is dropped or refused; `refuse` reports at the end. */
  apply(value: number, where: () => string, text: Uint8Array | string): number | null {
    if (value > 0 && value < Infinity) {
      if (value >= MOST_EXACT && !isExactly(value, text)) this.past++
      return this.#positive(value)
    }
    if (!Number.isFinite(value)) {
      const trouble = Number.isNaN(value) ? 'is not a number' : 'is infinite, or past the range of numbers'
      if (this.#badRows !== 'skip') return this.#count(value, where, text, trouble)
      this.skipped++
      if (this.showsRefused) count(this.#skips, trouble, () => this.#refusal(where(), excerpt(text), trouble, []))
      return null
    }
    return value === 0 ? this.#zero(where, text) : this.#negative(value, where, text)
  }

  /** The weight of an edge without one, or what stands for it. */
  one(): number {
    return this.codes === undefined ? 1 : this.codes.take(1)
  }

  #positive(value: number): number {
    if (this.codes !== undefined) return this.codes.take(value)
    const stored = Math.fround(value)
    this.digits.note(value, stored)
    if (stored === 0) this.tiny++
    return Math.min(LARGEST_FLOAT, Math.max(SMALLEST, stored))
  }

  /** A weight that is not positive, and is shifted later. */
  #signed(value: number): number {
    if (this.codes !== undefined) return this.codes.take(value)
    const stored = Math.fround(value)
    if (stored !== value) this.digits.lost++
    return Math.max(-LARGEST_FLOAT, stored)
  }

  /** Whether an import refuses the weight of an entry that stays for a preview. */
  wouldRefuse(weight: number): boolean {
    if (!Number.isFinite(weight)) return true
    return weight <= 0 && this.rule !== 'shift'
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

  skips(): CountedFailure[] {
    return [...this.#skips.values()]
  }

  get needsRange(): boolean {
    return this.rule === 'shift' || this.#invert
  }

  /** null for no change. `range` is null without entries. */
  mapFor(range: WeightRange | null): WeightMap | null {
    if (range === null || !this.needsRange) return null
    const shift = this.rule === 'shift' && range.smallest <= 0 ? 1 - range.smallest : 0
    if (this.#invert) return { scale: -1, offset: range.smallest + range.largest + shift, shift }
    return shift === 0 ? null : { scale: 1, offset: shift, shift }
  }

  #zero(where: () => string, text: Uint8Array | string): number | null {
    if (this.rule === 'drop') return this.#drop()
    if (this.rule === 'shift') return this.#signed(0)
    if (!this.#zerosAreNone)
      return this.#count(0, where, text, 'is zero, and weights must be positive', ['drop', 'shift'])
    this.zeros++
    return null
  }

  #negative(value: number, where: () => string, text: Uint8Array | string): number | null {
    if (this.rule === 'drop') return this.#drop()
    if (this.rule === 'shift') return this.#signed(value)
    if (this.rule === 'reject')
      return this.#count(value, where, text, 'is negative, and weights must be positive', ['absolute', 'shift', 'drop'])
    this.absolute++
    return this.apply(-value, where, text)
  }

  /** @param rules under which it could be used */
  #count(
    weight: number,
    where: () => string,
    text: Uint8Array | string,
    trouble: string,
    rules: readonly WeightRule[] = [],
  ): number | null {
    count(this.#refused, trouble, () => this.#refusal(where(), excerpt(text), trouble, rules))
    return this.showsRefused ? weight : null
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

  /** Whether no value is another than zero. @param entries that stay */
  areZeros(entries: number): boolean {
    return this.zeros > 0 && this.leftOut === this.zeros && entries === 0
  }

  /** Entries that were left out, by the rule or as zeros. */
  get leftOut(): number {
    return this.dropped + this.zeros
  }

  warnings(): string[] {
    const said: string[] = []
    if (this.zeros > 0)
      said.push(
        `${counted(this.zeros, 'stored zero is no edge', 'stored zeros are no edges')} and not among the entries`,
      )
    if (this.dropped > 0)
      said.push(
        `${counted(this.dropped, 'entry was', 'entries were')} dropped for a zero or negative weight and not among the entries`,
      )
    if (this.skipped > 0)
      said.push(
        `${counted(this.skipped, 'row was skipped, as its weight is no number', 'rows were skipped, as their weights are no numbers')} or infinite`,
      )
    if (this.digits.lost > 0)
      said.push(
        `${counted(this.digits.lost, 'weight has more digits than 32-bit floats, and was', 'weights have more digits than 32-bit floats, and were')} rounded: some that differ may be equal now`,
      )
    if (this.past > 0)
      said.push(
        `${counted(this.past, 'weight is a whole number past 2^53, and was', 'weights are whole numbers past 2^53, and were')} rounded to numbers of 64 bits: some that differ may be equal now`,
      )
    if (this.tiny > 0)
      said.push(
        `${counted(this.tiny, 'weight is', 'weights are')} below the range of a 32-bit float and became its smallest positive number`,
      )
    return said
  }
}

/** Whether a number is what its text says, of whole numbers. */
function isExactly(value: number, text: Uint8Array | string): boolean {
  const word = typeof text === 'string' ? text : Buffer.from(text).toString('latin1')
  return !/^[+-]?\d+$/.test(word) || BigInt(word.replace(/^[+-]/, '')) === BigInt(value)
}

/** The policy of a format that has no rule of its own. */
export const policyOf = ({ weightRule: rule = 'reject', invertWeights: invert }: ImportArgs): WeightPolicy =>
  new WeightPolicy({ rule, zerosAreNone: false, invert })

const MOST_SURE_WHOLE = 2 ** 21

/** Gives each entry the weight 1, so that the sum of an edge is how many it has. */
export class OnesSink implements EntrySink {
  readonly #sink: EntrySink
  #ones = new Float32Array(0)

  constructor(sink: EntrySink) {
    this.#sink = sink
  }

  accept(block: EntryBlock): void | Promise<void> {
    if (this.#ones.length < block.from.length) this.#ones = new Float32Array(block.from.length).fill(1)
    return this.#sink.accept({ ...block, weights: this.#ones.subarray(0, block.from.length) })
  }
}

export class MeasuredSink implements EntrySink {
  readonly #sink: EntrySink
  #smallest = Infinity
  #largest = -Infinity
  #areWhole = true

  constructor(sink: EntrySink) {
    this.#sink = sink
  }

  accept(block: EntryBlock): void | Promise<void> {
    if (block.weights !== null) {
      for (let i = 0; i < block.count; i++) {
        const weight = block.weights[i]!
        if (weight < this.#smallest) this.#smallest = weight
        if (weight > this.#largest) this.#largest = weight
        if (weight !== Math.trunc(weight)) this.#areWhole = false
      }
    }
    return this.#sink.accept(block)
  }

  /** Whether a 32-bit float holds any whole number between the sum and the difference of two weights, and all are whole. */
  get areSmallWhole(): boolean {
    return this.#areWhole && Math.max(this.#largest, -this.#smallest) < MOST_SURE_WHOLE
  }

  /** null without weights. */
  get range(): WeightRange | null {
    return this.#smallest > this.#largest ? null : { smallest: this.#smallest, largest: this.#largest }
  }
}
