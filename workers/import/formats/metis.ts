/**
 * METIS and Chaco: line i has the 1-based neighbours of vertex i, every edge twice, with weights of vertices and edges as the header says. The
 * directed graphs of PACE 2022 have the same lines below the header "n m 0", and m arcs: the number of neighbours tells which it is, m or 2 m. The
 * hard part is to tell it from an edge list: lines of a table are alike, those of METIS are as long as their vertices have neighbours, and fit
 * the header; what is nearly so is damaged METIS, and refused with its line. detect.ts asks here.
 */

import { excerpt, OTHER_FORMAT } from '../../base/failure.ts'
import { DecimalScanner } from '../reader/numbers.ts'
import type { ReadOutcome } from '../reader/graph-reader.ts'
import type { TextFormat } from './graph-format.ts'
import { trimmed } from './table-lines.ts'
import { TextReader } from './text-reader.ts'

const NEWLINE = 10
const RETURN = 13
const SPACE = 32
const TAB = 9
const PERCENT = 37
const ZERO = 48

interface Header {
  readonly vertices: number
  readonly edges: number
  /** Numbers before the neighbours: size and weights of the vertex, as attributes are called. */
  readonly names: readonly string[]
  readonly weighted: boolean
  /** Whether the lines may be lists of arcs: the header of PACE 2022 is one of METIS, too. */
  readonly mayBeArcs: boolean
}

/** Or what is wrong with it. */
function headerOf(words: readonly string[], text: string): Header | string {
  const [vertices = '', edges = '', fmt = '0', ncon = '1'] = words
  if (![vertices, edges].every((word) => /^\d{1,15}$/.test(word))) return `the header reads "${excerpt(text)}"`
  if (!/^[01]{1,3}$/.test(fmt)) return `the header's fmt is "${excerpt(fmt)}", not up to three digits 0 or 1`
  if (!/^\d{1,4}$/.test(ncon)) return `the header's ncon is "${excerpt(ncon)}"`
  const [sizes, vertexWeights, edgeWeights] = Array.from(fmt.padStart(3, '0'), Number) as [number, number, number]
  const weights = Array.from({ length: vertexWeights * Number(ncon) }, (_, i) =>
    i === 0 ? 'weight' : `weight${i + 1}`,
  )
  const names = [...(sizes === 1 ? ['size'] : []), ...weights]
  const mayBeArcs = words.length === 3 && fmt === '0'
  return { vertices: Number(vertices), edges: Number(edges), names, weighted: edgeWeights === 1, mayBeArcs }
}

/** METIS and Chaco: line i has the 1-based neighbours of vertex i, every edge twice. */
class MetisReader extends TextReader {
  readonly #decimal = new DecimalScanner()
  #header: Header | null = null
  #vertex = 0
  #neighbours = 0
  #loops = 0
  /** Weights of the vertex whose line is read, for a tap. */
  readonly #own: (readonly [string, number])[] = []

