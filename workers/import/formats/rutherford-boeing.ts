import { inputFailure, OTHER_FORMAT } from '../../base/failure.ts'
import { lineFailure, MAX_VERTICES, type ReadOutcome, requireMemoryFor } from '../graph-reader.ts'
import { excerpt } from '../weight-policy.ts'
import type { WholeFormat } from './graph-format.ts'
import { matrixOutcome } from './matrix-market.ts'
import type { BinaryContext, StoredFile } from './stored-file.ts'

const CHUNK_BYTES = 1 << 18
const PUMP_NUMBERS = 1 << 16
const LONGEST_LINE = 1 << 16

/** Lines of a file with their numbers. */
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

  *#read(): Generator<string> {
    const file = this.#file
    let rest = ''
    for (let at = 0; at < file.bytes; at = this.readBytes) {
      const bytes = file.read(at, Math.min(CHUNK_BYTES, file.bytes - at))
      this.readBytes = at + bytes.length
      const lines = (rest + Buffer.from(bytes.buffer).toString('latin1')).split('\n')
      rest = lines.pop()!
      yield* lines
      if (rest.length > LONGEST_LINE) throw this.failure('a line does not end', OTHER)
    }
    if (rest !== '') yield rest
  }

  failure(what: string, remedy: string) {
    return lineFailure(this.#file.name, Math.max(1, this.line), what, remedy, remedy === OTHER ? [OTHER_FORMAT] : [])
  }
}

const OTHER = 'Is the file of this format?'

interface Header {
  readonly rows: number
  readonly columns: number
  readonly entries: number
  readonly isComplex: boolean
  readonly isSkew: boolean
  readonly pointers: Columns
  readonly indices: Columns
  /** null for a pattern. */
  readonly values: Columns | null
}

interface Columns {
  /** Numbers of a line at most, and characters of each. */
  readonly count: number
  readonly width: number
}

/** Of a format of Fortran, such as (26I3), (10(1X,I7)), (1P,4E20.12); null for others. */
function columnsOf(format: string): Columns | null {
  const form = /^\((?:[-+]?\d*P,?)?(\d*)\(?(?:(\d*)X,)?(\d*)[IEDFG](\d+)(?:\.\d+)?(?:E\d+)?\)?\)$/
  const found = form.exec(format.replaceAll(/\s/g, '').toUpperCase())
  if (found === null) return null
  const [, outer, blanks, inner, width] = found
  const skipped = blanks === undefined ? 0 : Number(blanks || 1)
  return { count: Number(outer || 1) * Number(inner || 1), width: Number(width) + skipped }
}

/** Title; numbers of lines; type and size; formats; in Harwell-Boeing files a line about right-hand sides. */
function headerOf(lines: Lines): Header {
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
  return {
    ...{ rows, columns, entries, pointers, indices, values: kind === 'p' ? null : values },
    isComplex: kind === 'c',
    isSkew: symmetry === 'z',
  }
}

/** 1.5D-03, and 1.5-103 where an exponent has three digits; NaN for what is none. */
function numberOf(word: string): number {
  const text = word.trim()
  return text === '' ? NaN : Number(text.replace(/d/i, 'e').replace(/^([-+]?[\d.]+)([-+]\d+)$/, '$1e$2'))
}

/** Numbers in columns, often without blanks between them; SciPy's are narrower than it says, with blanks. */
class Numbers {
  readonly #lines: Lines
  readonly #columns: Columns
  #values: readonly number[] = []
  #next = 0

  constructor(lines: Lines, columns: Columns) {
    this.#lines = lines
    this.#columns = columns
  }

  next(): number {
    while (this.#next === this.#values.length) {
      this.#values = this.#valuesOf(this.#lines.next().trimEnd())
      this.#next = 0
    }
    return this.#values[this.#next++]!
  }

