import { LABELS_HEADER_BYTES, openLabelFile } from '../graph/labels.ts'
import type { SideFile } from '../graph/side-file.ts'

/** Labels in ascending order, looked up one at a time: of a graph with a billion vertices nothing but the answer is read. */
export interface VertexLabels {
  of(v: number): string
  /** The internal id of a label, or -1. */
  find(label: string): number
  /** Ids of labels that begin with `text`: the shorter number first, texts in their order; `most` of them. */
  beginningWith(text: string, most: number): number[]
  close(): void
}

/** @throws Failure (input) when the file is damaged */
export function openVertexLabels(folder: string, vertices: number): VertexLabels {
  const opened = openLabelFile(folder, vertices)
  if (opened === null) return new NumberLabels(vertices, (v) => BigInt(v), null)
  const { file, head } = opened
  switch (head.kind) {
    case 'dense':
      return new NumberLabels(vertices, (v) => BigInt(v) + head.base, file)
    case 'integer':
      return new NumberLabels(vertices, (v) => file.read(LABELS_HEADER_BYTES + 8 * v, 8).readBigUInt64LE(), file)
    case 'text':
      return new TextLabels(vertices, file)
  }
}

class NumberLabels implements VertexLabels {
  readonly #vertices: number
  readonly #value: (v: number) => bigint
  readonly #file: SideFile | null

  constructor(vertices: number, value: (v: number) => bigint, file: SideFile | null) {
    this.#vertices = vertices
    this.#value = value
    this.#file = file
  }

  of(v: number): string {
    return String(this.#value(v))
  }

  find(label: string): number {
    if (!/^\+?\d{1,20}$/.test(label)) return -1
    const wanted = BigInt(label)
    const v = this.#firstFrom(wanted)
    return v < this.#vertices && this.#value(v) === wanted ? v : -1
  }

  beginningWith(text: string, most: number): number[] {
    if (text === '') return Array.from({ length: Math.min(most, this.#vertices) }, (_, v) => v)
    // No label is written with a zero in front, and none has more digits than 2^64.
    if (!/^(?:0|[1-9]\d{0,19})$/.test(text)) return []
    const found: number[] = []
    let low = BigInt(text)
    for (let high = low + 1n; high <= 10n ** 20n && found.length < most; low *= 10n, high *= 10n) {
      for (let v = this.#firstFrom(low); v < this.#vertices && found.length < most && this.#value(v) < high; v++)
        found.push(v)
      if (low === 0n) break
    }
    return found
  }

  close(): void {
    this.#file?.close()
  }

  #firstFrom(wanted: bigint): number {
    return lowerBound(this.#vertices, (v) => this.#value(v) < wanted)
  }
}

class TextLabels implements VertexLabels {
  readonly #vertices: number
  readonly #file: SideFile

  constructor(vertices: number, file: SideFile) {
    this.#vertices = vertices
    this.#file = file
  }

  of(v: number): string {
    return this.#bytes(v).toString('utf8')
  }

  // UTF-8 bytes order as code points do.
  find(label: string): number {
    const wanted = Buffer.from(label)
    const v = this.#firstFrom(wanted)
    return v < this.#vertices && this.#bytes(v).equals(wanted) ? v : -1
  }

  beginningWith(text: string, most: number): number[] {
    const wanted = Buffer.from(text)
    const found: number[] = []
    for (let v = this.#firstFrom(wanted); v < this.#vertices && found.length < most; v++) {
      if (!this.#bytes(v).subarray(0, wanted.length).equals(wanted)) break
      found.push(v)
    }
    return found
  }

  close(): void {
    this.#file.close()
  }

  #firstFrom(wanted: Uint8Array): number {
    return lowerBound(this.#vertices, (v) => Buffer.compare(this.#bytes(v), wanted) < 0)
  }

  #bytes(v: number): Buffer {
    return textAt(this.#file, this.#vertices, v)
  }
}

/** The text of a vertex in a file of texts: see `labels` in docs/formats.md. */
export function textAt(file: SideFile, vertices: number, v: number): Buffer {
  const at = LABELS_HEADER_BYTES + 8 * v
  const start = v === 0 ? 0 : file.long(at - 8)
  const end = file.long(at)
  const texts = LABELS_HEADER_BYTES + 8 * vertices
  if (end < start || texts + end > file.bytes) throw file.damaged()
  return file.read(texts + start, end - start)
}

function lowerBound(length: number, isBefore: (v: number) => boolean): number {
  let low = 0
  let high = length
  while (low < high) {
    const middle = low + Math.floor((high - low) / 2)
    if (isBefore(middle)) low = middle + 1
    else high = middle
  }
  return low
}
