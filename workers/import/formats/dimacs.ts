import { OTHER_FORMAT } from '../../base/failure.ts'
import type { Fix } from '../../base/failure.ts'
import { wholeNumber } from '../decimal.ts'
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
import type { StatedSize, TextFormat } from './graph-format.ts'

const NEWLINE = 10
const COMMENT = 99

/** What differs between the two DIMACS formats: the problem line and the lines of edges. */
const dialects = {
  dimacs: {
    problem: /^p\s+(edge|col|clq|edges)\s+(\d{1,15})\s+(\d{1,15})$/,
    letter: 'e',
    fields: 3,
    shape: 'p edge n m',
  },
  dimacs9: { problem: /^p\s+(sp)\s+(\d{1,15})\s+(\d{1,15})$/, letter: 'a', fields: 4, shape: 'p sp n m' },
} as const

/**
 * DIMACS .col and .clq (`p edge n m`, `e u v`: each edge once, though many files list edges twice) and DIMACS-9 .gr
 * (`p sp n m`, `a u v w`: arcs with signed integer weights; loops and parallel arcs allowed). Ids count from 1.
 */
class DimacsReader implements GraphReader {
  line = 0
  readonly #context: ReaderContext
  readonly #format: keyof typeof dialects
  readonly #warnings: string[] = []
  #vertices = -1
  #promised = 0
  #edges = 0
  #vertexLines = 0

  constructor(context: ReaderContext, format: keyof typeof dialects) {
    this.#context = context
    this.#format = format
  }

