/**
 * The fast path of formats with an edge a line: `u v [w]`, ids of up to nine digits. Any other line goes back to its reader. It costs one look
 * at each byte, and keeps nothing from call to call but counts. WideLines below takes ids of up to 19 digits, for the way through the disk.
 * Columns behind the weight are passed over, unless they open quotes that continue in the next line.
 * text-reader.ts describes the shape of lines; external/spilled-entries.ts and lines/ have threads parse by it.
 */

import { bufferOf } from '../../base/words.ts'
import type { EntryOutput } from '../../graph/entries.ts'
import { DecimalScanner } from './numbers.ts'
import { opensQuote, skipBlanks } from './quoted-cells.ts'
import { type DigitCounts, MOST_SURE_MANTISSA, WeightDigits, type WeightTaker } from './weight-codes.ts'

const SPACE = 32
const TAB = 9
const NEWLINE = 10
const RETURN = 13
const QUOTE = 34
const ZERO = 48
const MAX_DIGITS = 9
const SMALLEST_NORMAL = 2 ** -126
/** Whole numbers from here on may be none of 64 bits: the reader looks at their text. */
export const MOST_EXACT = 2 ** 53

/** Lines of a file about which nothing is special. */
export interface PlainShape {
  /** 0 for runs of spaces and tabs. */
  delimiter: number
  weighted: boolean
  /** Negative weights lose their sign. */
  absolute: boolean
  /** Columns behind these are skipped. */
  skipRest: boolean
  base: number
  /** The limit of ids less base. */
  fromLimit: number
  toLimit: number
  /** Added to the second id, of a bipartite graph. */
  toShift: number
}

/** Lines of ids of up to nine digits. */
export class PlainLines {
  /** Lines of the last call. */
  lines = 0
  /** Weights that lost their sign. */
  negatives = 0
  readonly digits = new WeightDigits()
  readonly #decimal = new DecimalScanner()
  readonly #limit: number

  /** @param limit of weights: larger ones are no ordinary lines */
  constructor(limit = MOST_EXACT) {
    this.#limit = limit
  }

  /** Parses at most `most` lines; returns where the first other line starts, or `end`. @param codes that weights are added to, or replaced by */
  read(
    bytes: Uint8Array,
    at: number,
    end: number,
    most: number,
    shape: PlainShape,
    output: EntryOutput,
    codes?: WeightTaker,
  ): number {
    const { delimiter, weighted, absolute, skipRest, base, fromLimit, toLimit, toShift } = shape
    const blank = delimiter === TAB ? SPACE : TAB
    const decimal = this.#decimal
    const limit = this.#limit
    let { block } = output
    let { count, from, to, weights } = block
    let lines = 0
    let negatives = 0
    let clear = at
    while (at < end && lines < most) {
      let p = at
      let c = bytes[p]!
      while (c === SPACE || c === blank) c = bytes[++p]!
      let d = c - ZERO
      if (d < 0 || d > 9) break
      let first = p
      let u = d
      for (d = bytes[++p]! - ZERO; d >= 0 && d <= 9; d = bytes[++p]! - ZERO) u = (Math.imul(u, 10) + d) | 0
      if (p - first > MAX_DIGITS) break
      first = p
      c = bytes[p]!
      while (c === SPACE || c === blank) c = bytes[++p]!
      if (delimiter !== 0) {
        if (c !== delimiter) break
        c = bytes[++p]!
        while (c === SPACE || c === blank) c = bytes[++p]!
      } else if (p === first) break
      d = c - ZERO
      if (d < 0 || d > 9) break
      first = p
      let v = d
      for (d = bytes[++p]! - ZERO; d >= 0 && d <= 9; d = bytes[++p]! - ZERO) v = (Math.imul(v, 10) + d) | 0
      if (p - first > MAX_DIGITS) break
      u -= base
      v -= base
      if (u < 0 || v < 0 || u >= fromLimit || v >= toLimit) break
      let weight = 1
      let negative = 0
      first = p
      c = bytes[p]!
      while (c === SPACE || c === blank) c = bytes[++p]!
      if (weighted) {
        if (delimiter !== 0) {
          if (c !== delimiter) break
          c = bytes[++p]!
          while (c === SPACE || c === blank) c = bytes[++p]!
        } else if (p === first) break
        weight = decimal.read(bytes, p)
        if (absolute && weight < 0) {
          weight = -weight
          negative = 1
        }
        if (!(weight < limit && (codes === undefined ? weight >= SMALLEST_NORMAL : weight > 0))) break
        first = p = decimal.end
        c = bytes[p]!
        while (c === SPACE || c === blank) c = bytes[++p]!
      }
      if (c !== NEWLINE) {
        if (c === RETURN && bytes[p + 1] === NEWLINE) p++
        else if (skipRest && (delimiter === 0 ? p > first : c === delimiter)) {
          const rest = p
          while (bytes[p] !== NEWLINE) p++
          if (clear < p) clear = clearOfQuotes(bytes, Math.max(rest, clear), p)
          if (clear < p && opensQuote(bytes, rest, p, delimiter)) break
        } else break
      }
      if (codes !== undefined) weight = codes.take(weight)
      else if (weighted) noteDecimal(this.digits, weight, decimal.mantissa)
      at = p + 1
      lines++
      negatives += negative
      if (count === from.length) {
        block.count = count
        block = output.next()
        ;({ count, from, to, weights } = block)
      }
      from[count] = u
      to[count] = v + toShift
      if (weights !== null) weights[count] = weight
      count++
    }
    block.count = count
    this.lines = lines
    this.negatives = negatives
    return at
  }
}

