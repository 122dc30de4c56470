/**
 * How a table of text is to be read: by which delimiter lines are cut, whether the first one names the columns, which of them make the edges,
 * and how decimals are written. What the user said wins; names that programs write are known; what may be wrong is asked, never guessed. It
 * looks at a sample of whole lines. column-choice.ts has the names, preview/ shows the outcome.
 */

import { OTHER_COLUMNS } from '../../base/failure.ts'
import type { TableOptions } from '../../contract/jobs.ts'
import { CommentRule, separatorIn, signedRows } from './comment-rule.ts'
import { type CountsLine, countsInTwo, countsLine, mayCountRows } from './counts-line.ts'
import { commentPrefix, linesOf, type SampleLines, sampleLines, signedLines } from './sample-lines.ts'
import { allFields, delimiterOf } from './table-lines.ts'
import {
  type DecimalSign,
  holdsNumbers,
  isFilled,
  isInNumbers,
  isInteger,
  isNumber,
  isPlainNumber,
  wholeOfDecimal,
} from '../reader/numbers.ts'
import {
  chooseColumns,
  choosesColumns,
  column,
  type ColumnChoice,
  HEADER_FIXES,
  type TableDoubt,
  weightsOf,
} from './column-choice.ts'
import { areSurelyEnds, endsByName, isOtherName, isWeightName } from '../../graph/table-names.ts'

const TAB = 9
/** Two ids and perhaps a weight; in a wider table names must say which columns are the ends. */
const PLAIN_COLUMNS = 3

export interface TableShape {
  /** 0 for runs of spaces and tabs */
  readonly delimiter: number
  /** The first line that is neither comment nor blank names the columns. */
  readonly header: boolean
  /** null where columns have none */
  readonly names: readonly string[] | null
  /** What the user said, and the columns that names tell. */
  readonly table: TableOptions
  /** The decimal sign of weights. */
  readonly decimal: DecimalSign
  /** The column of weights holds numbers where it holds anything; the first line may have none. */
  readonly weighted: boolean
  /** What a person has to say first, unless it is about weights and the graph goes without. */
  readonly doubt: TableDoubt | null
  /** Cells of the first rows of data. */
  readonly body: Cells['body']
  readonly comments: CommentRule
  /** The first line counts vertices and edges. */
  readonly counts: CountsLine | null
  /** This program wrote it: also without an edge it is a graph. */
  readonly isOwn: boolean
  /** What most ids of the first rows are; null where there are none. A word for none among whole numbers is no id. */
  readonly ids: 'numbers' | 'texts' | null
}

interface Cells {
  readonly first: readonly string[]
  readonly body: readonly (readonly string[])[]
  /** There are lines, but their quotes are broken. */
  readonly isBroken: boolean
  /** The comment above the first line, where it has as many columns. */
  readonly comment: readonly string[] | null
}

/** Also of columns that no delimiter ends. */
export type AnyShape = Omit<TableShape, 'delimiter' | 'body' | 'comments' | 'counts' | 'isOwn' | 'ids'> & {
  readonly delimiter: number | null
}

/** What a person has to say of a table first. */
export const doubtOf = ({ doubt }: Pick<TableShape, 'doubt'>, ignoreWeights: boolean): TableDoubt | null =>
  ignoreWeights && doubt?.asks === 'weights' ? null : doubt

/** Whether lines above the edges are none. */
export const isNamed = ({ header, counts }: Pick<TableShape, 'header' | 'counts'>): boolean => header || counts !== null

/**
 * The columns that the reader takes: where none was chosen the first two, and a third of numbers for the weight.
 * @param third cell of the first row of data
 * @throws Failure (input) for columns that are not there
 */
