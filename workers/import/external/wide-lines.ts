import { DecimalScanner } from '../decimal.ts'
import type { EntryOutput } from '../../graph/entries.ts'
import type { PlainShape } from '../plain-lines.ts'

const SPACE = 32
const TAB = 9
const NEWLINE = 10
const RETURN = 13
const ZERO = 48
const LIMB = 2 ** 32
/** Any number of so many digits is below 2^64. */
const MAX_DIGITS = 19
const SMALLEST_NORMAL = 2 ** -126
const LARGEST = 3.4e38

/**
 * The fast path of edge lists with long ids: lines `u v [w]` whose ids have up to 19 digits. What plain-lines.ts is to short
 * ids; whatever is unusual about a line leaves it to others.
 */
export class WideLines {
  /** Lines parsed by the last call. */
  lines = 0
  readonly #decimal = new DecimalScanner()
  #low = 0
  #high = 0

  /** Parses from `at`; returns where the first line starts that it did not take, or `end`. */
  read(bytes: Uint8Array, at: number, end: number, shape: PlainShape, output: EntryOutput): number {
    this.lines = 0
    const isLabel = shape.base === 0 && shape.fromLimit === LIMB && shape.toLimit === LIMB && shape.toShift === 0
    if (!isLabel) return at
    for (let start = at; start < end;) {
      const next = this.#line(bytes, start, shape, output)
      if (next < 0) return start
      this.lines++
      start = next
    }
    return end
  }

  /** Where the next line starts; -1 when this one is not for here. */
  #line(bytes: Uint8Array, at: number, { delimiter, weighted, skipRest }: PlainShape, output: EntryOutput): number {
    let p = this.#number(bytes, skipBlanks(bytes, at, delimiter))
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
      if (p === third || !(weight >= SMALLEST_NORMAL && weight <= LARGEST)) return -1
    }
    const rest = skipBlanks(bytes, p, delimiter)
    const next = lineEnd(bytes, rest, skipRest && (delimiter === 0 ? rest > p : bytes[rest] === delimiter))
    if (next >= 0) output.addWide(from, fromHigh, this.#low, this.#high, weight)
    return next
  }

  /** Reads digits into the halves; -1 when there are none or too many. */
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
    return p === at || p - at > MAX_DIGITS ? -1 : p
  }
}

function skipBlanks(bytes: Uint8Array, at: number, delimiter: number): number {
  let p = at
  while (bytes[p] === SPACE || (bytes[p] === TAB && delimiter !== TAB)) p++
  return p
}

/** Where the next column starts; -1 where none does. */
function nextColumn(bytes: Uint8Array, at: number, delimiter: number): number {
  const p = skipBlanks(bytes, at, delimiter)
  if (delimiter === 0) return p > at ? p : -1
  return bytes[p] === delimiter ? skipBlanks(bytes, p + 1, delimiter) : -1
}

function lineEnd(bytes: Uint8Array, at: number, skipRest: boolean): number {
  if (bytes[at] === NEWLINE) return at + 1
  if (bytes[at] === RETURN && bytes[at + 1] === NEWLINE) return at + 2
  return skipRest ? bytes.indexOf(NEWLINE, at) + 1 : -1
}
