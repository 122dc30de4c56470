import { isMissingWord } from '../reader/numbers.ts'
import { Fields } from './table-lines.ts'

const [HASH, PERCENT, SLASH, SPACE, TAB] = [35, 37, 47, 32, 9]

/** Which lines that begin with a sign of comments are rows: none, those behind the first other line, or all that fit. */
type SignedRows = 'none' | 'later' | 'all'

/** Whether a line begins with #, % or //, or with what the user named. */
export function isSigned(line: Uint8Array, prefix?: Uint8Array): boolean {
  if (prefix !== undefined) return prefix.length > 0 && prefix.every((byte, i) => line[i] === byte)
  const c = line[0]
  return c === HASH || c === PERCENT || (c === SLASH && line[1] === SLASH)
}

/** What Excel reads at the top of a CSV to learn its delimiter. */
const separatorLine = /^"?sep=(.)"?$/i

/** The delimiter that a first line "sep=;" names; null for other lines. */
export function separatorIn(line: Uint8Array): string | null {
  return line.length > 7 ? null : (separatorLine.exec(Buffer.from(line).toString('latin1'))?.[1] ?? null)
}

/** Whether a sign and a word without a blank between them begin the text, as a hashtag does; "# words" and "##" are comments. */
function isSignedWord(text: Uint8Array): boolean {
  if (!isSigned(text)) return false
  const next = text[text[0] === SLASH ? 2 : 1]
  return next !== undefined && next !== SPACE && next !== TAB && next !== HASH && next !== PERCENT
}

/**
 * Tells comments from rows whose first id begins with the sign of one (#berlin, %a, //host). Such a line is a row where it has
 * the columns of the others, and something in the table says that ids begin so.
 */
export class CommentRule {
  readonly #prefix: Uint8Array | undefined
  readonly #rows: SignedRows
  readonly #delimiter: number
  readonly #width: number
  readonly #fields = new Fields([0])

  /** @param prefix what the user named: nothing else is a comment @param width columns of the other rows */
  constructor(prefix: Uint8Array | undefined, rows: SignedRows = 'none', delimiter = 0, width = 2) {
    this.#prefix = prefix
    this.#rows = rows
    this.#delimiter = delimiter
    this.#width = width
  }

  /** @param begun whether another line stands before it */
  isComment(line: Uint8Array, begun: boolean): boolean {
    if (!begun && separatorIn(line) !== null) return true
    if (!isSigned(line, this.#prefix)) return false
    if (this.#prefix !== undefined || !this.mayBeRow(line)) return true
    if (isMissingWord(this.#fields.text(line, 0)) && begun) return false
    return this.#rows === 'none' || (this.#rows === 'later' && !begun)
  }

  /** Whether a signed line has the form of the rows. */
  mayBeRow(line: Uint8Array): boolean {
    if (this.#prefix !== undefined || !isSignedWord(line)) return false
    const fields = this.#fields
    fields.split(line, this.#delimiter)
    if (fields.broken || fields.count > this.#width) return false
    return this.#delimiter === 0 ? fields.count === this.#width : fields.count >= 2
  }
}

/**
 * @param lines those that begin with no sign @param signed the others, and whether one of these is before each
 * @param areNamed whether names stand above the columns
 */
export function signedRows(
  lines: readonly Uint8Array[],
  signed: readonly { readonly line: Uint8Array; readonly begun: boolean }[],
  delimiter: number,
  width: number,
  areNumbers: boolean,
): SignedRows {
  const form = new CommentRule(undefined, 'all', delimiter, width)
  const fitting = signed.filter(({ line }) => form.mayBeRow(line))
  if (fitting.length === 0) return 'none'
  const fields = new Fields([0, 1])
  const begins = (line: Uint8Array, place: number): boolean => {
    fields.split(line, delimiter)
    return !fields.broken && isSignedWord(fields.bytes(line, place)) && !isMissingWord(fields.text(line, place))
  }
  // The other end of an edge says how ids begin.
  if (fitting.some(({ line }) => begins(line, 1)) || lines.some((line) => begins(line, 0) || begins(line, 1)))
    return 'all'
  return delimiter !== 0 && !areNumbers ? 'later' : 'none'
}