export function edgePlaces(
  { names, table, decimal, weighted }: AnyShape,
  third: string,
  width: number,
  ignoreWeights: boolean,
  file: string,
): ColumnChoice {
  const isWeight = isInNumbers(third, decimal) || (weighted && (table.missingWeight ?? 'stop') !== 'stop')
  const weight = isWeight && !ignoreWeights ? 2 : null
  if (!choosesColumns(table)) return { source: 0, target: 1, weight, where: null }
  const choice = chooseColumns({ file, names, width }, table, ignoreWeights)
  const onlyRows = [table.sourceColumn, table.targetColumn, table.weightColumn].every((column) => column === undefined)
  const isUsual = choice.weight === null && choice.source === 0 && choice.target === 1
  return onlyRows && isUsual ? { ...choice, weight } : choice
}

/**
 * How lines are cut, whether the first one names the columns, and which columns make the edges. What the user said
 * wins; what may be wrong is asked, never guessed.
 * @param sample whole lines @param complete whether they are all of the file
 */
export function tableShape(sample: Uint8Array, table: TableOptions = {}, complete = true): TableShape {
  const known = isOwnExport(sample, table)
    ? ({ header: 'no', delimiter: 'tab', ...table } as const)
    : withSeparator(sample, table)
  const shape = shapeOf(sample, known, complete, new CommentRule(commentPrefix(table)))
  if (isOwnExport(sample, table)) return { ...shape, doubt: null, counts: null, isOwn: true }
  if (table.comment !== undefined) return shape
  const { lines, signed } = signedLines(sample)
  if (signed.length === 0) return shape
  const delimiter =
    lines.length > 0
      ? shape.delimiter
      : delimiterOf(
          signed.map(({ line }) => line),
          table,
        )
  const width = Math.max(shape.names?.length ?? 0, ...shape.body.map(({ length }) => length), 2)
  const rows = signedRows(lines, signed, delimiter, width, shape.ids === 'numbers')
  const rule = new CommentRule(undefined, rows, delimiter, width)
  return rows === 'none' ? { ...shape, comments: rule } : shapeOf(sample, known, complete, rule)
}

/** The options with the delimiter that a line "sep=;" at the top names. */
function withSeparator(sample: Uint8Array, table: TableOptions): TableOptions {
  const first = linesOf(sample).next().value
  const delimiter = first && separatorIn(first)
  return delimiter && table.delimiter === undefined ? { ...table, delimiter } : table
}

const OWN_EXPORT = '# Undirected graph: each edge once. Vertices: '

/** Lists that this program wrote have no names, and texts in quotes. */
const isOwnExport = (sample: Uint8Array, { header, delimiter, comment }: TableOptions): boolean =>
  (header ?? 'auto') === 'auto' &&
  delimiter === undefined &&
  comment === undefined &&
  Buffer.from(sample.subarray(0, OWN_EXPORT.length)).toString('latin1') === OWN_EXPORT

function shapeOf(sample: Uint8Array, table: TableOptions, complete: boolean, comments: CommentRule): TableShape {
  const first = sampleLines(sample, table, undefined, comments)
  // Numbers between tabs look like numbers between blanks; a comment that names the columns tells.
  const isNamedByTabs = table.delimiter === undefined && (cellsOf(first, TAB)?.comment ?? null) !== null
  const delimiter = isNamedByTabs ? TAB : delimiterOf(first.lines, table)
  const cells = cellsOf(first, delimiter)
  const decimal = table.decimal === 'comma' ? 'comma' : 'point'
  const none = {
    decimal,
    weighted: false,
    doubt: null,
    body: [],
    comments,
    counts: null,
    isOwn: false,
    ids: null,
  } as const
  if (cells === null) return { delimiter, header: table.header === 'yes', names: null, table, ...none }
  const isNamedAbove = cells.comment !== null && (table.header ?? 'auto') === 'auto'
  const counts = isNamedAbove ? null : countsOf(cells, sample, table, complete, comments, delimiter)
  if (counts === 'doubt')
    return { delimiter, header: false, names: null, table, ...none, doubt: countsDoubt(cells.first) }
  const header = isNamedAbove || counts !== null ? 'no' : headerOf(cells, table)
  const names = isNamedAbove
    ? cells.comment
    : header === 'yes' && !isSentence(cells, delimiter)
      ? namesAbove(cells)
      : null
  const read = { delimiter, header: header === 'yes', names }
  const body =
    header === 'yes'
      ? otherRows(cells)
      : counts === null
        ? [cells.first, ...cells.body]
        : cells.body.slice(counts.lines - 1)
  const line = cells.first.slice(0, 4).join(', ')
  const unknown = `nothing tells whether the first line (${line}) names the columns or is an edge`
  if (header === 'unknown') return { ...read, table, ...none, doubt: headerDoubt(unknown) }
  const chosen = withColumns(names, body, table)
  const weights = weightsOf(names, body, chosen.table)
  return {
    ...read,
    ...chosen,
    ...weights,
    body,
    doubt: chosen.doubt ?? weights.doubt,
    comments,
    counts,
    isOwn: false,
    ids: idsOf(body, names, chosen.table),
  }
}

