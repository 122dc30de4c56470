import { excerpt } from '../../base/failure.ts'
import type { ReadOutcome } from '../graph-reader.ts'
import type { PlainShape } from '../plain-lines.ts'
import type { TextFormat } from './graph-format.ts'
import { LineReader } from './text-reader.ts'

const PERCENT = 37

const DIRECTIONS = 'sym|asym|bip'
const KINDS =
  'unweighted|positive|posweighted|signed|weighted|multiweighted|multiposweighted|multisigned|dynamic|multidynamic'
const KONECT_BANNER = new RegExp(`^%\\s*(${DIRECTIONS})\\s+(${KINDS})\\b`)
/** With a word damaged or something in front, or two words above a line of sizes. */
const KONECT_LIKE = new RegExp(
  `^(?:.*\\b(?:${DIRECTIONS})\\s+(?:${KINDS})\\b|%\\s*(?:(?:${DIRECTIONS})\\s+\\S|\\S+\\s+(?:${KINDS})\\b|\\S+\\s+\\S+\\s*\\n%\\s*\\d+\\s+\\d+\\s+\\d+\\s*\\n))`,
)

/** Their third column says nothing, or whether an edge appears or goes. */
const WITHOUT_WEIGHTS = ['unweighted', 'dynamic', 'multidynamic']

/**
 * KONECT `out.*`: `% sym|asym|bip <weights>`, `% edges left right` (optional), then 1-based `u v [w [time]]`. In a
 * bipartite file vertex j of the right side becomes left + j.
 */
class KonectReader extends LineReader {
  #bipartite = false
  #unweighted = false
  #sizes: { readonly left: number; readonly right: number; readonly edges: number } | null = null

  finish(): ReadOutcome {
    if (this.shape === null) throw this.failure('the file holds no edges', 'Is it complete?')
    const sizes = this.#sizes
    if (sizes !== null && sizes.edges !== this.entries)
      throw this.unkept('the second line', `${sizes.edges} edges`, `lists ${this.entries}`)
    if (sizes === null) return { vertices: { kind: 'occurring' }, warnings: this.warnings }
    const { left, right } = sizes
    if (!this.#bipartite) return this.counted(left, 1)
    this.warnings.push(
      `bipartite: the left side is the vertices 1 to ${left}, vertex j of the right side is ${left} + j`,
    )
    return { ...this.counted(left + right, 1), sides: { left, right } }
  }

  protected anyLine(line: Uint8Array): void {
    if (this.line === 1) return this.#banner(this.text(line))
    if (line.length === 0) return
    if (line[0] === PERCENT) {
      if (this.#sizes === null && this.shape === null) this.#readSizes(this.text(line).slice(1))
      return
    }
    const words = this.text(line).split(/\s+/)
    this.shape ??= this.#shapeOf(words.length)
    this.#edge(words, this.shape)
  }

  #banner(text: string): void {
    const [, direction, kind] = KONECT_BANNER.exec(text) ?? []
    if (direction === undefined || kind === undefined)
      throw this.failure(
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
    this.requireRoom(left + right, `${left} and ${right}`)
    const count = this.#bipartite ? left : Math.max(left, right)
    this.#sizes = { edges, left: count, right: this.#bipartite ? right : count }
  }

  #shapeOf(columns: number): PlainShape {
    if (this.#bipartite && this.#sizes === null)
      throw this.failure(
        'a bipartite file needs the sizes of its two sides, and there is no second line "% edges left right"',
        'Add it under the first line.',
      )
    this.begin(columns > 2 && !this.#unweighted)
    const { output } = this.context
    if (columns > (output.weighted ? 3 : 2) && columns !== 3)
      this.warnings.push(`columns after the first ${output.weighted ? 3 : 2} (times) were ignored`)
    if (this.#sizes === null) return this.shapeWith({ skipRest: columns > 2 })
    const { left, right } = this.#sizes
    const toShift = this.#bipartite ? left : 0
    return this.shapeWith({ skipRest: columns > 2, base: 1, fromLimit: left, toLimit: right, toShift })
  }

  #edge(words: string[], { weighted, base, fromLimit, toLimit, toShift }: PlainShape): void {
    if (words.length < (weighted ? 3 : 2))
      throw this.failure(`${words.length} columns where an edge has ${weighted ? 3 : 2}`, 'Add what is missing.')
    const from = this.#id(words[0]!, base, fromLimit, this.#bipartite ? 'left' : '')
    const to = this.#id(words[1]!, base, toLimit, this.#bipartite ? 'right' : '')
    this.entries++
    this.entry(from, to + toShift, words[2])
  }

  #id(word: string, base: number, limit: number, side: '' | 'left' | 'right'): number {
    const id = Number(word)
    if (/^\d{1,15}$/.test(word) && id >= base && id - base < limit) return id - base
    const past = `the ${limit} ${side === '' ? '' : `on the ${side} side `}that there are`
    throw this.badId(word, 'vertex', past, 'Is the second line right?', 'KONECT')
  }
}

export const konect: TextFormat = {
  kind: 'text',
  name: 'konect',
  promisedBy: { begin: 'out.' },
  shownAs: 'fields',
  recognise: (text) => (KONECT_LIKE.test(text) ? 'the first line is a KONECT banner' : null),
  open: (context) => new KonectReader(context),
}
