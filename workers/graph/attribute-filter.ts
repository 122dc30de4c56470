/**
 * Conditions on attributes, the same for rows of an import, vertices of a run and tables of the window: `group = 'A' and (size >= 3 or not name
 * is empty)`. Columns are words, or texts in double quotes; values that are texts are in either. A parser by descent gives a tree, which is compiled for
 * the kinds of the columns into one function of a row; what cannot be read is refused with its place. Nothing is evaluated as code.
 * vertex-lists.ts and the import use it.
 */

import { type Failure, inputFailure } from '../base/failure.ts'
import type { AttributeValue } from '../contract/jobs.ts'

/** A condition, as a tree. */
type Filter =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Filter[] }
  | { readonly kind: 'not'; readonly part: Filter }
  | { readonly kind: 'compare'; readonly column: string; readonly operator: Operator; readonly value: Literal }
  | { readonly kind: 'in' | 'not in'; readonly column: string; readonly values: readonly Literal[] }
  | { readonly kind: 'empty'; readonly column: string }

/** Whole numbers past 2^53 are exact, as ids are. */
type Literal = string | number | boolean | bigint
const operators = ['<=', '>=', '!=', '=', '<', '>', 'contains'] as const
type Operator = (typeof operators)[number]
const synonyms: Readonly<Record<string, Operator>> = { '<>': '!=', '==': '=' }

interface Token {
  readonly kind: 'word' | 'column' | 'text' | 'number' | 'sign'
  readonly text: string
  readonly at: number
}

const EXAMPLE = "Write a column, a comparison and a value: group = 'A' and size >= 3."
const MOST_CHARACTERS = 10_000
const MOST_DEPTH = 50
const token =
  /\s*(?:"((?:[^"]|"")*)"|'((?:[^']|'')*)'|(<=|>=|!=|<>|==|[=<>(),])|([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)(?![\p{L}\p{N}_%.])|([^\s"'<>=!(),]+))/uy

/** @throws Failure (input) at the character that is wrong */
export function parseFilter(text: string): Filter {
  const parser = new FilterParser(text.replace(/^\s*where\s+/i, ''))
  return parser.whole()
}

class FilterParser {
  readonly #text: string
  readonly #tokens: readonly Token[]
  #next = 0
  #depth = 0

  constructor(text: string) {
    this.#text = text
    this.#tokens = this.#cut()
  }

  whole(): Filter {
    if (this.#tokens.length === 0) throw this.#failure('there is no condition', 0)
    const filter = this.#or()
    const rest = this.#peek()
    if (rest !== undefined) throw this.#failure(`"${rest.text}" is one word too many`, rest.at)
    return filter
  }

  #cut(): Token[] {
    const text = this.#text
    if (text.length > MOST_CHARACTERS) throw this.#failure('it is too long', MOST_CHARACTERS)
    const found: Token[] = []
    for (token.lastIndex = 0; token.lastIndex < text.trimEnd().length;) {
      const at = token.lastIndex
      const match = token.exec(text)
      if (match === null) throw this.#failure('a quote does not end, or a sign is none', at)
      const [, column, quoted, sign, number, word] = match
      if (column !== undefined) found.push({ kind: 'column', text: column.replaceAll('""', '"'), at })
      else if (quoted !== undefined) found.push({ kind: 'text', text: quoted.replaceAll("''", "'"), at })
      else if (sign !== undefined) found.push({ kind: 'sign', text: sign, at })
      else if (number !== undefined) found.push({ kind: 'number', text: number, at })
      else found.push({ kind: 'word', text: word!, at })
    }
    return found
  }

