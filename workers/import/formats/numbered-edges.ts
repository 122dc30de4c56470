/**
 * Formats of lines whose vertices a header counts from 1: DIMACS colouring and clique (D. S. Johnson, M. A. Trick, 1996), the shortest-path
 * challenge (DIMACS-9), PACE (pacechallenge.org), and KONECT (J. Kunegis, "KONECT Handbook"). An edge is a line; memory holds one, and an id beyond
 * the header is refused with its line. Lines of two or three numbers are parsed by threads. What the problem line leaves open, or where it is
 * damaged, the letters of the edges decide.
 */

import { counted } from '../../base/counted.ts'
import { excerpt, OTHER_FORMAT } from '../../base/failure.ts'
import { MAX_VERTICES, type ReaderContext, type OtherReading, type ReadOutcome } from '../reader/graph-reader.ts'
import { numberOf } from '../reader/numbers.ts'
import type { PlainShape } from '../reader/plain-lines.ts'
import type { TextFormat } from './graph-format.ts'
import { type IdBound, LineReader } from './text-reader.ts'

/** Problems of DIMACS that are no graph to us, by the word of their problem line. */
const otherProblems: Readonly<Record<string, string>> = {
  cnf: 'a formula of satisfiability',
  sat: 'a formula of satisfiability',
  max: 'a problem of flow, whose capacities are no weights',
  min: 'a problem of flow, whose costs are no weights',
  asn: 'a problem of assignment',
  hs: 'a problem of hitting sets, which are no edges',
}

interface Dialect {
  readonly problem: RegExp
  /** What lines of edges begin with; null where they are two numbers. */
  readonly letter: string | null
  /** Numbers of an edge, and where it may have a weight, with it. */
  readonly numbers: readonly number[]
  readonly shape: string
  readonly noun: string
}

const dialects: Readonly<Record<'dimacs' | 'dimacs9' | 'pace', Dialect>> = {
  dimacs: {
    problem: /^p\s+(?:edge|col|clq|edges)\s+(\d{1,15})\s+(\d{1,15})(?:\s+\d+)*$/,
    letter: 'e',
    numbers: [2, 3],
    shape: 'p edge n m',
    noun: 'edges',
  },
  dimacs9: {
    problem: /^p\s+sp\s+(\d{1,15})\s+(\d{1,15})$/,
    letter: 'a',
    numbers: [3],
    shape: 'p sp n m',
    noun: 'arcs',
  },
  // One-sided crossings have the sizes of both sides.
  pace: {
    problem:
      /^p\s+(?!ocr\b)[a-z]+\s+(\d{1,15})\s+(\d{1,15})$|^p\s+ocr\s+(\d{1,15})\s+(\d{1,15})\s+(\d{1,15})(?:\s+\d+)?$/,
    letter: null,
    numbers: [2],
    shape: 'p tw n m',
    noun: 'edges',
  },
}
type DialectName = keyof typeof dialects

/** What a problem line says; null where it is of another form. */
function problemIn(name: DialectName, text: string) {
  const [, vertices, edges, left, right, crossings] = dialects[name].problem.exec(text.trim()) ?? []
  if (vertices !== undefined) return { vertices: Number(vertices), edges: Number(edges), sides: null }
  if (left === undefined) return null
  const sides = { left: Number(left), right: Number(right) }
  return { vertices: sides.left + sides.right, edges: Number(crossings), sides }
}

/**
 * DIMACS .col and .clq (`p edge n m`, `e u v`, `n v weight`), DIMACS-9 .gr (`p sp n m`, `a u v w`: signed weights, loops and
 * parallel arcs allowed) and PACE .gr (`p tw n m` and other problems, `u v`). Ids count from 1.
 */
class DimacsReader extends LineReader {
  readonly #name: DialectName
  readonly #dialect: Dialect
  #problem: ReturnType<typeof problemIn> = null
  #bound: IdBound = { noun: 'vertex', past: '', mend: 'Is it right?', format: 'DIMACS' }
  /** Numbers of an edge, by the first one; 0 before it. */
  #numbers = 0
  #vertexWeights = 0

  constructor(context: ReaderContext, name: DialectName) {
    super(context)
    this.#name = name
    this.#dialect = dialects[name]
  }

