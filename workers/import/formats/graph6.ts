/**
 * graph6, sparse6 and digraph6 of B. D. McKay (nauty, "formats.txt"): a graph a line, six bits in each printable byte from 63
 * to 126. A line of graph6 has the upper triangle of the adjacency matrix by columns, one of digraph6 (which begins with
 * `&`) the whole matrix by rows, one of sparse6 (`:`) a list of edges relative to the vertex before. A header such as
 * `>>graph6<<` may stand in front. Bytes are decoded as they come: memory does not depend on the length of a line, which follows from its
 * number of vertices, so that damage is found before anything is allocated. Of several graphs one is read, by its number.
 */

import { inputFailure } from '../../base/failure.ts'
import { MAX_VERTICES, type ReaderContext, type WholeReading } from '../reader/graph-reader.ts'
import type { WholeFormat } from './graph-format.ts'
import { graphNumber, otherNumber } from './graph-number.ts'
import type { StoredFile } from './stored-file.ts'

const NEWLINE = 10
const RETURN = 13
const LEAST = 63
const MOST = 126
const BITS = 6
const headers = { '>>graph6<<': 'graph6', '>>sparse6<<': 'sparse6', '>>digraph6<<': 'digraph6' } as const
type Kind = (typeof headers)[keyof typeof headers]
const ends = ['.g6', '.s6', '.d6']
/** Entries between two pauses. */
const PUMPED = 1 << 16

/** The kind of a line, and where its number of vertices begins. */
function kindOf(line: string): { readonly kind: Kind; readonly at: number } {
  const header = Object.keys(headers).find((each) => line.startsWith(each)) as keyof typeof headers | undefined
  const at = header?.length ?? 0
  const kind = line[at] === ':' ? 'sparse6' : line[at] === '&' ? 'digraph6' : 'graph6'
  return { kind, at: kind === 'graph6' ? at : at + 1 }
}

/** How many bytes the number of vertices takes, by its first two. */
const sizeBytes = (first: number, second: number): number => (first < MOST ? 1 : second < MOST ? 4 : 8)

/** The number of vertices at a place; null where it is not whole. */
function sizeAt(line: string, at: number): { readonly vertices: number; readonly end: number } | null {
  const bytes = sizeBytes(line.charCodeAt(at), line.charCodeAt(at + 1))
  const digits = bytes === 1 ? line.slice(at, at + 1) : line.slice(at + (bytes === 4 ? 1 : 2), at + bytes)
  if (digits.length < [1, 3, 6][[1, 4, 8].indexOf(bytes)]!) return null
  if (!/^[?-~]*$/.test(digits)) return null
  const vertices = [...digits].reduce((sum, sign) => 64 * sum + sign.charCodeAt(0) - LEAST, 0)
  return { vertices, end: at + bytes }
}

/** Bits of an adjacency matrix. */
const matrixBits = (kind: Kind, n: number): number => (kind === 'digraph6' ? n * n : (n * (n - 1)) / 2)

/** Whether a line that is whole is exactly of its kind. */
function isExact(line: string): boolean {
  const { kind, at } = kindOf(line)
  const size = sizeAt(line, at)
  if (size === null || size.vertices > MAX_VERTICES || !/^[?-~]*$/.test(line.slice(at))) return false
  if (kind === 'sparse6') return true
  const bits = matrixBits(kind, size.vertices)
  const padding = (BITS - (bits % BITS)) % BITS
  const last = line.charCodeAt(line.length - 1) - LEAST
  return line.length === size.end + Math.ceil(bits / BITS) && (bits === 0 || last % 2 ** padding === 0)
}

/** Lines of the head that are whole, or the only one. */
function recognise(head: string, name: string): string | null {
  const first = head.split(/\r?\n/, 1)[0]!
  const { kind, at } = kindOf(first)
  if (at > 1) return `it begins with ${first.slice(0, at).replace(/[:&]$/, '')}`
  const isNamed = ends.some((end) => name.toLowerCase().replace(/\.gz$/, '').endsWith(end))
  const lines = head.split(/\r?\n/)
  const last = lines.pop()!
  const whole = lines.length === 0 && head.length < 1 << 15 ? [last] : lines
  const areExact = whole.length > 0 && whole.every(isExact)
  if (areExact) return `its lines have the length that ${kind} asks for`
  return isNamed && /^[:&]?[?-~]+$/.test(first) ? 'its name says so' : null
}

/** Any bit may be an edge; vertices are those of the largest graph that the head names. */
function most(head: string, bytes: number): { vertices: number; entries: number } {
  const sizes = head.split(/\r?\n/).map((line) => sizeAt(line, kindOf(line).at)?.vertices ?? 0)
  return { vertices: Math.max(0, ...sizes.filter((vertices) => vertices <= MAX_VERTICES)), entries: BITS * bytes }
}

/** Decodes the bits of one line into edges. */
class LineDecoder {
  readonly #kind: Kind
  readonly #n: number
  readonly #add: (from: number, to: number) => void
  readonly #width: number
  /** The place in the matrix. */
  #row = 0
  #column = 0
  /** Bits of a matrix that are to come. */
  #left: number
  /** A sparse6 number that is under way. */
  #value = 0
  #have = 0
  #vertex = 0
  #isOver = false

  constructor(kind: Kind, vertices: number, add: (from: number, to: number) => void) {
    this.#kind = kind
    this.#n = vertices
    this.#add = add
    this.#left = matrixBits(kind, vertices)
    this.#width = 1 + Math.max(0, Math.ceil(Math.log2(vertices)))
    if (kind === 'graph6') this.#column = 1
  }

