import { readSync } from 'node:fs'

const NEWLINE = 10
/** Text parsed at a time. */
export const RANGE_BYTES = 1 << 20
/** Longest line. */
const LINE_BYTES = 1 << 16
/** What may be read behind the last line, and the newline that it may lack. */
const PADDING_BYTES = 64
export const WINDOW_BYTES = 1 + RANGE_BYTES + LINE_BYTES + PADDING_BYTES

/** Bytes [at, end) of a file, at most {@link RANGE_BYTES}. */
export interface TextRange {
  readonly at: number
  readonly end: number
  /** Whether a line starts at `at`; elsewhere the first line starts behind the first newline from the byte before on. */
  readonly aligned: boolean
  /** Bytes of the file. */
  readonly fileBytes: number
}

/** Cuts a file into ranges from `at` on, where a line starts. */
export function textRanges(at: number, fileBytes: number, rangeBytes: number): TextRange[] {
  const count = Math.ceil((fileBytes - at) / rangeBytes)
  return Array.from({ length: count }, (_, i) => {
    const first = at + i * rangeBytes
    return { at: first, end: Math.min(fileBytes, first + rangeBytes), aligned: i === 0, fileBytes }
  })
}

/** Memory that holds the lines which start in a range of a file. */
export class TextWindow {
  readonly bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }

  /** @returns where those lines are in `bytes`, the last with its newline; null where a line is too long, or the file shorter than it was */
  fill(
    file: number,
    { at, end, aligned, fileBytes }: TextRange,
  ): { readonly start: number; readonly end: number } | null {
    const { bytes } = this
    const from = aligned ? at : at - 1
    const wanted = Math.min(fileBytes - from, WINDOW_BYTES - PADDING_BYTES)
    let length = 0
    while (length < wanted) {
      const read = readSync(file, bytes, length, wanted - length, from + length)
      if (read === 0) return null
      length += read
    }
    const newline = aligned ? -1 : bytes.indexOf(NEWLINE)
    const start = newline + 1
    // No line starts in a range that lies within one, which the range of its start parses or refuses.
    if (start >= end - from || (newline < 0 && !aligned)) return { start, end: start }
    let last = bytes.indexOf(NEWLINE, end - from - 1) + 1
    if (last === 0 || last > length) {
      if (from + length < fileBytes) return null
      last = length
      if (bytes[last - 1] !== NEWLINE) bytes[last++] = NEWLINE
    }
    return { start, end: last }
  }
}
