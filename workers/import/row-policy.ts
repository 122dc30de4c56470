import { Failure, type FailureValue, type Fix, inputFailure, WITHOUT_WEIGHTS } from '../base/failure.ts'
import type { TableOptions } from '../contract/jobs.ts'

const plural = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`

/** What can be wrong with one row of a table, in words for a warning. */
const rules = {
  'missing-id': 'without two ids',
  'bad-id': 'with a broken id',
  quotes: 'with broken quotes',
  columns: 'with other columns than the first one',
  'missing-weight': 'without a weight',
} as const
type RowRule = keyof typeof rules

export const SKIP_ROWS: Fix = { action: 'set', option: 'badRows', to: 'skip' }

/** A row that is no edge; the rows around it may be. */
export class BadRow extends Failure {
  readonly rule: RowRule

  constructor(rule: RowRule, where: string, what: string, remedy: string, fixes: readonly Fix[] = []) {
    super(inputFailure(where, what, remedy, rule === 'missing-weight' ? fixes : [...fixes, SKIP_ROWS]).toValue())
    this.rule = rule
  }
}

export const MISSING_WEIGHT_FIXES: readonly Fix[] = [
  { action: 'set', option: 'missingWeight', to: 'one' },
  { action: 'set', option: 'missingWeight', to: 'skip' },
]

/** Where weights may be left out, too. */
export const NO_WEIGHT_FIXES: readonly Fix[] = [...MISSING_WEIGHT_FIXES, WITHOUT_WEIGHTS]

/** Failures that are alike, and the first of them. */
export interface CountedFailure {
  count: number
  readonly failure: FailureValue
}

/** What becomes of rows that are no edges: the first one stops the import, or all are skipped and counted. */
export class RowPolicy {
  readonly missingWeight: 'stop' | 'one' | 'skip'
  readonly badRows: 'stop' | 'skip'
  /** Edges that got the weight 1. */
  ones = 0
  readonly #looksOn: boolean
  readonly #skipped = new Map<RowRule, CountedFailure>()
  readonly #refused = new Map<RowRule, CountedFailure>()

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
    const rows = skips ? this.#skipped : this.#refused
    const seen = rows.get(row.rule)
    if (seen === undefined) rows.set(row.rule, { count: 1, failure: row.toValue() })
    else seen.count++
  }

  /** The weight of an edge without one. @throws BadRow */
  missing(where: string, what: string, remedy = 'Add it.'): number {
    if (this.missingWeight !== 'one') throw new BadRow('missing-weight', where, what, remedy, NO_WEIGHT_FIXES)
    this.ones++
    return 1
  }

  get skipped(): number {
    return [...this.#skipped.values()].reduce((sum, { count }) => sum + count, 0)
  }

  /** What an import would stop at. */
  refusals(): CountedFailure[] {
    return [...this.#refused.values()]
  }

  warnings(): string[] {
    const skipped = [...this.#skipped].map(
      ([
        rule,
        {
          count,
          failure: { where = '' },
        },
      ]) =>
        `${plural(count, 'row', 'rows')} ${rules[rule]} ${count === 1 ? 'was' : 'were'} skipped, the first at ${where}`,
    )
    const ones = this.ones === 0 ? [] : [`${plural(this.ones, 'edge', 'edges')} without a weight got the weight 1`]
    return [...skipped, ...ones]
  }
}
