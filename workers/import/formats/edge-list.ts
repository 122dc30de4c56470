/**
 * Edge lists: SNAP, TSV, CSV, and tables of programs. Two ids a line and, where the third column of the first line is a number, a weight; or the
 * columns that names and the user choose. Ids are integers until one is none; then the file is read again as texts. Ordinary lines take the fast
 * path (plain-lines.ts); table-shape.ts decides what is doubtful, table-lines.ts cuts fields.
 */

import { counted } from '../../base/counted.ts'
import { excerpt, inputFailure } from '../../base/failure.ts'
import type { AttributeValue, TableOptions } from '../../contract/jobs.ts'
import {
  type EndName,
  type LineCells,
  type ReaderContext,
  type ReadOutcome,
  requireUtf8,
  rowsOutcome,
  type OtherReading,
  type TextId,
} from '../reader/graph-reader.ts'
import type { LabelTable } from '../reader/input-ids.ts'
import { type DecimalSign, isCommaNumber, isMissingIn, isMissingWord, numberIn } from '../reader/numbers.ts'
import type { PlainShape } from '../reader/plain-lines.ts'
import type { RowShape } from '../reader/plain-row.ts'
import { NO_WEIGHT_FIXES } from '../reader/policies.ts'
import {
  attributeColumns,
  choosesColumns,
  column,
  type ColumnChoice,
  columnName,
  columnsRead,
  DECIMAL_FIXES,
  HEADER_FIXES,
  signOfCondition,
  type TableColumns,
  type TableDoubt,
} from './column-choice.ts'
import type { TextFormat } from './graph-format.ts'
import { unmark } from './quoted-breaks.ts'
import { doubtOf, edgePlaces, isNamed, tableShape, type TableShape } from './table-shape.ts'
import { brokenId, Fields, IdScanner } from './table-lines.ts'
import { LineReader } from './text-reader.ts'

const [TAB, SPACE, PIPE] = [9, 32, 124]
/** The longest word for none. */
const MOST_WORD_BYTES = 8
/** Numbers whose upper half is less are below 2^53. */
const MOST_HIGH = 2 ** 21

/**
 * Edge lists: SNAP, TSV, CSV. Two ids a line and, where the third column of the first line is a number, a weight. Ids
 * are integers until one is none; then the file is read again as texts.
 */
class EdgeListReader extends LineReader {
  protected override readonly shape: PlainShape
  readonly #table: LabelTable | null
  /** Those of #chosen, once there is a line of data. */
  #fields = new Fields()
  #chosen: EdgeColumns | null = null
  #kept: (LineCells & { readonly columns: readonly number[] }) | null = null
  readonly #form: TableShape
  readonly #doubt: TableDoubt | null
  readonly named: boolean
  #filtered = 0
  readonly #ids = new IdScanner()
  /** The first line of data has two columns, as all must have. */
  #isPair = false
  #headersAhead: number
  #extraNoted = false
  /** Comments where rows may be: between the edges, or in the form of one. */
  #oddComments = 0
  #oddCommentLine = 0
  /** A line stands above that is no comment. */
  #begun = false
  /** Ends that are a word for none, in a table of texts. */
  #missingWords = 0
  #missingWord = ''
  continued = 0
  /** Rows with line breaks within quotes, and the first of them. */
  #brokenRows = 0
  #brokenRow = 0
  /** Ids that are whole numbers written as decimals. */
  #decimals = 0
  #decimal = ''
  /** The line of names, which stands again where files are put together. */
  #header: Uint8Array | null = null
  #repeats = 0
  #repeatLine = 0

  /** @param text what stopped an earlier reading: all ids are texts */
  constructor(context: ReaderContext, form: TableShape, text: TextId | null) {
    super(context)
    const { header, counts, delimiter } = form
    this.#form = form
    this.#doubt = doubtOf(form, context.ignoreWeights)
    this.named = isNamed(form)
    this.#headersAhead = counts?.lines ?? (header ? 1 : 0)
    this.#table = text === null ? null : context.newTable()
    this.shape = this.shapeWith({ delimiter, weighted: false })
  }

  protected override get ordinary(): PlainShape | null {
    const { tap, areJoined = false } = this.context
    const isUsual = tap === undefined && this.#table === null && !areJoined && this.#chosen?.usual === true
    return isUsual ? this.shape : null
  }

