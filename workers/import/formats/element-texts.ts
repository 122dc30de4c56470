/**
 * GML and LEMON: formats of text in which nodes and edges have names and fields, parsed as a stream with bounded fields and depth. Digits that a
 * number would lose stay texts. Elements go to graph-elements.ts, which makes entries of them; a fault is refused with its line. xml.ts has
 * GraphML and GEXF, JSON its own file.
 */

import { excerpt } from '../../base/failure.ts'
import {
  type ElementFields,
  ElementParser,
  LinesParser,
  MOST_FIELDS,
  ofElements,
  textElements,
} from './graph-elements.ts'
import { type ElementValue, END_NAMES, type WholeFormat } from './graph-format.ts'
import { isPlainNumber } from '../reader/numbers.ts'

/** The longest text, or line. */
const LONGEST_MIB = 1

const DEEPEST = 100
/** Lists around the fields of a node or an edge: of the graph, and its own. */
const ELEMENT_DEPTH = 2
/** White space, comment, text, bracket, number or key; what may be longer than its chunk is left for the next. */
const tokens = /\s+|#[^\n]*(?=\n)|"([^"]*)"|([[\]])|([^\s[\]"#][^\s[\]"]*)(?=[\s[\]"])/y
const named = new Map(Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' }))

/** Character entities, as GML has them in place of what is not ASCII. */
const decoded = (text: string): string =>
  text.replaceAll(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,8}));/gi,
    (whole, decimal?: string, hex?: string, name?: string) => {
      if (name !== undefined) return named.get(name) ?? whole
      const point = decimal === undefined ? Number.parseInt(hex!, 16) : Number(decimal)
      return point > 0x10ffff ? whole : String.fromCodePoint(point)
    },
  )

/** The lists that are open: their keys, and the fields of the node or edge that they are part of. */
class GmlParser extends ElementParser {
  protected line = 1
  #graphs = 0
  readonly #open: string[] = []
  #key: string | null = null
  #element: { kind: 'node' | 'edge'; values: ElementFields; line: number } | null = null
  #rest = ''

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
    if (this.#rest.length > LONGEST_MIB << 20)
      throw this.failure(`a text does not end within ${LONGEST_MIB} MiB`, 'Are its quotes whole?')
  }

  finish(): void {
    this.write('\n')
    if (this.#rest.trim() !== '') throw this.failure('a text does not end', 'Is the file complete?')
    if (this.#open.length > 0)
      throw this.failure(`the list "${this.#open.at(-1)}" does not end`, 'Is the file complete?')
    if (this.#graphs === 0) throw this.failure('there is no graph in this file', 'Is it GML?')
  }

  #bracket(bracket: string): void {
    if (bracket === '[') this.#begin()
    else if (this.#key !== null) throw this.failure(`the key "${excerpt(this.#key)}" has no value`, 'Add it.')
    else if (this.#open.pop() === undefined) throw this.failure('a list ends that has not begun', 'Is the file whole?')
    else if (this.#element !== null && this.#open.length < ELEMENT_DEPTH) {
      const { kind, values, line } = this.#element
      this.ended(kind, values, line)
      this.#element = null
    }
  }

  #begin(): void {
    const key = this.#key
    if (key === null) throw this.failure('a list has no key', 'Is the file GML?')
    this.#key = null
    this.#open.push(key)
    if (this.#open.length > DEEPEST) throw this.failure(`lists are nested ${DEEPEST} deep`, 'Is the file complete?')
    if (this.#open.length === 1 && key === 'graph') this.#graphs++
    const isElement =
      (key === 'node' || key === 'edge') && this.#open.length === ELEMENT_DEPTH && this.#open[0] === 'graph'
    if (isElement) this.#element = { kind: key, values: this.fields(), line: this.line }
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
    const inner = this.#open.slice(ELEMENT_DEPTH)
    this.#element.values.set([...inner, key].join('.'), value)
  }
}

export const gml: WholeFormat = {
  ...ofElements(textElements((file) => new GmlParser(file))),
  name: 'gml',
  recognise: (head) =>
    /^(?:\s|#[^\n]*\n|(?:creator|version|comment|label|directed|stylesheet)\b[^\n[]*\n)*graph\s*\[/i.test(head)
      ? 'it has a list called graph'
      : null,
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' }

type Section = 'node' | 'edge' | 'other'
const sections = new Map<string, Section>(
  Object.entries({ nodes: 'node', arcs: 'edge', edges: 'edge', attributes: 'other' } as const),
)

/** Sections of lines: the first names the columns, the others are nodes, or arcs with their two ends in front. */
class LgfParser extends LinesParser {
  #section: Section = 'other'
  /** Names of the columns of the section; null above its first line. */
  #names: readonly string[] | null = []

  protected add(text: string): void {
    const words = this.#words(text)
    if (words.length === 0) return
    if (words[0]!.startsWith('@') && !text.trimStart().startsWith('"')) return this.#begin(words[0]!.slice(1))
    if (this.#section === 'other') return
    if (this.#names === null) {
      // A dash: there are no columns.
      this.#names = words.length === 1 && words[0] === '-' ? [] : words
      if (words.length > MOST_FIELDS)
        throw this.failure(`the section has more than ${MOST_FIELDS} columns`, 'Is the file damaged?')
      return
    }
    const names = [...(this.#section === 'edge' ? END_NAMES : []), ...this.#names]
    if (words.length !== names.length)
      throw this.failure(`there are ${words.length} columns, and the section has ${names.length}`, 'Mend the line.')
    const values = this.fields()
    for (const [i, name] of names.entries())
      values.set(this.#section === 'node' && name === 'label' ? 'id' : name, valueOf(words[i]!))
    this.ended(this.#section, values, this.line)
  }

  #begin(name: string): void {
    const section = sections.get(name)
    if (section === undefined)
      throw this.failure(
        `the section "@${excerpt(name)}" is not known`,
        `Known are ${[...sections.keys()].map((each) => `@${each}`).join(', ')}.`,
      )
    this.#section = section
    this.#names = null
  }

  /** Between blanks, or in quotes with escapes; # begins a comment. */
  #words(text: string): string[] {
    const words: string[] = []
    // Only blanks of ASCII part words: a U+FEFF or a no-break space is part of one.
    const token = /[ \t\r\v\f]+|#.*|"((?:[^"\\]|\\.)*)"(?=[ \t\r\v\f]|$)|([^ \t\r\v\f"#][^ \t\r\v\f]*)/y
    for (let at = 0; at < text.length; at = token.lastIndex) {
      token.lastIndex = at
      const match = token.exec(text)
      if (match === null) throw this.failure(`the quotes in "${excerpt(text)}" do not end`, 'Mend the line.')
      const word = match[1]?.replaceAll(/\\(.)/g, (_, sign: string) => escapes[sign] ?? sign) ?? match[2]
      if (word !== undefined) words.push(word)
    }
    return words
  }
}

/** Digits that a number would lose stay as they are. */
function valueOf(word: string): ElementValue {
  const value = isPlainNumber(word) ? Number(word) : NaN
  return Number.isNaN(value) || (Number.isInteger(value) && (!Number.isSafeInteger(value) || String(value) !== word))
    ? word
    : value
}

export const lemon: WholeFormat = {
  ...ofElements(textElements((file) => new LgfParser(file, LONGEST_MIB))),
  name: 'lemon',
  recognise: (head) =>
    /^(?:\s|#[^\n]*\n)*@(?:nodes|arcs|edges)\b/.test(head) ? 'it begins with a section of a LEMON graph' : null,
}