  /** @throws Failure (input) where the last line has more */
  end(): void {
    if (this.#next < this.#values.length)
      throw this.#lines.failure('there are more numbers than the header promises', 'Is the header right?')
  }

  #valuesOf(line: string): number[] {
    const { count, width } = this.#columns
    const inColumns = Array.from({ length: Math.ceil(line.length / width) }, (_, i) =>
      numberOf(line.slice(i * width, (i + 1) * width)),
    )
    if (inColumns.length <= count && !inColumns.some(Number.isNaN)) return inColumns
    const words = line.trim().split(/\s+/)
    const values = words.map(numberOf)
    const wrong = words.find((_, i) => Number.isNaN(values[i]))
    if (wrong === undefined && words.length <= count) return values
    throw this.#lines.failure(
      `"${excerpt(wrong ?? line)}" is no number`,
      `Has the line up to ${count} numbers of ${width} characters?`,
    )
  }
}

async function read(file: StoredFile, context: BinaryContext): Promise<ReadOutcome> {
  const lines = new Lines(file)
  const header = headerOf(lines)
  const { rows, columns, entries } = header
  // Each number takes a character at least.
  if (columns + entries > file.bytes)
    throw inputFailure(
      file.name,
      `the header promises ${entries} entries in ${columns} columns, and the file has ${file.bytes} bytes`,
      'Is it complete, or the header wrong?',
      [OTHER_FORMAT],
    )
  const form = context.ignoreWeights ? null : header.values
  const weighted = form !== null
  requireMemoryFor(
    context,
    8 * columns + (weighted ? 4 * entries : 0),
    'the pattern of the matrix',
    'Write the matrix as Matrix Market',
  )
  const pump = async (count: number): Promise<void> => {
    if (count % PUMP_NUMBERS === 0) await context.pump(lines.readBytes)
  }
  const ends = await columnEnds(lines, header, pump)
  const indices = new Numbers(lines, header.indices)
  const kept = weighted ? new Uint32Array(entries) : null
  const { output, weights } = context
  output.weighted = weighted
  output.next()
  const offset = rows === columns ? 0 : rows
  let column = 0
  const columnOf = (entry: number): number => {
    while (entry >= ends[column]!) column++
    return offset + column
  }
  for (let i = 0; i < entries; i++) {
    const row = indices.next() - 1
    if (!(Number.isInteger(row) && row >= 0 && row < rows))
      throw lines.failure(`the row ${row + 1} is none of 1 to ${rows}`, 'Is the header right?')
    if (kept === null) output.add(row, columnOf(i), 1)
    else kept[i] = row
    await pump(i)
  }
  indices.end()
  if (form === null) return matrixOutcome(header, 1, [])
  column = 0
  const values = new Numbers(lines, form)
  for (let i = 0; i < entries; i++) {
    const real = values.next()
    const value = header.isComplex ? Math.hypot(real, values.next()) : header.isSkew ? Math.abs(real) : real
    const weight = weights.apply(value, () => `${file.name}:${lines.line}`, String(value))
    if (weight !== null) output.add(kept![i]!, columnOf(i), weight)
    await pump(i)
  }
  values.end()
  return matrixOutcome(header, 1, [])
}

/** Where the entries of each column end. */
async function columnEnds(
  lines: Lines,
  { columns, entries, pointers }: Header,
  pump: (count: number) => Promise<void>,
) {
  const numbers = new Numbers(lines, pointers)
  const ends = new Float64Array(columns)
  let last = numbers.next() - 1
  if (last !== 0) throw lines.failure(`the first column begins at ${last + 1}, not at 1`, OTHER)
  for (let i = 0; i < columns; i++) {
    const end = numbers.next() - 1
    if (!(Number.isInteger(end) && end >= last && end <= entries))
      throw lines.failure(`column ${i + 1} ends at ${end}, and must between ${last} and ${entries}`, 'Is it damaged?')
    ends[i] = last = end
    await pump(i)
  }
  numbers.end()
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
  promisedBy: { ends: ['.rb', '.hb', '.rua', '.rsa', '.rra', '.pua', '.psa', '.pra', '.cua', '.csa'] },
  weights: { rule: 'absolute', zeroMeansPattern: true },
  recogniseText: (head) => (BEGINNING.test(head) ? 'its header is one of Rutherford and Boeing' : null),
  read,
}
