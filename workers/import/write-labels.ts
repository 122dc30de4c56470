import { labelKinds, LABELS_HEADER_BYTES, LABELS_MAGIC } from '../graph/labels.ts'
import type { ImportReport } from '../contract/jobs.ts'
import type { FileWriter } from './write-dataset.ts'

/** Ascending. */
export type DatasetLabels = { readonly kind: 'dense'; readonly base: number } | IntegerLabels

export interface IntegerLabels {
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
  const header = Buffer.alloc(LABELS_HEADER_BYTES)
  header.write(LABELS_MAGIC, 'latin1')
  header.writeUInt32LE(labelKinds.indexOf(labels.kind), 8)
  header.writeBigUInt64LE(BigInt(vertices), 16)
  header.writeBigUInt64LE(BigInt(labels.kind === 'dense' ? labels.base : 0), 24)
  file.write(header)
  if (labels.kind === 'integer') for (const part of labels.parts()) await file.writeArray(part, pause)
}

export function labelFacts(labels: DatasetLabels, vertices: number): ImportReport['labels'] {
  if (vertices === 0) return { kind: labels.kind, smallest: null, largest: null }
  const { smallest, largest } =
    labels.kind === 'integer' ? labels : { smallest: labels.base, largest: labels.base + vertices - 1 }
  return { kind: labels.kind, smallest: String(smallest), largest: String(largest) }
}

/** Texts in any order, as a `labels` file. @param ends of each text, in bytes */
export function writeNames(file: FileWriter, ends: BigUint64Array, texts: readonly Uint8Array[]): void {
  file.write(textHeader(ends.length))
  file.write(new Uint8Array(ends.buffer, ends.byteOffset, ends.byteLength))
  for (const piece of texts) file.write(piece)
}

function textHeader(count: number): Buffer {
  const header = Buffer.alloc(LABELS_HEADER_BYTES)
  header.write(LABELS_MAGIC, 'latin1')
  header.writeUInt32LE(labelKinds.indexOf('text'), 8)
  header.writeBigUInt64LE(BigInt(count), 16)
  return header
}

/** A `labels` file of texts in any order. */
export function textFile(texts: readonly string[]): Uint8Array {
  const bytes = texts.map((text) => Buffer.from(text))
  const ends = Buffer.alloc(8 * texts.length)
  let end = 0
  bytes.forEach((text, i) => {
    end += text.length
    ends.writeBigUInt64LE(BigInt(end), 8 * i)
  })
  return Buffer.concat([textHeader(texts.length), ends, ...bytes])
}
