/**
 * The base of all readers of text: the line that is read, what is warned of and refused with its place, and the fast path for ordinary lines
 * (plain-lines.ts), which a reader describes by a shape. A reader takes one line at a time and may change the shape with any; threads parse the
 * lines between. graph-format.ts has the descriptor that makes a reader.
 */

import { excerpt, type Failure, type Fix, inputFailure, OTHER_FORMAT } from '../../base/failure.ts'
import {
  type GraphReader,
  type OtherReading,
  type ReaderContext,
  type ReadOutcome,
  requireIds,
} from '../reader/graph-reader.ts'
import { type LineTally, newTally } from '../reader/line-tally.ts'
import { numberOf } from '../reader/numbers.ts'
import { PlainLines, type PlainShape } from '../reader/plain-lines.ts'
import { BadRow } from '../reader/policies.ts'
import type { DigitCounts } from '../reader/weight-codes.ts'
import { trimmed } from './table-lines.ts'

const NEWLINE = 10
/** The most bytes of a line of a few numbers. */
const MOST_NUMBERS_BYTES = 64 << 10
const latin1 = new TextDecoder('latin1')

/** What ids are, what one is past, and what may be wrong then, in words. */
export interface IdBound {
  readonly noun: string
  readonly past: string
  readonly mend: string
  readonly format: string
  readonly plural?: string
}

/** The line, the warnings and the refusals of readers of text. */
export abstract class TextReader implements GraphReader {
  line = 0
  other: OtherReading | null = null
  readonly linesAreEntries: boolean = false
  readonly tally: LineTally = newTally()
  protected readonly context: ReaderContext
  protected readonly warnings: string[] = []

  constructor(context: ReaderContext) {
    this.context = context
  }

  abstract readLines(bytes: Uint8Array, start: number, end: number): void
  abstract finish(): ReadOutcome | OtherReading

  protected get place(): string {
    return `${this.context.source}:${this.line}`
  }

  /** Before the first entry. */
  protected begin(isWeighted: boolean): void {
    const { output, ignoreWeights } = this.context
    output.weighted = isWeighted && !ignoreWeights
    output.next()
  }

  protected counted(vertices: number, base: 0 | 1): ReadOutcome {
    return { vertices: { kind: 'counted', vertices, base }, warnings: this.warnings }
  }

  /** null where the entry is dropped */
  protected weightOf(value: number, text: Uint8Array | string): number | null {
    return this.context.weights.apply(value, () => this.place, text)
  }

  protected requireRoom(vertices: number, words = String(vertices), line = this.line): void {
    requireIds(`${this.context.source}:${line}`, vertices, words)
  }

  /** A line of a few numbers, whole. */
  protected text(line: Uint8Array): string {
    if (line.length <= MOST_NUMBERS_BYTES) return latin1.decode(line)
    throw this.failure(
      `this line has ${line.length} bytes, and a line of this format holds a few numbers`,
      'Is the file of this format, and its ends of lines whole?',
      [OTHER_FORMAT],
    )
  }

  /** Under the rule for weights. @param weight as written; not read where the graph goes without */
  protected entry(from: number, to: number, weight: string | undefined): void {
    const { output } = this.context
    const kept = output.weighted ? this.weightOf(numberOf(weight!), weight!) : 1
    if (kept !== null) output.add(from, to, kept)
  }

  /** The id of a vertex from `base` on, less base. @throws Failure (input) */
  protected id(word: string, limit: number, bound: IdBound, base = 1): number {
    const id = Number(word)
    if (/^\d+$/.test(word) && id >= base && id - base < limit) return id - base
    throw this.badId(word, bound)
  }