  finish(): ReadOutcome {
    const problem = this.#problem
    if (problem === null) throw this.#noProblem('the file ends before its problem line')
    this.#checkCount(problem.edges)
    if (this.#numbers === 0) this.begin(this.#name === 'dimacs9')
    const ignored = this.tally.vertices - (this.context.table?.attributes === 'none' ? 0 : this.#vertexWeights)
    if (ignored > 0)
      this.warnings.push(`${counted(ignored, 'line about vertices was', 'lines about vertices were')} ignored`)
    const { vertices, sides } = problem
    return { ...this.counted(vertices, 1), ...(sides === null ? {} : { sides }) }
  }

  /** Files that list every edge in both directions count it once or twice. */
  #checkCount(promised: number): void {
    if (this.entries === promised) return
    if (this.#name === 'dimacs' && (this.entries === 2 * promised || 2 * this.entries === promised)) {
      this.warnings.push(`the problem line says ${promised} edges, and the file lists ${this.entries}`)
      return
    }
    throw this.unkept('the problem line', `${promised} ${this.#dialect.noun}`, `lists ${this.entries}`)
  }

  protected anyLine(line: Uint8Array): void {
    const text = this.text(line)
    if (/^(?:c(?:\s|$)|$)/.test(text)) {
      this.tally[text === '' ? 'blank' : 'comments']++
      return
    }
    const { letter } = this.#dialect
    if (text.startsWith('p') && this.#problem === null) return this.#begun(text)
    if (this.#problem === null) throw this.#noProblem(`"${excerpt(text)}" stands before the problem line`)
    const words = text.split(/\s+/)
    if (letter === null ? /^[-+]?\d/.test(words[0]!) : words[0] === letter)
      this.#edge(letter === null ? words : words.slice(1))
    else if (letter !== null && /^[nvdx]$/.test(words[0]!)) this.#ofVertex(words)
    else
      throw this.failure(
        `"${excerpt(text)}" is no line of this format`,
        letter === null ? 'Lines begin with c or p, or are two vertices.' : `Lines begin with c, p or ${letter}.`,
      )
  }

  #begun(text: string): void {
    const problem = problemIn(this.#name, text)
    const other = otherProblems[/^p\s+(\w+)/.exec(text)?.[1] ?? '']
    if (other !== undefined)
      throw this.failure(
        `the problem line reads "${excerpt(text)}": it is ${other}`,
        'Write the graph as an edge list.',
      )
    if (problem === null) throw this.#noProblem(`the problem line reads "${excerpt(text)}"`)
    this.tally.header++
    this.requireRoom(problem.vertices)
    this.#problem = problem
    this.#bound = { ...this.#bound, past: `the ${problem.vertices} of the problem line` }
    if (this.#name === 'dimacs' && text.split(/\s+/).length > 4)
      this.warnings.push('the numbers of the problem line behind the second one were ignored')
    if (this.#name === 'dimacs') return
    this.#open(this.#dialect.numbers[0]!)
    const limit = problem.vertices
    if (this.#name === 'pace') this.shape = this.shapeWith({ base: 1, fromLimit: limit, toLimit: limit })
  }

  #open(numbers: number): void {
    this.#numbers = numbers
    this.begin(numbers === 3)
  }

  #noProblem(what: string) {
    return this.failure(what, `Write: ${this.#dialect.shape}.`, [OTHER_FORMAT])
  }

  #ofVertex(words: readonly string[]): void {
    this.tally.vertices++
    const weight = numberOf(words[2] ?? '')
    if (words[0] !== 'n' || words.length !== 3 || Number.isNaN(weight)) return
    this.#vertexWeights++
    this.context.vertexTap?.(this.id(words[1]!, this.#problem!.vertices, this.#bound), [['weight', weight]])
  }

  #edge(numbers: readonly string[]): void {
    const { letter, numbers: allowed } = this.#dialect
    if (this.#numbers === 0) this.#open(allowed.find((count) => count === numbers.length) ?? allowed[0]!)
    if (numbers.length !== this.#numbers)
      throw this.failure(
        `${numbers.length} numbers ${letter === null ? 'in an edge' : `after "${letter}"`} where there are ${this.#numbers}`,
        'Mend the line; is the file complete?',
      )
    const { vertices } = this.#problem!
    const from = this.id(numbers[0]!, vertices, this.#bound)
    const to = this.id(numbers[1]!, vertices, this.#bound)
    this.entries++
    this.entry(from, to, numbers[2])
  }
}

const isPaceEdge = (line: string): boolean => /^\s*\d+[ \t]+\d+\s*$/.test(line)

/** The reason for DIMACS by the problem line or, if it is damaged or missing, by the letters of the edges. */
function dimacsReason(text: string, wanted: DialectName): string | null {
  const lines = text.split('\n', 1000).filter((line) => !/^(?:c(?:\s.*)?|\s*)$/.test(line))
  const [, known, other] =
    /^p\s+(?:(edge|edges|col|clq|sp)\s+\d|(\S+)\s+\d+\s+\d+(?:\s+\d+)*\s*$)/.exec(lines[0] ?? '') ?? []
  const kind = known ?? other
  const edges = lines.filter((line) => /^e\s+\d+\s+\d+\s*$/.test(line)).length
  const arcs = lines.filter((line) => /^a\s+\d+\s+\d+\s+\S+\s*$/.test(line)).length
  if (lines.length === 0 || (kind === undefined && 2 * Math.max(edges, arcs) < lines.length)) return null
  const plain = lines.filter(isPaceEdge).length
  const isPace =
    kind !== undefined && kind !== 'sp' && (lines.length > 1 ? 2 * plain > lines.length - 1 : known === undefined)
  const format = isPace ? 'pace' : kind === 'sp' || (kind !== 'edge' && arcs > edges) ? 'dimacs9' : 'dimacs'
  if (format !== wanted) return null
  if (isPace) return `lines of two vertices stand under the problem line "p ${kind}"`
  return kind === undefined ? 'its lines are those of DIMACS' : `there is a DIMACS problem line, "p ${kind}"`
}

const dimacsFormat = (name: DialectName, ends: readonly string[]): TextFormat => ({
  kind: 'text',
  name,
  promisedBy: { ends },
  firstId: 1,
  // Threads may take lines that have no letter.
  ...(dialects[name].letter === null ? { hasHeader: true } : {}),
  ...(name === 'dimacs' ? { hasVertexValues: () => true } : {}),
  recognise: (text) => dimacsReason(text, name),
  stated: (lines) => {
    const size = problemIn(name, lines.find((line) => /^p\s/.test(line)) ?? '')
    return size && { vertices: size.vertices, entries: size.edges, weighted: name === 'dimacs9' }
  },
  open: (context) => new DimacsReader(context, name),
})

export const dimacs = dimacsFormat('dimacs', ['.col', '.clq'])
export const dimacs9 = dimacsFormat('dimacs9', ['.gr'])
export const pace = dimacsFormat('pace', [])

const PERCENT = 37
const COMMA = 44

const DIRECTIONS = 'sym|asym|bip'
const KINDS =
  'unweighted|positive|posweighted|signed|weighted|multiweighted|multiposweighted|multisigned|dynamic|multidynamic'
const KONECT_BANNER = new RegExp(`^%\\s*(${DIRECTIONS})\\s+(${KINDS})\\b`)
/** With a word damaged or something in front, or two words above a line of sizes. */
const KONECT_LIKE = new RegExp(
  `^(?:.*\\b(?:${DIRECTIONS})\\s+(?:${KINDS})\\b|%\\s*(?:(?:${DIRECTIONS})(?:\\s+\\S|\\S(?:${KINDS})\\b)|(?:\\S+\\s+)?(?:${KINDS})\\b|\\S+\\s+\\S+\\s*\\n%\\s*\\d+\\s+\\d+\\s+\\d+\\s*\\n))`,
)

/** Their third column says nothing, or whether an edge appears or goes. */
const WITHOUT_WEIGHTS = ['unweighted', 'dynamic', 'multidynamic']

/** "edges left right", and what may follow; null for other comments */
function sizesIn(text: string) {
  const numbers = text.trim().split(/\s+/)
  if (!numbers.every((word) => /^\d{1,15}$/.test(word)) || numbers.length < 3) return null
  const [edges, left, right] = numbers.map(Number) as [number, number, number]
  return { edges, left, right }
}

/**
 * KONECT `out.*`: `% sym|asym|bip <weights>`, `% edges left right` (optional), then 1-based `u v [w [time]]`. In a
 * bipartite file vertex j of the right side becomes left + j.
 */
class KonectReader extends LineReader {
  #bipartite = false
  #unweighted = false
  #sizes: { readonly left: number; readonly right: number; readonly edges?: number } | null = null
  #bounds: readonly IdBound[] = []
  /** Sizes that a bipartite file without them comes to, for a second reading. */
  #seen: { left: number; right: number } | null = null

  finish(): ReadOutcome | OtherReading {
    if (this.shape === null) throw this.failure('the file holds no edges', 'Is it complete?')
    if (this.#seen !== null) return { other: 'sides', sides: this.#seen }
    const sizes = this.#sizes
    if (sizes?.edges !== undefined && sizes.edges !== this.entries)
      throw this.unkept('the second line', `${sizes.edges} edges`, `lists ${this.entries}`)
    if (this.context.sides !== undefined)
      this.warnings.push('there are no sizes of the two sides: the largest ids were taken for them')
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
    if (line.length === 0) {
      this.tally.blank++
      return
    }
    if (line[0] === PERCENT) {
      const isAhead = this.#sizes === null && this.shape === null
      this.tally[isAhead && this.#readSizes(this.text(line).slice(1)) ? 'header' : 'comments']++
      return
    }
    const text = this.text(line)
    // Network Repository also writes commas.
    const words = text.split(text.includes(',') ? /\s*,\s*/ : /\s+/)
    if (this.shape === null) {
      const delimiter = text.includes(',') ? COMMA : 0
      const { fromLimit, toLimit } = (this.shape = { ...this.#shapeOf(words.length), delimiter })
      this.#bounds = [this.#bound('left', fromLimit), this.#bound('right', toLimit)]
    }
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
    this.tally.header++
    this.#bipartite = direction === 'bip'
    this.#unweighted = WITHOUT_WEIGHTS.includes(kind)
    if (kind.endsWith('dynamic'))
      this.warnings.push('the network is dynamic: edges that a line takes away again (-1) stand all the same')
  }

  /** @returns whether the comment has the sizes */
  #readSizes(text: string): boolean {
    const sizes = sizesIn(text)
    if (sizes === null) return false
    const { edges, left, right } = sizes
    this.requireRoom(left + right, `${left} and ${right}`)
    const count = this.#bipartite ? left : Math.max(left, right)
    this.#sizes = { edges, left: count, right: this.#bipartite ? right : count }
    return true
  }

  #bound(side: string, limit: number): IdBound {
    const past = `the ${limit} ${this.#bipartite ? `on the ${side} side ` : ''}that there are`
    return { noun: 'vertex', past, mend: 'Is the second line right?', format: 'KONECT' }
  }

  #shapeOf(columns: number): PlainShape {
    if (this.#bipartite && this.#sizes === null) {
      this.#sizes = this.context.sides ?? { left: MAX_VERTICES, right: MAX_VERTICES }
      if (this.context.sides === undefined) this.#seen = { left: 0, right: 0 }
    }
    this.begin(columns > 2 && !this.#unweighted)
    const { output } = this.context
    if (columns > (output.weighted ? 3 : 2) && columns !== 3)
      this.warnings.push(`columns after the first ${output.weighted ? 3 : 2} (times) were ignored`)
    if (this.#sizes === null) return this.shapeWith({ skipRest: columns > 2 })
    const { left, right } = this.#sizes
    const toShift = this.#bipartite ? left : 0
    return this.shapeWith({ skipRest: columns > 2, base: 1, fromLimit: left, toLimit: right, toShift })
  }

  #edge(words: string[], { weighted, skipRest, base, fromLimit, toLimit, toShift }: PlainShape): void {
    if (words.length < (weighted ? 3 : 2))
      throw this.failure(`${words.length} columns where an edge has ${weighted ? 3 : 2}`, 'Add what is missing.')
    if (!skipRest && words.length > 2 && !this.#unweighted)
      throw this.failure(`${words.length} columns, where the first edge had 2`, 'Give every edge a weight, or none.')
    const from = this.id(words[0]!, fromLimit, this.#bounds[0]!, base)
    const to = this.id(words[1]!, toLimit, this.#bounds[1]!, base)
    this.entries++
    if (this.#seen === null) this.entry(from, to + toShift, words[2])
    else {
      const { left, right } = this.#seen
      this.#seen = { left: Math.max(left, from + 1), right: Math.max(right, to + 1) }
      this.requireRoom(this.#seen.left + this.#seen.right)
    }
  }

  /** A file whose sides are measured has none. */
  protected override get ordinary(): PlainShape | null {
    return this.#seen === null ? this.shape : null
  }
}

export const konect: TextFormat = {
  kind: 'text',
  name: 'konect',
  promisedBy: { begin: 'out.' },
  shownAs: 'fields',
  recognise: (text) => (KONECT_LIKE.test(text) ? 'the first line is a KONECT banner' : null),
  stated: (lines) => {
    const [, direction, kind = ''] = KONECT_BANNER.exec(lines[0] ?? '') ?? []
    const edge = lines.find((line) => line.trim() !== '' && !line.startsWith('%'))
    const sizes = sizesIn((lines[1] ?? '').slice(1))
    if (direction === undefined || sizes === null || edge === undefined) return null
    const { edges, left, right } = sizes
    const weighted = !WITHOUT_WEIGHTS.includes(kind) && edge.trim().split(/\s+/).length > 2
    return { vertices: direction === 'bip' ? left + right : Math.max(left, right), entries: edges, weighted }
  },
  hasTwoSides: (head) => /^%\s*bip\b/.test(head),
  open: (context) => new KonectReader(context),
}
