import { labelKinds, LABELS_HEADER_BYTES, LABELS_MAGIC } from '../graph/labels.ts'
import type { ImportReport } from '../contract/jobs.ts'
import type { FileWriter } from './file-writer.ts'
import type { LabelTable } from './label-table.ts'

/** The labels of a graph's vertices, ascending. */
export type DatasetLabels =
  | { readonly kind: 'dense'; readonly base: number }
  | { readonly kind: 'integer'; readonly values: BigUint64Array }
  | { readonly kind: 'text'; readonly table: LabelTable; readonly order: Uint32Array }

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
const PAUSE_LABELS = 1 << 16

/** Bytes of the `labels` file; 0 where there is none, because labels are 0, 1, 2 ... */
export function labelsBytes(labels: DatasetLabels): number {
  switch (labels.kind) {
    case 'dense':
      return labels.base === 0 ? 0 : LABELS_HEADER_BYTES
    case 'integer':
      return LABELS_HEADER_BYTES + 8 * labels.values.length
    case 'text':
      return LABELS_HEADER_BYTES + 8 * labels.order.length + labels.table.totalBytes
  }
}

/** Writes a `labels` file as workers/graph/labels.ts describes it. */
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
  if (labels.kind === 'integer') await file.writeArray(labels.values, pause)
  if (labels.kind === 'text') await writeTexts(file, labels.table, labels.order, pause)
}

async function writeTexts(
  file: FileWriter,
  table: LabelTable,
  order: Uint32Array,
  pause: (bytes: number) => Promise<void>,
): Promise<void> {
  const ends = new TextEnds(order.length)
  const texts = new Uint8Array(table.totalBytes)
  for (let v = 0; v < order.length; v++) {
    const label = table.bytes(order[v]!)
    texts.set(label, ends.end)
    ends.add(label.length)
    if (v % PAUSE_LABELS === 0) await pause(file.bytes)
  }
  await file.writeArray(ends.words, pause)
  await file.writeArray(texts, pause)
}

/** Where texts that lie one behind another end: u64, low halves first. */
export class TextEnds {
  end = 0
  readonly words: Uint32Array<ArrayBuffer>
  #texts = 0

  constructor(texts: number) {
    this.words = new Uint32Array(2 * texts)
  }

  add(bytes: number): void {
    this.end += bytes
    this.words[2 * this.#texts] = this.end
    this.words[2 * this.#texts++ + 1] = this.end / 2 ** 32
  }
}

/** Kind, smallest and largest label, for the report. */
export function labelFacts(labels: DatasetLabels, vertices: number): ImportReport['labels'] {
  if (vertices === 0) return { kind: labels.kind, smallest: null, largest: null }
  const label = (v: number): string => {
    switch (labels.kind) {
      case 'dense':
        return String(labels.base + v)
      case 'integer':
        return String(labels.values[v])
      case 'text':
        return decoder.decode(labels.table.bytes(labels.order[v]!))
    }
  }
  return { kind: labels.kind, smallest: label(0), largest: label(vertices - 1) }
}

/** Texts by internal id, as the file `labels` holds them (workers/graph/labels.ts), in whatever order they are given. */
export function textFile(texts: readonly string[]): Uint8Array {
  const header = Buffer.alloc(LABELS_HEADER_BYTES)
  header.write(LABELS_MAGIC, 'latin1')
  header.writeUInt32LE(labelKinds.indexOf('text'), 8)
  header.writeBigUInt64LE(BigInt(texts.length), 16)
  const bytes = texts.map((text) => Buffer.from(text))
  const ends = Buffer.alloc(8 * texts.length)
  let end = 0
  bytes.forEach((text, i) => {
    end += text.length
    ends.writeBigUInt64LE(BigInt(end), 8 * i)
  })
  return Buffer.concat([header, ends, ...bytes])
}
