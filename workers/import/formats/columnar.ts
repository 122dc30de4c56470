/**
 * Parquet and Arrow as edge lists: columns are chosen as of a text table, rows come in groups, and cells become ids, weights and attributes with
 * the kinds that the file states. The first row decides whether ids are whole numbers or texts; a whole number past 2^53 stays exact.
 * read-parquet.ts reads groups of rows, column-choice.ts chooses; the libraries are loaded with the first file.
 */

import { excerpt, type Fix, OTHER_COLUMNS, OTHER_WEIGHTS, WITHOUT_WEIGHTS } from '../../base/failure.ts'
import type { AttributeValue } from '../../contract/jobs.ts'
import { type ReadOutcome, rowsOutcome, type ReaderContext } from '../reader/graph-reader.ts'
import type { LabelTable } from '../reader/input-ids.ts'
import { newTally } from '../reader/line-tally.ts'
import { BadRow } from '../reader/policies.ts'
import {
  attributeColumns,
  chooseColumns,
  type ColumnChoice,
  columnName,
  columnsRead,
  type RowCondition,
} from './column-choice.ts'
import type { Cell, ColumnFile, ElementValue, WholeFormat } from './graph-format.ts'
import type { StoredFile } from './stored-file.ts'

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
class ColumnEntries {
  readonly #file: string
  readonly #context: ReaderContext
  readonly #choice: ColumnChoice
  readonly #names: readonly string[]
  /** Columns that are attributes. */
  readonly kept: readonly number[]
  readonly #encoder = new TextEncoder()
  #table: LabelTable | null = null
  #begun = false
  readonly #tally = newTally('rows')
  #low = 0
  #high = 0

