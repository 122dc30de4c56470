import { WITHOUT_WEIGHTS } from '../../base/failure.ts'
import type { Fix } from '../../base/failure.ts'
import { wholeNumber } from '../decimal.ts'
import { numbersIn, isNearly, trimmed } from './text-lines.ts'
import { type GraphReader, lineFailure, lineText, type ReaderContext, type ReadOutcome } from '../graph-reader.ts'
import {
  checkedSize,
  type MatrixMarketBanner,
  type MatrixSize,
  parseBanner,
  sizeNumbers,
} from './matrix-market-header.ts'
import { PlainLines, type PlainShape } from '../plain-lines.ts'
import { excerpt } from '../weight-policy.ts'
import type { TextFormat } from './graph-format.ts'

const NEWLINE = 10
const PERCENT = 37

/**
 * Matrix Market: vertex ids are 1-based indices less one; a rectangular matrix is a bipartite graph, rows first, then
 * columns. Of the symmetric kinds one triangle is stored, and the stored entries are what is read. Weights are the values,
 * of complex ones the modulus, of skew-symmetric ones the absolute value (either sign stands in one of the triangles).
 */
export class MatrixMarketReader implements GraphReader {
  line = 0
  readonly #context: ReaderContext
  readonly #plain = new PlainLines()
  readonly #warnings: string[] = []
  #shape: PlainShape | null = null
  #banner: MatrixMarketBanner | null = null
  #size: MatrixSize | null = null
  /** Last comment of three integers: some files carry their sizes in one. */
  #commentedSize: { readonly line: number; readonly numbers: number[] } | null = null
  #values = 0
  #arrayZeros = 0

  constructor(context: ReaderContext) {
    this.#context = context
  }

  readLines(bytes: Uint8Array, start: number, end: number): void {
    let at = start
    while (at < end) {
      if (this.#shape !== null && this.#size !== null) {
        const most = this.#size.entries - this.#values
        at = this.#plain.read(bytes, at, end, most, this.#shape, this.#context.output)
        this.line += this.#plain.lines
        this.#values += this.#plain.lines
        this.#context.weights.absolute += this.#plain.negatives
        if (at >= end) return
      }
      const newline = bytes.indexOf(NEWLINE, at)
      this.line++
      this.#anyLine(trimmed(bytes, at, newline))
      at = newline + 1
    }
  }

  get plainShape(): PlainShape | null {
    return this.#size === null ? null : this.#shape
  }