/** What most ids of both ends are. */
function idsOf(
  body: Cells['body'],
  names: readonly string[] | null,
  { sourceColumn, targetColumn }: TableOptions,
): TableShape['ids'] {
  const at = (wanted: string | undefined, usual: number): number => {
    const named = wanted === undefined ? usual : (names?.indexOf(wanted) ?? -1)
    return named >= 0 ? named : Number(wanted) - 1
  }
  const ids = [...column(body, at(sourceColumn, 0)), ...column(body, at(targetColumn, 1))].filter(isFilled)
  const numbers = ids.filter((id) => isInteger(id) || wholeOfDecimal(id) !== null)
  return ids.length === 0 ? null : 2 * numbers.length > ids.length ? 'numbers' : 'texts'
}

/** Only of lists without names whose columns were not chosen. */
function countsOf(
  { first, body }: Cells,
  sample: Uint8Array,
  table: TableOptions,
  complete: boolean,
  comments: CommentRule,
  delimiter: number,
): ReturnType<typeof countsLine> {
  if ((table.header ?? 'auto') !== 'auto' || choosesColumns(table)) return null
  const few = [first, ...body.slice(0, FEW_ROWS)]
  const isTwo = countsInTwo(few) !== null
  const [top = [], ...others] = countsInTwo(few) ?? few
  if (!mayCountRows(top, others)) return null
  const rows = sampleLines(sample, table, Infinity, comments).lines.map((line) => allFields(line, delimiter) ?? [])
  const [all = [], ...rest] = (isTwo ? countsInTwo(rows) : null) ?? rows
  const counts = countsLine(all, rest, complete, isTwo ? 2 : 1)
  // Lines of one number are no edges: the reader refuses them.
  return isTwo && counts === 'doubt' ? null : counts
}

/** Enough to see that a first line counts nothing. */
const FEW_ROWS = 100

const countsDoubt = (first: readonly string[]): TableDoubt =>
  headerDoubt(`nothing tells whether the first line (${first.join(', ')}) counts vertices and edges or is an edge`)

function cellsOf({ lines, comment }: SampleLines, delimiter: number): Cells | null {
  const [first, ...rows] = lines.map((line) => allFields(line, delimiter) ?? [])
  if (first === undefined) return null
  // The reader refuses or skips a line whose quotes are broken.
  const body = rows.filter(({ length }) => length > 0)
  const above = comment === null || delimiter !== TAB ? null : allFields(comment.subarray(1), delimiter)
  const isBroken = rows.length > 0 && body.length === 0
  return {
    first,
    body,
    isBroken,
    comment: first.length > PLAIN_COLUMNS && above?.length === first.length ? above : null,
  }
}

/** R leaves out the name of the row names: all rows have one column more. */
function namesAbove({ first, body }: Cells): readonly string[] {
  const isShort = body.length > 0 && body.every((row) => row.length === first.length + 1)
  return isShort ? ['', ...first] : first
}

/** Between blanks no cell can be empty: more words than columns are no names. */
const isSentence = ({ first, body }: Cells, delimiter: number): boolean =>
  delimiter === 0 && body.length > 0 && body.every((row) => row.length < first.length)

