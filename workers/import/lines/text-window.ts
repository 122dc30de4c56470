import { readSync } from 'node:fs'

const NEWLINE = 10
/** Text parsed at a time: it stays in the cache between reading and parsing. */
export const RANGE_BYTES = 1 << 18
/** Text that a window holds, without the end of its last line. */
export const TEXT_BYTES = 1 << 20
/** Longest line. */
export const LINE_BYTES = 1 << 16
/** Of most lines the end lies so near. */
const AHEAD_BYTES = 256
/** What may be read behind the last line, and the newline that it may lack. */
const PADDING_BYTES = 64
export const WINDOW_BYTES = 1 + TEXT_BYTES + LINE_BYTES + PADDING_BYTES

/** Bytes [at, end) of a file, at most {@link TEXT_BYTES}. */
export interface TextRange {
  readonly at: number
  readonly end: number
  /** Whether a line starts at `at`; elsewhere the first line starts behind the first newline from the byte before on. */
  readonly aligned: boolean
  /** Bytes of the file. */
  readonly fileBytes: number
}

/** A file cut into ranges of so many bytes, from `firstByte` on, where a line starts. */
export interface TextFile {
  readonly path: string
  readonly fileBytes: number
  readonly firstByte: number
  readonly rangeBytes: number
}

export const rangesOf = ({ fileBytes, firstByte, rangeBytes }: TextFile): number =>
  Math.ceil((fileBytes - firstByte) / rangeBytes)

export function textRange({ fileBytes, firstByte, rangeBytes }: TextFile, number: number): TextRange {
  const at = firstByte + number * rangeBytes
  return { at, end: Math.min(fileBytes, at + rangeBytes), aligned: number === 0, fileBytes }
}

/** Memory that holds the lines which start in a range of a file. */
export class TextWindow {
  readonly bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }

  /** @returns where those lines are in `bytes`, the last with its newline; null where a line is too long, or the file shorter than it was */
  fill(file: number, range: TextRange): { readonly start: number; readonly end: number } | null {
    return this.#fill(file, range, AHEAD_BYTES) ?? this.#fill(file, range, LINE_BYTES)
  }

  /** Takes whole lines, at most as many bytes as there is room for. */
  set(lines: Uint8Array): { readonly start: number; readonly end: number } {
    this.bytes.set(lines)
    return { start: 0, end: lines.length }
  }

  #fill(file: number, { at, end, aligned, fileBytes }: TextRange, aheadBytes: number) {
    const { bytes } = this
    const from = aligned ? at : at - 1
    const wanted = Math.min(fileBytes, end + aheadBytes) - from
    for (let length = 0; length < wanted;) {
      const read = readSync(file, bytes, length, wanted - length, from + length)
      if (read === 0) return null
      length += read
    }
    const newline = aligned ? -1 : bytes.indexOf(NEWLINE)
    const start = newline + 1
    // No line starts in a range that lies within one, which the range of its start parses or refuses.
    if (start >= end - from || (newline < 0 && !aligned)) return { start, end: start }
    let last = bytes.indexOf(NEWLINE, end - from - 1) + 1
    if (last === 0 || last > wanted) {
      if (from + wanted < fileBytes) return null
      last = wanted
      if (bytes[last - 1] !== NEWLINE) bytes[last++] = NEWLINE
    }
    return { start, end: last }
  }
}
