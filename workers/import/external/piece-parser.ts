import { type EntryBlock, EntryOutput } from '../../graph/entries.ts'
import type { GraphReader } from '../graph-reader.ts'
import type { EntrySegment } from './entry-ids.ts'
import { PlainLines, type PlainShape } from '../plain-lines.ts'
import { EntryStore, IntegerCodes, type StoreTask } from './entry-store.ts'
import { DecimalScanner } from '../decimal.ts'

const NEWLINE = 10
const BLOCK_ENTRIES = 1 << 14

export interface ParseTask {
  readonly bytes: Uint8Array
  readonly length: number
  readonly shape: PlainShape
}

/** Lines that are not ordinary go back to the reader. */
export interface ParsedPiece {
  /** Pairs: ordinary lines before each odd line and behind the last, and negative weights among them. */
  readonly between: readonly number[]
  readonly odd: Uint8Array | null
  readonly oddEnds: readonly number[]
  readonly entries: number
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

  parsed(entries: number): ParsedPiece {
    const between = [...this.#between, this.#lines, this.#negatives]
    const odd = this.#oddBytes === 0 ? null : Buffer.concat(this.#odd)
    return { between, odd, oddEnds: this.#oddEnds, entries }
  }
}

/** @throws Failure (input) at the first line with a fault */
export function readPiece(
  reader: GraphReader,
  output: EntryOutput,
  { between, odd, oddEnds, entries }: ParsedPiece,
): void {
  output.entries += entries
  let start = 0
  for (let i = 0; i < between.length; i += 2) {
    reader.tookLines?.(between[i]!, between[i + 1]!)
    if (odd === null || i / 2 === oddEnds.length) continue
    const end = oddEnds[i / 2]!
    reader.readLines(odd, start, end)
    start = end
  }
}

/** Fills the same block again once it was taken. */
export class TakenOutput extends EntryOutput {
  readonly #take: (block: EntryBlock) => void

  constructor(capacity: number, weighted: boolean, take: (block: EntryBlock) => void) {
    super(capacity)
    this.#take = take
    this.weighted = weighted
    super.next()
  }

  override next(): EntryBlock {
    const { block } = this
    this.entries += block.count
    this.#take(block)
    block.count = 0
    block.fromHigh = block.toHigh = null
    return block
  }
}

export class PieceParser {
  readonly #plain = new PlainLines()
  readonly #wide = new WideLines()
  readonly #store: EntryStore
  readonly #output: TakenOutput

  constructor(task: StoreTask) {
    const { bitmap, dictionaryBytes } = task.labels
    this.#store = new EntryStore(task, new IntegerCodes(bitmap, dictionaryBytes))
    this.#output = new TakenOutput(BLOCK_ENTRIES, task.recordWords === 3, (block) => this.#store.accept(block))
  }

  parse({ bytes, length, shape }: ParseTask): ParsedPiece {
    const before = this.#output.total
    const piece = new PieceLines()
    for (let at = 0; at < length;) {
      at = this.#plain.read(bytes, at, length, Infinity, shape, this.#output)
      piece.took(this.#plain.lines, this.#plain.negatives)
      if (at >= length) break
      at = this.#wide.read(bytes, at, length, shape, this.#output)
      piece.took(this.#wide.lines, 0)
      if (at < length && this.#wide.lines === 0) at = piece.keepOdd(bytes, at)
    }
    return piece.parsed(this.#output.total - before)
  }

  finish(): readonly EntrySegment[] {
    this.#output.next()
    return this.#store.finish()
  }

  close(): void {
    this.#store.close()
  }
}

const SPACE = 32
const TAB = 9
const RETURN = 13
const ZERO = 48
const LIMB = 2 ** 32
/** Below 2^64 in any case. */
const MAX_DIGITS = 19
const SMALLEST_NORMAL = 2 ** -126
const LARGEST = 3.4e38

/** Lines `u v [w]` with ids of up to 19 digits; others go to the reader. */
class WideLines {
  lines = 0
  readonly #decimal = new DecimalScanner()
  #low = 0
  #high = 0

  /** Where the first other line starts. */
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

/** Or -1. */
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
