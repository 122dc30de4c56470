/**
 * Matrix Market (R. F. Boisvert, R. Pozo, K. Remington, "The Matrix Market Exchange Formats", NISTIR 5935, 1996): a banner, or what a collection
 * writes in its place, comments, a line of sizes, and an entry a line, or the values of a dense matrix by columns. A square matrix has its rows as
 * vertices, a rectangular one its rows, then its columns; of the symmetric kinds the stored triangle is read. Weights are the values, of complex
 * ones the modulus, of skew-symmetric ones the absolute value; stored zeros go by one rule. The first entry decides whether there are values, as
 * collections also give matrices of "real" without any. Memory holds a line; threads parse ordinary lines.
 */

import { counted } from '../../base/counted.ts'
import { excerpt, inputFailure, OTHER_FORMAT, WITHOUT_WEIGHTS } from '../../base/failure.ts'
import type { ReadOutcome } from '../reader/graph-reader.ts'
import { numberOf } from '../reader/numbers.ts'
import type { TextFormat } from './graph-format.ts'
import { type IdBound, isNearly, LineReader } from './text-reader.ts'

const PERCENT = 37

const layouts = ['coordinate', 'array'] as const
/** SciPy writes unsigned-integer, which its own reader alone knows. */
const fields = ['real', 'integer', 'unsigned-integer', 'complex', 'pattern'] as const
const symmetries = ['general', 'symmetric', 'skew-symmetric', 'hermitian'] as const

interface Banner {
  readonly layout: (typeof layouts)[number]
  readonly field: (typeof fields)[number]
  readonly symmetry: (typeof symmetries)[number]
}

interface Size {
  readonly rows: number
  readonly columns: number
  /** Promised values. */
  readonly entries: number
}

/** What a list of sizes and entries without a banner is read as. */
const PLAIN_BANNER: Banner = { layout: 'coordinate', field: 'real', symmetry: 'general' }

const BANNER = '%%MatrixMarket'
const isBanner = (text: string): boolean => /^%%?MatrixMarket(?:\s|$)/i.test(text)

/** @throws Failure (input) at the place of the banner */
function parseBanner(where: string, text: string): Banner {
  const [, object, layout, field, symmetry] = text.trim().toLowerCase().split(/\s+/)
  const fail = (what: string) =>
    inputFailure(where, what, 'The first line reads: %%MatrixMarket matrix coordinate real general.', [OTHER_FORMAT])
  if (!isBanner(text)) throw fail(`there is no Matrix Market banner but "${excerpt(text)}"`)
  if (object !== 'matrix') throw fail(`the banner names the object "${object ?? ''}"; only a matrix is a graph`)
  const pick = <T extends string>(word: string | undefined, known: readonly T[], noun: string): T => {
    const found = known.find((name) => name === word)
    if (found === undefined) throw fail(`the banner's ${noun} is "${word ?? ''}", not one of ${known.join(', ')}`)
    return found
  }
  const parsed = {
    layout: pick(layout, layouts, 'layout'),
    field: pick(field, fields, 'field'),
    symmetry: pick(symmetry, symmetries, 'symmetry'),
  }
  if (parsed.layout === 'array' && parsed.field === 'pattern') throw fail('an array of pattern holds no values')
  if (parsed.symmetry === 'hermitian' && parsed.field !== 'complex') throw fail('only complex matrices are hermitian')
  return parsed
}

/** null where `text` is not `count` whole numbers */
function sizeNumbers(text: string, count: number): number[] | null {
  const words = text.trim().split(/\s+/)
  return words.length === count && words.every((word) => /^\d{1,16}$/.test(word)) ? words.map(Number) : null
}

/**
 * Rows are the first vertices of a rectangular matrix, columns follow. Of the symmetric kinds the stored triangle is
 * read. Weights are the values, of complex ones the modulus, of skew-symmetric ones the absolute value.
 */