function headerOf(cells: Cells, table: TableOptions): 'yes' | 'no' | 'unknown' {
  const { first, body } = cells
  if (table.header === 'yes' || table.header === 'no') return table.header
  const { sourceColumn, targetColumn, weightColumn } = table
  if ([sourceColumn, targetColumn, weightColumn].some((name = '1') => !/^\d{1,6}$/.test(name))) return 'yes'
  const names = namesAbove(cells)
  // Every edge has a first end: pandas leaves the name of the index empty.
  if (first[0] === '' && body.length > 0 && body.every((row) => row[0] !== '')) return 'yes'
  // Signs above numbers are a comment of another kind.
  const areIds = [0, 1].every((at) => holdsNumbers(column(body, at)) && !isNumber(first[at] ?? '') && first[at] !== '')
  if (areIds && (first[0] === first[1] || first.slice(0, 2).some(isNoName))) return 'unknown'
  // Nothing but lines that the reader refuses.
  const isBroken = cells.isBroken && table.badRows !== 'skip'
  if (first.length < 2 || first[0] === first[1] || first.slice(0, 2).some(isNoName) || isBroken) return 'no'
  const hasNumber = first.some((cell) => isPlainNumber(cell))
  const ends = endsByName(names)
  const others = { ...cells, body: otherRows(cells) }
  if (!hasNumber && ends !== null && areSurelyEnds(names[ends[0]]!, names[ends[1]]!) && !recurs(others)) return 'yes'
  const numeric = names.flatMap((name, at) => (holdsNumbers(column(body, at)) ? [name] : []))
  // A number above numbers is data, a word above numbers a name.
  const isData = numeric.some(isNumber)
  const isNames = numeric.some((name) => !isNumber(name) && isFilled(name))
  if (isData && isNames && !hasIds(first)) return 'unknown'
  if (isData) return 'no'
  // A first line that is one column short is R's, unless it is an edge among longer lists.
  if (isNames || (names[0] === '' && body.length > 0 && !recurs(cells))) return 'yes'
  return hasNumber || recurs(cells) || looksAlike(cells) ? 'no' : 'unknown'
}

const isNoName = (cell: string): boolean => cell !== '' && !/\p{L}/u.test(cell)

const hasIds = (first: readonly string[]): boolean => first.slice(0, 2).some(isInteger)

/** Without lines of names that stand again where files were put together. */
const otherRows = ({ first, body }: Cells): Cells['body'] =>
  body.filter((row) => row.length !== first.length || row.some((cell, at) => cell !== first[at]))

/** A text of the first line that occurs again is a vertex, or the kind of an edge. */
function recurs({ first, body }: Cells): boolean {
  const texts = first.slice(0, PLAIN_COLUMNS).filter((cell) => cell !== '' && !isNoName(cell))
  return body.some((row) => row.slice(0, PLAIN_COLUMNS).some((cell) => texts.includes(cell)))
}

/** An end written like those beneath it, as few people name columns: "ENSP0017", "sp|P1". */
function looksAlike({ first, body }: Cells): boolean {
  return [0, 1].some((at) => {
    const form = formOf(first[at] ?? '')
    return form !== null && 2 * column(body, at).filter((cell) => formOf(cell) === form).length > body.length
  })
}

function formOf(cell: string): string | null {
  const signs = [...new Set(cell.match(/[^\p{L}\p{N}\s_-]/gu) ?? [])].toSorted().join('')
  if (signs !== '') return signs
  return /\d/.test(cell) ? cell.toLowerCase().replaceAll(/\d+/g, '0') : null
}

const headerDoubt = (what: string): TableDoubt => ({ asks: 'header', what, remedy: '', fixes: HEADER_FIXES })

