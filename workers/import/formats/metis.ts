import { OTHER_FORMAT } from '../../base/failure.ts'
import type { Fix } from '../../base/failure.ts'
import { DecimalScanner } from '../decimal.ts'
import { numbersIn, trimmed } from './text-lines.ts'
import {
  type GraphReader,
  lineFailure,
  lineText,
  MAX_VERTICES,
  type ReaderContext,
  type ReadOutcome,
} from '../graph-reader.ts'
import { excerpt } from '../weight-policy.ts'
import type { TextFormat } from './graph-format.ts'
import { metisReason } from './metis-shape.ts'

const NEWLINE = 10
const RETURN = 13
const SPACE = 32
const TAB = 9
const PERCENT = 37
const ZERO = 48

interface MetisHeader {
  readonly line: number
  readonly vertices: number
  readonly edges: number
  /** Numbers before the neighbours of a vertex: its size and its weights. */
  readonly skipped: number
  readonly weighted: boolean
}

/** METIS and Chaco graphs: line i lists the 1-based neighbours of vertex i, every edge stands twice. */
class MetisReader implements GraphReader {
  line = 0
  readonly #context: ReaderContext
  readonly #decimal = new DecimalScanner()
  readonly #warnings: string[] = []
  #header: MetisHeader | null = null
  #vertex = 0
  #neighbours = 0
  #loops = 0

  constructor(context: ReaderContext) {
    this.#context = context
  }