/** Counts a weight that was read as a decimal. */
function noteDecimal(digits: WeightDigits, weight: number, mantissa: number): void {
  const stored = Math.fround(weight)
  if (mantissa > MOST_SURE_MANTISSA) digits.note(weight, stored)
  else if (stored !== weight) digits.printed++
}

const LIMB = 2 ** 32
/** Below 2^64 in any case. */
const MOST_WIDE_DIGITS = 19

/** Lines `u v [w]` with ids of up to 19 digits; others go to the reader. */
export class WideLines {
  lines = 0
  readonly digits = new WeightDigits()
  readonly #decimal = new DecimalScanner()
  #low = 0
  #high = 0

  /** Reads lines. @param codes that weights are added to, or replaced by @returns where the first other line starts */
  read(
    bytes: Uint8Array,
    at: number,
    end: number,
    shape: PlainShape,
    output: EntryOutput,
    codes?: WeightTaker,
  ): number {
    this.lines = 0
    const isLabel = shape.base === 0 && shape.fromLimit === LIMB && shape.toLimit === LIMB && shape.toShift === 0
    if (!isLabel) return at
    for (let start = at; start < end;) {
      const next = this.#line(bytes, start, shape, output, codes)
      if (next < 0) return start
      this.lines++
      start = next
    }
    return end
  }

