const NEWLINE = 10

/** Whole lines of text: bytes [start, end), the last of which is a newline. Good until the next one is asked for. */
export interface LineSpan {
  readonly bytes: Uint8Array
  readonly start: number
  readonly end: number
}

/**
 * Cuts a stream of chunks at line ends: what is left of a line waits for the next chunk, however long it gets. A byte order
 * mark is taken off, and a last line without a newline gets one, so that parsers may rely on it.
 * @param most bytes that may wait for the end of their line
 * @param tooLong what is thrown where they are more
 */
export async function* wholeLines(
  chunks: AsyncIterable<Uint8Array>,
  most = Infinity,
  tooLong: () => Error = () => new RangeError('a line is too long'),
): AsyncGenerator<LineSpan> {
  let carried = new Uint8Array(1 << 16)
  let length = 0
  let atStart = true
  for await (const chunk of chunks) {
    const cut = chunk.lastIndexOf(NEWLINE) + 1
    if (cut === 0) {
      if (length + chunk.length > most) throw tooLong()
      carried = append(carried, length, chunk)
      length += chunk.length
      continue
    }
    let lines: Uint8Array = chunk.subarray(0, cut)
    if (length > 0) {
      // Only the line that spans the border is put together anew; the rest is parsed where it lies.
      const border = chunk.indexOf(NEWLINE) + 1
      carried = append(carried, length, chunk.subarray(0, border))
      yield span(carried.subarray(0, length + border), atStart)
      atStart = false
      lines = chunk.subarray(border, cut)
    }
    if (lines.length > 0) yield span(lines, atStart)
    atStart = false
    const rest = chunk.subarray(cut)
    carried = append(carried, 0, rest)
    length = rest.length
  }
  if (length === 0) return
  carried = append(carried, length, Uint8Array.of(NEWLINE))
  yield span(carried.subarray(0, length + 1), atStart)
}

function append(carried: Uint8Array<ArrayBuffer>, length: number, more: Uint8Array): Uint8Array<ArrayBuffer> {
  let into = carried
  if (length + more.length > carried.length) {
    into = new Uint8Array(Math.max(2 * carried.length, length + more.length + 1))
    into.set(carried.subarray(0, length))
  }
  into.set(more, length)
  return into
}

function span(bytes: Uint8Array, atStart: boolean): LineSpan {
  const mark = atStart && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
  return { bytes, start: mark ? 3 : 0, end: bytes.length }
}
