/**
 * The user's own vertex ids. Internal ids ascend with labels (numbers by value, text by code point), so results do not depend on the order of
 * lines in the input. File `labels` of a dataset folder (absent where label = internal id), little-endian: 8 bytes magic, u32 kind, u32 zero,
 * u64 n, u64 base; then for `integer` u64 labels [n]; for `text` u64 end offsets [n] and the UTF-8 bytes. A label is found by bisection.
 * import/canonical writes the file.
 */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type CheckedFile, type DamageWords, openSideFile, type SmallReads } from '../base/checked-file.ts'
import { lowerBound } from '../base/ranges.ts'
import { NAMES_FILE } from '../contract/jobs.ts'

export const LABELS_FILE = 'labels'
export const LABELS_MAGIC = 'ACQLABEL'
export const LABELS_HEADER_BYTES = 32
export const labelKinds = ['dense', 'integer', 'text'] as const
export type LabelKind = (typeof labelKinds)[number]

export interface Labels {
  readonly kind: LabelKind
  /** The label of internal id v. */
  of(v: number): string
  /** An internal id, or -1. */
  find(label: string): number
  /** The internal id of a whole number below 2^53, or -1. */
  findWhole(label: number): number
  /** The label as a number, for .npy; null for text. */
  number(v: number): bigint | null
  /** What {@link findWhole} reads; absent for texts. */
  readonly whole?: WholeLabels
}

/** Every label, a line each in the order of the vertices. */
export function* labelLines(labels: Labels, vertices: number): Generator<string> {
  for (let v = 0; v < vertices; v++) yield `${labels.of(v)}\n`
}

/** Labels that are whole numbers, as threads share them. */
export type WholeLabels =
  | { readonly vertices: number; readonly base: number }
  /** Halves of the labels, the lower one first; they ascend. */
  | { readonly vertices: number; readonly halves: Uint32Array }

/** Steps that guess by how dense labels are; then halves are left. */
const GUESSES = 6

/** The internal id of a whole number below 2^53, or -1. */
export function findWhole(labels: WholeLabels, label: number): number {
  const { vertices } = labels
  if ('base' in labels) return label >= labels.base && label - labels.base < vertices ? label - labels.base : -1
  const { halves } = labels
  let low = 0
  let high = vertices - 1
  const first = wholeAt(halves, low)
  const last = wholeAt(halves, high)
  if (!(label >= first && label <= last)) return -1
  const density = vertices / (last - first + 1)
  let guess = Math.min(high, Math.floor((label - first) * density))
  for (let step = 0; ; step++) {
    const more = label - wholeAt(halves, guess)
    if (more === 0) return guess
    // Labels differ by 1 at least.
    if (more > 0) {
      low = guess + 1
      high = Math.min(high, guess + more)
    } else {
      high = guess - 1
      low = Math.max(low, guess + more)
    }
    if (low > high) return -1
    const next = step < GUESSES ? guess + Math.trunc(more * density) : (low + high) / 2
    guess = Math.floor(Math.min(high, Math.max(low, next)))
  }
}

/** The label of a vertex. */
export const wholeAt = (halves: Uint32Array, v: number): number => halves[2 * v]! + 2 ** 32 * halves[2 * v + 1]!

/** Matrix Market and METIS count from 1. */
export function denseLabels(vertices: number, base: number): Labels {
  const whole = { vertices, base }
  return {
    kind: 'dense',
    of: (v) => String(v + base),
    find: (label) => (/^\+?\d+$/.test(label) ? findWhole(whole, Number(label)) : -1),
    findWhole: (label) => findWhole(whole, label),
    number: (v) => BigInt(v + base),
    whole,
  }
}

/** @param value ascends; @param whole the same values */
export function integerLabels(vertices: number, value: (v: number) => bigint, whole?: WholeLabels): Labels {
  return {
    kind: 'integer',
    of: (v) => String(value(v)),
    find: (label) => {
      if (!/^\+?\d+$/.test(label)) return -1
      const wanted = BigInt(label)
      return search(vertices, (v) => (value(v) < wanted ? -1 : Number(value(v) > wanted)))
    },
    findWhole: (label) =>
      whole === undefined ? search(vertices, (v) => Number(value(v)) - label) : findWhole(whole, label),
    number: value,
    ...(whole === undefined ? {} : { whole }),
  }
}

/** @param bytes ascend, as UTF-8 */
export function textLabels(vertices: number, bytes: (v: number) => Uint8Array): Labels {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  return {
    kind: 'text',
    of: (v) => decoder.decode(bytes(v)),
    find: (label) => {
      const wanted = Buffer.from(label)
      // UTF-8 bytes order as code points do.
      return search(vertices, (v) => Buffer.compare(bytes(v), wanted))
    },
    findWhole: () => -1,
    number: () => null,
  }
}

function search(length: number, compare: (v: number) => number): number {
  const v = lowerBound(0, length, (at) => compare(at) < 0)
  return v < length && compare(v) === 0 ? v : -1
}

const LABEL_DAMAGE: DamageWords = { what: 'the label file is damaged', remedy: 'Import the graph again.' }

interface LabelHead {
  readonly kind: LabelKind
  readonly vertices: number
  readonly base: bigint
}

function labelHead(bytes: Buffer): LabelHead | null {
  if (bytes.length < LABELS_HEADER_BYTES || bytes.toString('latin1', 0, 8) !== LABELS_MAGIC) return null
  const kind = labelKinds[bytes.readUInt32LE(8)]
  if (kind === undefined) return null
  return { kind, vertices: Number(bytes.readBigUInt64LE(16)), base: bytes.readBigUInt64LE(24) }
}