  #line(
    bytes: Uint8Array,
    at: number,
    { delimiter, weighted, skipRest }: PlainShape,
    output: EntryOutput,
    codes: WeightTaker | undefined,
  ): number {
    let p = this.#number(bytes, skipBlanks(bytes, at, bytes.length, delimiter))
    if (p < 0) return -1
    const [from, fromHigh] = [this.#low, this.#high]
    p = nextColumn(bytes, p, delimiter)
    if (p < 0 || (p = this.#number(bytes, p)) < 0) return -1
    let weight = 1
    if (weighted) {
      const third = nextColumn(bytes, p, delimiter)
      if (third < 0) return -1
      weight = this.#decimal.read(bytes, third)
      p = this.#decimal.end
      const least = codes === undefined ? SMALLEST_NORMAL : Number.MIN_VALUE
      if (p === third || !(weight >= least && weight < MOST_EXACT)) return -1
    }
    const rest = skipBlanks(bytes, p, bytes.length, delimiter)
    const skipsRest = skipRest && (delimiter === 0 ? rest > p : bytes[rest] === delimiter)
    const next = lineEnd(bytes, rest, skipsRest, delimiter)
    if (next < 0) return next
    if (codes !== undefined) weight = codes.take(weight)
    else if (weighted) noteDecimal(this.digits, weight, this.#decimal.mantissa)
    output.addWide(from, fromHigh, this.#low, this.#high, weight)
    return next
  }

  #number(bytes: Uint8Array, at: number): number {
    let p = at
    let low = 0
    let high = 0
    for (let d = bytes[p]! - ZERO; d >= 0 && d <= 9; d = bytes[++p]! - ZERO) {
      const product = low * 10 + d
      low = product % LIMB
      high = high * 10 + (product - low) / LIMB
    }
    this.#low = low
    this.#high = high
    return p === at || p - at > MOST_WIDE_DIGITS ? -1 : p
  }
}

/** Or -1. */
function nextColumn(bytes: Uint8Array, at: number, delimiter: number): number {
  const p = skipBlanks(bytes, at, bytes.length, delimiter)
  if (delimiter === 0) return p > at ? p : -1
  return bytes[p] === delimiter ? skipBlanks(bytes, p + 1, bytes.length, delimiter) : -1
}

function lineEnd(bytes: Uint8Array, at: number, skipRest: boolean, delimiter: number): number {
  if (bytes[at] === NEWLINE) return at + 1
  if (bytes[at] === RETURN && bytes[at + 1] === NEWLINE) return at + 2
  if (!skipRest) return -1
  const newline = bytes.indexOf(NEWLINE, at)
  return bytes.subarray(at, newline).includes(QUOTE) && opensQuote(bytes, at, newline, delimiter) ? -1 : newline + 1
}

/** Bytes that are looked at for quotes beyond a line. */
const LOOK_AHEAD = 1 << 13

/** The place, at least `least`, before which there is no quote from `at` on, unless there is one. */
function clearOfQuotes(bytes: Uint8Array, at: number, least: number): number {
  const end = Math.max(least, Math.min(bytes.length, at + LOOK_AHEAD))
  const quote = bufferOf(bytes.subarray(at, end)).indexOf(QUOTE)
  return quote < 0 ? end : at + quote
}

/** Copies lines to shared memory, each good until all other slots were used. */
export function sharedSlots(slots: number, bytes: number): (lines: Uint8Array) => Uint8Array {
  const memory: Uint8Array[] = []
  let next = 0
  return (lines) => {
    const slot = (memory[next] ??= new Uint8Array(new SharedArrayBuffer(bytes)))
    next = (next + 1) % slots
    slot.set(lines)
    return slot.subarray(0, lines.length)
  }
}

/** Lines that are not ordinary, which go back to the reader. */
export interface OddLines {
  /** Pairs: ordinary lines before each odd line and behind the last, and negative weights among them. */
  readonly between: readonly number[]
  readonly odd: Uint8Array | null
  readonly oddEnds: readonly number[]
}

export interface ParsedPiece extends OddLines {
  readonly entries: number
  /** What floats keep of the weights of ordinary lines. */
  readonly digits: DigitCounts
  /** Ordinary lines whose weights are whole numbers that 64-bit floats do not hold. */
  readonly past?: number
}

/** Makes one. */
export class PieceLines {
  readonly #between: number[] = []
  readonly #oddEnds: number[] = []
  readonly #odd: Uint8Array[] = []
  #oddBytes = 0
  #lines = 0
  #negatives = 0

  took(lines: number, negatives: number): void {
    this.#lines += lines
    this.#negatives += negatives
  }

  /** @returns where the next line starts */
  keepOdd(bytes: Uint8Array, at: number): number {
    const end = bytes.indexOf(NEWLINE, at) + 1
    this.#between.push(this.#lines, this.#negatives)
    this.#lines = this.#negatives = 0
    this.#odd.push(bytes.slice(at, end))
    this.#oddEnds.push((this.#oddBytes += end - at))
    return end
  }

  odd(): OddLines {
    const between = [...this.#between, this.#lines, this.#negatives]
    const odd = this.#oddBytes === 0 ? null : Buffer.concat(this.#odd)
    return { between, odd, oddEnds: this.#oddEnds }
  }

  parsed(entries: number, digits: DigitCounts): ParsedPiece {
    return { ...this.odd(), entries, digits }
  }
}

export interface LineReader {
  /** Parses bytes [start, end), which end with a newline. @throws Failure (input) at file:line */
  readLines(bytes: Uint8Array, start: number, end: number): void
  /**
   * Counts lines that another thread parsed, in the order of the file. Absent: the reader parses all.
   * @throws Failure (input)
   */
  tookLines?(lines: number, negatives: number): void
  /** Counts what floats keep of the weights of these lines. */
  tookDigits?(digits: DigitCounts, past?: number): void
}

/** @throws Failure (input) at the first line with a fault */
export function readPiece(reader: LineReader, output: EntryOutput, piece: ParsedPiece): void {
  output.entries += piece.entries
  reader.tookDigits?.(piece.digits, piece.past)
  readOdd(reader, piece)
}

/** @param before called before each odd line, with its number @throws Failure (input) at the first line with a fault */
export function readOdd(
  reader: LineReader,
  { between, odd, oddEnds }: OddLines,
  before?: (number: number) => void,
): void {
  let start = 0
  for (let i = 0; i < between.length; i += 2) {
    reader.tookLines?.(between[i]!, between[i + 1]!)
    if (odd === null || i / 2 === oddEnds.length) continue
    const end = oddEnds[i / 2]!
    before?.(i / 2)
    reader.readLines(odd, start, end)
    start = end
  }
}