  tookLines(lines: number, negatives: number): void {
    const { entries } = this.#size!
    this.line += lines
    this.#values += lines
    this.#context.weights.absolute += negatives
    if (this.#values <= entries) return
    this.line -= this.#values - entries - 1
    throw this.#failure(`the header promises ${entries} entries, and here is one more`, 'Is the header right?')
  }

  finish(): ReadOutcome {
    const size = this.#size
    if (size === null) throw this.#failure('the file ends before its size line', 'Is it complete?')
    if (this.#values !== size.entries)
      throw this.#failure(
        `the header promises ${size.entries} entries, and the file ends after ${this.#values}`,
        'Is the file complete, or the header wrong?',
      )
    if (this.#arrayZeros > 0)
      this.#warnings.push(`${this.#arrayZeros} zeros of the dense matrix are no edges and not among the entries`)
    const { rows, columns } = size
    if (rows !== columns)
      this.#warnings.push(`bipartite: rows are the vertices 1 to ${rows}, column j is the vertex ${rows} + j`)
    if (rows === columns) return { vertices: { kind: 'counted', vertices: rows, base: 1 }, warnings: this.#warnings }
    const sides = { left: rows, right: columns }
    return { vertices: { kind: 'counted', vertices: rows + columns, base: 1 }, warnings: this.#warnings, sides }
  }

  #anyLine(line: Uint8Array): void {
    if (this.#banner === null) {
      this.#banner = parseBanner(this.#context.source, this.#text(line))
    } else if (line[0] === PERCENT) {
      this.#comment(line)
    } else if (line.length > 0) {
      if (this.#size !== null || this.#readSize(line, this.#banner)) this.#value(line, this.#banner, this.#size!)
    }
  }

  #comment(line: Uint8Array): void {
    if (this.#size !== null || line.length > 100) return
    const numbers = sizeNumbers(this.#text(line).replace(/^%+/, ''), 3)
    if (numbers !== null) this.#commentedSize = { line: this.line, numbers }
  }

  /** True when the line turned out to be an entry already, its size line being commented out. */
  #readSize(line: Uint8Array, banner: MatrixMarketBanner): boolean {
    const { source } = this.#context
    const text = this.#text(line)
    const numbers = sizeNumbers(text, banner.layout === 'coordinate' ? 3 : 2)
    if (numbers !== null) {
      this.#start(banner, checkedSize(source, this.line, banner, numbers))
      return false
    }
    const commented = this.#commentedSize
    if (banner.layout !== 'coordinate' || commented === null || sizeNumbers(text, 2) === null)
      throw this.#failure(
        `the size line reads "${excerpt(text)}"`,
        banner.layout === 'coordinate' ? 'Write: rows columns entries.' : 'Write: rows columns.',
      )
    this.#warnings.push(`the size line was found in the comment of line ${commented.line}`)
    this.#start(banner, checkedSize(source, commented.line, banner, commented.numbers))
    return true
  }

  #start(banner: MatrixMarketBanner, size: MatrixSize): void {
    const { output, weights, ignoreWeights } = this.#context
    this.#size = size
    output.weighted = banner.field !== 'pattern' && !ignoreWeights
    output.next()
    if (banner.layout === 'array' || banner.field === 'complex') return
    this.#shape = {
      delimiter: 0,
      weighted: output.weighted,
      absolute: weights.rule === 'absolute' && banner.symmetry !== 'skew-symmetric',
      skipRest: ignoreWeights && banner.field !== 'pattern',
      base: 1,
      fromLimit: size.rows,
      toLimit: size.columns,
      toShift: size.rows === size.columns ? 0 : size.rows,
    }
  }

  #value(line: Uint8Array, banner: MatrixMarketBanner, size: MatrixSize): void {
    if (this.#values >= size.entries)
      throw this.#failure(`the header promises ${size.entries} entries, and here is one more`, 'Is the header right?')
    const words = this.#text(line).split(/\s+/)
    const ids = banner.layout === 'coordinate' ? 2 : 0
    const values = banner.field === 'pattern' ? 0 : banner.field === 'complex' ? 2 : 1
    if (words.length < ids + values)
      throw this.#failure(
        `${words.length} columns where a ${banner.layout} matrix of ${banner.field} has ${ids + values}`,
        'Add what is missing; is the file complete?',
      )
    if (words.length > ids + values)
      throw this.#failure(
        `${words.length} columns where a ${banner.layout} matrix of ${banner.field} has ${ids + values}`,
        'Is the banner right?',
      )
    if (banner.layout === 'array') this.#arrayValue(line, words, banner, size)
    else {
      const from = this.#index(words[0]!, 'row', size.rows)
      const to = this.#index(words[1]!, 'column', size.columns)
      this.#entry(from, to, this.#number(line, words.slice(2), banner), words.slice(2).join(' '), banner)
    }
    this.#values++
  }

  #arrayValue(line: Uint8Array, words: string[], banner: MatrixMarketBanner, size: MatrixSize): void {
    const [row, column] = arrayPlace(this.#values, size.rows, banner.symmetry)
    const value = this.#number(line, words, banner)
    if (value === 0) this.#arrayZeros++
    else this.#entry(row, column, value, words.join(' '), banner)
  }

  #entry(row: number, column: number, value: number, text: string, banner: MatrixMarketBanner): void {
    const { output, weights, source } = this.#context
    const { rows, columns } = this.#size!
    let weight: number | null = 1
    if (output.weighted) {
      const magnitude = banner.symmetry === 'skew-symmetric' ? Math.abs(value) : value
      weight = weights.apply(magnitude, () => `${source}:${this.line}`, text)
    }
    if (weight !== null) output.add(row, column + (rows === columns ? 0 : rows), weight)
  }

  /** The 0-based index that a word stands for. */
  #index(word: string, noun: string, limit: number): number {
    if (!/^\+?\d+$/.test(word))
      throw this.#failure(
        `the ${noun} "${excerpt(word)}" is ${/^-\d/.test(word) ? 'negative' : 'not a whole number'}`,
        'Indices are integers from 1.',
      )
    const index = Number(word)
    if (index === 0) throw this.#failure(`the ${noun} is 0, and Matrix Market counts from 1`, 'Add 1 to every index.')
    if (index > limit)
      throw this.#failure(`${noun} ${word} is past the header's ${limit} ${noun}s`, 'Is the header right?')
    return index - 1
  }

  /** The value of an entry, or its modulus; 1 for patterns and where weights are ignored. */
  #number(line: Uint8Array, words: string[], banner: MatrixMarketBanner): number {
    if (words.length === 0 || (this.#context.ignoreWeights && banner.layout === 'coordinate')) return 1
    const parts = words.map((word) => {
      const bytes = Uint8Array.from(word, (c) => c.charCodeAt(0))
      return wholeNumber(bytes, 0, bytes.length) ?? NaN
    })
    if (parts.some((part) => Number.isNaN(part)))
      throw this.#failure(`the value in "${excerpt(line)}" is not a number`, 'Mend it.', [WITHOUT_WEIGHTS])
    return parts.length === 2 ? Math.hypot(parts[0]!, parts[1]!) : parts[0]!
  }

  #text(line: Uint8Array): string {
    return lineText(line, this.#context.source, this.line)
  }

  #failure(what: string, remedy: string, fixes?: readonly Fix[]) {
    return lineFailure(this.#context.source, Math.max(1, this.line), what, remedy, fixes)
  }
}