  readLines(bytes: Uint8Array, start: number, end: number): void {
    for (let at = start; at < end;) {
      const newline = bytes.indexOf(NEWLINE, at)
      this.line++
      if (bytes[at] !== COMMENT || !this.#isComment(bytes, at)) this.#anyLine(trimmed(bytes, at, newline))
      at = newline + 1
    }
  }

  finish(): ReadOutcome {
    if (this.#vertices < 0)
      throw this.#failure('the file ends before its problem line', `Write: ${dialects[this.#format].shape}.`, [
        OTHER_FORMAT,
      ])
    this.#checkCount()
    if (this.#vertexLines > 0) this.#warnings.push(`${this.#vertexLines} lines about vertices (n) were ignored`)
    return { vertices: { kind: 'counted', vertices: this.#vertices, base: 1 }, warnings: this.#warnings }
  }

  /** Files that list every edge in both directions count it once or twice; what else differs is a broken file. */
  #checkCount(): void {
    if (this.#edges === this.#promised) return
    if (this.#format === 'dimacs' && (this.#edges === 2 * this.#promised || 2 * this.#edges === this.#promised)) {
      this.#warnings.push(`the problem line says ${this.#promised} edges, and the file lists ${this.#edges}`)
      return
    }
    throw this.#failure(
      `the problem line promises ${this.#promised} ${this.#format === 'dimacs' ? 'edges' : 'arcs'}, and the file lists ${this.#edges}`,
      'Is the file complete, or the problem line wrong?',
    )
  }

  #isComment(bytes: Uint8Array, at: number): boolean {
    const next = bytes[at + 1]!
    return next === 32 || next === 9 || next === NEWLINE || next === 13
  }

  #anyLine(line: Uint8Array): void {
    if (line.length === 0) return
    const text = lineText(line, this.#context.source, this.line)
    const { letter, shape } = dialects[this.#format]
    if (text.startsWith('p') && this.#vertices < 0) return this.#problem(text)
    if (this.#vertices < 0)
      throw this.#failure(`"${excerpt(text)}" stands before the problem line`, `Write: ${shape}.`, [OTHER_FORMAT])
    const words = text.split(/\s+/)
    if (words[0] === letter) this.#edge(words, line)
    else if (/^[nvdx]$/.test(words[0]!)) this.#vertexLines++
    else throw this.#failure(`"${excerpt(text)}" is no line of this format`, `Lines begin with c, p or ${letter}.`)
  }

  #problem(text: string): void {
    const { problem, shape } = dialects[this.#format]
    const [, , vertices, edges] = problem.exec(text) ?? []
    if (vertices === undefined)
      throw this.#failure(`the problem line reads "${excerpt(text)}"`, `Write: ${shape}.`, [OTHER_FORMAT])
    if (Number(vertices) > MAX_VERTICES)
      throw this.#failure(
        `${vertices} vertices are past the ${MAX_VERTICES} that ids have room for`,
        'Split the graph.',
      )
    this.#vertices = Number(vertices)
    this.#promised = Number(edges)
    const { output, ignoreWeights } = this.#context
    output.weighted = this.#format === 'dimacs9' && !ignoreWeights
    output.next()
  }

  #edge(words: string[], line: Uint8Array): void {
    const { letter, fields } = dialects[this.#format]
    if (words.length !== fields)
      throw this.#failure(
        `${words.length - 1} numbers after "${letter}" where there are ${fields - 1}`,
        'Mend the line; is the file complete?',
      )
    const from = this.#id(words[1]!)
    const to = this.#id(words[2]!)
    this.#edges++
    const { output, weights, source } = this.#context
    let weight: number | null = 1
    if (output.weighted) {
      const field = line.subarray(line.length - words[3]!.length)
      const value = wholeNumber(field, 0, field.length)
      weight = weights.apply(value ?? NaN, () => `${source}:${this.line}`, words[3]!)
    }
    if (weight !== null) output.add(from, to, weight)
  }

  #id(word: string): number {
    const id = Number(word)
    if (/^\d{1,15}$/.test(word) && id >= 1 && id <= this.#vertices) return id - 1
    if (/^0+$/.test(word)) throw this.#failure('the vertex is 0, and DIMACS counts from 1', 'Add 1 to every id.')
    if (/^\d+$/.test(word))
      throw this.#failure(`vertex ${excerpt(word)} is past the ${this.#vertices} of the problem line`, 'Is it right?')
    const kind = /^-\d+$/.test(word) ? 'negative' : 'not a whole number'
    throw this.#failure(`the vertex "${excerpt(word)}" is ${kind}`, 'Vertices are integers from 1.')
  }

  #failure(what: string, remedy: string, fixes?: readonly Fix[]) {
    return lineFailure(this.#context.source, Math.max(1, this.line), what, remedy, fixes)
  }
}

/** DIMACS by its problem line or, where that is damaged or missing, by the letters in front of its edges. */
function recognise(text: string, wanted: keyof typeof dialects): string | null {
  const lines = text.split('\n', 1000).filter((line) => !/^(?:c(?:\s.*)?|\s*)$/.test(line))
  const [, known, other] = /^p\s+(?:(edge|edges|col|clq|sp)\s+\d|(\S+)\s+\d+\s+\d+\s*$)/.exec(lines[0] ?? '') ?? []
  const kind = known ?? other
  const edges = lines.filter((line) => /^e\s+\d+\s+\d+\s*$/.test(line)).length
  const arcs = lines.filter((line) => /^a\s+\d+\s+\d+\s+\S+\s*$/.test(line)).length
  if (lines.length === 0 || (kind === undefined && 2 * Math.max(edges, arcs) < lines.length)) return null
  const format = kind === 'sp' || (kind !== 'edge' && arcs > edges) ? 'dimacs9' : 'dimacs'
  if (format !== wanted) return null
  return kind === undefined ? 'its lines are those of DIMACS' : `there is a DIMACS problem line, "p ${kind}"`
}

function stated(lines: readonly string[], weighted: boolean): StatedSize | null {
  const [vertices = NaN, entries = NaN] = numbersIn(lines.find((line) => /^p\s/.test(line)))
  return Number.isNaN(entries) ? null : { vertices, entries, weighted }
}

export const dimacs: TextFormat = {
  kind: 'text',
  name: 'dimacs',
  written: ['dimacs'],
  words: {
    files: '`.col`, `.clq`',
    recognisedBy: 'a line `p edge n m` or `p col n m`',
    vertices: '1 to n',
    notes: [
      '**DIMACS**: files that list every edge twice are read; other differences from the problem line are refused.',
    ],
  },
  promisedBy: { ends: ['.col', '.clq'] },
  firstId: 1,
  recognise: (text) => recognise(text, 'dimacs'),
  stated: (lines) => stated(lines, false),
  open: (context) => new DimacsReader(context, 'dimacs'),
}

export const dimacs9: TextFormat = {
  kind: 'text',
  name: 'dimacs9',
  written: ['dimacs9'],
  words: { files: '`.gr`', recognisedBy: 'a line `p sp n m`', vertices: '1 to n' },
  promisedBy: { ends: ['.gr'] },
  firstId: 1,
  recognise: (text) => recognise(text, 'dimacs9'),
  stated: (lines) => stated(lines, true),
  open: (context) => new DimacsReader(context, 'dimacs9'),
}