class MatrixMarketReader extends LineReader {
  #banner: Banner | null = null
  #first = ''
  #size: Size | null = null
  #bounds = { row: boundOf('row', 0), column: boundOf('column', 0) }
  /** Some files have their sizes in a comment of three integers. */
  #commentedSize: { readonly line: number; readonly numbers: number[] } | null = null
  /** The row of the next value of a dense matrix, from 0. */
  #row = 0
  #column = 0
  #arrayZeros = 0
  /** Lines with a value where the banner says that there are none. */
  #extraValues = 0
  /** The banner says that there are values, and the first entry has none. */
  #isBare = false
  /** The first entry was seen. */
  #isOpen = false

  get countedVertices(): number | undefined {
    return this.#size?.rows
  }

  protected override get mostPlain(): number {
    return this.#size!.entries - this.entries
  }

  override tookLines(lines: number, negatives: number): void {
    super.tookLines(lines, negatives)
    const tooMany = this.entries - this.#size!.entries
    if (tooMany <= 0) return
    this.line -= tooMany - 1
    throw this.#oneMore(this.#size!)
  }

  finish(): ReadOutcome {
    const size = this.#size
    if (size === null) throw this.failure('the file ends before its size line', 'Is it complete?')
    if (this.entries !== size.entries)
      throw this.unkept('the header', `${size.entries} entries`, `ends after ${this.entries}`)
    if (!this.#isOpen) this.begin(this.#banner!.field !== 'pattern')
    if (this.#extraValues > 0)
      this.warnings.push(
        `the banner says pattern, and ${counted(this.#extraValues, 'entry has', 'entries have')} a value, which was left out; write real into the banner to keep them`,
      )
    if (this.#arrayZeros > 0)
      this.warnings.push(
        `${counted(this.#arrayZeros, 'zero of the dense matrix is no edge', 'zeros of the dense matrix are no edges')} and not among the entries`,
      )
    return matrixOutcome(size, 1, this.warnings)
  }

  protected anyLine(line: Uint8Array): void {
    if (this.#banner === null) this.#begun(line)
    else if (line[0] === PERCENT) {
      this.tally.comments++
      this.#comment(line)
    } else if (line.length === 0) {
      this.tally.blank++
    } else {
      if (this.#size !== null || this.#readSize(line, this.#banner)) this.#value(line, this.#banner, this.#size!)
    }
  }

  /** A banner, a comment in front of it, or sizes without one. */
  #begun(line: Uint8Array): void {
    const text = this.text(line)
    if (this.#first === '') this.#first = text
    if (line[0] === PERCENT && !isNearly(text, BANNER)) {
      this.tally.comments++
      return
    }
    if (sizeNumbers(text, 3) !== null) {
      const words = `line ${this.line} was taken for the numbers of rows, columns and entries`
      this.warnings.push(`there is no banner of Matrix Market: ${words}`)
      this.#banner = PLAIN_BANNER
      this.#readSize(line, PLAIN_BANNER)
      return
    }
    this.#banner = isNearly(text, BANNER)
      ? parseBanner(this.place, text)
      : parseBanner(`${this.context.source}:1`, this.#first)
    if (line[1] !== PERCENT)
      this.warnings.push('its banner begins with one percent sign, and Matrix Market asks for two')
    this.tally.header++
  }

  #comment(line: Uint8Array): void {
    if (this.#size !== null || line.length > 100) return
    const numbers = sizeNumbers(this.text(line).replace(/^%+/, ''), 3)
    if (numbers !== null) this.#commentedSize = { line: this.line, numbers }
  }

  /** True where the line is an entry already, its size line being a comment. */
  #readSize(line: Uint8Array, banner: Banner): boolean {
    const text = this.text(line)
    const isSparse = banner.layout === 'coordinate'
    const numbers = sizeNumbers(text, isSparse ? 3 : 2)
    if (numbers !== null) {
      this.tally.header++
      this.#start(banner, numbers, this.line)
      return false
    }
    const commented = this.#commentedSize
    if (!isSparse || commented === null || sizeNumbers(text, 2) === null)
      throw this.failure(
        `the size line reads "${excerpt(text)}"`,
        isSparse ? 'Write: rows columns entries.' : 'Write: rows columns.',
      )
    this.warnings.push(`the size line was found in the comment of line ${commented.line}`)
    this.tally.comments--
    this.tally.header++
    this.#start(banner, commented.numbers, commented.line)
    return true
  }

  #start({ symmetry }: Banner, numbers: number[], line: number): void {
    const { source } = this.context
    const [rows, columns] = numbers as [number, number]
    if (symmetry !== 'general' && rows !== columns)
      throw inputFailure(
        `${source}:${line}`,
        `a ${symmetry} matrix of ${rows} x ${columns} is not square`,
        'Mend the header.',
      )
    const isSquare = rows === columns
    this.requireRoom(isSquare ? rows : rows + columns, undefined, line)
    const diagonal = symmetry === 'skew-symmetric' ? -1 : 1
    const values = symmetry === 'general' ? rows * columns : (rows * (rows + diagonal)) / 2
    this.#size = { rows, columns, entries: numbers[2] ?? values }
    this.#bounds = { row: boundOf('row', rows), column: boundOf('column', columns) }
    this.#row = firstRow(0, symmetry)
  }

  /** Decides by the first entry whether there are values: some files of "real" have none. */
  #open(banner: Banner, columns: number): Banner {
    const { weights, ignoreWeights } = this.context
    const { layout, symmetry } = banner
    const { rows, columns: width } = this.#size!
    const isBare = layout === 'coordinate' && columns === 2 && banner.field !== 'pattern'
    if (isBare && banner !== PLAIN_BANNER)
      this.warnings.push(`the banner says ${banner.field}, and the entries have no values: they are a pattern`)
    const field = isBare ? 'pattern' : banner.field
    this.#banner = { ...banner, field }
    this.#isBare = isBare
    this.begin(field !== 'pattern')
    this.#isOpen = true
    if (layout === 'array' || field === 'complex') return this.#banner
    const isSquare = rows === width
    this.shape = this.shapeWith({
      absolute: weights.rule === 'absolute' && symmetry !== 'skew-symmetric',
      skipRest: ignoreWeights && field !== 'pattern',
      base: 1,
      fromLimit: rows,
      toLimit: width,
      toShift: isSquare ? 0 : rows,
    })
    return this.#banner
  }

  #value(line: Uint8Array, found: Banner, size: Size): void {
    if (this.entries >= size.entries) throw this.#oneMore(size)
    const words = this.text(line).split(/\s+/)
    const banner = this.#isOpen ? found : this.#open(found, words.length)
    const { layout, field, symmetry } = banner
    const ids = layout === 'coordinate' ? 2 : 0
    if (found.field === 'pattern' && !this.#isBare && words.length === 3 && !Number.isNaN(numberOf(words[2]!))) {
      this.#extraValues++
      words.pop()
    }
    const wanted = ids + (field === 'pattern' ? 0 : field === 'complex' ? 2 : 1)
    if (words.length !== wanted)
      throw this.failure(
        `${words.length} columns where a ${layout} matrix of ${field} has ${wanted}`,
        words.length < wanted ? 'Add what is missing; is the file complete?' : 'Is the banner right?',
      )
    const values = words.slice(ids)
    if (layout === 'array') {
      const value = this.#number(line, values)
      if (value === 0) this.#zero()
      else this.#entry(this.#row, this.#column, value, values, banner)
      if (++this.#row === size.rows) this.#row = firstRow(++this.#column, symmetry)
    } else {
      const row = this.#index(words[0]!, 'row', size.rows)
      const column = this.#index(words[1]!, 'column', size.columns)
      const isRead = values.length > 0 && !this.context.ignoreWeights
      this.#entry(row, column, isRead ? this.#number(line, values) : 1, values, banner)
    }
    this.entries++
  }

  #zero(): void {
    this.#arrayZeros++
    this.tally.dropped++
  }

  #entry(row: number, column: number, value: number, text: string[], { symmetry }: Banner): void {
    const { output } = this.context
    const { rows, columns } = this.#size!
    const magnitude = symmetry === 'skew-symmetric' ? Math.abs(value) : value
    const weight = output.weighted ? this.weightOf(magnitude, text.join(' ')) : 1
    if (weight !== null) output.add(row, column + (rows === columns ? 0 : rows), weight)
  }

  /** From 0. */
  #index(word: string, noun: 'row' | 'column', limit: number): number {
    return this.id(word.replace(/^\+(?=\d)/, ''), limit, this.#bounds[noun])
  }

  /** Or its modulus. */
  #number(line: Uint8Array, words: string[]): number {
    const [real, imaginary = 0] = words.map(asWritten) as [number, number?]
    if (Number.isNaN(real) || Number.isNaN(imaginary))
      throw this.failure(`the value in "${excerpt(line)}" is not a number`, 'Mend it.', [WITHOUT_WEIGHTS])
    return words.length === 2 ? Math.hypot(real, imaginary) : real
  }