  get isDone(): boolean {
    return this.context.tap !== undefined && this.#kept?.columns.length === 0
  }

  get rowShape(): RowShape | undefined {
    const { tap, table: { comment } = {} } = this.context
    const [chosen, kept] = [this.#chosen, this.#kept]
    const isUsual = tap !== undefined && this.#table === null && !this.#isPair && !chosen?.where
    if (!isUsual || chosen === null || kept === null || comment === '') return undefined
    const { columns, weight } = chosen
    return {
      delimiter: this.shape.delimiter,
      ids: columns.slice(0, 2),
      weight: weight === null ? null : columns[weight]!,
      cells: kept.columns,
      names: kept.names,
      comment: comment?.charCodeAt(0),
      mostColumns: Infinity,
    }
  }

  finish(): ReadOutcome | OtherReading {
    if (this.other !== null) return this.other
    const isEmptyTable = this.#begun || this.#form.isOwn
    if (this.#chosen === null && !isEmptyTable)
      throw this.failure(
        `there are no edges in the ${this.line} lines of this file, only comments and blank lines`,
        'Is this the right file?',
      )
    if (this.#chosen === null) this.begin(false)
    if (!this.isDone) this.#requireCounts()
    if (this.#oddComments > 0)
      this.warnings.push(
        `${counted(this.#oddComments, 'comment line between the edges was', 'comment lines between the edges were')} skipped, the first at line ${this.#oddCommentLine}; ` +
          'the option comment says what comments begin with, and an empty one that there are none',
      )
    if (this.#missingWords > 0)
      this.warnings.push(
        `${counted(this.#missingWords, 'end is', 'ends are')} called "${this.#missingWord}": it is a vertex here, as the ids are texts, and may be a word for none`,
      )
    if (this.#repeats > 0)
      this.warnings.push(
        `${counted(this.#repeats, 'line that repeats the names of the columns was', 'lines that repeat the names of the columns were')} skipped, the first at line ${this.#repeatLine}`,
      )
    const { where = null, padded = null } = this.#chosen ?? {}
    if (this.#table === null && padded !== null)
      this.warnings.push(
        `ids with zeros in front were read as numbers, ${padded} as ${BigInt(padded)}; in double quotes they stay texts`,
      )
    if (this.#brokenRows > 0)
      this.warnings.push(
        `${counted(this.#brokenRows, 'row goes over several lines, as its', 'rows go over several lines, as their')} quotes do, the first at line ${this.#brokenRow}; breaks within ids are blanks`,
      )
    if (this.#decimals > 0)
      this.warnings.push(
        `${counted(this.#decimals, 'id is a decimal or exponent and was read as the whole number it is', 'ids are decimals or exponents and were read as the whole numbers they are')}, the first ${this.#decimal}`,
      )
    const filtered = where ? { filtered: this.#filtered } : {}
    return {
      ...rowsOutcome(this.context, this.#table, this.warnings),
      named: this.named,
      ...filtered,
      ...this.#declared(),
    }
  }

  /** @throws Failure (input) where a first line counted other edges than there are: only then it was no edge */
  #requireCounts(): void {
    const { counts } = this.#form
    if (counts === null) return
    const { filtered, refused, dropped } = this.tally
    const rows = this.entries + filtered + refused + dropped
    if (rows === counts.edges) return
    throw inputFailure(
      `${this.context.source}:1`,
      `the first line may count ${counts.vertices} vertices and ${counts.edges} edges, or be an edge: ${rows} lines follow`,
      '',
      HEADER_FIXES,
    )
  }

  /** Makes vertices of all ids that the first line counts, also those without an edge. */
  #declared(): Pick<ReadOutcome, 'declared' | 'counted'> {
    const { counts } = this.#form
    if (counts === null || this.context.tap !== undefined) return {}
    const { first, end, vertices } = counts
    const { output } = this.context
    for (let id = first; id < end; id++)
      if (this.#table === null) output.add(id, id, NaN)
      else this.#table.intern(Buffer.from(String(id)))
    return { declared: this.#table === null ? end - first : 0, counted: vertices }
  }

  protected anyLine(line: Uint8Array): void {
    const breaks = this.context.areJoined === true ? unmark(line) : 0
    if (breaks > 0 && this.#brokenRows++ === 0) this.#brokenRow = this.line
    try {
      this.#row(line)
    } catch (error) {
      this.context.rows.skip(error)
      this.tally.refused++
    }
    this.line += breaks
    this.continued += breaks
  }

  #row(line: Uint8Array): void {
    if (line.length === 0) {
      this.tally.blank++
      return
    }
    const { comments } = this.#form
    if (comments.isComment(line, this.#begun)) {
      this.tally.comments++
      const isOdd = this.#chosen !== null || comments.mayBeRow(line)
      if (isOdd && this.#oddComments++ === 0) this.#oddCommentLine = this.line
      return
    }
    this.#begun = true
    if (this.#header?.length === line.length && Buffer.compare(line, this.#header) === 0) {
      if (this.#repeats++ === 0) this.#repeatLine = this.line
      this.tally.header++
      return
    }
    if (!this.#split(line)) return
    const { table } = this.#form
    const doubt = this.#doubt
    if (doubt?.asks === 'header') throw this.failure(doubt.what, doubt.remedy, doubt.fixes)
    if (doubt !== null) throw inputFailure(this.context.source, doubt.what, doubt.remedy, doubt.fixes)
    if (this.#headersAhead > 0) {
      this.#headersAhead--
      this.tally.header++
      if (this.#form.counts !== null) {
        this.warnings.push(`line ${this.line} was taken for the numbers of vertices and edges: "${excerpt(line)}"`)
        return
      }
      this.#header = line.slice()
      // It was asked for.
      if (this.context.table?.header === 'yes') return
      const names = excerpt(line.map((byte) => (byte === TAB ? SPACE : byte)))
      this.warnings.push(`line ${this.line} was taken for the names of the columns: "${names}"`)
      return
    }
    if (this.#chosen === null && choosesColumns(table) && !this.#choose(line)) return
    if (this.#leavesOut(line)) return
    const fields = this.#fields
    if (fields.count < 2 || fields.isEmpty(0) || fields.isEmpty(1))
      throw this.badRow(
        'missing-id',
        fields.isEmpty(0)
          ? 'the first id is missing'
          : fields.count < 2
            ? `${fields.count} column where an edge needs two ids`
            : 'the second id is missing',
        'Add the missing id, or remove the line.',
        fields.count === 1 && line.includes(PIPE) ? [{ action: 'set', option: 'delimiter', to: 'pipe' }] : undefined,
      )
    if (this.#chosen === null && !this.#choose(line)) return
    this.#edge(line)
  }

  /** @returns false where rows have to be joined first */
  #split(line: Uint8Array): boolean {
    this.#fields.split(line, this.shape.delimiter)
    if (!this.#fields.broken) return true
    if (this.#fields.isOpen && this.context.areJoined !== true) {
      this.other = { other: 'rows' }
      return false
    }
    const remedy = 'Close the quotes ("" is a quote within quotes).'
    throw this.badRow('quotes', 'a quoted field does not end where it should', remedy)
  }

  /** Chooses columns by the first line of data, and what the user said. @returns false as {@link #split} */
  #choose(line: Uint8Array): boolean {
    const { ignoreWeights, source: file, table: said = {} } = this.context
    const { names, table } = this.#form
    const { count } = this.#fields
    const width = Math.max(count, names?.length ?? 0)
    const third = count > 2 ? this.#fields.text(line, 2) : ''
    const choice = edgePlaces(this.#form, third, width, ignoreWeights, file)
    const kept = keptColumns({ file, names, width }, choice, said.attributes)
    const chosen = readColumns(choice, this.#form, said, this.context.tap === undefined ? [] : kept.columns)
    const places = kept.columns.map((column) => chosen.columns.indexOf(column))
    this.#kept = { ...chosen.fields.cells(kept.names, places), columns: kept.columns }
    this.#chosen = chosen
    this.#fields = chosen.fields
    if (!this.#split(line)) return false
    const isWeighted = chosen.weight !== null
    this.#isPair = !isWeighted && count === 2 && !ignoreWeights && !choosesColumns(table)
    this.shape.weighted = isWeighted
    this.shape.skipRest = choosesColumns(table)
    this.#extraNoted = kept.columns.length > 0 || !chosen.usual || choosesColumns(said)
    this.begin(isWeighted)
    return true
  }

  #leavesOut(line: Uint8Array): boolean {
    const where = this.#chosen?.where
    if (!where) return false
    const cells = where.places.map((place, i) => this.#cell(line, place, where.areNumbers[i]!, where.signs[i]!))
    if (where.holds(cells)) return false
    this.#filtered++
    this.tally.filtered++
    return true
  }

  #cell(line: Uint8Array, place: number, isNumber: boolean, sign: DecimalSign | null): AttributeValue {
    const fields = this.#fields
    if (fields.isEmpty(place)) return null
    if (!isNumber) return fields.text(line, place)
    const value = numberIn(line, fields.starts[place]!, fields.ends[place]!, sign)
    if (!Number.isNaN(value)) return value
    const cell = fields.text(line, place)
    const what = `"${excerpt(cell)}" in the column of the condition is not a number`
    const fixes = isCommaNumber(cell) ? DECIMAL_FIXES : []
    throw this.badRow('columns', what, 'Choose another column, or mend the line.', fixes)
  }

  #edge(line: Uint8Array): void {
    const { output, tap } = this.context
    const fields = this.#fields
    const used = this.shape.weighted ? 3 : 2
    if (!this.#extraNoted && fields.count > used) {
      this.#extraNoted = true
      this.warnings.push(`columns after the first ${used} were ignored`)
    }
    if (tap !== undefined || this.#table !== null) {
      const source = this.#endName(line, 0)
      const target = this.#endName(line, 1)
      this.#noteMissing(line)
      // A row that is skipped leaves no vertex.
      const weight = this.#weight(line)
      if (tap !== undefined) {
        requireUtf8(this.place, line, 'line')
        if (weight === null) return
        this.entries++
        tap.cells(source, target, line, this.#kept!)
        return
      }
      const from = this.#intern(line, 0)
      const to = this.#intern(line, 1)
      if (weight === null) return
      this.entries++
      output.add(from, to, weight)
      return
    }
    const ids = this.#ids
    if (!this.#isInteger(line, 0)) return
    const { low, high } = ids
    if (!this.#isInteger(line, 1)) return
    const weight = this.#weight(line)
    if (weight !== null) {
      this.entries++
      output.addWide(low, high, ids.low, ids.high, weight)
    }
    // Files with long ids come here for every line: nothing above may allocate but views.
    if (fields.count > 2) this.shape.skipRest ||= !this.#isPair
  }

  /** null when the rule drops the entry; 1 where there are none */
  #weight(line: Uint8Array): number | null {
    const fields = this.#fields
    if (this.#isPair && fields.count > 2)
      throw this.badRow(
        'columns',
        `${fields.count} columns, where the first line had 2`,
        'Give every line a weight; if it is a list of neighbours, write it as GraphML or as one edge in a line.',
        this.#form.weighted ? NO_WEIGHT_FIXES : undefined,
      )
    const place = this.#chosen!.weight
    if (place === null) return 1
    const start = fields.starts[place]!
    const end = fields.ends[place]!
    const { rows, weights } = this.context
    if (fields.isEmpty(place) || (rows.missingWeight !== 'stop' && isMissingIn(line, start, end)))
      return rows.missing(weights, this.place, 'there is no weight, where the first line had one')
    return this.weightOf(numberIn(line, start, end, this.#form.decimal), fields.bytes(line, place))
  }

  /** @returns false for a text, for which the file is read again */
  #isInteger(line: Uint8Array, column: 0 | 1): boolean {
    if (this.#idKind(line, column) === 'integer') return true
    this.other = { other: 'texts', line: this.line, id: excerpt(this.#fields.bytes(line, column)) }
    return false
  }

  /** Whether an id is nan, NA, null and the like, without quotes. */
  #isNone(line: Uint8Array, column: 0 | 1): boolean {
    const { starts, ends, quoted } = this.#fields
    const length = ends[column]! - starts[column]!
    const first = line[starts[column]!]!
    // No such word begins with a digit.
    if (first >= 48 && first <= 57) return false
    return !quoted[column] && length <= MOST_WORD_BYTES && isMissingWord(this.#fields.text(line, column))
  }

  #noteMissing(line: Uint8Array): void {
    for (const column of [0, 1] as const) {
      const word = this.#isNone(line, column) ? this.#fields.text(line, column).toLowerCase() : ''
      if (['', '-', 'none'].includes(word)) continue
      if (this.#missingWords++ === 0) this.#missingWord = this.#fields.text(line, column)
    }
  }

  /** What the vertex is called, of what an earlier pass took. */
  #endName(line: Uint8Array, column: 0 | 1): EndName {
    const kind = this.#idKind(line, column)
    if (this.context.tap === undefined) return ''
    const { low, high } = this.#ids
    const isExact = kind === 'integer' && this.#table === null && high < MOST_HIGH
    return isExact ? low + high * 2 ** 32 : this.#fields.text(line, column)
  }

  /** Whether ids are whole numbers: so the first rows say, or all that were read where they say nothing. */
  get #areNumbers(): boolean {
    const { ids } = this.#form
    return ids === null ? this.#table === null : ids === 'numbers'
  }

  #intern(line: Uint8Array, column: 0 | 1): number {
    const label = this.#fields.bytes(line, column)
    const index = this.#table!.intern(label)
    if (index >= 0) return index
    requireUtf8(this.place, label, 'id')
    throw this.badRow('bad-id', `the id "${excerpt(label)}" holds control characters`, 'Is the file complete?')
  }

  /** @throws Failure for broken numbers */
  #idKind(line: Uint8Array, column: 0 | 1): 'integer' | 'text' {
    const fields = this.#fields
    const kind = this.#ids.read(line, fields.starts[column]!, fields.ends[column]!, fields.quoted[column]!)
    if (kind === 'text' && this.#areNumbers && this.#isNone(line, column))
      throw this.badRow(
        'missing-id',
        `the ${column === 0 ? 'first' : 'second'} id is "${fields.text(line, column)}", a word for none among whole numbers`,
        'Add the missing id, or put it in double quotes if it is a name.',
      )
    if (kind === 'integer' || kind === 'text') return kind
    if (kind === 'decimal' && this.#table === null) {
      if (this.#decimals++ === 0) this.#decimal = `${fields.text(line, column)} in line ${this.line}`
      return 'integer'
    }
    const word = excerpt(fields.bytes(line, column))
    const { what, remedy } =
      kind === 'decimal'
        ? { what: `the id ${word} is a number among texts`, remedy: 'Put it in double quotes if it is a name.' }
        : brokenId(kind, word)
    throw this.badRow('bad-id', what, remedy)
  }
}

/** Columns of an edge list, and their places in `fields`: source 0, target 1. */
type EdgeColumns = ReturnType<typeof readColumns>

function readColumns(choice: ColumnChoice, { body, decimal }: TableShape, said: TableOptions, kept: readonly number[]) {
  const { source, target, weight, where } = choice
  const columns = [...new Set([...columnsRead(choice), ...kept])]
  const place = (column: number) => columns.indexOf(column)
  const signOf = (at: number) => signOfCondition(column(body, at), said, decimal)
  return {
    columns,
    fields: new Fields(columns),
    weight: weight === null ? null : place(weight),
    where: where && { ...where, places: where.columns.map(place), signs: where.columns.map(signOf) },
    /** The first id with zeros in front. */
    padded: [...column(body, source), ...column(body, target)].find((id) => /^0\d+$/.test(id)) ?? null,
    /** The first two, and the third for the weight: what the fast path parses. */
    usual: source === 0 && target === 1 && (weight === null || weight === 2) && where === null,
  }
}

/** Columns of an edge list that are attributes. @throws Failure (input) for a column that is not there */
function keptColumns(table: TableColumns, choice: ColumnChoice, wanted?: string) {
  const columns = attributeColumns(table, choice, wanted)
  return { columns, names: columns.map((at) => columnName(table.names, at)) }
}

export const edgeList: TextFormat = {
  kind: 'text',
  name: 'edge-list',
  shownAs: 'table',
  shapeOf: tableShape,
  open: (context, text, shape) => new EdgeListReader(context, shape!, text),
}
