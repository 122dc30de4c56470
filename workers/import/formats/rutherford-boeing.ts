/**
 * Rutherford-Boeing and Harwell-Boeing (Duff, Grimes, Lewis, RAL-TR-97-031): compressed columns of a matrix in Fortran's fixed formats, often
 * without blanks between numbers. Ends of columns, rows and values are read in one pass with widths as the header states, or as SciPy writes
 * them. matrix-market.ts says what a matrix is as a graph.
 */

import { excerpt, inputFailure, OTHER_FORMAT } from '../../base/failure.ts'
import { MAX_VERTICES, requireMemoryFor, type ReaderContext, type WholeReading } from '../reader/graph-reader.ts'
import type { WholeFormat } from './graph-format.ts'
import { matrixOutcome } from './matrix-market.ts'
import type { StoredFile } from './stored-file.ts'

const PUMP_NUMBERS = 1 << 16
const LONGEST_LINE = 1 << 16

/** Lines of a file, and the numbers in them. */
class Lines {
  line = 0
  readBytes = 0
  readonly #file: StoredFile
  readonly #lines: Iterator<string>

  constructor(file: StoredFile) {
    this.#file = file
    this.#lines = this.#read()
  }

  next(): string {
    this.line++
    const { value, done } = this.#lines.next()
    if (done === true) throw this.failure('the file ends before its numbers do', 'Is it complete?')
    return value.replace(/\r$/, '')
  }

  /** So many, by lines. @throws Failure (input) where the last line has more */
  *numbers(count: number, columns: Columns): Generator<number> {
    for (let left = count; left > 0;) {
      const values = this.#numbersIn(this.next().trimEnd(), columns)
      yield* values.slice(0, left)
      left -= values.length
      if (left < 0) throw this.failure('there are more numbers than the header promises', 'Is the header right?')
    }
  }

  /** Numbers in columns, often without blanks between them; SciPy's are narrower than it says, with blanks. */
  #numbersIn(line: string, { count, width }: Columns): number[] {
    const inColumns = Array.from({ length: Math.ceil(line.length / width) }, (_, i) =>
      numberOf(line.slice(i * width, (i + 1) * width)),
    )
    if (inColumns.length <= count && !inColumns.some(Number.isNaN)) return inColumns
    const words = line.trim().split(/\s+/)
    const values = words.map(numberOf)
    const wrong = words.find((_, i) => Number.isNaN(values[i]))
    if (wrong === undefined && words.length <= count) return values
    throw this.failure(
      `"${excerpt(wrong ?? line)}" is no number`,
      `Has the line up to ${count} numbers of ${width} characters?`,
    )
  }

  *#read(): Generator<string> {
    let rest = ''
    for (const { bytes, readBytes } of this.#file.pieces()) {
      this.readBytes = readBytes
      const lines = (rest + Buffer.from(bytes.buffer).toString('latin1')).split('\n')
      rest = lines.pop()!
      yield* lines
      if (rest.length > LONGEST_LINE) throw this.failure('a line does not end', OTHER)
    }
    if (rest !== '') yield rest
  }

  failure(what: string, remedy: string) {
    const place = `${this.#file.name}:${Math.max(1, this.line)}`
    return inputFailure(place, what, remedy, remedy === OTHER ? [OTHER_FORMAT] : [])
  }
}

const OTHER = 'Is the file of this format?'

type Header = ReturnType<typeof headerOf>
/** Numbers of a line at most, and characters of each. */
type Columns = NonNullable<ReturnType<typeof columnsOf>>

/** The columns of a format of Fortran, such as (26I3), (10(1X,I7)), (1P,4E20.12); null for others. */
function columnsOf(format: string) {
  const form = /^\((?:[-+]?\d*P,?)?(\d*)\(?(?:(\d*)X,)?(\d*)[IEDFG](\d+)(?:\.\d+)?(?:E\d+)?\)?\)$/
  const found = form.exec(format.replaceAll(/\s/g, '').toUpperCase())
  // A column of no characters holds no number.
  if (found === null || Number(found[4]) === 0) return null
  const [, outer, blanks, inner, width] = found
  const skipped = blanks === undefined ? 0 : Number(blanks || 1)
  return { count: Number(outer || 1) * Number(inner || 1), width: Number(width) + skipped }
}

