import { lineFailure } from '../graph-reader.ts'
import { excerpt } from '../weight-policy.ts'
import { type ElementParser, ofElements, textElements } from './graph-elements.ts'
import { type ElementValue, END_NAMES, type GraphElement, type WholeFormat } from './graph-format.ts'
import type { StoredFile } from './stored-file.ts'
import { isPlainNumber } from './table-numbers.ts'

const LONGEST_LINE = 1 << 20
const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' }

type Section = 'node' | 'edge' | 'other'
const sections: Readonly<Record<string, Section>> = { nodes: 'node', arcs: 'edge', edges: 'edge', attributes: 'other' }

/** Sections of lines: the first names the columns, the others are nodes, or arcs with their two ends in front. */
class LgfParser implements ElementParser {
  readonly found: GraphElement[] = []
  line = 0
  readonly #file: StoredFile
  #section: Section = 'other'
  /** Of the section; null above its first line. */
  #names: readonly string[] | null = []
  #rest = ''

  constructor(file: StoredFile) {
    this.#file = file
  }

  write(text: string): void {
    const lines = `${this.#rest}${text}`.split('\n')
    this.#rest = lines.pop()!
    if (this.#rest.length > LONGEST_LINE)
      throw this.failure('a line does not end within 1 MiB', 'Is it the right file?')
    for (const line of lines) this.#add(line)
  }

  finish(): void {
    this.#add(this.#rest)
  }

  #add(text: string): void {
    this.line++
    const words = this.#words(text)
    if (words.length === 0) return
    if (words[0]!.startsWith('@') && !text.trimStart().startsWith('"')) return this.#begin(words[0]!.slice(1))
    if (this.#section === 'other') return
    if (this.#names === null) {
      // A dash: there are no columns.
      this.#names = words.length === 1 && words[0] === '-' ? [] : words
      return
    }
    const names = [...(this.#section === 'edge' ? END_NAMES : []), ...this.#names]
    if (words.length !== names.length)
      throw this.failure(`there are ${words.length} columns, and the section has ${names.length}`, 'Mend the line.')
    const values = new Map<string, ElementValue>()
    for (const [i, name] of names.entries()) values.set(this.#nameOf(name), valueOf(words[i]!))
    this.found.push({ kind: this.#section, values, place: `${this.#file.name}:${this.line}` })
  }

  #nameOf(name: string): string {
    return this.#section === 'node' && name === 'label' ? 'id' : name
  }

  #begin(name: string): void {
    const section = sections[name]
    if (section === undefined)
      throw this.failure(
        `the section "@${excerpt(name)}" is not known`,
        `Known are ${Object.keys(sections)
          .map((each) => `@${each}`)
          .join(', ')}.`,
      )
    this.#section = section
    this.#names = null
  }

  /** Between blanks, or in quotes with escapes; # begins a comment. */
  #words(text: string): string[] {
    const words: string[] = []
    const token = /\s+|#.*|"((?:[^"\\]|\\.)*)"(?=\s|$)|([^\s"#]\S*)/y
    for (let at = 0; at < text.length; at = token.lastIndex) {
      token.lastIndex = at
      const match = token.exec(text)
      if (match === null) throw this.failure(`the quotes in "${excerpt(text)}" do not end`, 'Mend the line.')
      const word = match[1]?.replaceAll(/\\(.)/g, (_, sign: string) => escapes[sign] ?? sign) ?? match[2]
      if (word !== undefined) words.push(word)
    }
    return words
  }

  failure(what: string, remedy: string) {
    return lineFailure(this.#file.name, Math.max(1, this.line), what, remedy)
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
  ...ofElements(textElements((file) => new LgfParser(file))),
  name: 'lemon',
  recogniseText: (head) =>
    /^(?:\s|#[^\n]*\n)*@(?:nodes|arcs|edges)\b/.test(head) ? 'it begins with a section of a LEMON graph' : null,
}
