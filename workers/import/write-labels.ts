import { type LabelKind, labelKinds, LABELS_HEADER_BYTES, LABELS_MAGIC } from '../graph/labels.ts'
import type { ImportReport } from '../contract/jobs.ts'
import type { FileWriter } from './write-dataset.ts'

/** Ascending. */
export type DatasetLabels = { readonly kind: 'dense'; readonly base: number } | IntegerLabels

interface IntegerLabels {
  readonly kind: 'integer'
  readonly count: number
  readonly smallest: number | bigint
  readonly largest: number | bigint
  /** Each is good until the next. */
  readonly parts: () => Iterable<BigUint64Array>
}

export function integerLabels(values: BigUint64Array): IntegerLabels {
  const [smallest = 0, largest = 0] = [values[0], values.at(-1)]
  return { kind: 'integer', count: values.length, smallest, largest, parts: () => [values] }
}

/** 0 where labels are 0, 1, 2 ... */
export function labelsBytes(labels: DatasetLabels): number {
  if (labels.kind === 'integer') return LABELS_HEADER_BYTES + 8 * labels.count
  return labels.base === 0 ? 0 : LABELS_HEADER_BYTES
}

/** As workers/graph/labels.ts describes it. */
export async function writeLabels(
  file: FileWriter,
  labels: DatasetLabels,
  vertices: number,
  pause: (bytes: number) => Promise<void>,
): Promise<void> {
  file.write(labelsHeader(labels.kind, vertices, labels.kind === 'dense' ? labels.base : 0))
  if (labels.kind === 'integer') for (const part of labels.parts()) await file.writeArray(part, pause)
}

export function labelFacts(labels: DatasetLabels, vertices: number): ImportReport['labels'] {
  if (vertices === 0) return { kind: labels.kind, smallest: null, largest: null }
  const { smallest, largest } =
    labels.kind === 'integer' ? labels : { smallest: labels.base, largest: labels.base + vertices - 1 }
  return { kind: labels.kind, smallest: String(smallest), largest: String(largest) }
}

export function labelsHeader(kind: LabelKind, count: number, base = 0): Buffer {
  const header = Buffer.alloc(LABELS_HEADER_BYTES)
  header.write(LABELS_MAGIC, 'latin1')
  header.writeUInt32LE(labelKinds.indexOf(kind), 8)
  header.writeBigUInt64LE(BigInt(count), 16)
  header.writeBigUInt64LE(BigInt(base), 24)
  return header
}

const JOINED_TEXTS = 1 << 12

/** A `labels` file of texts in any order. */
export class TextLabels {
  readonly #ends: BigUint64Array
  readonly #pieces: Buffer[] = []
  #texts: string[] = []
  #count = 0
  #bytes = 0

  constructor(count: number) {
    this.#ends = new BigUint64Array(count)
  }

  add(text: string): void {
    this.#bytes += Buffer.byteLength(text)
    this.#ends[this.#count++] = BigInt(this.#bytes)
    this.#texts.push(text)
    if (this.#texts.length === JOINED_TEXTS) this.#join()
  }

  /** Of the file, once all texts were added. */
  pieces(): readonly Uint8Array[] {
    this.#join()
    const ends = new Uint8Array(this.#ends.buffer)
    return [labelsHeader('text', this.#ends.length), ends, ...this.#pieces]
  }

  #join(): void {
    this.#pieces.push(Buffer.from(this.#texts.join('')))
    this.#texts = []
  }
}

export function textFile(texts: readonly string[]): Uint8Array {
  const labels = new TextLabels(texts.length)
  for (const text of texts) labels.add(text)
  return Buffer.concat(labels.pieces())
}