  #oneMore({ entries }: Size) {
    return this.failure(`the header promises ${entries} entries, and here is one more`, 'Is the header right?')
  }
}

const boundOf = (noun: string, limit: number): IdBound => {
  const past = `the header's ${limit} ${noun}s`
  return { noun, past, mend: 'Is the header right?', format: 'Matrix Market', plural: 'Indices' }
}

/** A number; Fortran writes exponents of double precision with a D. */
const asWritten = (word: string): number =>
  numberOf(/^[+-]?[\d.]+d[+-]?\d+$/i.test(word) ? word.replace(/d/i, 'e') : word)

/** The outcome of a matrix: of a rectangular one rows are the first vertices, columns follow. */
export function matrixOutcome(
  { rows, columns }: Pick<Size, 'rows' | 'columns'>,
  base: 0 | 1,
  warnings: readonly string[],
): ReadOutcome {
  if (rows === columns) return { vertices: { kind: 'counted', vertices: rows, base }, warnings }
  const last = rows - 1 + base
  const words = `bipartite: rows are the vertices ${base} to ${last}, column j is the vertex ${rows} + j`
  return {
    vertices: { kind: 'counted', vertices: rows + columns, base },
    warnings: [...warnings, words],
    sides: { left: rows, right: columns },
  }
}

