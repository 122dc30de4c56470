import { OTHER_COLUMNS, WITHOUT_WEIGHTS } from '../../base/failure.ts'
import type { ReadOutcome } from '../graph-reader.ts'
import { LabelTable } from '../label-table.ts'
import { BadRow, MISSING_WEIGHT_FIXES } from '../row-policy.ts'
import { excerpt } from '../weight-policy.ts'
import type { AttributeValue } from '../../contract/jobs.ts'
import { attributeColumns, type ColumnChoice, columnName, type RowCondition } from './column-choice.ts'
import type { Cell, ElementValue } from './graph-format.ts'
import type { BinaryContext } from './stored-file.ts'

const LIMB = 2 ** 32
const WIDE_LIMB = 1n << 32n

export function textOfCell(cell: Cell): string {
  if (cell instanceof Uint8Array) return Buffer.from(cell).toString('utf8')
  return cell === null || cell === undefined ? '' : String(cell)
}

/** As an attribute; an empty text for none. */
export function valueOfCell(cell: Cell): ElementValue {
  if (typeof cell === 'number' || typeof cell === 'boolean') return cell
  if (typeof cell === 'bigint') return Number.isSafeInteger(Number(cell)) ? Number(cell) : String(cell)
  if (cell instanceof Date) return cell.toISOString()
  const isJson = typeof cell === 'object' && cell !== null && !(cell instanceof Uint8Array)
  return isJson ? JSON.stringify(cell) : textOfCell(cell)
}

/** Makes entries of rows. Ids are whole numbers from 0, or texts: the first row decides. */
export class ColumnEntries {
  readonly #file: string
  readonly #context: BinaryContext
  readonly #choice: ColumnChoice
  readonly #names: readonly string[]
  /** Columns that are attributes. */
  readonly kept: readonly number[]
  readonly #encoder = new TextEncoder()
  #table: LabelTable | null = null
  #begun = false
  #filtered = 0
  #low = 0
  #high = 0

  constructor(file: string, context: BinaryContext, choice: ColumnChoice, names: readonly string[]) {
    this.#file = file
    this.#context = context
    this.#choice = choice
    this.#names = names
    this.kept = attributeColumns({ file, names, width: names.length }, choice, context.table?.attributes)
    context.output.weighted = choice.weight !== null
    context.output.next()
  }

  /** @param row from 1 @throws Failure (input) that names file and row, for nulls and for bad ids */
  add(row: number, at: (column: number) => Cell): void {
    try {
      this.#add(row, at)
    } catch (error) {
      this.#context.rows.skip(error)
    }
  }

  #add(row: number, at: (column: number) => Cell): void {
    const { source, target, weight, where } = this.#choice
    if (where !== null && !where.holds(this.#valuesOf(row, where, at))) {
      this.#filtered++
      return
    }
    const from = at(source)
    if (!this.#begun) this.#begin(from)
    const { output } = this.#context
    const kept = weight === null ? 1 : this.#weight(row, weight, at(weight))
    const { tap } = this.#context
    if (tap !== undefined) {
      const values = this.kept.map((column) => [columnName(this.#names, column), valueOfCell(at(column))] as const)
      if (kept !== null) tap(textOfCell(from), textOfCell(at(target)), values, false)
      return
    }
    this.#id(row, source, from)
    const low = this.#low
    const high = this.#high
    this.#id(row, target, at(target))
    if (kept !== null) output.addWide(low, high, this.#low, this.#high, kept)
  }

  finish(): ReadOutcome {
    const table = this.#table
    const { rows, weights } = this.#context
    const skipped = rows.skipped + weights.skipped
    return {
      vertices: table === null ? { kind: 'occurring' } : { kind: 'text', table },
      warnings: rows.warnings(),
      ...(this.#choice.where === null ? {} : { filtered: this.#filtered }),
      ...(skipped === 0 ? {} : { skipped }),
    }
  }

  /** null where a rule drops the entry. */
  #weight(row: number, column: number, cell: Cell): number | null {
    const { weights, rows } = this.#context
    if (cell === null || cell === undefined)
      return rows.missing(() => this.#bad(row, column, cell, '', 'missing-weight'))
    const value = this.#number(row, column, cell)
    return weights.apply(value, () => `${this.#file}, row ${row}`, String(value))
  }

  #begin(first: Cell): void {
    this.#begun = true
    if (isText(first)) this.#table = this.#context.newTable?.() ?? new LabelTable()
  }

  /** Sets #low and #high. */
  #id(row: number, column: number, cell: Cell): void {
    if (this.#table !== null) {
      if (!isText(cell)) throw this.#bad(row, column, cell, 'is no text, and the ids above are texts')
      if (cell.length === 0) throw this.#bad(row, column, cell, 'is empty')
      this.#low = this.#table.intern(typeof cell === 'string' ? this.#encoder.encode(cell) : cell)
      if (this.#low < 0) throw this.#bad(row, column, cell, 'holds control characters or is not UTF-8 text')
      return
    }
    if (typeof cell === 'number') {
      if (!Number.isSafeInteger(cell) || cell < 0) throw this.#bad(row, column, cell, 'is no whole number from 0')
      this.#low = cell % LIMB
      this.#high = (cell - this.#low) / LIMB
    } else if (typeof cell === 'bigint') {
      if (cell < 0n || cell >= WIDE_LIMB * WIDE_LIMB) throw this.#bad(row, column, cell, 'is no id from 0 to 2^64 - 1')
      this.#low = Number(cell % WIDE_LIMB)
      this.#high = Number(cell / WIDE_LIMB)
    } else throw this.#bad(row, column, cell, 'is neither a whole number nor a text')
  }

  #valuesOf(row: number, { columns, areNumbers }: RowCondition, at: (column: number) => Cell): AttributeValue[] {
    return columns.map((column, i) => {
      const cell = at(column)
      if (areNumbers[i] === true) return this.#number(row, column, cell)
      return cell === null || cell === undefined || typeof cell === 'boolean' ? (cell ?? null) : textOfCell(cell)
    })
  }

  #number(row: number, column: number, cell: Cell): number {
    if (typeof cell === 'number') return cell
    if (typeof cell === 'bigint') return Number(cell)
    throw this.#bad(row, column, cell, 'is not a number')
  }

  #bad(row: number, column: number, cell: Cell, trouble: string, rule: BadRow['rule'] = 'bad-id'): BadRow {
    const name = this.#names[column] ?? String(column + 1)
    const isNull = cell === null || cell === undefined
    const fixes = rule === 'missing-weight' ? [...MISSING_WEIGHT_FIXES, WITHOUT_WEIGHTS] : isNull ? [] : OTHER_COLUMNS
    return new BadRow(
      isNull && rule === 'bad-id' ? 'missing-id' : rule,
      `${this.#file}, row ${row}`,
      isNull ? `the column "${name}" is null` : `"${excerpt(textOfCell(cell))}" in the column "${name}" ${trouble}`,
      isNull ? 'Remove rows with nulls first.' : '',
      fixes,
    )
  }
}

/** Bytes, where the format has them. */
function isText(cell: Cell): cell is string | Uint8Array {
  return typeof cell === 'string' || cell instanceof Uint8Array
}
