import type { TextEncoding } from '../contract/jobs.ts'

const NEWLINE = 10
const RETURN = 13
/** Decides on zero bytes: enough of them are no accident. */
const LEAST_PAIRS = 2
const MOST_HEAD_BYTES = 1 << 16
/** Of UTF-16 in any script with blanks, digits and ends of lines. */
const ZERO_SHARE = 0.15

/** How the bytes of a text become UTF-8 in lines. */
export interface TextForm {
  /** As TextDecoder calls it; null for UTF-8 as it is. */
  readonly decoder: string | null
  /** A carriage return alone ends a line, as on early Macintoshes. */
  readonly returnsEndLines: boolean
  /** What a person should know; null where nothing was changed. */
  readonly note: string | null
}

export const PLAIN_TEXT: TextForm = { decoder: null, returnsEndLines: false, note: null }

/** By what was chosen, else by a byte order mark, zero bytes, or an XML declaration. @param head of the text, unpacked */
export function textFormOf(head: Uint8Array, chosen: TextEncoding = 'auto'): TextForm {
  const first = head.subarray(0, MOST_HEAD_BYTES)
  const decoder = chosen === 'auto' ? foundIn(first) : chosen === 'utf-16' ? (byMark(first) ?? byZeros(first)) : chosen
  const known = decoder === 'utf-8' ? null : (decoder ?? (chosen === 'utf-16' ? 'utf-16le' : null))
  const text = known === null ? first : Buffer.from(new TextDecoder(known).decode(first))
  const returnsEndLines = text.includes(RETURN) && !text.includes(NEWLINE)
  if (known === null && !returnsEndLines) return PLAIN_TEXT
  const said = [
    ...(known === null ? [] : [`the text was read as ${nameOf(known)}`]),
    ...(returnsEndLines ? ['its lines end in a carriage return alone'] : []),
  ]
  return { decoder: known, returnsEndLines, note: said.join('; ') }
}

export const nameOf = (decoder: string): string => (/^utf/.test(decoder) ? decoder.slice(0, 6).toUpperCase() : decoder)

const foundIn = (head: Uint8Array): string | null => byMark(head) ?? byZeros(head) ?? byDeclaration(head)

function byMark([a, b, c, d]: Uint8Array): string | null {
  if (a === 0xff && b === 0xfe && !(c === 0 && d === 0)) return 'utf-16le'
  return a === 0xfe && b === 0xff ? 'utf-16be' : null
}

/** UTF-16 without a mark: of every pair of bytes at most one is zero, in most texts of many pairs always the same. */
function byZeros(head: Uint8Array): string | null {
  const zeros = [0, 0]
  const pairs = head.length >> 1
  for (let i = 0; i + 1 < head.length; i += 2) {
    if (head[i] === 0 && head[i + 1] === 0) return null
    if (head[i] === 0) zeros[0]!++
    if (head[i + 1] === 0) zeros[1]!++
  }
  const [low, high] = zeros as [number, number]
  if (Math.max(low, high) < Math.max(LEAST_PAIRS, ZERO_SHARE * pairs) || Math.min(low, high) > 0.01 * pairs) return null
  const decoder = high > low ? 'utf-16le' : 'utf-16be'
  return looksLikeText(new TextDecoder(decoder).decode(head.subarray(0, 2 * pairs))) ? decoder : null
}

/** No control characters but blanks and ends of lines. */
const looksLikeText = (text: string): boolean => !/[^\P{Cc}\t\n\v\f\r]/u.test(text)

/** An encoding that XML declares, where it is another than UTF-8 and known. */
function byDeclaration(head: Uint8Array): string | null {
  const text = Buffer.from(head.subarray(0, 200)).toString('latin1')
  const [, declared = ''] = /^<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]{1,40})["']/.exec(text) ?? []
  try {
    const { encoding } = new TextDecoder(declared)
    return encoding.startsWith('utf-') ? null : encoding
  } catch {
    return null
  }
}

/** A piece of a text; what the encoding does not have is replaced. */
export function recoded(bytes: Uint8Array, { decoder, returnsEndLines }: TextForm): Uint8Array {
  const utf8 = decoder === null ? bytes.slice() : Buffer.from(new TextDecoder(decoder).decode(bytes))
  if (returnsEndLines) endLines(utf8)
  return utf8
}

export function endLines(utf8: Uint8Array): void {
  for (let i = utf8.indexOf(RETURN); i >= 0; i = utf8.indexOf(RETURN, i + 1)) utf8[i] = NEWLINE
}