  #or(): Filter {
    return this.#joined('or', () => this.#and())
  }

  #and(): Filter {
    return this.#joined('and', () => this.#not())
  }

  #joined(kind: 'and' | 'or', part: () => Filter): Filter {
    const parts = [part()]
    while (this.#takes(kind)) parts.push(part())
    return parts.length === 1 ? parts[0]! : { kind, parts }
  }

  #not(): Filter {
    if (this.#depth++ > MOST_DEPTH) throw this.#failure('it is nested too deep', this.#at())
    try {
      if (this.#takes('not')) return { kind: 'not', part: this.#not() }
      if (!this.#takes('(')) return this.#comparison()
      const inner = this.#or()
      this.#require(')')
      return inner
    } finally {
      this.#depth--
    }
  }

  #comparison(): Filter {
    const column = this.#column()
    if (this.#takes('is')) {
      const isNot = this.#takes('not')
      this.#require('empty')
      return isNot ? { kind: 'not', part: { kind: 'empty', column } } : { kind: 'empty', column }
    }
    const isNot = this.#takes('not')
    if (isNot || this.#takes('in')) {
      if (isNot) this.#require('in')
      return { kind: isNot ? 'not in' : 'in', column, values: this.#list() }
    }
    const sign = this.#take()
    const word = sign?.text.toLowerCase() ?? ''
    const operator = synonyms[word] ?? operators.find((one) => one === word)
    if (operator === undefined) throw this.#failure(`there is no comparison behind "${column}"`, sign?.at ?? this.#at())
    return { kind: 'compare', column, operator, value: this.#literal() }
  }

  /** Several words are one column, as tables have them. */
  #column(): string {
    const first = this.#take()
    if (first === undefined) throw this.#failure('a column is missing', this.#at())
    if (first.kind === 'column') return first.text
    if (first.kind !== 'word' && first.kind !== 'number') throw this.#failure(`"${first.text}" is no column`, first.at)
    let end = first.at + this.#text.slice(first.at).indexOf(first.text) + first.text.length
    const start = end - first.text.length
    for (let next = this.#peek(); next?.kind === 'word' && !isKeyword(next.text); next = this.#peek()) {
      end = next.at + this.#text.slice(next.at).indexOf(next.text) + next.text.length
      this.#next++
    }
    return this.#text.slice(start, end)
  }

  #list(): Literal[] {
    this.#require('(')
    const values = [this.#literal()]
    while (this.#takes(',')) values.push(this.#literal())
    this.#require(')')
    return values
  }

  #literal(): Literal {
    const found = this.#take()
    // No value is a column.
    if (found?.kind === 'text' || found?.kind === 'column') return found.text
    if (found?.kind === 'number') return numberOf(found.text)
    if (found?.kind === 'word' && /^(?:true|false)$/i.test(found.text)) return found.text.toLowerCase() === 'true'
    throw this.#failure(
      found === undefined ? 'a value is missing' : `"${found.text}" is no value: texts are in quotes`,
      found?.at ?? this.#at(),
    )
  }

  #takes(word: string): boolean {
    const next = this.#peek()
    const isIt =
      next !== undefined && (next.kind === 'word' || next.kind === 'sign') && next.text.toLowerCase() === word
    if (isIt) this.#next++
    return isIt
  }

  #require(word: string): void {
    if (!this.#takes(word)) throw this.#failure(`"${word}" is missing`, this.#at())
  }

  #peek(): Token | undefined {
    return this.#tokens[this.#next]
  }

  #take(): Token | undefined {
    return this.#tokens[this.#next++]
  }

  #at(): number {
    return this.#peek()?.at ?? this.#text.length
  }

  #failure(what: string, at: number): Failure {
    const place = at === 0 ? '' : `, behind "${this.#text.slice(Math.max(0, at - 20), at).trim()}"`
    return inputFailure(undefined, `the condition cannot be read${place}: ${what}`, EXAMPLE)
  }
}

const isWhole = (text: string): boolean => /^[+-]?\d+$/.test(text)

const numberOf = (text: string): number | bigint =>
  isWhole(text) && !Number.isSafeInteger(Number(text)) ? BigInt(text) : Number(text)

const isKeyword = (word: string): boolean => /^(?:and|or|not|in|is|contains)$/i.test(word)

/** The conditions that a filter combines. */
function conditionsOf(filter: Filter): Exclude<Filter, { readonly kind: 'and' | 'or' | 'not' }>[] {
  if ('parts' in filter) return filter.parts.flatMap(conditionsOf)
  return filter.kind === 'not' ? conditionsOf(filter.part) : [filter]
}

/** Columns that a filter names, each once. */
export const columnsOf = (filter: Filter): string[] => [...new Set(conditionsOf(filter).map(({ column }) => column))]

