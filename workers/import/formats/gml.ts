import { lineFailure } from '../graph-reader.ts'
import { excerpt } from '../weight-policy.ts'
import { type ElementParser, ofElements, textElements } from './graph-elements.ts'
import type { ElementValue, GraphElement, WholeFormat } from './graph-format.ts'
import type { StoredFile } from './stored-file.ts'
import { isPlainNumber } from './table-numbers.ts'

const MOST_TOKEN = 1 << 20
const DEEPEST = 100
/** White space, comment, text, bracket, number or key; what may go on behind the end of a chunk is left for the next. */
const tokens = /\s+|#[^\n]*(?=\n)|"([^"]*)"|([[\]])|([^\s[\]"#][^\s[\]"]*)(?=[\s[\]"])/y
const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' }

/** Character entities, as GML has them in place of what is not ASCII. */
const decoded = (text: string): string =>
  text.replaceAll(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,8}));/gi,
    (whole, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return named[name] ?? whole
      const point = decimal === undefined ? Number.parseInt(hex!, 16) : Number(decimal)
      return point > 0x10ffff ? whole : String.fromCodePoint(point)
    },
  )

/** The lists that are open: their keys, and the fields of the node or edge that they are part of. */
class GmlParser implements ElementParser {
  readonly found: GraphElement[] = []
  line = 1
  graphs = 0
  readonly #file: StoredFile
  readonly #open: string[] = []
  #key: string | null = null
  #element: { kind: 'node' | 'edge'; values: Map<string, ElementValue>; line: number; depth: number } | null = null
  #rest = ''

  constructor(file: StoredFile) {
    this.#file = file
  }

  write(text: string): void {
    const all = this.#rest + text
    let at = 0
    for (;;) {
      tokens.lastIndex = at
      const match = tokens.exec(all)
      if (match === null) break
      at = tokens.lastIndex
      const [whole, quoted, bracket, word] = match
      if (quoted !== undefined) this.#value(decoded(quoted))
      else if (bracket !== undefined) this.#bracket(bracket)
      else if (word !== undefined) this.#word(word)
      for (let i = whole.indexOf('\n'); i >= 0; i = whole.indexOf('\n', i + 1)) this.line++
      if (at === all.length) break
    }
    this.#rest = all.slice(at)
    if (this.#rest.length > MOST_TOKEN) throw this.failure('a text does not end within 1 MiB', 'Are its quotes whole?')
  }

  finish(): void {
    this.write('\n')
    if (this.#rest.trim() !== '') throw this.failure('a text does not end', 'Is the file complete?')
    if (this.#open.length > 0)
      throw this.failure(`the list "${this.#open.at(-1)}" does not end`, 'Is the file complete?')
    if (this.graphs === 0) throw this.failure('there is no graph in this file', 'Is it GML?')
  }

  failure(what: string, remedy: string) {
    return lineFailure(this.#file.name, this.line, what, remedy)
  }

  #bracket(bracket: string): void {
    if (bracket === '[') this.#begin()
    else if (this.#key !== null) throw this.failure(`the key "${excerpt(this.#key)}" has no value`, 'Add it.')
    else if (this.#open.pop() === undefined) throw this.failure('a list ends that has not begun', 'Is the file whole?')
    else if (this.#element !== null && this.#open.length < this.#element.depth) {
      const { kind, values, line } = this.#element
      this.found.push({ kind, values, place: `${this.#file.name}:${line}` })
      this.#element = null
    }
  }

  #begin(): void {
    const key = this.#key
    if (key === null) throw this.failure('a list has no key', 'Is the file GML?')
    this.#key = null
    this.#open.push(key)
    if (this.#open.length > DEEPEST) throw this.failure(`lists are nested ${DEEPEST} deep`, 'Is the file complete?')
    if (this.#open.length === 1 && key === 'graph') this.graphs++
    const isElement = (key === 'node' || key === 'edge') && this.#open.length === 2 && this.#open[0] === 'graph'
    if (isElement) this.#element = { kind: key, values: new Map(), line: this.line, depth: 2 }
  }

  #word(word: string): void {
    if (this.#key === null) {
      if (!/^[a-z_][\w.]*$/i.test(word)) throw this.failure(`"${excerpt(word)}" is no key`, 'Is the file GML?')
      const key = word.toLowerCase()
      // Names of people's own keep their case.
      this.#key = ['graph', 'node', 'edge', 'id', 'source', 'target', 'weight', 'value'].includes(key) ? key : word
      return
    }
    if (!isPlainNumber(word)) throw this.failure(`the value "${excerpt(word)}" is no number`, 'Put texts in quotes.')
    const value = Number(word)
    // Digits that a number would lose stay as they are.
    this.#value(Number.isInteger(value) && !Number.isSafeInteger(value) ? word : value)
  }

  #value(value: ElementValue): void {
    const key = this.#key
    if (key === null) throw this.failure('a value has no key', 'Is the file GML?')
    this.#key = null
    if (this.#element === null) return
    const inner = this.#open.slice(this.#element.depth)
    this.#element.values.set([...inner, key].join('.'), value)
  }
}

export const gml: WholeFormat = {
  ...ofElements(textElements((file) => new GmlParser(file))),
  name: 'gml',
  recogniseText: (head) =>
    /^(?:\s|#[^\n]*\n|(?:creator|version|comment|label|directed|stylesheet)\b[^\n[]*\n)*graph\s*\[/i.test(head)
      ? 'it has a list called graph'
      : null,
}
