import { DecimalScanner } from './decimal.ts'
import type { EntryOutput } from '../graph/entries.ts'

const SPACE = 32
const TAB = 9
const NEWLINE = 10
const RETURN = 13
const ZERO = 48
const MAX_DIGITS = 9
const SMALLEST_NORMAL = 2 ** -126
const LARGEST = 3.4e38

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
  /** Of ids less base. */
  fromLimit: number
  toLimit: number
  /** Added to the second id, of a bipartite graph. */
  toShift: number
}

/**
 * The fast path of formats with an edge a line: `u v [w]`, ids of up to nine digits. Any other line goes back to its
 * reader.
 */
export class PlainLines {
  /** Of the last call. */
  lines = 0
  /** Weights that lost their sign. */
  negatives = 0
  readonly #decimal = new DecimalScanner()

  /** Parses at most `most` lines; returns where the first other line starts, or `end`. */
  read(bytes: Uint8Array, at: number, end: number, most: number, shape: PlainShape, output: EntryOutput): number {
    const { delimiter, weighted, absolute, skipRest, base, fromLimit, toLimit, toShift } = shape
    const blank = delimiter === TAB ? SPACE : TAB
    const decimal = this.#decimal
    let { block } = output
    let { count, from, to, weights } = block
    let lines = 0
    let negatives = 0
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
        if (!(weight >= SMALLEST_NORMAL && weight <= LARGEST)) break
        first = p = decimal.end
        c = bytes[p]!
        while (c === SPACE || c === blank) c = bytes[++p]!
      }
      if (c !== NEWLINE) {
        if (c === RETURN && bytes[p + 1] === NEWLINE) p++
        else if (skipRest && (delimiter === 0 ? p > first : c === delimiter)) p = bytes.indexOf(NEWLINE, p)
        else break
      }
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