/** Those that are compared with a number. */
export function numericColumns(filter: Filter): ReadonlySet<string> {
  const valuesOf = (condition: ReturnType<typeof conditionsOf>[number]): readonly unknown[] =>
    'values' in condition ? condition.values : [condition.kind === 'compare' ? condition.value : '']
  const numeric = conditionsOf(filter).filter((each) => valuesOf(each).every((value) => typeof value === 'number'))
  return new Set(numeric.map(({ column }) => column))
}

/** What a filter is asked of: the values of one row, in the order of {@link columnsOf}. */
type Holds = (values: readonly AttributeValue[]) => boolean

/**
 * @param kinds of the columns of {@link columnsOf}
 * @throws Failure (input) where a value is of another kind than its column
 */
export function compileFilter(filter: Filter, kinds: readonly ColumnKind[]): Holds {
  const columns = columnsOf(filter)
  return compile(filter, (name) => ({ at: columns.indexOf(name), kind: kinds[columns.indexOf(name)]! }))
}

/** `any`: texts of a table, which are numbers where they are compared with one. */
export type ColumnKind = 'number' | 'text' | 'boolean' | 'any'

type Look = (name: string) => { readonly at: number; readonly kind: ColumnKind }

function compile(filter: Filter, look: Look): Holds {
  switch (filter.kind) {
    case 'and':
    case 'or': {
      const parts = filter.parts.map((part) => compile(part, look))
      return filter.kind === 'and'
        ? (values) => parts.every((holds) => holds(values))
        : (values) => parts.some((holds) => holds(values))
    }
    case 'not': {
      const part = compile(filter.part, look)
      return (values) => !part(values)
    }
    case 'empty': {
      const { at } = look(filter.column)
      return (values) => isEmpty(values[at])
    }
    case 'in':
    case 'not in': {
      const operator = filter.kind === 'in' ? '=' : '!='
      const tests = filter.values.map((value) => comparison({ column: filter.column, operator, value }, look))
      return operator === '='
        ? (values) => tests.some((holds) => holds(values))
        : (values) => tests.every((holds) => holds(values))
    }
    case 'compare':
      return comparison(filter, look)
  }
}

const isEmpty = (value: AttributeValue | undefined): boolean => value === null || value === undefined || value === ''

interface Comparison {
  readonly column: string
  readonly operator: Operator
  readonly value: Literal
}

/** Nothing is equal or unequal to an empty cell, nor is that in a list or not in one; `not (...)` holds where its condition does not. */
function comparison({ column, operator, value }: Comparison, look: Look): Holds {
  const { at, kind } = look(column)
  const near = typeof value === 'bigint' ? Number(value) : value
  requireKind({ column, operator, value: near }, kind)
  const holds = tests[operator]
  return (values) => {
    const found = values[at]
    if (isEmpty(found)) return false
    if (typeof near !== 'number' || typeof found !== 'string') return holds(found!, near)
    return near !== value && isWhole(found) ? holds(BigInt(found), value) : holds(Number(found), near)
  }
}

function requireKind({ column, operator, value }: Comparison, kind: ColumnKind): void {
  const isText = typeof value === 'string'
  const isOrder = ['<', '<=', '>', '>='].includes(operator)
  if ((operator === 'contains' || kind === 'text') && !isText)
    throw inputFailure(undefined, `the column "${column}" holds texts, and ${value} is none`, `Write '${value}'.`)
  if (kind === 'any' ? isOrder && isText : kind !== 'text' && typeof value !== kind)
    throw inputFailure(
      undefined,
      `the column "${column}" is compared with ${isText ? `the text '${value}'` : value}, and holds ${kind === 'boolean' ? 'true or false' : 'numbers'}`,
      EXAMPLE,
    )
  if (isOrder && typeof value !== 'number')
    throw inputFailure(undefined, `${operator} compares numbers, and "${column}" holds none`, 'Use = or !=.')
}

const tests: Readonly<Record<Operator, (found: Literal, value: Literal) => boolean>> = {
  '=': (found, value) => found === value,
  '!=': (found, value) => found !== value,
  '<': (found, value) => found < value,
  '<=': (found, value) => found <= value,
  '>': (found, value) => found > value,
  '>=': (found, value) => found >= value,
  contains: (found, value) => String(found).toLowerCase().includes(String(value).toLowerCase()),
}
