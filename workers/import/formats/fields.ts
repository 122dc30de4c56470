const SPACE = 32
const TAB = 9
const QUOTE = 34
const FIRST_THREE = [0, 1, 2]

/**
 * The columns of a line, found in place. A field in double quotes may hold "" for a quote; blanks around fields are no
 * part of them, and empty fields at the end of a line do not count.
 */
export class Fields {
  /** Of all columns. */
  count = 0
  /** A quote was not closed, or something follows it. */
  broken = false
  /** Of the columns wanted, in the order of the constructor; 0 and 0 where there is none. */
  readonly starts: number[]
  readonly ends: number[]
  readonly quoted: boolean[]
  readonly #places: (number | undefined)[] = []
  #escaped = false
  #end = 0

  /** @param columns from 0, each once */
  constructor(columns: readonly number[] = FIRST_THREE) {
    this.starts = columns.map(() => 0)
    this.ends = columns.map(() => 0)
    this.quoted = columns.map(() => false)
    columns.forEach((column, place) => (this.#places[column] = place))
  }

  /** @param delimiter 0 for runs of spaces and tabs */
  split(bytes: Uint8Array, start: number, end: number, delimiter: number): void {
    this.count = 0
    this.broken = false
    this.#escaped = false
    this.starts.fill(0)
    this.ends.fill(0)
    let columns = 0
    for (let p = start; ;) {
      p = skipBlanks(bytes, p, end, delimiter)
      if (delimiter === 0 && p === end) return
      const fieldEnd =
        bytes[p] === QUOTE && p < end
          ? this.#quoted(bytes, p, end, columns)
          : this.#bare(bytes, p, end, columns, delimiter)
      if (this.broken) return
      columns++
      if (this.#end > p) this.count = columns
      p = skipBlanks(bytes, fieldEnd, end, delimiter)
      if (p >= end) return
      if (delimiter !== 0) {
        if (bytes[p] !== delimiter) this.broken = true
        p++
      } else if (p === fieldEnd) this.broken = true
      if (this.broken) return
    }
  }

  #bare(bytes: Uint8Array, at: number, end: number, column: number, delimiter: number): number {
    let p = at
    if (delimiter === 0) while (p < end && bytes[p] !== SPACE && bytes[p] !== TAB) p++
    else while (p < end && bytes[p] !== delimiter) p++
    let last = p
    while (last > at && (bytes[last - 1] === SPACE || bytes[last - 1] === TAB)) last--
    this.#keep(column, at, last, false)
    this.#end = last
    return p
  }

  #quoted(bytes: Uint8Array, at: number, end: number, column: number): number {
    let p = at + 1
    for (; p < end; p++) {
      if (bytes[p] !== QUOTE) continue
      if (bytes[p + 1] !== QUOTE || p + 1 >= end) break
      this.#escaped = true
      p++
    }
    if (p >= end) this.broken = true
    this.#keep(column, at + 1, p, true)
    this.#end = p
    return p + 1
  }

  #keep(column: number, start: number, end: number, quoted: boolean): void {
    const place = this.#places[column]
    if (place === undefined) return
    this.starts[place] = start
    this.ends[place] = end
    this.quoted[place] = quoted
  }

  /** Or missing. */
  isEmpty(place: number): boolean {
    return this.starts[place] === this.ends[place]
  }

  /** Without quotes; a view of the line where possible. */
  bytes(line: Uint8Array, place: number): Uint8Array {
    const field = line.subarray(this.starts[place], this.ends[place])
    if (!this.#escaped || !this.quoted[place]) return field
    const plain = new Uint8Array(field.length)
    let length = 0
    for (let i = 0; i < field.length; i++) {
      plain[length++] = field[i]!
      if (field[i] === QUOTE) i++
    }
    return plain.subarray(0, length)
  }

  text(line: Uint8Array, place: number): string {
    return Buffer.from(this.bytes(line, place)).toString('utf8')
  }
}

function skipBlanks(bytes: Uint8Array, at: number, end: number, delimiter: number): number {
  let p = at
  while (p < end && (bytes[p] === SPACE || (bytes[p] === TAB && delimiter !== TAB))) p++
  return p
}

/** null when quotes are broken */
export function allFields(line: Uint8Array, delimiter: number): string[] | null {
  const counted = new Fields()
  counted.split(line, 0, line.length, delimiter)
  if (counted.broken) return null
  const fields = new Fields(Array.from({ length: counted.count }, (_, i) => i))
  fields.split(line, 0, line.length, delimiter)
  return fields.starts.map((_, place) => fields.text(line, place))
}

const ZERO = 48
const LIMB = 2 ** 32
const decoder = new TextDecoder('latin1')

type IdKind = 'integer' | 'text' | 'negative' | 'fractional' | 'too-large'

/** Ids of edge lists: integers from 0 to 2^64 - 1, or texts. */
export class IdScanner {
  /** Halves of the last integer. */
  low = 0
  high = 0

  /**
   * Digits, with or without a plus, are an integer. What carries a sign or a decimal point and reads as a number is broken,
   * never a text: a stray
   * minus must not turn a whole file into texts. In quotes, and all else, is a text, "12e45" and "3a" too: hashes and codes.
   */
  read(bytes: Uint8Array, start: number, end: number, quoted: boolean): IdKind {
    let p = bytes[start] === 43 && end - start > 1 && !quoted ? start + 1 : start
    let low = 0
    let high = 0
    for (; p < end; p++) {
      const d = bytes[p]! - ZERO
      if (d < 0 || d > 9) return quoted ? 'text' : brokenOrText(bytes, start, end)
      const product = low * 10 + d
      low = product % LIMB
      high = high * 10 + (product - low) / LIMB
      if (high >= LIMB) return this.#long(bytes, p + 1, end, start, quoted)
    }
    this.low = low
    this.high = high
    return 'integer'
  }

  #long(bytes: Uint8Array, at: number, end: number, start: number, quoted: boolean): IdKind {
    for (let p = at; p < end; p++) {
      const d = bytes[p]! - ZERO
      if (d < 0 || d > 9) return quoted ? 'text' : brokenOrText(bytes, start, end)
    }
    return quoted ? 'text' : 'too-large'
  }
}

/** Of a word that is not all digits. */
function brokenOrText(bytes: Uint8Array, start: number, end: number): IdKind {
  const c = bytes[start]!
  if (c !== 45 && c !== 43 && c !== 46 && (c < 48 || c > 57)) return 'text'
  if (end - start > 400) return 'text'
  const word = decoder.decode(bytes.subarray(start, end))
  if (/^-\d+$/.test(word)) return 'negative'
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(word)) return 'text'
  if (/^\d+e\d+$/i.test(word)) return 'text'
  return word.startsWith('-') ? 'negative' : 'fractional'
}

export function brokenId(kind: 'negative' | 'fractional' | 'too-large', id: string): string {
  switch (kind) {
    case 'negative':
      return `the id ${id} is negative; ids are integers from 0, or texts`
    case 'fractional':
      return `the id ${id} is not a whole number; ids are integers from 0, or texts`
    case 'too-large':
      return `the id ${id} is past the largest integer id, ${2n ** 64n - 1n}`
  }
}
