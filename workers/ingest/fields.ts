const SPACE = 32
const TAB = 9
const QUOTE = 34
const KEPT = 3

/**
 * The columns of one line, found in place. A field that starts with a double quote runs to the next single one ("" is a
 * quote within); blanks around fields are no part of them. Empty fields at the end of a line do not count.
 */
export class Fields {
  /** Columns of the line; only the first three are kept. */
  count = 0
  /** A quote was not closed, or something follows it. */
  broken = false
  readonly starts = [0, 0, 0]
  readonly ends = [0, 0, 0]
  readonly quoted = [false, false, false]
  #escaped = false
  #end = 0

  /** Splits bytes [start, end), which hold no newline. `delimiter` 0 stands for runs of spaces and tabs. */
  split(bytes: Uint8Array, start: number, end: number, delimiter: number): void {
    this.count = 0
    this.broken = false
    this.#escaped = false
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
    if (column >= KEPT) return
    this.starts[column] = start
    this.ends[column] = end
    this.quoted[column] = quoted
  }

  isEmpty(column: number): boolean {
    return this.starts[column] === this.ends[column]
  }

  /** The bytes of one of the first three columns, quotes taken off; a view of the line where possible. */
  bytes(line: Uint8Array, column: number): Uint8Array {
    const field = line.subarray(this.starts[column], this.ends[column])
    if (!this.#escaped || !this.quoted[column]) return field
    const plain = new Uint8Array(field.length)
    let length = 0
    for (let i = 0; i < field.length; i++) {
      plain[length++] = field[i]!
      if (field[i] === QUOTE) i++
    }
    return plain.subarray(0, length)
  }
}

function skipBlanks(bytes: Uint8Array, at: number, end: number, delimiter: number): number {
  let p = at
  while (p < end && (bytes[p] === SPACE || (bytes[p] === TAB && delimiter !== TAB))) p++
  return p
}