/** The first row stored of a column of a dense matrix: of the symmetric kinds the lower triangle is. */
const firstRow = (column: number, symmetry: Banner['symmetry']): number =>
  symmetry === 'general' ? 0 : symmetry === 'skew-symmetric' ? column + 1 : column

export const matrixMarket: TextFormat = {
  kind: 'text',
  name: 'matrix-market',
  promisedBy: { ends: ['.mtx', '.mm'] },
  firstId: 1,
  hasHeader: true,
  // Values of either sign are common in matrices, and some files write zeros for a pattern.
  weights: { rule: 'absolute', zerosAreNone: true },
  recognise: (text) =>
    isNearly(text.replace(/^%%GraphBLAS\b[^\n]*\n/i, ''), BANNER) ? 'the first line is a Matrix Market banner' : null,
  stated: (lines) => {
    const size = sizeNumbers(lines.find((line) => line.trim() !== '' && !line.startsWith('%')) ?? '', 3)
    if (size === null) return null
    const [rows, columns, entries] = size as [number, number, number]
    const weighted = !lines.some((line) => /^%%?MatrixMarket.*\bpattern\b/i.test(line))
    return { vertices: rows === columns ? rows : rows + columns, entries, weighted }
  },
  open: (context) => new MatrixMarketReader(context),
}