  readLines(bytes: Uint8Array, start: number, end: number): void {
    for (let at = start; at < end;) {
      this.line++
      if (bytes[at] === PERCENT) at = this.#comment(bytes, at)
      else if (this.#header === null) at = this.#readHeader(bytes, at)
      else if (this.#vertex === this.#header.vertices) at = this.#pastTheEnd(bytes, at, this.#header)
      else at = this.#readVertex(bytes, at, this.#header)
    }
  }

  #comment(bytes: Uint8Array, at: number): number {
    this.tally.comments++
    return bytes.indexOf(NEWLINE, at) + 1
  }

  get listed(): { readonly vertices: number; readonly neighbours: number } | undefined {
    const header = this.#header
    if (header === null || header.weighted || header.names.length > 0) return undefined
    return { vertices: header.vertices, neighbours: 2 * header.edges }
  }

  tookLists(lines: number, neighbours: number, loops: number): void {
    const vertices = Math.min(lines, this.#header!.vertices)
    this.#vertex += vertices
    this.tally.vertices += vertices
    // A number there would have stopped the threads.
    this.tally.blank += lines - vertices
    this.line += lines
    this.#neighbours += neighbours
    this.#loops += loops
  }

  finish(): ReadOutcome {
    const header = this.#header
    if (header === null) throw this.#noHeader('the file ends before its header')
    this.#checkCounts(header)
    if (!this.#areEdges(header))
      this.warnings.push(
        `the lines hold as many neighbours as the header counts, not twice as many: they are the ${header.edges} arcs of a directed graph (PACE 2022), and edges have no direction here`,
      )
    return this.counted(header.vertices, 1)
  }

  #checkCounts(header: Header): void {
    const missing = header.vertices - this.#vertex
    if (missing === 1 && this.#countsFit(header)) {
      this.#vertex++
      this.warnings.push('the blank line of the last vertex is missing; it is taken for an isolated vertex')
    } else if (missing > 0) {
      throw this.unkept('the header', `${header.vertices} vertices`, `ends after ${this.#vertex} vertex lines`)
    }
    if (!this.#countsFit(header))
      throw this.failure(
        `the header promises ${header.edges} edges, that is ${2 * header.edges} neighbours, and the lines hold ${this.#neighbours}`,
        'Is the file complete, or the header wrong? Every edge stands in the lines of both its ends.',
      )
  }

  #countsFit(header: Header): boolean {
    return this.#areEdges(header) || (header.mayBeArcs && this.#neighbours === header.edges)
  }

  /** Whether every edge stands twice. Loops are no part of the format: programs count them once, twice, or not. */
  #areEdges(header: Header): boolean {
    const plain = this.#neighbours - this.#loops
    return [this.#neighbours, plain, plain + 2 * this.#loops].includes(2 * header.edges)
  }

  #readHeader(bytes: Uint8Array, at: number): number {
    const newline = bytes.indexOf(NEWLINE, at)
    const text = this.text(trimmed(bytes, at, newline))
    const header = headerOf(text.split(/\s+/), text)
    if (typeof header === 'string') throw this.#noHeader(header)
    this.requireRoom(header.vertices)
    const { names, weighted } = header
    if (names.length > 0 && this.context.table?.attributes === 'none')
      this.warnings.push(`${names.length} numbers a vertex (sizes and vertex weights) were ignored`)
    this.#header = header
    this.tally.header++
    this.begin(weighted)
    return newline + 1
  }

  #noHeader(what: string) {
    return this.failure(what, 'Write: vertices edges [fmt [ncon]].', [OTHER_FORMAT])
  }

  #pastTheEnd(bytes: Uint8Array, at: number, header: Header): number {
    const newline = bytes.indexOf(NEWLINE, at)
    if (trimmed(bytes, at, newline).length > 0)
      throw this.failure(
        `the header promises ${header.vertices} vertices, and here is one more line`,
        'Is the header right?',
      )
    this.tally.blank++
    return newline + 1
  }

  #readVertex(bytes: Uint8Array, at: number, header: Header): number {
    const { output } = this.context
    const u = this.#vertex++
    this.tally.vertices++
    let p = at
    for (let i = 0; i < header.names.length; i++) p = this.#ownNumber(bytes, p, i, header)
    if (header.names.length > 0) this.context.vertexTap?.(u, this.#own.splice(0))
    let { block } = output
    for (;;) {
      let c = bytes[p]!
      while (c === SPACE || c === TAB || c === RETURN) c = bytes[++p]!
      if (c === NEWLINE) return p + 1
      const first = p
      let v = 0
      for (let d = c - ZERO; d >= 0 && d <= 9; d = bytes[++p]! - ZERO) v = v * 10 + d
      if (p === first || v === 0 || v > header.vertices || !isBlank(bytes[p]!)) {
        const word = Buffer.from(wordAt(bytes, first).subarray(0, 200)).toString()
        const past = `the header's ${header.vertices} vertices`
        const bound = { noun: 'neighbour', past, mend: 'Is the header right?', format: 'METIS', plural: 'Neighbours' }
        throw this.badId(word, bound)
      }
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

  /** Sets the scanner's `end` after the weight. */
  #edgeWeight(bytes: Uint8Array, at: number): number | null {
    const p = skipBlanks(bytes, at)
    if (bytes[p] === NEWLINE)
      throw this.failure('the last neighbour has no edge weight, which fmt promises', 'Add it; is fmt right?')
    const value = this.#decimal.read(bytes, p)
    const word = wordAt(bytes, p)
    const whole = this.#decimal.end === p + word.length
    if (this.context.ignoreWeights && whole) return 1
    return this.weightOf(whole ? value : NaN, word)
  }

  /** A weight of the vertex. */
  #ownNumber(bytes: Uint8Array, at: number, index: number, header: Header): number {
    const p = skipBlanks(bytes, at)
    if (bytes[p] === NEWLINE)
      throw this.failure(
        `${index} of the ${header.names.length} numbers (size, vertex weights) that fmt and ncon promise`,
        'Add what is missing; are fmt and ncon right?',
      )
    const value = this.#decimal.read(bytes, p)
    const word = wordAt(bytes, p)
    if (this.context.vertexTap !== undefined) this.#own.push([header.names[index]!, value])
    if (this.#decimal.end !== p + word.length)
      throw this.failure(`the vertex weight or size "${excerpt(word)}" is not a number`, 'Mend it; is fmt right?')
    return this.#decimal.end
  }
}

