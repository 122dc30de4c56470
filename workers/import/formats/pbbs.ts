/**
 * PBBS and Ligra: AdjacencyGraph or WeightedAdjacencyGraph, n, m, n offsets, m targets (0-based), m weights. Offsets stay in memory, and targets
 * where weights follow. A header promises at most as many numbers as the file holds bytes for; what is damaged is refused with its line.
 * binary-graphs.ts has the binary forms.
 */

import { excerpt, OTHER_FORMAT } from '../../base/failure.ts'
import { wholeNumber } from '../reader/numbers.ts'
import { MAX_VERTICES, READER_SHARE, type ReadOutcome, requireMemoryFor } from '../reader/graph-reader.ts'
import type { TextFormat } from './graph-format.ts'
import { isNearly, TextReader } from './text-reader.ts'

const NEWLINE = 10
const SPACE = 32
const ZERO = 48
/** Nothing smaller is refused. */
const LEAST_BYTES = 4 << 20

/** One file, number by number. */
class PbbsReader extends TextReader {
  override line = 1
  readonly #offsets = new NumberList(() => this.#requireMemory())
  readonly #targets = new NumberList(() => this.#requireMemory())
  #stage: 'word' | 'vertices' | 'arcs' | 'numbers' = 'word'
  #weighted = false
  #kind: 'blank' | 'header' | 'vertices' = 'blank'
  #vertices = 0
  #arcs = 0
  #numbers = 0
  #vertex = 0

  readLines(bytes: Uint8Array, start: number, end: number): void {
    for (let at = start; at < end;) {
      const c = bytes[at]!
      if (c === NEWLINE) this.#endLine()
      if (c <= SPACE) {
        at++
        continue
      }
      let stop = at + 1
      while (bytes[stop]! > SPACE) stop++
      this.#token(bytes, at, stop)
      at = stop
    }
  }

  /** Counts a line by what its first number is. */
  #endLine(): void {
    this.line++
    this.tally[this.#kind]++
    this.#kind = 'blank'
  }

