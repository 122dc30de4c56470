import { OTHER_COLUMNS, WITHOUT_WEIGHTS } from '../../base/failure.ts'
import type { Fix } from '../../base/failure.ts'
import type { TableOptions } from '../../contract/jobs.ts'
import { delimiterOf, type SampleLines, sampleLines } from './text-lines.ts'
import { allFields } from './fields.ts'
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
  /** What a person has to say first. */
  readonly doubt: TableDoubt | null
}

export interface TableDoubt {
  readonly asks: 'header' | 'columns' | 'weights'
  readonly what: string
  readonly remedy: string
  readonly fixes: readonly Fix[]
}

interface Cells {
  readonly first: readonly string[]
  readonly body: readonly (readonly string[])[]
  /** The comment above the first line, where it has as many columns. */
  readonly comment: readonly string[] | null
}

/**
 * How lines are cut, whether the first one names the columns, and which columns make the edges. What the user said wins; what
 * may be wrong
 * is asked, never guessed.
 * @param sample whole lines, or all of the file
 */
export function tableShape(sample: Uint8Array, table: TableOptions = {}, ignoreWeights = false): TableShape {
  const first = sampleLines(sample, table)
  // Numbers between tabs look like numbers between blanks; a comment that names the columns tells.
  const isNamedByTabs = table.delimiter === undefined && (cellsOf(first, TAB)?.comment ?? null) !== null
  const delimiter = isNamedByTabs ? TAB : delimiterOf(first.lines, table)
  const cells = cellsOf(first, delimiter)
  if (cells === null) return { delimiter, header: table.header === 'yes', names: null, table, doubt: null }
  const isNamedAbove = cells.comment !== null && (table.header ?? 'auto') === 'auto'
  const header = isNamedAbove ? 'no' : headerOf(cells, table)
  const names = isNamedAbove
    ? cells.comment
    : header === 'yes' && !isSentence(cells, delimiter)
      ? namesAbove(cells)
      : null
  const read = { delimiter, header: header === 'yes', names }
  const body = header === 'yes' ? cells.body : [cells.first, ...cells.body]
  if (header === 'unknown') return { ...read, table, doubt: headerDoubt(cells.first) }
  const chosen = withColumns(names, body, table)
  return { ...read, ...chosen, doubt: chosen.doubt ?? (ignoreWeights ? null : weightDoubt(names, body, chosen.table)) }
}

function cellsOf({ lines, comment }: SampleLines, delimiter: number): Cells | null {
  const [first, ...body] = lines.map((line) => allFields(line, delimiter) ?? [])
  if (first === undefined) return null
  const above = comment === null || delimiter !== TAB ? null : allFields(comment.subarray(1), delimiter)
  return { first, body, comment: first.length > PLAIN_COLUMNS && above?.length === first.length ? above : null }
}

/** R leaves out the name of the row names: all rows have one column more. */
function namesAbove({ first, body }: Cells): readonly string[] {
  const isShort = body.length > 0 && body.every((row) => row.length === first.length + 1)
  return isShort ? ['', ...first] : first
}

/** Between blanks no cell can be empty: more words than columns are no names. */
const isSentence = ({ first, body }: Cells, delimiter: number): boolean =>
  delimiter === 0 && body.length > 0 && body.every((row) => row.length < first.length)