/** null where labels are 0, 1, 2 ... @throws Failure (input) when the file is damaged, or of another graph */
export function openLabelFile(folder: string, vertices: number): { file: CheckedFile; head: LabelHead } | null {
  const path = join(folder, LABELS_FILE)
  const file = openSideFile(path, LABEL_DAMAGE, () => isSound(readFileSync(path), vertices))
  if (file === null) return null
  const head = labelHead(file.read(0, Math.min(LABELS_HEADER_BYTES, file.bytes)))
  if (head?.vertices === vertices) return { file, head }
  file.close()
  throw file.damaged()
}

/** Names beside the labels, in no order; may repeat, may be empty. null for none. @throws Failure (input) when the file is damaged */
export function openNameFile(folder: string, vertices: number): CheckedFile | null {
  const file = openSideFile(join(folder, NAMES_FILE))
  if (file === null) return null
  const head = file.bytes < LABELS_HEADER_BYTES + 8 * vertices ? null : labelHead(file.read(0, LABELS_HEADER_BYTES))
  if (head?.kind === 'text' && head.vertices === vertices) return file
  file.close()
  throw file.damaged()
}

/** The label of a vertex in a file of texts. */
export function textAt(file: SmallReads, vertices: number, v: number): Buffer {
  const at = LABELS_HEADER_BYTES + 8 * v
  const start = v === 0 ? 0 : file.long(at - 8)
  const end = file.long(at)
  const texts = LABELS_HEADER_BYTES + 8 * vertices
  if (end < start || texts + end > file.bytes) throw file.damaged()
  return file.read(texts + start, end - start)
}

const TEXTS_TOGETHER = 4096

/** Texts of vertices that are asked for in ascending order: thousands are read at a time, not each by three reads. */
export function textsInOrder(file: CheckedFile, vertices: number): (v: number) => string {
  const textsAt = LABELS_HEADER_BYTES + 8 * vertices
  let first = 0
  let starts: readonly number[] = []
  let texts = Buffer.alloc(0)
  const read = (v: number): void => {
    const count = Math.min(TEXTS_TOGETHER, vertices - v)
    const ends = file.read(LABELS_HEADER_BYTES + 8 * v, 8 * count)
    const start = v === 0 ? 0 : file.long(LABELS_HEADER_BYTES + 8 * (v - 1))
    starts = [start, ...Array.from({ length: count }, (_, i) => Number(ends.readBigUInt64LE(8 * i)))]
    const isRising = starts.every((at, i) => i === 0 || at >= starts[i - 1]!)
    if (!isRising || textsAt + starts.at(-1)! > file.bytes) throw file.damaged()
    texts = file.read(textsAt + start, starts.at(-1)! - start)
    first = v
  }
  return (v) => {
    if (v < first || v >= first + starts.length - 1) read(v)
    const [begin, start, end] = [starts[0]!, starts[v - first]!, starts[v - first + 1]!]
    return texts.toString('utf8', start - begin, end - begin)
  }
}

/** @throws Failure (input) when the file is damaged */
export function openLabels(folder: string, vertices: number): Labels {
  const opened = openLabelFile(folder, vertices)
  if (opened === null) return denseLabels(vertices, 0)
  const { file, head } = opened
  try {
    if (head.kind === 'dense') return denseLabels(vertices, Number(head.base))
    const { buffer } = file.read(LABELS_HEADER_BYTES, file.bytes - LABELS_HEADER_BYTES)
    const labels = head.kind === 'integer' ? integersIn(shared(buffer), vertices) : textsIn(buffer, vertices)
    if (labels === null) throw file.damaged()
    return labels
  } finally {
    file.close()
  }
}

function shared(bytes: ArrayBuffer): SharedArrayBuffer {
  const memory = new SharedArrayBuffer(bytes.byteLength)
  new Uint8Array(memory).set(new Uint8Array(bytes))
  return memory
}

/** null: not this number. */
function integersIn(body: ArrayBufferLike, vertices: number): Labels | null {
  if (body.byteLength !== 8 * vertices) return null
  const values = new BigUint64Array(body)
  // Halves of the values, so that a comparison makes no big numbers.
  return integerLabels(vertices, (v) => values[v]!, { vertices, halves: new Uint32Array(body) })
}

function textsIn(body: ArrayBuffer, vertices: number): Labels | null {
  if (body.byteLength < 8 * vertices) return null
  const ends = Float64Array.from(new BigUint64Array(body, 0, vertices), Number)
  const bytes = new Uint8Array(body, 8 * vertices)
  let before = 0
  for (const end of ends) {
    if (end < before) return null
    before = end
  }
  if (before !== bytes.length) return null
  return textLabels(vertices, (v) => bytes.subarray(v === 0 ? 0 : ends[v - 1], ends[v]))
}

/** Whether a file is sound to its last byte, and ascends. */
function isSound(file: Buffer<ArrayBuffer>, vertices: number): boolean {
  const head = labelHead(file)
  if (head?.vertices !== vertices) return false
  const body = file.buffer.slice(file.byteOffset + LABELS_HEADER_BYTES, file.byteOffset + file.length)
  if (head.kind === 'dense') return body.byteLength === 0
  if (head.kind === 'integer') return integersIn(body, vertices) !== null && integersAscend(new BigUint64Array(body))
  const labels = textsIn(body, vertices)
  return labels !== null && textsAscend(labels, vertices)
}

function integersAscend(values: BigUint64Array): boolean {
  return values.every((value, v) => v === 0 || value > values[v - 1]!)
}

function textsAscend({ of }: Labels, vertices: number): boolean {
  for (let v = 1; v < vertices; v++) if (Buffer.compare(Buffer.from(of(v - 1)), Buffer.from(of(v))) >= 0) return false
  return true
}
