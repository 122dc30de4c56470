import { excerpt, OTHER_FORMAT } from '../../base/failure.ts'
import type { ReaderContext, ReadOutcome } from '../graph-reader.ts'
import type { TextFormat } from './graph-format.ts'
import { LineReader } from './text-reader.ts'

const dialects = {
  dimacs: {
    problem: /^p\s+(?:edge|col|clq|edges)\s+(\d{1,15})\s+(\d{1,15})$/,
    letter: 'e',
    fields: 3,
    shape: 'p edge n m',
    noun: 'edges',
  },
  dimacs9: { problem: /^p\s+sp\s+(\d{1,15})\s+(\d{1,15})$/, letter: 'a', fields: 4, shape: 'p sp n m', noun: 'arcs' },
} as const

/**
 * DIMACS .col and .clq (`p edge n m`, `e u v`) and DIMACS-9 .gr (`p sp n m`, `a u v w`: signed weights, loops and parallel arcs
 * allowed). Ids count from 1.
 */
class DimacsReader extends LineReader {
  readonly #format: keyof typeof dialects
  #vertices = -1
  #promised = 0
  #vertexLines = 0

  constructor(context: ReaderContext, format: keyof typeof dialects) {
    super(context)
    this.#format = format
  }

  finish(): ReadOutcome {
    if (this.#vertices < 0) throw this.#noProblem('the file ends before its problem line')
    this.#checkCount()
    if (this.#vertexLines > 0) this.warnings.push(`${this.#vertexLines} lines about vertices (n) were ignored`)
    return this.counted(this.#vertices, 1)
  }

  /** Files that list every edge in both directions count it once or twice. */
  #checkCount(): void {
    const promised = this.#promised
    if (this.entries === promised) return
    if (this.#format === 'dimacs' && (this.entries === 2 * promised || 2 * this.entries === promised)) {
      this.warnings.push(`the problem line says ${promised} edges, and the file lists ${this.entries}`)
      return
    }
    throw this.unkept('the problem line', `${promised} ${dialects[this.#format].noun}`, `lists ${this.entries}`)
  }

  protected anyLine(line: Uint8Array): void {
    const text = this.text(line)
    if (/^(?:c(?:\s|$)|$)/.test(text)) return
    const { letter } = dialects[this.#format]
    if (text.startsWith('p') && this.#vertices < 0) return this.#problem(text)
    if (this.#vertices < 0) throw this.#noProblem(`"${excerpt(text)}" stands before the problem line`)
    const words = text.split(/\s+/)
    if (words[0] === letter) this.#edge(words)
    else if (/^[nvdx]$/.test(words[0]!)) this.#vertexLines++
    else throw this.failure(`"${excerpt(text)}" is no line of this format`, `Lines begin with c, p or ${letter}.`)
  }

  #problem(text: string): void {
    const [, vertices, edges] = dialects[this.#format].problem.exec(text) ?? []
    if (vertices === undefined) throw this.#noProblem(`the problem line reads "${excerpt(text)}"`)
    this.requireRoom(Number(vertices))
    this.#vertices = Number(vertices)
    this.#promised = Number(edges)
    this.begin(this.#format === 'dimacs9')
  }

  #noProblem(what: string) {
    return this.failure(what, `Write: ${dialects[this.#format].shape}.`, [OTHER_FORMAT])
  }

  #edge(words: string[]): void {
    const { letter, fields } = dialects[this.#format]
    if (words.length !== fields)
      throw this.failure(
        `${words.length - 1} numbers after "${letter}" where there are ${fields - 1}`,
        'Mend the line; is the file complete?',
      )
    const from = this.#id(words[1]!)
    const to = this.#id(words[2]!)
    this.entries++
    this.entry(from, to, words[3])
  }

  #id(word: string): number {
    const id = Number(word)
    if (/^\d{1,15}$/.test(word) && id >= 1 && id <= this.#vertices) return id - 1
    throw this.badId(word, 'vertex', `the ${this.#vertices} of the problem line`, 'Is it right?', 'DIMACS')
  }
}

/** By the problem line or, where it is damaged or missing, by the letters of the edges. */
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

const format = (name: keyof typeof dialects, ends: readonly string[]): TextFormat => ({
  kind: 'text',
  name,
  promisedBy: { ends },
  firstId: 1,
  recognise: (text) => recognise(text, name),
  stated: (lines) => {
    const size = dialects[name].problem.exec(lines.find((line) => /^p\s/.test(line))?.trim() ?? '')
    return size && { vertices: Number(size[1]), entries: Number(size[2]), weighted: name === 'dimacs9' }
  },
  open: (context) => new DimacsReader(context, name),
})

export const dimacs = format('dimacs', ['.col', '.clq'])
export const dimacs9 = format('dimacs9', ['.gr'])
