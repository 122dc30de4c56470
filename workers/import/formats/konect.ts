import type { Fix } from '../../base/failure.ts'
import { wholeNumber } from '../decimal.ts'
import { trimmed } from './text-lines.ts'
import {
  type GraphReader,
  lineFailure,
  lineText,
  MAX_VERTICES,
  type ReaderContext,
  type ReadOutcome,
} from '../graph-reader.ts'
import { PlainLines, type PlainShape } from '../plain-lines.ts'
import { excerpt } from '../weight-policy.ts'
import type { TextFormat } from './graph-format.ts'

const NEWLINE = 10
const PERCENT = 37

const DIRECTIONS = 'sym|asym|bip'
const KINDS =
  'unweighted|positive|posweighted|signed|weighted|multiweighted|multiposweighted|multisigned|dynamic|multidynamic'
/** First line of an out.* file: `% sym|asym|bip` and how edges are weighted. */
const KONECT_BANNER = new RegExp(`^%\\s*(${DIRECTIONS})\\s+(${KINDS})\\b`)
/** The same with a word damaged or whatever in front, and two words above a line of sizes. */
const KONECT_LIKE = new RegExp(
  `^(?:.*\\b(?:${DIRECTIONS})\\s+(?:${KINDS})\\b|%\\s*(?:(?:${DIRECTIONS})\\s+\\S|\\S+\\s+(?:${KINDS})\\b|\\S+\\s+\\S+\\s*\\n%\\s*\\d+\\s+\\d+\\s+\\d+\\s*\\n))`,
)

/** Kinds of weights whose third column is no weight: nothing, or whether an edge appears or goes. */
const WITHOUT_WEIGHTS = ['unweighted', 'dynamic', 'multidynamic']

/**
 * KONECT `out.*`: `% sym|asym|bip <weights>`, `% edges left right` (optional), then 1-based `u v [w [time]]`. In a bipartite
 * file u and v are of two id spaces: vertex j of the right side becomes left + j.
 */
class KonectReader implements GraphReader {
  line = 0
  readonly #context: ReaderContext
  readonly #plain = new PlainLines()
  readonly #warnings: string[] = []
  #bipartite = false
  #unweighted = false
  #begun = false
  #sizes: { readonly left: number; readonly right: number; readonly edges: number } | null = null
  #shape: PlainShape | null = null
  #edges = 0

  constructor(context: ReaderContext) {
    this.#context = context
  }