  /** Bytes of a matrix that are to come. */
  get missing(): number {
    return this.#kind === 'sparse6' ? 0 : Math.ceil(this.#left / BITS)
  }

  /** @returns false for bits behind the end */
  take(six: number): boolean {
    if (this.#kind !== 'sparse6' && this.#left <= 0) return false
    for (let bit = BITS - 1; bit >= 0; bit--) {
      const one = (six >> bit) & 1
      if (this.#kind === 'sparse6') this.#sparse(one)
      else if (this.#left-- > 0) this.#cell(one)
    }
    return true
  }

  #cell(one: number): void {
    if (one === 1) this.#add(this.#row, this.#column)
    if (this.#kind === 'digraph6') {
      if (++this.#column < this.#n) return
      this.#column = 0
      this.#row++
    } else if (++this.#row === this.#column) {
      this.#row = 0
      this.#column++
    }
  }

  /** Numbers of one bit and a vertex: the bit steps on, and the vertex is the other end or a jump. */
  #sparse(one: number): void {
    if (this.#isOver) return
    this.#value = 2 * this.#value + one
    if (++this.#have < this.#width) return
    const steps = this.#value >= 2 ** (this.#width - 1) ? 1 : 0
    const x = this.#value - steps * 2 ** (this.#width - 1)
    this.#value = this.#have = 0
    this.#vertex += steps
    if (this.#vertex >= this.#n || x >= this.#n) this.#isOver = true
    else if (x > this.#vertex) this.#vertex = x
    else this.#add(x, this.#vertex)
  }
}

/** Lines that are not blank. */
function graphsIn(file: StoredFile): number {
  let graphs = 0
  let isNew = true
  for (const { bytes } of file.pieces())
    for (const byte of bytes) {
      if (byte === RETURN) continue
      if (isNew && byte !== NEWLINE) graphs++
      isNew = byte === NEWLINE
    }
  return graphs
}

/** The longest beginning of a line: header, sign, number of vertices. */
const MOST_BEGIN = 32

async function* read(file: StoredFile, context: ReaderContext): WholeReading {
  const wanted = graphNumber(file.name, context.member)
  context.output.weighted = false
  context.output.next()
  let [line, graphs, added, vertices] = [1, 0, 0, 0]
  let [isDone, isPassed] = [false, false]
  let begin: number[] = []
  let decoder: LineDecoder | null = null
  const place = (): string => `${file.name}:${line}`
  const fail = (what: string, remedy = 'Is the line whole?') => inputFailure(place(), what, remedy)
  const badSign = (byte: number) =>
    fail(`it holds the byte 0x${byte.toString(16).padStart(2, '0')}, and a graph is written in signs from ? to ~`)
  /** Opens a line that began, once its number of vertices is known. */
  const opened = (isWhole: boolean): void => {
    const text = String.fromCharCode(...begin)
    const { kind, at } = kindOf(text)
    const size = sizeAt(text, at)
    if (!isWhole && begin.length < MOST_BEGIN) return
    if (size === null) throw fail('the line does not say how many vertices there are')
    if (size.vertices > MAX_VERTICES) throw fail(`${size.vertices} vertices are more than there are ids`)
    vertices = size.vertices
    decoder = new LineDecoder(kind, size.vertices, (from, to) => {
      added++
      context.output.add(from, to, 1)
    })
    for (const byte of begin.slice(size.end)) bits(byte)
  }
  const bits = (byte: number): void => {
    if (byte < LEAST) throw badSign(byte)
    if (!decoder!.take(byte - LEAST)) throw fail('the line is longer than its number of vertices asks for')
  }
  const ended = (): void => {
    if (begin.length > 0 && decoder === null) opened(true)
    const missing = decoder?.missing ?? 0
    if (missing > 0) throw fail(`the line ends ${missing} bytes too early for its number of vertices`)
    decoder = null
    begin = []
  }
  for (const { bytes, readBytes } of file.pieces()) {
    for (let i = 0; i < bytes.length && !isDone; i++) {
      const byte = bytes[i]!
      if (byte === NEWLINE) {
        ended()
        isDone = wanted !== null && graphs === wanted
        isPassed = false
        line++
        continue
      }
      if (byte === RETURN) continue
      const isStart = begin.length === 0 && decoder === null && !isPassed
      if (isStart) isPassed = ++graphs !== (wanted ?? graphs)
      if (isPassed) {
        // Of a graph that is not asked for only the end counts.
        const end = bytes.indexOf(NEWLINE, i)
        i = (end < 0 ? bytes.length : end) - 1
        continue
      }
      const isHeader = decoder === null && begin.length < MOST_BEGIN
      if ((byte < LEAST || byte > MOST) && !(isHeader && '>:&<6'.includes(String.fromCharCode(byte))))
        throw badSign(byte)
      if (decoder !== null) bits(byte)
      else {
        begin.push(byte)
        opened(false)
      }
      if (added < PUMPED) continue
      added = 0
      yield readBytes
    }
    yield readBytes
    if (isDone) break
  }
  ended()
  const other = otherNumber(file.name, graphs, wanted)
  if (other !== null) throw other
  return { vertices: { kind: 'counted', vertices, base: 0 }, warnings: [] }
}

export const graph6: WholeFormat = {
  kind: 'whole',
  name: 'graph6',
  isText: true,
  promisedBy: { ends },
  graphs: graphsIn,
  recognise,
  most,
  read,
}
