const [TAB, NEWLINE, SPACE, QUOTE] = [9, 10, 32, 34]

/** Behind spaces and tabs that are no delimiter. */
export function skipBlanks(bytes: Uint8Array, at: number, end: number, delimiter: number): number {
  let p = at
  while (p < end && (bytes[p] === SPACE || (bytes[p] === TAB && delimiter !== TAB))) p++
  return p
}

/** Behind the closing quote of a cell that begins at `at`; -1 where there is none before `end`. */
export function endOfCell(bytes: Uint8Array, at: number, end: number): number {
  for (let p = at + 1; ; p += 2) {
    p = bytes.indexOf(QUOTE, p)
    if (p < 0 || p >= end) return -1
    if (p + 1 >= end || bytes[p + 1] !== QUOTE) return p + 1
  }
}

/** Whether the rest of a line, from a delimiter on, opens quotes that it does not close. */
export function opensQuote(bytes: Uint8Array, at: number, end: number, delimiter: number): boolean {
  for (let p = at; p < end;) {
    if (delimiter !== 0 && bytes[p] === delimiter) p++
    p = skipBlanks(bytes, p, end, delimiter)
    if (p < end && bytes[p] === QUOTE && (p = endOfCell(bytes, p, end)) < 0) return true
    p = endOfBare(bytes, p, end, delimiter)
  }
  return false
}

/** The end of a cell without quotes: at a delimiter or the end of the line. @param delimiter 0 for runs of blanks */
export function endOfBare(bytes: Uint8Array, at: number, end: number, delimiter: number): number {
  let p = at
  if (delimiter === 0) while (p < end && bytes[p] !== SPACE && bytes[p] !== TAB && bytes[p] !== NEWLINE) p++
  else while (p < end && bytes[p] !== delimiter && bytes[p] !== NEWLINE) p++
  return p
}