  #tookLines(lines: number, negatives: number): void {
    this.line += lines
    this.#edges += lines
    this.#context.weights.absolute += negatives
  }

  readLines(bytes: Uint8Array, start: number, end: number): void {
    for (let at = start; at < end;) {
      if (this.#shape !== null) {
        at = this.#plain.read(bytes, at, end, Infinity, this.#shape, this.#context.output)
        this.#tookLines(this.#plain.lines, this.#plain.negatives)
        if (at >= end) return
      }
      const newline = bytes.indexOf(NEWLINE, at)
      this.line++
      this.#anyLine(trimmed(bytes, at, newline))
      at = newline + 1
    }
  }

  finish(): ReadOutcome {
    if (!this.#begun) throw this.#failure('the file holds no edges', 'Is it complete?')
    const sizes = this.#sizes
    if (sizes !== null && sizes.edges !== this.#edges)
      throw this.#failure(
        `the second line promises ${sizes.edges} edges, and the file lists ${this.#edges}`,
        'Is the file complete, or that line wrong?',
      )
    const warnings = this.#warnings
    if (sizes === null) return { vertices: { kind: 'occurring' }, warnings }
    const { left, right } = sizes
    if (!this.#bipartite) return { vertices: { kind: 'counted', vertices: left, base: 1 }, warnings }
    warnings.push(`bipartite: the left side is the vertices 1 to ${left}, vertex j of the right side is ${left} + j`)
    return { vertices: { kind: 'counted', vertices: left + right, base: 1 }, warnings, sides: { left, right } }
  }

  #anyLine(line: Uint8Array): void {
    if (this.line === 1) return this.#banner(this.#text(line))
    if (line.length === 0) return
    if (line[0] === PERCENT) {
      if (this.#sizes === null && !this.#begun) this.#readSizes(this.#text(line).slice(1))
      return
    }
    const words = this.#text(line).split(/\s+/)
    if (!this.#begun) this.#begin(words.length)
    this.#edge(words)
  }

  #banner(text: string): void {
    const [, direction, kind] = KONECT_BANNER.exec(text) ?? []
    if (direction === undefined || kind === undefined)
      throw this.#failure(
        `the first line reads "${excerpt(text)}"`,
        'A KONECT file begins with "% sym|asym|bip" and the kind of its weights. Is it a plain edge list?',
        [{ action: 'set', option: 'format', to: 'edge-list' }],
      )
    this.#bipartite = direction === 'bip'
    this.#unweighted = WITHOUT_WEIGHTS.includes(kind)
  }

  #readSizes(text: string): void {
    const numbers = text.trim().split(/\s+/)
    if (!numbers.every((word) => /^\d{1,15}$/.test(word)) || numbers.length < 3) return
    const [edges, left, right] = numbers.map(Number) as [number, number, number]
    if (left + right > MAX_VERTICES)
      throw this.#failure(
        `${left} and ${right} vertices are past the ${MAX_VERTICES} that ids have room for`,
        'Split the graph.',
      )
    const count = this.#bipartite ? left : Math.max(left, right)
    this.#sizes = { edges, left: count, right: this.#bipartite ? right : count }
  }

  #begin(columns: number): void {
    if (this.#bipartite && this.#sizes === null)
      throw this.#failure(
        'a bipartite file needs the sizes of its two sides, and there is no second line "% edges left right"',
        'Add it under the first line.',
      )
    const { output, ignoreWeights, weights } = this.#context
    this.#begun = true
    output.weighted = columns > 2 && !this.#unweighted && !ignoreWeights
    output.next()
    if (columns > (output.weighted ? 3 : 2) && columns !== 3)
      this.#warnings.push(`columns after the first ${output.weighted ? 3 : 2} (times) were ignored`)
    const sizes = this.#sizes
    this.#shape = {
      delimiter: 0,
      weighted: output.weighted,
      absolute: weights.rule === 'absolute',
      skipRest: columns > 2,
      base: sizes === null ? 0 : 1,
      fromLimit: sizes?.left ?? 2 ** 32,
      toLimit: sizes?.right ?? 2 ** 32,
      toShift: this.#bipartite && sizes !== null ? sizes.left : 0,
    }
  }

  #edge(words: string[]): void {
    const { output, weights, source } = this.#context
    const { weighted, base, fromLimit, toLimit, toShift } = this.#shape!
    if (words.length < (weighted ? 3 : 2))
      throw this.#failure(`${words.length} columns where an edge has ${weighted ? 3 : 2}`, 'Add what is missing.')
    const from = this.#id(words[0]!, base, fromLimit, this.#bipartite ? 'left' : '')
    const to = this.#id(words[1]!, base, toLimit, this.#bipartite ? 'right' : '')
    let weight: number | null = 1
    if (weighted) {
      const bytes = Buffer.from(words[2]!, 'latin1')
      const value = wholeNumber(bytes, 0, bytes.length)
      weight = weights.apply(value ?? NaN, () => `${source}:${this.line}`, words[2]!)
    }
    this.#edges++
    if (weight !== null) output.add(from, to + toShift, weight)
  }

  #id(word: string, base: number, limit: number, side: string): number {
    const id = Number(word)
    const whole = /^\d{1,15}$/.test(word)
    if (whole && id === 0) throw this.#failure('the vertex is 0, and KONECT counts from 1', 'Add 1 to every id.')
    if (whole && id - base < limit) return id - base
    if (/^\d+$/.test(word))
      throw this.#failure(
        `vertex ${excerpt(word)} is past the ${limit} ${side === '' ? '' : `on the ${side} side `}that there are`,
        'Is the second line right?',
      )
    const kind = /^-\d+$/.test(word) ? 'negative' : 'not a whole number'
    throw this.#failure(`the vertex "${excerpt(word)}" is ${kind}`, 'Vertices are integers from 1.')
  }

  #text(line: Uint8Array): string {
    return lineText(line, this.#context.source, this.line)
  }

  #failure(what: string, remedy: string, fixes?: readonly Fix[]) {
    return lineFailure(this.#context.source, Math.max(1, this.line), what, remedy, fixes)
  }
}

export const konect: TextFormat = {
  kind: 'text',
  name: 'konect',
  written: [],
  words: {
    files: '`out.*`',
    recognisedBy: 'a first line `% sym\\|asym\\|bip ...`',
    vertices: '1 to the sizes of the second line, else as they occur',
    notes: [
      '**KONECT**: a bipartite file needs its second line `% edges left right`. `unweighted` and `dynamic` files have no weights; times are ignored.',
    ],
  },
  promisedBy: { begin: 'out.' },
  shownAs: 'fields',
  recognise: (text) => (KONECT_LIKE.test(text) ? 'the first line is a KONECT banner' : null),
  open: (context) => new KonectReader(context),
}