  constructor(file: string, context: ReaderContext, choice: ColumnChoice, names: readonly string[]) {
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
    const tally = this.#tally
    tally.total = row
    try {
      tally[this.#add(row, at)]++
    } catch (error) {
      this.#context.rows.skip(error)
      tally.refused++
    }
  }

  /** @returns what becomes of the row */
  #add(row: number, at: (column: number) => Cell): 'entries' | 'filtered' | 'dropped' | 'refused' {
    const { source, target, weight, where } = this.#choice
    if (where !== null && !where.holds(this.#valuesOf(row, where, at))) return 'filtered'
    const from = at(source)
    if (!this.#begun) this.#begin(from)
    const { output, weights } = this.#context
    const { dropped } = weights
    const kept = weight === null ? 1 : this.#weight(row, weight, at(weight))
    const left = weights.dropped > dropped ? 'dropped' : 'refused'
    const { tap } = this.#context
    if (tap !== undefined) {
      const values = this.kept.map((column) => [columnName(this.#names, column), valueOfCell(at(column))] as const)
      if (kept !== null) tap.values(textOfCell(from), textOfCell(at(target)), values)
      return kept === null ? left : 'entries'
    }
    this.#id(row, source, from)
    const low = this.#low
    const high = this.#high
    this.#id(row, target, at(target))
    if (kept === null) return left
    output.addWide(low, high, this.#low, this.#high, kept)
    return 'entries'
  }

  finish(): ReadOutcome {
    const tally = this.#tally
    const filtered = this.#choice.where === null ? {} : { filtered: tally.filtered }
    return { ...rowsOutcome(this.#context, this.#table), ...filtered, tally }
  }

  /** null where a rule drops the entry. */
  #weight(row: number, column: number, cell: Cell): number | null {
    const { weights, rows } = this.#context
    if (cell === null || cell === undefined)
      return rows.missing(weights, this.#place(row), this.#isNull(column), NO_NULLS)
    const value = this.#number(row, column, cell, [OTHER_WEIGHTS, WITHOUT_WEIGHTS])
    return weights.apply(value, () => this.#place(row), String(value))
  }

  #begin(first: Cell): void {
    this.#begun = true
    if (isText(first)) this.#table = this.#context.newTable()
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
      if (cell === null || cell === undefined) return null
      if (areNumbers[i] === true) return this.#number(row, column, cell, [{ action: 'choose', option: 'where' }])
      return typeof cell === 'boolean' ? cell : textOfCell(cell)
    })
  }

  #number(row: number, column: number, cell: Cell, fixes: readonly Fix[]): number {
    if (typeof cell === 'number') return cell
    if (typeof cell === 'bigint') return Number(cell)
    throw this.#bad(row, column, cell, 'is not a number', fixes)
  }

  #bad(row: number, column: number, cell: Cell, trouble: string, fixes = OTHER_COLUMNS): BadRow {
    const place = this.#place(row)
    if (cell === null || cell === undefined) return new BadRow('missing-id', place, this.#isNull(column), NO_NULLS)
    const what = `"${excerpt(textOfCell(cell))}" in the column "${columnName(this.#names, column)}" ${trouble}`
    return new BadRow('bad-id', place, what, '', fixes)
  }

  #isNull(column: number): string {
    return `the column "${columnName(this.#names, column)}" is null`
  }

  #place(row: number): string {
    return `${this.#file}, row ${row}`
  }
}

const NO_NULLS = 'Remove rows with nulls first.'

/** Bytes, where the format has them. */
function isText(cell: Cell): cell is string | Uint8Array {
  return typeof cell === 'string' || cell instanceof Uint8Array
}

type Open = (file: StoredFile) => Promise<ColumnFile>

/** Columns, which are closed once what takes them has ended. @throws Failure (input) */
export async function* opening(open: Open, file: StoredFile): AsyncGenerator<ColumnFile> {
  const columns = await open(file)
  try {
    yield columns
  } finally {
    await columns.close()
  }
}

/** An edge a row, in flat columns. */
const readColumns = (open: Open): WholeFormat['read'] =>
  async function* (file, context) {
    let entries!: ColumnEntries
    for await (const columns of opening(open, file)) {
      const { names } = columns
      const { table = {}, ignoreWeights, tap } = context
      const choice = chooseColumns({ file: file.name, names, width: names.length }, table, ignoreWeights)
      entries = new ColumnEntries(file.name, context, choice, names)
      if (tap !== undefined && entries.kept.length === 0) break
      let row = 0
      const wanted = [...new Set([...columnsRead(choice), ...(tap === undefined ? [] : entries.kept)])]
      for await (const { count, at, readBytes } of columns.rows(wanted, { context })) {
        for (let i = 0; i < count; i++) entries.add(++row, (column) => at(column, i))
        yield readBytes
      }
    }
    return entries.finish()
  }

const firstRowsOf = (open: Open): NonNullable<WholeFormat['firstRows']> =>
  async function (file, most) {
    let names: string[] = []
    for await (const columns of opening(open, file)) {
      names = [...columns.names]
      for await (const { count, at } of columns.rows([...names.keys()], { most })) {
        const cellsOf = (_: unknown, row: number): string[] => names.map((_, column) => textOfCell(at(column, row)))
        return { names, rows: Array.from({ length: Math.min(most, count) }, cellsOf) }
      }
    }
    return { names, rows: [] }
  }

const columnar = (open: Open) => ({ columns: open, read: readColumns(open), firstRows: firstRowsOf(open) })

const begins = (magic: string) => (head: string) => (head.startsWith(magic) ? `it begins with ${magic}` : null)

// The libraries are large: they are loaded when a file needs them.

export const parquet: WholeFormat = {
  kind: 'whole',
  name: 'parquet',
  recognise: begins('PAR1'),
  ...columnar(async (file) => (await import('./read-parquet.ts')).openParquet(file)),
}

export const arrow: WholeFormat = {
  kind: 'whole',
  name: 'arrow',
  recognise: (head) =>
    begins('ARROW1')(head) ?? (/^\xff{4}[^]{3}\0/.test(head) ? 'it begins with the marker of an Arrow stream' : null),
  ...columnar(async (file) => (await import('./read-arrow.ts')).openArrow(file)),
}