/** Title; numbers of lines; type and size; formats; in Harwell-Boeing files a line about right-hand sides. */
function headerOf(lines: Lines) {
  lines.next()
  const counts = lines.next().trim().split(/\s+/)
  const [, type = '', size = ''] = /^([A-Za-z]{3})\s+(.*)$/.exec(lines.next().trim()) ?? []
  const [rows = NaN, columns = NaN, entries = NaN] = size.trim().split(/\s+/).map(Number)
  const [kind, symmetry, form] = type.toLowerCase()
  if (!'rcpiq'.includes(kind ?? '-') || !'suhzr'.includes(symmetry ?? '-'))
    throw lines.failure(`the type of the matrix is "${excerpt(type)}", not such as rsa, pua or cha`, OTHER)
  if (form !== 'a') throw lines.failure(`the matrix is of the type ${type}: of finite elements`, 'Assemble it first.')
  if (kind === 'q') throw lines.failure('the values are in another file', 'Import the file of type p or r.')
  const sizes = [rows, columns, entries]
  if (sizes.some((count) => !Number.isSafeInteger(count) || count < 0) || rows + columns > MAX_VERTICES)
    throw lines.failure(`the size "${excerpt(size)}" is no number of rows, columns and entries`, OTHER)
  const formats = lines.next().match(/\((?:[^()]|\([^()]*\))*\)/g) ?? []
  const [pointers, indices, values = null] = formats.map(columnsOf)
  if (!pointers || !indices || (kind !== 'p' && values === null))
    throw lines.failure(`the formats "${excerpt(formats.join(' '))}" are none of columns of numbers`, OTHER)
  const isHarwell = Number(counts[4] ?? 0) > 0
  if (isHarwell) lines.next()
  const [isComplex, isSkew] = [kind === 'c', symmetry === 'z']
  return { rows, columns, entries, pointers, indices, values: kind === 'p' ? null : values, isComplex, isSkew }
}

/** 1.5D-03, and 1.5-103 where an exponent has three digits; NaN for what is none. */
function numberOf(word: string): number {
  const text = word.trim()
  return text === '' || /^0[a-z]/i.test(text)
    ? NaN
    : Number(text.replace(/d/i, 'e').replace(/^([-+]?[\d.]+)([-+]\d+)$/, '$1e$2'))
}

async function* read(file: StoredFile, context: ReaderContext): WholeReading {
  const lines = new Lines(file)
  const header = headerOf(lines)
  const { rows, columns, entries } = header
  // Each number takes a character at least.
  if (columns + entries > file.bytes)
    throw file.broken(
      `the header promises ${entries} entries in ${columns} columns, and the file has ${file.bytes} bytes`,
      'Is it complete, or the header wrong?',
    )
  const form = context.ignoreWeights ? null : header.values
  const weighted = form !== null
  requireMemoryFor(
    context,
    8 * columns + (weighted ? 4 * entries : 0),
    'the pattern of the matrix',
    'Write the matrix as Matrix Market',
  )
  const ends = yield* columnEnds(lines, header)
  const kept = new Uint32Array(weighted ? entries : 0)
  const { output, weights } = context
  output.weighted = weighted
  output.next()
  const offset = rows === columns ? 0 : rows
  let [i, entry, column] = [0, 0, 0]
  const add = (row: number, weight: number | null): void => {
    while (entry >= ends[column]!) column++
    entry++
    if (weight !== null) output.add(row, offset + column, weight)
  }
  for (const number of lines.numbers(entries, header.indices)) {
    const row = number - 1
    if (!(Number.isInteger(row) && row >= 0 && row < rows))
      throw lines.failure(`the row ${number} is none of 1 to ${rows}`, 'Is the header right?')
    if (weighted) kept[i] = row
    else add(row, 1)
    if (i++ % PUMP_NUMBERS === 0) yield lines.readBytes
  }
  if (form === null) return matrixOutcome(header, 1, [])
  let real: number | null = null
  for (const number of lines.numbers(header.isComplex ? 2 * entries : entries, form)) {
    if (i++ % PUMP_NUMBERS === 0) yield lines.readBytes
    if (header.isComplex && real === null) {
      real = number
      continue
    }
    const value = real !== null ? Math.hypot(real, number) : header.isSkew ? Math.abs(number) : number
    real = null
    add(
      kept[entry]!,
      weights.apply(value, () => `${file.name}:${lines.line}`, String(value)),
    )
  }
  return matrixOutcome(header, 1, [])
}

/** The ends of the entries of each column. */
function* columnEnds(lines: Lines, { columns, entries, pointers }: Header): Generator<number, Float64Array> {
  const ends = new Float64Array(columns)
  let [column, last] = [-1, 0]
  for (const number of lines.numbers(columns + 1, pointers)) {
    const end = number - 1
    if (column < 0 && end !== 0) throw lines.failure(`the first column begins at ${number}, not at 1`, OTHER)
    if (!(Number.isInteger(end) && end >= last && end <= entries))
      throw lines.failure(
        `column ${column + 1} ends at ${end}, and must between ${last} and ${entries}`,
        'Is it damaged?',
      )
    if (column >= 0) ends[column] = end
    last = end
    if (++column % PUMP_NUMBERS === 0) yield lines.readBytes
  }
  if (last !== entries)
    throw lines.failure(`the columns hold ${last} entries, and the header promises ${entries}`, 'Is the header right?')
  return ends
}

/** Title, counts of lines, a type of three letters, formats. */
const BEGINNING = /^[^\n]*\n[ \t]*\d+(?:[ \t]+\d+){2,4}[ \t]*\r?\n[ \t]*[rcpiq][suhzr][ae][ \t][^\n]*\n[ \t]*\(/i

export const rutherfordBoeing: WholeFormat = {
  kind: 'whole',
  name: 'rutherford-boeing',
  isText: true,
  firstId: 1,
  weights: { rule: 'absolute', zerosAreNone: true },
  recognise: (head) => (BEGINNING.test(head) ? 'its header is one of Rutherford and Boeing' : null),
  read,
}