/** Row and column, from 0, of the value number k of a dense matrix: column after column, of the symmetric kinds the lower triangle. */
export function arrayPlace(k: number, rows: number, symmetry: MatrixMarketBanner['symmetry']): [number, number] {
  if (symmetry === 'general') return [k % rows, Math.floor(k / rows)]
  const diagonal = symmetry === 'skew-symmetric' ? 1 : 0
  const length = rows - diagonal
  // Columns 0 to c - 1 hold c * length - c (c - 1) / 2 values.
  const before = (c: number) => c * length - (c * (c - 1)) / 2
  let column = Math.floor(length + 0.5 - Math.sqrt(Math.max(0, (length + 0.5) ** 2 - 2 * k)))
  while (column > 0 && before(column) > k) column--
  while (before(column + 1) <= k) column++
  return [column + diagonal + (k - before(column)), column]
}

export const matrixMarket: TextFormat = {
  kind: 'text',
  name: 'matrix-market',
  written: ['matrix-market'],
  words: {
    files: '`.mtx`',
    recognisedBy: 'the banner `%%MatrixMarket`, whatever the file is called',
    vertices: '1 to n; rectangular: rows, then columns',
  },
  promisedBy: { ends: ['.mtx', '.mm'] },
  firstId: 1,
  // Values of either sign are common in matrices, and some files write zeros for a pattern.
  weights: { rule: 'absolute', zeroMeansPattern: true },
  recognise: (text) => (isNearly(text, '%%MatrixMarket') ? 'the first line is a Matrix Market banner' : null),
  stated: (lines) => {
    const [rows = NaN, columns = NaN, entries = NaN] = numbersIn(
      lines.find((line) => line.trim() !== '' && !line.startsWith('%')),
    )
    const vertices = rows === columns ? rows : rows + columns
    const weighted = !/\bpattern\b/i.test(lines[0] ?? '')
    return Number.isNaN(entries) ? null : { vertices, entries, weighted }
  },
  open: (context) => new MatrixMarketReader(context),
}
