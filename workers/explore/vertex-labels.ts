import { lowerBound } from '../base/lower-bound.ts'
import {
  denseLabels,
  integerLabels,
  type Labels,
  LABELS_HEADER_BYTES,
  openLabelFile,
  openNameFile,
  textAt,
  textLabels,
} from '../graph/labels.ts'
import type { CheckedFile } from '../base/checked-file.ts'

/** While a user types. */
const MAX_SEARCHED_BYTES = 64 << 20

/** Ascending, read one at a time. */
export interface VertexLabels extends Labels {
  close(): void
}

/** @throws Failure (input) when the file is damaged */
export function openVertexLabels(folder: string, vertices: number): VertexLabels {
  const opened = openLabelFile(folder, vertices)
  if (opened === null) return { ...denseLabels(vertices, 0), close: () => {} }
  const { file, head } = opened
  const close = (): void => file.close()
  switch (head.kind) {
    case 'dense':
      return { ...denseLabels(vertices, Number(head.base)), close }
    case 'integer': {
      const value = (v: number): bigint => file.read(LABELS_HEADER_BYTES + 8 * v, 8).readBigUInt64LE()
      return { ...integerLabels(vertices, value), close }
    }
    case 'text':
      return { ...textLabels(vertices, (v) => textAt(file, vertices, v)), close }
  }
}

/** The shorter number first, texts in their order. */
export function labelsBeginningWith(labels: Labels, vertices: number, text: string, most: number): number[] {
  const found: number[] = []
  const take = (first: number, fits: (v: number) => boolean): void => {
    for (let v = first; v < vertices && found.length < most && fits(v); v++) found.push(v)
  }
  if (text === '') take(0, () => true)
  else if (labels.kind === 'text') {
    const wanted = Buffer.from(text)
    const isBefore = (v: number): boolean => Buffer.compare(Buffer.from(labels.of(v)), wanted) < 0
    take(lowerBound(0, vertices, isBefore), (v) => labels.of(v).startsWith(text))
  } else if (/^(?:0|[1-9]\d{0,19})$/.test(text)) {
    // Labels have no leading zeros, and at most 20 digits.
    const value = (v: number): bigint => labels.number(v)!
    let low = BigInt(text)
    for (let high = low + 1n; high <= 10n ** 20n && found.length < most; low *= 10n, high *= 10n) {
      take(
        lowerBound(0, vertices, (v) => value(v) < low),
        (v) => value(v) < high,
      )
      if (low === 0n) break
    }
  }
  return found
}

/** See {@link openNameFile}. */
export interface VertexNames {
  of(v: number): string | null
  /** Whatever the case; whole names first, then by id. */
  beginningWith(text: string, most: number): number[]
  close(): void
}

/** null for none. @throws Failure (input) when the file is damaged */
export function openVertexNames(folder: string, vertices: number): VertexNames | null {
  const file = openNameFile(folder, vertices)
  if (file === null) return null
  return {
    of: (v) => textAt(file, vertices, v).toString('utf8') || null,
    beginningWith: (text, most) =>
      text === '' || file.bytes > MAX_SEARCHED_BYTES ? [] : namesFrom(file, vertices, folded(text), most),
    close: () => file.close(),
  }
}

function namesFrom(file: CheckedFile, vertices: number, wanted: string, most: number): number[] {
  const whole: number[] = []
  const begun: number[] = []
  const texts = file.read(LABELS_HEADER_BYTES, file.bytes - LABELS_HEADER_BYTES)
  let start = 8 * vertices
  for (let v = 0; v < vertices && whole.length < most; v++) {
    const end = 8 * vertices + Number(texts.readBigUInt64LE(8 * v))
    const name = folded(texts.toString('utf8', start, end))
    start = end
    if (name === wanted) whole.push(v)
    else if (begun.length < most && name.startsWith(wanted)) begun.push(v)
  }
  return [...whole, ...begun].slice(0, most)
}

/** "Zürich" is found by "zurich" too. */
function folded(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
}