  readLines(bytes: Uint8Array, start: number, end: number): void {
    for (let at = start; at < end;) {
      this.line++
      if (bytes[at] === PERCENT) at = bytes.indexOf(NEWLINE, at) + 1
      else if (this.#header === null) at = this.#readHeader(bytes, at)
      else if (this.#vertex === this.#header.vertices) at = this.#pastTheEnd(bytes, at, this.#header)
      else at = this.#readVertex(bytes, at, this.#header)
    }
  }

  finish(): ReadOutcome {
    const header = this.#header
    if (header === null)
      throw this.#failure('the file ends before its header', 'Write: vertices edges [fmt [ncon]].', [OTHER_FORMAT])
    this.#checkCounts(header)
    return { vertices: { kind: 'counted', vertices: header.vertices, base: 1 }, warnings: this.#warnings }
  }

  #checkCounts(header: MetisHeader): void {
    const missing = header.vertices - this.#vertex
    if (missing === 1 && this.#edgesFit(header)) {
      this.#vertex++
      this.#warnings.push('the blank line of the last vertex is missing; it is taken for an isolated vertex')
    } else if (missing > 0) {
      throw this.#failure(
        `the header promises ${header.vertices} vertices, and the file ends after ${this.#vertex} vertex lines`,
        'Is the file complete, or the header wrong?',
      )
    }
    if (!this.#edgesFit(header))
      throw this.#failure(
        `the header promises ${header.edges} edges, that is ${2 * header.edges} neighbours, and the lines hold ${this.#neighbours}`,
        'Is the file complete, or the header wrong? Every edge stands in the lines of both its ends.',
      )
  }

  /** Loops are no part of the format: some programs write them once, some twice, some leave them out of the count. */
  #edgesFit(header: MetisHeader): boolean {
    const plain = this.#neighbours - this.#loops
    return [this.#neighbours, plain, plain + 2 * this.#loops].includes(2 * header.edges)
  }

  #readHeader(bytes: Uint8Array, at: number): number {
    const newline = bytes.indexOf(NEWLINE, at)
    const text = lineText(trimmed(bytes, at, newline), this.#context.source, this.line)
    const [vertices, edges, fmt = '0', ncon] = text.split(/\s+/)
    const fail = (what: string) => this.#failure(what, 'Write: vertices edges [fmt [ncon]].', [OTHER_FORMAT])
    if (!/^\d{1,15}$/.test(vertices ?? '') || !/^\d{1,15}$/.test(edges ?? ''))
      throw fail(`the header reads "${excerpt(text)}"`)
    if (!/^[01]{1,3}$/.test(fmt)) throw fail(`the header's fmt is "${excerpt(fmt)}", not up to three digits 0 or 1`)
    if (ncon !== undefined && !/^\d{1,4}$/.test(ncon)) throw fail(`the header's ncon is "${excerpt(ncon)}"`)
    if (Number(vertices) > MAX_VERTICES)
      throw this.#failure(
        `${vertices} vertices are past the ${MAX_VERTICES} that ids have room for`,
        'Split the graph.',
      )
    const [sizes, vertexWeights, edgeWeights] = Array.from(fmt.padStart(3, '0'), (digit) => digit === '1')
    const skipped = (sizes ? 1 : 0) + (vertexWeights ? Number(ncon ?? 1) : 0)
    if (skipped > 0) this.#warnings.push(`${skipped} numbers a vertex (sizes and vertex weights) were ignored`)
    this.#header = {
      line: this.line,
      vertices: Number(vertices),
      edges: Number(edges),
      skipped,
      weighted: edgeWeights === true,
    }
    this.#context.output.weighted = this.#header.weighted && !this.#context.ignoreWeights
    this.#context.output.next()
    return newline + 1
  }

  #pastTheEnd(bytes: Uint8Array, at: number, header: MetisHeader): number {
    const newline = bytes.indexOf(NEWLINE, at)
    if (trimmed(bytes, at, newline).length > 0)
      throw this.#failure(
        `the header promises ${header.vertices} vertices, and here is one more line`,
        'Is the header right?',
      )
    return newline + 1
  }

  #readVertex(bytes: Uint8Array, at: number, header: MetisHeader): number {
    const { output } = this.#context
    const u = this.#vertex++
    let p = at
    for (let i = 0; i < header.skipped; i++) p = this.#skipNumber(bytes, p, i, header)
    let { block } = output
    for (;;) {
      let c = bytes[p]!
      while (c === SPACE || c === TAB || c === RETURN) c = bytes[++p]!
      if (c === NEWLINE) return p + 1
      const first = p
      let v = 0
      for (let d = c - ZERO; d >= 0 && d <= 9; d = bytes[++p]! - ZERO) v = v * 10 + d
      if (p === first || v === 0 || v > header.vertices || !isBlank(bytes[p]!))
        throw this.#badNeighbour(bytes, first, header)
      this.#neighbours++
      if (v === u + 1) this.#loops++
      let weight: number | null = 1
      if (header.weighted) {
        weight = this.#edgeWeight(bytes, p)
        p = this.#decimal.end
      }
      if (weight === null) continue
      if (block.count === block.from.length) block = output.next()
      const i = block.count++
      block.from[i] = u
      block.to[i] = v - 1
      if (block.weights !== null) block.weights[i] = weight
    }
  }

  /** Leaves the scanner's `end` behind the weight. */
  #edgeWeight(bytes: Uint8Array, at: number): number | null {
    let p = at
    while (bytes[p] === SPACE || bytes[p] === TAB || bytes[p] === RETURN) p++
    if (bytes[p] === NEWLINE)
      throw this.#failure('the last neighbour has no edge weight, which fmt promises', 'Add it; is fmt right?')
    const value = this.#decimal.read(bytes, p)
    const word = wordAt(bytes, p)
    const whole = this.#decimal.end === p + word.length
    if (this.#context.ignoreWeights && whole) return 1
    return this.#context.weights.apply(whole ? value : NaN, () => `${this.#context.source}:${this.line}`, word)
  }

  #skipNumber(bytes: Uint8Array, at: number, index: number, header: MetisHeader): number {
    let p = at
    while (bytes[p] === SPACE || bytes[p] === TAB || bytes[p] === RETURN) p++
    if (bytes[p] === NEWLINE)
      throw this.#failure(
        `${index} of the ${header.skipped} numbers (size, vertex weights) that fmt and ncon promise`,
        'Add what is missing; are fmt and ncon right?',
      )
    this.#decimal.read(bytes, p)
    const word = wordAt(bytes, p)
    if (this.#decimal.end !== p + word.length)
      throw this.#failure(`the vertex weight or size "${excerpt(word)}" is not a number`, 'Mend it; is fmt right?')
    return this.#decimal.end
  }

  #badNeighbour(bytes: Uint8Array, at: number, header: MetisHeader) {
    const word = excerpt(wordAt(bytes, at))
    if (/^0+$/.test(word)) return this.#failure('the neighbour is 0, and METIS counts from 1', 'Add 1 to every id.')
    if (/^\d+$/.test(word))
      return this.#failure(`neighbour ${word} is past the header's ${header.vertices} vertices`, 'Is the header right?')
    const kind = /^-\d+$/.test(word) ? 'negative' : 'not a whole number'
    return this.#failure(`the neighbour "${word}" is ${kind}`, 'Neighbours are integers from 1.')
  }

  #failure(what: string, remedy: string, fixes?: readonly Fix[]) {
    return lineFailure(this.#context.source, Math.max(1, this.line), what, remedy, fixes)
  }
}

function isBlank(c: number): boolean {
  return c === SPACE || c === TAB || c === RETURN || c === NEWLINE
}

function wordAt(bytes: Uint8Array, at: number): Uint8Array {
  let end = at
  while (!isBlank(bytes[end]!)) end++
  return bytes.subarray(at, end)
}

export const metis: TextFormat = {
  kind: 'text',
  name: 'metis',
  written: ['metis'],
  words: {
    files: '`.graph`, Chaco',
    recognisedBy: 'a header whose counts are what follows, or lines of different lengths',
    vertices: '1 to n; a blank line is an isolated vertex',
    notes: ['**METIS, DIMACS-9** want whole weights; ours are read and written as decimals too.'],
  },
  promisedBy: { ends: ['.graph', '.metis', '.chaco'] },
  firstId: 1,
  listsBothDirections: true,
  recognise: metisReason,
  stated: (lines) => {
    const [vertices = NaN, edges = NaN, fmt = 0] = numbersIn(lines.find((line) => !line.startsWith('%')))
    return Number.isNaN(edges) ? null : { vertices, entries: 2 * edges, weighted: fmt % 10 === 1 }
  },
  open: (context) => new MetisReader(context),
}
