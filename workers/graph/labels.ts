import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inputFailure } from '../failure.ts'

/**
 * The user's own vertex ids. Internal ids follow ascending label order (numeric labels by value, text by code point), so a
 * label is found by binary search and results do not depend on the order of lines in the input.
 *
 * File `labels` of a dataset folder (absent where label = internal id), little-endian: 8 bytes magic, u32 kind, u32 zero,
 * u64 n, u64 base; then for `integer` u64 labels [n]; for `text` u64 end offsets [n] and the UTF-8 bytes.
 */
export const LABELS_FILE = 'labels'
export const LABELS_MAGIC = 'ACQLABEL'
export const LABELS_HEADER_BYTES = 32
export const labelKinds = ['dense', 'integer', 'text'] as const
export type LabelKind = (typeof labelKinds)[number]

export interface Labels {
  readonly kind: LabelKind
  /** The label of internal id v as text. */
  of(v: number): string
  /** The internal id of a label written as text, or -1. */
  find(label: string): number
  /** Labels as unsigned 64-bit numbers where they are numbers, for .npy; null for text. */
  number(v: number): bigint | null
}

/** Labels base, base + 1, ...: Matrix Market and METIS count from 1. */
export function denseLabels(vertices: number, base: number): Labels {
  return {
    kind: 'dense',
    of: (v) => String(v + base),
    find: (label) => {
      if (!/^\+?\d+$/.test(label)) return -1
      const v = Number(label) - base
      return v >= 0 && v < vertices ? v : -1
    },
    number: (v) => BigInt(v + base),
  }
}

function integerLabels(values: BigUint64Array): Labels {
  return {
    kind: 'integer',
    of: (v) => String(values[v]),
    find: (label) => (/^\+?\d+$/.test(label) ? search(values.length, BigInt(label), (v) => values[v]!) : -1),
    number: (v) => values[v]!,
  }
}

function textLabels(endOffsets: Float64Array, bytes: Uint8Array): Labels {
  const decoder = new TextDecoder()
  const of = (v: number): string => decoder.decode(bytes.subarray(v === 0 ? 0 : endOffsets[v - 1], endOffsets[v]))
  const encoder = new TextEncoder()
  const raw = (v: number): Uint8Array => bytes.subarray(v === 0 ? 0 : endOffsets[v - 1], endOffsets[v])
  return {
    kind: 'text',
    of,
    // UTF-8 bytes order as code points do.
    find: (label) => {
      const wanted = encoder.encode(label)
      let low = 0
      let high = endOffsets.length
      while (low < high) {
        const middle = (low + high) >>> 1
        if (Buffer.compare(raw(middle), wanted) < 0) low = middle + 1
        else high = middle
      }
      return low < endOffsets.length && Buffer.compare(raw(low), wanted) === 0 ? low : -1
    },
    number: () => null,
  }
}

function search(length: number, wanted: bigint, at: (v: number) => bigint): number {
  let low = 0
  let high = length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (at(middle) < wanted) low = middle + 1
    else high = middle
  }
  return low < length && at(low) === wanted ? low : -1
}

/** Opens the labels of a dataset folder. @throws Failure (input) when the file is damaged. */
export function openLabels(folder: string, vertices: number): Labels {
  const path = join(folder, LABELS_FILE)
  if (!existsSync(path)) return denseLabels(vertices, 0)
  const file = readFileSync(path)
  const damaged = () => inputFailure(path, 'the label file is damaged', 'Import the graph again.')
  if (file.length < LABELS_HEADER_BYTES || file.toString('latin1', 0, 8) !== LABELS_MAGIC) throw damaged()
  const kind = labelKinds[file.readUInt32LE(8)]
  if (Number(file.readBigUInt64LE(16)) !== vertices) throw damaged()
  const body = file.buffer.slice(file.byteOffset + LABELS_HEADER_BYTES, file.byteOffset + file.length)
  switch (kind) {
    case 'dense':
      return denseLabels(vertices, Number(file.readBigUInt64LE(24)))
    case 'integer':
      if (body.byteLength !== 8 * vertices) throw damaged()
      return integerLabels(new BigUint64Array(body))
    case 'text': {
      if (body.byteLength < 8 * vertices) throw damaged()
      const ends = Float64Array.from(new BigUint64Array(body, 0, vertices), Number)
      return textLabels(ends, new Uint8Array(body, 8 * vertices))
    }
    case undefined:
      throw damaged()
  }
}