  finish(): ReadOutcome {
    this.line = Math.max(1, this.line - 1)
    if (this.#stage !== 'numbers')
      throw this.failure('the file ends before its n and m', 'Is the file complete, or the header wrong?')
    const wanted = this.#vertices + this.#arcs * (this.#weighted ? 2 : 1)
    const promised = `${wanted} numbers (offsets, targets${this.#weighted ? ', weights' : ''})`
    if (this.#numbers !== wanted) throw this.unkept('the header', promised, `ends after ${this.#numbers}`)
    return this.counted(this.#vertices, 0)
  }

  #token(bytes: Uint8Array, start: number, end: number): void {
    if (this.#kind === 'blank') this.#kind = this.#stage === 'numbers' ? 'vertices' : 'header'
    switch (this.#stage) {
      case 'word':
        return this.#word(Buffer.from(bytes.subarray(start, Math.min(end, start + 40))).toString('latin1'))
      case 'vertices':
        this.#vertices = this.#whole(bytes, start, end, MAX_VERTICES + 1, 'number of vertices')
        this.#stage = 'arcs'
        return
      case 'arcs':
        this.#arcs = this.#whole(bytes, start, end, Number.MAX_SAFE_INTEGER, 'number of arcs')
        this.begin(this.#weighted)
        this.#stage = 'numbers'
        return
      case 'numbers':
        this.#number(bytes, start, end)
        this.#numbers++
    }
  }

  #word(word: string): void {
    if (word !== 'AdjacencyGraph' && word !== 'WeightedAdjacencyGraph')
      throw this.failure(
        `the file begins with "${excerpt(word)}"`,
        'Write: AdjacencyGraph or WeightedAdjacencyGraph.',
        [OTHER_FORMAT],
      )
    this.#weighted = word.startsWith('W')
    this.#stage = 'vertices'
  }

  #number(bytes: Uint8Array, start: number, end: number): void {
    const k = this.#numbers
    if (k < this.#vertices) this.#offset(this.#whole(bytes, start, end, this.#arcs + 1, 'offset'))
    else if (k < this.#vertices + this.#arcs) this.#target(this.#whole(bytes, start, end, this.#vertices, 'target'), k)
    else if (this.#weighted && k < this.#vertices + 2 * this.#arcs) this.#weight(bytes, start, end, k)
    else throw this.failure('there are more numbers than the header promises', 'Is the header right?')
  }

  #offset(offset: number): void {
    const { length } = this.#offsets
    const before = length === 0 ? 0 : this.#offsets.at(length - 1)
    if (length === 0 ? offset !== 0 : offset < before)
      throw this.failure(
        `the offset ${offset} follows ${before}: offsets begin with 0 and ascend`,
        'Is the file right?',
      )
    this.#offsets.push(offset)
  }

  #requireMemory(): void {
    const bytes = this.#offsets.grownBytes + this.#targets.grownBytes
    if (bytes <= Math.max(LEAST_BYTES, READER_SHARE * this.context.memoryBytes)) return
    // All that the header promises, and the ends of chunks that stay empty.
    const promised = 8 * (this.#vertices + (this.#weighted ? this.#arcs : 0)) + LEAST_BYTES
    const what = `keeping the offsets${this.#weighted ? ' and targets' : ''}`
    requireMemoryFor(this.context, Math.max(bytes, promised), what)
  }

  #target(target: number, k: number): void {
    if (this.#weighted) this.#targets.push(target)
    else this.context.output.add(this.#vertexOf(k - this.#vertices), target, 1)
  }

  #weight(bytes: Uint8Array, start: number, end: number, k: number): void {
    const { output } = this.context
    const arc = k - this.#vertices - this.#arcs
    if (arc === 0) this.#vertex = 0
    const weight = output.weighted
      ? this.weightOf(wholeNumber(bytes, start, end) ?? NaN, bytes.subarray(start, end))
      : 1
    const from = this.#vertexOf(arc)
    if (weight !== null) output.add(from, this.#targets.at(arc), weight)
  }

  /** Arcs ascend from call to call. */
  #vertexOf(arc: number): number {
    while (this.#vertex + 1 < this.#vertices && this.#offsets.at(this.#vertex + 1) <= arc) this.#vertex++
    return this.#vertex
  }

  #whole(bytes: Uint8Array, start: number, end: number, limit: number, noun: string): number {
    let value = 0
    let at = start
    for (; at < end && at - start < 16; at++) {
      const d = bytes[at]! - ZERO
      if (d < 0 || d > 9) break
      value = value * 10 + d
    }
    if (at === end && value < limit) return value
    const word = excerpt(bytes.subarray(start, end))
    if (/^\d+$/.test(word))
      throw this.failure(`the ${noun} ${word} is past the largest that fits here, ${limit - 1}`, 'Is the header right?')
    throw this.failure(`the ${noun} "${word}" is not a whole number from 0`, 'Is the file damaged?')
  }
}

const CHUNK = 1 << 16

/** As many numbers as the file holds: what a header promises is never allocated. */
class NumberList {
  length = 0
  readonly #chunks: Float64Array[] = []
  readonly #beforeGrowth: () => void

  /** @param beforeGrowth called before more memory is taken */
  constructor(beforeGrowth: () => void) {
    this.#beforeGrowth = beforeGrowth
  }

  /** With one chunk more. */
  get grownBytes(): number {
    return 8 * CHUNK * (this.#chunks.length + 1)
  }

  push(value: number): void {
    const place = this.length % CHUNK
    if (place === 0) {
      this.#beforeGrowth()
      this.#chunks.push(new Float64Array(CHUNK))
    }
    this.#chunks.at(-1)![place] = value
    this.length++
  }

  at(index: number): number {
    return this.#chunks[Math.floor(index / CHUNK)]![index % CHUNK]!
  }
}

export const pbbs: TextFormat = {
  kind: 'text',
  name: 'pbbs',
  promisedBy: { ends: ['.adj'] },
  recognise: (text) =>
    ['AdjacencyGraph', 'WeightedAdjacencyGraph'].some((word) => isNearly(text.trimStart(), word))
      ? 'the first word is that of a PBBS or Ligra graph'
      : null,
  open: (context) => new PbbsReader(context),
}