function skipBlanks(bytes: Uint8Array, at: number): number {
  let p = at
  while (bytes[p] === SPACE || bytes[p] === TAB || bytes[p] === RETURN) p++
  return p
}

function isBlank(c: number): boolean {
  return c === SPACE || c === TAB || c === RETURN || c === NEWLINE
}

function wordAt(bytes: Uint8Array, at: number): Uint8Array {
  let end = at
  while (!isBlank(bytes[end]!)) end++
  return bytes.subarray(at, end)
}

const SAMPLE_LINES = 2000
/** Part of the lines that are as long as the first in a table. */
const TABLE_SHARE = 1 / 2
/** Part of the neighbours that must be mutual, or within the header's vertices. */
const MOST = 3 / 4

/**
 * Tells METIS from an edge list: lines of a table are alike, those of METIS are as long as their vertices have
 * neighbours, and fit the header. What is nearly so is damaged METIS.
 * @param complete whether these lines are the whole file
 */
function metisReason(text: string, complete: boolean): string | null {
  const lines = text.split('\n', complete ? undefined : SAMPLE_LINES)
  if (lines.at(-1) === '') lines.pop()
  const rows = lines.filter((line) => !/^\s*(?:[%#]|\/\/)/.test(line)).map((line) => line.split(/\s+/).filter(Boolean))
  const begin = rows.findIndex((row) => row.length > 0)
  const [first, ...others] = begin < 0 ? [] : rows.slice(begin)
  if (first === undefined || !areNumbers(rows)) return null
  const lengths = others.map((row) => row.length).filter((length) => length > 0)
  if (lengths.length === 0) return null
  // Numbers of vertices and edges in lines of their own, above edges, are no header.
  if (first.length === 1 && lengths.slice(lengths[0] === 1 ? 1 : 0).every((length) => length === 2 || length === 3))
    return null
  if (!isTable(first.length, lengths)) return 'its lines of numbers have different lengths'
  const header = headerOf(first, '')
  if (typeof header === 'string' || first.length > 4) return null
  // Two numbers in each line, as many lines as edges: a list of edges with its counts above.
  const isWhole = rows.every((row) => row.every((word) => /^\d+$/.test(word)))
  const isList =
    isWhole && header.edges === lengths.length && [first.length, ...lengths].every((length) => length === 2)
  if (complete && arcsFit(header, others))
    return `the header's ${header.vertices} vertices and ${header.edges} arcs are what follows`
  if (complete && countsFit(header, others, isList ? 1 : MOST))
    return `the header's ${header.vertices} vertices and ${header.edges} edges are what follows`
  if (
    isRagged(lengths) &&
    others.findLastIndex((row) => row.length > 0) < header.vertices &&
    areInRange(header, others)
  )
    return `lines of different lengths follow the header of ${header.vertices} vertices`
  return null
}

/** A stray word is damage; more are ids. */
function areNumbers(rows: readonly string[][]): boolean {
  const words = rows.flat()
  const strays = words.filter((word) => !/^[-+]?\d*\.?\d+(?:e[-+]?\d+)?$/i.test(word)).length
  return strays <= Math.max(1, words.length / 10) && words.length > 2
}

function isTable(first: number, lengths: readonly number[]): boolean {
  const isEdge = (length: number) => length === 2 || length === 3
  if (isEdge(first) && lengths.every(isEdge)) return true
  return lengths.filter((length) => length === first).length >= TABLE_SHARE * lengths.length
}

function isRagged(lengths: readonly number[]): boolean {
  return lengths.some((length) => length !== lengths[0]) || lengths[0]! < 2 || lengths[0]! > 3
}

function neighboursOf({ names, weighted }: Header, row: readonly string[]): number[] {
  const stride = weighted ? 2 : 1
  return row.filter((_, i) => i >= names.length && (i - names.length) % stride === 0).map(Number)
}

/** Counts as in the header, and mutual neighbours: no table has them by chance. */
function countsFit(header: Header, rows: readonly string[][], most: number): boolean {
  const { vertices, edges, names, weighted } = header
  const lists = rows.map((row) => neighboursOf(header, row))
  const listed = lists.findLastIndex((list) => list.length > 0) + 1
  const numbers = rows.reduce((sum, row) => sum + row.length, 0)
  if (vertices === 0 || listed > vertices || rows.length < vertices - 1) return false
  return numbers === 2 * edges * (weighted ? 2 : 1) + names.length * vertices && bothDirections(lists) >= most
}

/** Whether rows hold as many neighbours as a header counts that may be one of arcs, each a vertex, in as many lines. */
function arcsFit({ vertices, edges, mayBeArcs }: Header, rows: readonly string[][]): boolean {
  const numbers = rows.flat().map(Number)
  const listed = rows.findLastIndex((row) => row.length > 0) + 1
  const areVertices = numbers.every((v) => Number.isInteger(v) && v >= 1 && v <= vertices)
  return mayBeArcs && numbers.length === edges && areVertices && listed <= vertices && rows.length >= vertices - 1
}

/** Part of the neighbours that are mutual; loops and repeats are not. */
function bothDirections(lists: readonly number[][]): number {
  const sets = lists.map((list) => new Set(list))
  const both = sets.flatMap((set, i) => [...set].filter((v) => v !== i + 1 && sets[v - 1]?.has(i + 1) === true))
  const listed = lists.reduce((sum, list) => sum + list.length, 0)
  return listed === 0 ? 1 : both.length / listed
}

function areInRange(header: Header, rows: readonly string[][]): boolean {
  const neighbours = rows.flatMap((row) => neighboursOf(header, row))
  return neighbours.filter((v) => v >= 1 && v <= header.vertices).length >= MOST * neighbours.length
}

const firstHeader = (lines: readonly string[]): Header | string =>
  headerOf((lines.find((line) => !line.startsWith('%')) ?? '').trim().split(/\s+/), '')

export const metis: TextFormat = {
  kind: 'text',
  name: 'metis',
  promisedBy: { ends: ['.graph', '.metis', '.chaco'] },
  firstId: 1,
  listsBothDirections: true,
  hasVertexValues: (head) => {
    const header = firstHeader(head.split('\n'))
    return typeof header !== 'string' && header.names.length > 0
  },
  recognise: metisReason,
  stated: (lines) => {
    const header = firstHeader(lines)
    if (typeof header === 'string') return null
    return { vertices: header.vertices, entries: 2 * header.edges, weighted: header.weighted }
  },
  open: (context) => new MetisReader(context),
}