function withColumns(
  names: readonly string[] | null,
  rows: readonly (readonly string[])[],
  table: TableOptions,
): Pick<TableShape, 'table' | 'doubt'> {
  const { sourceColumn, targetColumn } = table
  if (sourceColumn !== undefined || targetColumn !== undefined) return { table, doubt: null }
  const width = Math.max(names?.length ?? 0, ...rows.map(({ length }) => length))
  const known = names === null ? null : endsByName(names)
  const doubt = known === null ? columnDoubt(names, rows, width) : null
  if (names === null || doubt !== null) return { table, doubt }
  const [source, target] = known ?? [0, 1]
  const weight = weightByName(names, rows, [source, target])
  // Where the ends are chosen too, a third column of numbers is no weight.
  const isUsual = source === 0 && target === 1 && !isOtherName(names[2] ?? '')
  return {
    table: {
      ...table,
      ...(isUsual ? {} : { sourceColumn: String(source + 1), targetColumn: String(target + 1) }),
      ...(table.weightColumn !== undefined || weight === null ? {} : { weightColumn: String(weight + 1) }),
    },
    doubt: null,
  }
}

/** null where it is the third, which is taken anyway. */
function weightByName(
  names: readonly string[],
  rows: readonly (readonly string[])[],
  [source, target]: readonly [number, number],
): number | null {
  const called = names.flatMap((name, at) => (isWeightName(name) && holdsNumbers(column(rows, at)) ? [at] : []))
  const free = called.filter((at) => at !== source && at !== target)
  const isUsual = source === 0 && target === 1
  if (free.length > 0) return isUsual && free.includes(2) ? null : free[0]!
  const next = target + 1
  const isNext = !isUsual && names.length === PLAIN_COLUMNS + 1 && !isOtherName(names[next] ?? '')
  return isNext && holdsNumbers(column(rows, next)) ? next : null
}

/** What speaks against the first two columns being the ends, where no name says so. */
function columnDoubt(
  names: readonly string[] | null,
  rows: readonly (readonly string[])[],
  width: number,
): TableDoubt | null {
  if (width < 2) return null
  const [one, two, three] = [column(rows, 0), column(rows, 1), column(rows, 2)]
  const isWeighted = width === 2 || 2 * three.filter(isNumber).length >= three.length
  const differ = holdsNumbers(one) !== holdsNumbers(two)
  const said = names?.slice(0, 6).map((name) => (name === '' ? '(no name)' : name))
  if (names !== null && width > 2 && rows.length > 0 && rows.every((row, i) => row[0] === names[i + 1]))
    return askFor('this is a matrix, with a line and a column for each vertex', 'Write its edges, one in a line.')
  if (names !== null && (width > PLAIN_COLUMNS || !isWeighted || differ || names[0] === ''))
    return askFor(`nothing tells which of the ${width} columns (${said!.join(', ')}) are the two ends of an edge`)
  if (names !== null) return null
  const hasKeyword = width === PLAIN_COLUMNS && one.length > 1 && new Set(one).size === 1 && !holdsNumbers(one)
  if ((width > PLAIN_COLUMNS && differ) || (hasKeyword && [...two, ...three].every(isInteger)))
    return askFor(`nothing tells which of the ${width} columns are the two ends of an edge`)
  if (three.some((cell) => /^\{[^}]/.test(cell)))
    return askFor('the third column holds Python dictionaries', 'Use nx.write_weighted_edgelist, or write GraphML.')
  const areTexts = !holdsNumbers(two) && !isWeighted && three.some((cell) => cell !== '')
  const ends = new Set([...one, ...two])
  const holdEnds = areTexts && rows.some((row) => row.slice(2).some((cell) => cell !== '' && ends.has(cell)))
  const least = Math.min(...rows.map(({ length }) => length))
  if (holdEnds && least >= 2 && least < width)
    return askFor(
      `the lines have between ${least} and ${width} columns`,
      'If a line is one edge, choose its columns; if it is a list, write it as GraphML.',
    )
  const countsRows = one.length > 2 && one.every((cell, i) => isInteger(cell) && Number(cell) === i + Number(one[0]))
  if (areTexts && (countsRows || holdEnds || new Set(two).size < new Set(three).size))
    return askFor('the first two columns do not look like the two ends of an edge')
  return null
}

const otherFile = 'If no two columns hold the ends, export the edges or the network instead.'
const askFor = (what: string, remedy?: string): TableDoubt => ({
  asks: 'columns',
  what,
  remedy: remedy ?? otherFile,
  fixes: remedy === undefined ? OTHER_COLUMNS : [],
})
