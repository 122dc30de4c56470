/**
 * JSON as a stream: the grammar of a text of any length is checked piece by piece, and the values at wanted places are
 * handed out one at a time, each read by `JSON.parse`. So texts are exactly what the file says (a lone surrogate stays
 * one, a U+FEFF is kept), and memory holds one value, never the document: its depth, its length and the length of a key
 * are bounded. Python's NaN, Infinity and -Infinity are numbers. Time is linear in the text.
 *
 * node-link.ts makes graphs of the values.
 */

/** Containers that are open at once. */
const DEEPEST = 100
/** Characters of a value that is handed out, and of any text or key. */
const LONGEST = 4 << 20
/** Keys of a path that decide whether a value is wanted. */
const MOST_STEPS = 6

const BACKSLASH = 92
const word = /[^\s[\]{},:"]+/y
const blanks = /[ \t\n\r]*/y
const notFinite = new Map([
  ['NaN', NaN],
  ['Infinity', Infinity],
  ['-Infinity', -Infinity],
])

/** The steps from the root to a value: keys of objects, places in lists. */
export type JsonPath = readonly (string | number)[]

/** What the grammar allows next. */
type Expected = 'value' | 'value or ]' | 'key' | 'key or }' | 'colon' | 'comma or end' | 'nothing'

const expectedWords: Readonly<Record<Expected, string>> = {
  value: 'a value',
  'value or ]': 'a value or "]"',
  key: 'a key in quotes',
  'key or }': 'a key in quotes or "}"',
  colon: '":"',
  'comma or end': '"," or the end of the list or object',
  nothing: 'the end of the file',
}

interface Container {
  readonly isObject: boolean
  /** The step to the value that is open in it. */
  step: string | number
}

interface JsonPieceWishes {
  /** Whether the value at this place is handed out; what is within it is not asked for. */
  readonly wants: (path: JsonPath) => boolean
  readonly take: (path: JsonPath, value: unknown) => void
  /** The error for a broken text. */
  readonly failure: (what: string) => Error
}

/** Reads one JSON text, which comes in pieces. */
export class JsonPieces {
  readonly #wishes: JsonPieceWishes
  readonly #open: Container[] = []
  #expected: Expected = 'value'
  /** The beginning of a word or text that the last piece cut. */
  #rest = ''
  /** Characters before #rest. */
  #before = 0
  /** Depth at which the value began that is handed out next. */
  #takenAt: number | null = null
  /** Whether it begins or ends with the last token. */
  #begins = false
  #ends = false
  #taken: string[] = []
  #takenLength = 0
  /** Characters before it. */
  #takenFrom = 0
  /** Words of the taken value that JSON has not: from where, and how long. */
  #odd: { readonly at: number; readonly name: string }[] = []

  constructor(wishes: JsonPieceWishes) {
    this.#wishes = wishes
  }

  write(text: string): void {
    this.#read(this.#rest + text, false)
  }

  finish(): void {
    this.#read(this.#rest, true)
    if (this.#expected !== 'nothing') throw this.#broken(this.#before, 'the text ends')
  }

  #read(all: string, isLast: boolean): void {
    let at = 0
    let taken = 0
    for (;;) {
      blanks.lastIndex = at
      blanks.exec(all)
      const start = blanks.lastIndex
      if (start >= all.length) {
        at = start
        break
      }
      const sign = all[start]!
      const end = sign === '"' ? endOfText(all, start) : '[]{},:'.includes(sign) ? start + 1 : endOfWord(all, start)
      // A word at the end of a piece may be longer.
      const isCut = end < 0 || (end === all.length && !isLast && !'[]{},:"'.includes(sign))
      if (isCut) {
        if (isLast) throw this.#broken(this.#before + start, 'a text does not end')
        at = start
        break
      }
      if (end === start) throw this.#broken(this.#before + start, `${JSON.stringify(sign)} stands`)
      this.#begins = false
      this.#ends = false
      this.#token(sign, all, start, end)
      at = end
      if (this.#begins) taken = start
      if (this.#ends) this.#hand(all.slice(taken, end))
    }
    if (this.#takenAt !== null) this.#keep(all.slice(taken, at))
    this.#rest = all.slice(at)
    this.#before += at
    if (this.#rest.length > LONGEST) throw this.#wishes.failure(`a text is longer than ${LONGEST >> 20} MiB`)
  }

  #keep(text: string): void {
    this.#taken.push(text)
    this.#takenLength += text.length
    if (this.#takenLength > LONGEST) throw this.#wishes.failure(`an element is longer than ${LONGEST >> 20} MiB`)
  }

  #token(sign: string, all: string, start: number, end: number): void {
    const expected = this.#expected
    const isKey = sign === '"' && (expected === 'key' || expected === 'key or }')
    if (isKey) {
      this.#open.at(-1)!.step = this.#takenAt === null ? String(this.#parsed(all.slice(start, end), start)) : ''
      this.#expected = 'colon'
    } else if (sign === ':' && expected === 'colon') this.#expected = 'value'
    else if (sign === ',' && expected === 'comma or end') this.#next()
    else if (sign === '}' && (expected === 'key or }' || (expected === 'comma or end' && this.#isIn(true))))
      this.#close()
    else if (sign === ']' && (expected === 'value or ]' || (expected === 'comma or end' && this.#isIn(false))))
      this.#close()
    else if (!'}],:'.includes(sign) && (expected === 'value' || expected === 'value or ]'))
      this.#value(sign, all, start, end)
    else
      throw this.#broken(this.#before + start, `${JSON.stringify(all.slice(start, Math.min(end, start + 20)))} stands`)
  }

  #isIn(isObject: boolean): boolean {
    return this.#open.at(-1)?.isObject === isObject
  }

  #next(): void {
    const container = this.#open.at(-1)!
    if (!container.isObject) container.step = (container.step as number) + 1
    this.#expected = container.isObject ? 'key' : 'value'
  }

  #close(): void {
    this.#open.pop()
    this.#ended()
  }

  #ended(): void {
    this.#expected = this.#open.length === 0 ? 'nothing' : 'comma or end'
    if (this.#takenAt !== this.#open.length) return
    this.#takenAt = null
    this.#ends = true
  }

  #value(sign: string, all: string, start: number, end: number): void {
    const depth = this.#open.length
    if (this.#takenAt === null && depth > 0 && depth < MOST_STEPS && this.#wishes.wants(this.#path())) {
      this.#takenAt = depth
      this.#begins = true
      this.#taken = []
      this.#takenLength = 0
      this.#odd = []
      this.#takenFrom = this.#before + start
    }
    if (sign === '{' || sign === '[') {
      if (depth >= DEEPEST) throw this.#wishes.failure(`lists and objects are nested ${DEEPEST} deep`)
      this.#open.push({ isObject: sign === '{', step: 0 })
      this.#expected = sign === '{' ? 'key or }' : 'value or ]'
      return
    }
    if (sign !== '"') {
      const name = all.slice(start, end)
      if (!notFinite.has(name)) {
        if (this.#takenAt === null) this.#parsed(name, start)
      } else if (this.#takenAt !== null) this.#odd.push({ at: this.#before + start - this.#takenFrom, name })
    } else if (this.#takenAt === null) this.#parsed(all.slice(start, end), start)
    this.#ended()
  }

  #path(): JsonPath {
    return this.#open.map(({ step }) => step)
  }

  #parsed(text: string, start: number): unknown {
    try {
      return JSON.parse(text)
    } catch {
      throw this.#broken(this.#before + start, `${JSON.stringify(text.slice(0, 20))} stands`)
    }
  }

  /** Hands out the value that ended. */
  #hand(last: string): void {
    this.#keep(last)
    const text = this.#taken.join('')
    this.#taken = []
    this.#wishes.take(this.#path(), this.#odd.length === 0 ? this.#parsedAt(text) : this.#withOdd(text))
  }

  #parsedAt(text: string): unknown {
    try {
      return JSON.parse(text)
    } catch {
      throw this.#wishes.failure(`a value that begins at character ${this.#takenFrom + 1} is not JSON`)
    }
  }

  /** Numbers that JSON has not become texts that the value does not hold, and these become the numbers. */
  #withOdd(text: string): unknown {
    let mark = '#'
    while (text.includes(`"${mark}`)) mark += '#'
    const parts: string[] = []
    let at = 0
    for (const { at: start, name } of this.#odd) {
      parts.push(text.slice(at, start), `"${mark}${name}"`)
      at = start + name.length
    }
    return numbersIn(this.#parsedAt(parts.join('') + text.slice(at)), mark)
  }

  #broken(at: number, what: string): Error {
    return this.#wishes.failure(`${what} at character ${at + 1}, and ${expectedWords[this.#expected]} is expected`)
  }
}

/** Behind the closing quote; -1 where it is not there. */
function endOfText(all: string, start: number): number {
  for (let quote = all.indexOf('"', start + 1); quote >= 0; quote = all.indexOf('"', quote + 1)) {
    let slashes = 0
    while (all.charCodeAt(quote - 1 - slashes) === BACKSLASH) slashes++
    if (slashes % 2 === 0) return quote + 1
  }
  return -1
}

function endOfWord(all: string, start: number): number {
  word.lastIndex = start
  return word.test(all) ? word.lastIndex : start
}

function numbersIn(value: unknown, mark: string): unknown {
  if (typeof value === 'string')
    return value.startsWith(mark) ? (notFinite.get(value.slice(mark.length)) ?? value) : value
  if (Array.isArray(value)) return value.map((each) => numbersIn(each, mark))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, numbersIn(each, mark)]))
}