const number = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i
/** With a decimal comma. */
const commaNumber = /^[+-]?\d*,\d+$/
const missing = /^(?:|na|n\/a|nan|null|none|-|\\n|[+-]?inf(?:inity)?)$/i
/** As spreadsheets show them: 1'234.50, 1.234,50, 1 234,50, 75%, $5.00. */
const shownNumber = /^[^\p{L}\p{N}]{0,2}\d{1,3}(?:[ '’.,\u00a0\u202f]?\d{3})*(?:[.,]\d+)?[^\p{L}\p{N}]{0,2}$/u
const isNumber = (cell: string): boolean => number.test(cell) || commaNumber.test(cell)
/** Seconds since 1970, from 1985 to 2039. */
const isMoment = (cell: string): boolean => number.test(cell) && Number(cell) >= 5e8 && Number(cell) < 2.2e9
const isInteger = (cell: string): boolean => /^\+?\d+$/.test(cell)
const column = (rows: readonly (readonly string[])[], at: number): string[] => rows.map((row) => row[at] ?? '')

/** Empty cells aside. */
function holdsNumbers(cells: readonly string[]): boolean {
  const filled = cells.filter((cell) => !missing.test(cell))
  return filled.length > 0 && filled.every(isNumber)
}

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
  if (areIds && first.slice(0, 2).some(isNoName)) return 'unknown'
  // A line whose quotes are broken is refused by the reader.
  if (
    first.length < 2 ||
    first[0] === first[1] ||
    first.slice(0, 2).some(isNoName) ||
    body.some(({ length }) => length === 0)
  )
    return 'no'
  const hasNumber = first.some((cell) => number.test(cell))
  const ends = endsByName(names)
  if (!hasNumber && ends !== null && areSurelyEnds(names[ends[0]]!, names[ends[1]]!) && !recurs(cells)) return 'yes'
  const numeric = names.flatMap((name, at) => (holdsNumbers(column(body, at)) ? [name] : []))
  // A number above numbers is data, a word above numbers a name.
  const isData = numeric.some(isNumber)
  const isNames = numeric.some((name) => !isNumber(name) && !missing.test(name))
  if (isData && isNames && !hasIds(first)) return 'unknown'
  if (isData) return 'no'
  // A first line that is one column short is R's, unless it is an edge among longer lists.
  if (isNames || (names[0] === '' && body.length > 0 && !recurs(cells))) return 'yes'
  return hasNumber || recurs(cells) || looksAlike(cells) ? 'no' : 'unknown'
}

const isNoName = (cell: string): boolean => cell !== '' && !/\p{L}/u.test(cell)

const hasIds = (first: readonly string[]): boolean => first.slice(0, 2).some(isInteger)

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

function headerDoubt(first: readonly string[]): TableDoubt {
  const line = first.slice(0, 4).join(', ')
  return {
    asks: 'header',
    what: `nothing tells whether the first line (${line}) names the columns or is an edge`,
    remedy: '',
    fixes: [
      { action: 'set', option: 'header', to: 'yes' },
      { action: 'set', option: 'header', to: 'no' },
    ],
  }
}

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
    return doubtOf('this is a matrix, with a line and a column for each vertex', 'Write its edges, one in a line.')
  if (names !== null && (width > PLAIN_COLUMNS || !isWeighted || differ || names[0] === ''))
    return doubtOf(`nothing tells which of the ${width} columns (${said!.join(', ')}) are the two ends of an edge`)
  if (names !== null) return null
  const hasKeyword = width === PLAIN_COLUMNS && one.length > 1 && new Set(one).size === 1 && !holdsNumbers(one)
  if ((width > PLAIN_COLUMNS && differ) || (hasKeyword && [...two, ...three].every(isInteger)))
    return doubtOf(`nothing tells which of the ${width} columns are the two ends of an edge`)
  if (three.some((cell) => /^\{[^}]/.test(cell)))
    return doubtOf('the third column holds Python dictionaries', 'Use nx.write_weighted_edgelist, or write GraphML.')
  const areTexts = !holdsNumbers(two) && !isWeighted && three.some((cell) => cell !== '')
  const ends = new Set([...one, ...two])
  const holdEnds = areTexts && rows.some((row) => row.slice(2).some((cell) => cell !== '' && ends.has(cell)))
  const least = Math.min(...rows.map(({ length }) => length))
  if (holdEnds && least >= 2 && least < width)
    return doubtOf(
      `the lines have between ${least} and ${width} columns`,
      'If a line is one edge, choose its columns; if it is a list, write it as GraphML.',
    )
  const countsRows = one.length > 2 && one.every((cell, i) => isInteger(cell) && Number(cell) === i + Number(one[0]))
  if (areTexts && (countsRows || holdEnds || new Set(two).size < new Set(three).size))
    return doubtOf('the first two columns do not look like the two ends of an edge')
  return null
}

const otherFile = 'If no two columns hold the ends, export the edges or the network instead.'
const doubtOf = (what: string, remedy?: string): TableDoubt => ({
  asks: 'columns',
  what,
  remedy: remedy ?? otherFile,
  fixes: remedy === undefined ? OTHER_COLUMNS : [],
})

/** Weights that would be left out in silence, because they are written for people. */
function weightDoubt(
  names: readonly string[] | null,
  rows: readonly (readonly string[])[],
  { sourceColumn, targetColumn, weightColumn }: TableOptions,
): TableDoubt | null {
  const isChosen = (sourceColumn ?? targetColumn ?? weightColumn) !== undefined
  const named = names?.findIndex(isWeightName) ?? -1
  const at = named >= 0 ? named : isChosen ? -1 : 2
  const filled = at < 0 ? [] : column(rows, at).filter((cell) => !missing.test(cell))
  if (named < 0 && filled.length > 2 && filled.every(isMoment))
    return {
      asks: 'weights',
      what: `the third column holds times (${filled[0]}), and no weights`,
      remedy: '',
      fixes: [WITHOUT_WEIGHTS, { action: 'set', option: 'weightColumn', to: '3' }],
    }
  const odd = filled.find((cell) => !number.test(cell))
  if (odd === undefined || (named < 0 && !filled.every((cell) => isNumber(cell) || shownNumber.test(cell)))) return null
  const comma = commaNumber.test(odd) ? ', with a decimal comma' : ''
  return {
    asks: 'weights',
    what: `the weights in column ${at + 1} are no numbers: "${odd.slice(0, 40)}"${comma}`,
    remedy: 'Write them with a decimal point.',
    fixes: [WITHOUT_WEIGHTS],
  }
}