  /** Why a word is no id from 1. */
  protected badId(word: string, { noun, past, mend, format, plural = 'Vertices' }: IdBound): Failure {
    const each = plural === 'Indices' ? 'index' : 'id'
    if (/^0+$/.test(word))
      return this.failure(`the ${noun} is 0, and ${format} counts from 1`, `Add 1 to every ${each}.`)
    if (/^\d+$/.test(word)) return this.failure(`${noun} ${excerpt(word)} is past ${past}`, mend)
    const kind = /^-\d+$/.test(word) ? 'negative' : 'not a whole number'
    return this.failure(`the ${noun} "${excerpt(word)}" is ${kind}`, `${plural} are integers from 1.`)
  }

  /** @param place of the promise: the header, the second line */
  protected unkept(place: string, promised: string, found: string): Failure {
    const what = `${place} promises ${promised}, and the file ${found}`
    return this.failure(what, `Is the file complete, or ${place} wrong?`)
  }

  protected badRow(rule: BadRow['rule'], what: string, remedy: string, fixes?: readonly Fix[]): BadRow {
    return new BadRow(rule, this.place, what, remedy, fixes)
  }

  protected failure(what: string, remedy: string, fixes?: readonly Fix[]): Failure {
    return inputFailure(`${this.context.source}:${Math.max(1, this.line)}`, what, remedy, fixes)
  }
}

/** Takes one line at a time; ordinary ones are parsed by the fast path. */
export abstract class LineReader extends TextReader {
  override readonly linesAreEntries = true
  /** The shape of ordinary lines; null while there are none. */
  protected shape: PlainShape | null = null
  /** Those listed so far, also those that are dropped. */
  protected entries = 0
  readonly #plain = new PlainLines()

  /** Ordinary lines from here on. */
  protected get ordinary(): PlainShape | null {
    return this.shape
  }

  get plainShape(): PlainShape | null {
    return this.ordinary
  }

  /** The shape of two ids from 0 between blanks, and a weight if the graph has some. @param other what is different */
  protected shapeWith(other: Partial<PlainShape>): PlainShape {
    const { output, weights } = this.context
    const ids = { base: 0, fromLimit: 2 ** 32, toLimit: 2 ** 32, toShift: 0 }
    const absolute = weights.rule === 'absolute'
    return { delimiter: 0, weighted: output.weighted, absolute, skipRest: false, ...ids, ...other }
  }

  /** Ordinary lines that may follow. */
  protected get mostPlain(): number {
    return Infinity
  }

  readLines(bytes: Uint8Array, start: number, end: number): void {
    const plain = this.#plain
    for (let at = start; at < end && this.other === null;) {
      const shape = this.ordinary
      if (shape !== null) {
        const codes = shape.weighted ? this.context.weights.codes : undefined
        at = plain.read(bytes, at, end, this.mostPlain, shape, this.context.output, codes)
        this.tookLines(plain.lines, plain.negatives)
        if (shape.weighted) this.tookDigits(plain.digits.taken())
        if (at >= end) return
      }
      const newline = bytes.indexOf(NEWLINE, at)
      this.line++
      this.anyLine(trimmed(bytes, at, newline))
      at = newline + 1
    }
  }

  protected override weightOf(value: number, text: Uint8Array | string): number | null {
    const { weights } = this.context
    const { leftOut } = weights
    const kept = super.weightOf(value, text)
    if (kept !== null) return kept
    if (weights.leftOut > leftOut) this.tally.dropped++
    else this.tally.refused++
    return null
  }

  tookLines(lines: number, negatives: number): void {
    this.line += lines
    this.entries += lines
    this.context.weights.absolute += negatives
  }

  tookDigits(digits: DigitCounts, past = 0): void {
    this.context.weights.digits.add(digits)
    this.context.weights.past += past
  }

  /** @param line without blanks around it */
  protected abstract anyLine(line: Uint8Array): void
}

/** Whether a text is nearly a known one, in any case; two letters may be others, missing or added. */
export function isNearly(text: string, known: string): boolean {
  const [a, b] = [text.slice(0, known.length).toLowerCase(), known.toLowerCase()]
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++)
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)))
    row = next
  }
  return row[b.length]! <= 2
}
