import { inputFailure } from '../../base/failure.ts'
import { numberBytes } from '../../graph/number-kinds.ts'
import type { NumberKind } from '../../graph/number-kinds.ts'
import { MAX_VERTICES } from '../graph-reader.ts'
import type { StoredFile } from './stored-file.ts'

/** One array of a file: the number i starts at byte `at + i * stride`. */
export interface Section {
  readonly at: number
  readonly stride: number
  readonly kind: NumberKind
}

/**
 * Where a binary adjacency file keeps its arrays. All such formats (Galois, ECL, GAPBS, Vite) are one layout with other
 * positions and widths.
 */
export interface CsrLayout {
  readonly vertices: number
  readonly arcs: number
  /** `leading`: n + 1 offsets from 0; else n end offsets. */
  readonly offsets: Section & { readonly leading: boolean }
  readonly targets: Section
  readonly weights: Section | null
  readonly warnings: readonly string[]
}

/** Whole numbers of a header: signed ones below zero and counts past 2^53 come back as NaN, which no layout takes. */
export function headerNumbers(bytes: Uint8Array, at: number, count: number, width: 4 | 8): number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return Array.from({ length: count }, (_, i) => {
    const place = at + i * width
    if (place + width > bytes.length) return NaN
    const value = width === 4 ? BigInt(view.getInt32(place, true)) : view.getBigInt64(place, true)
    return value < 0n || value > BigInt(Number.MAX_SAFE_INTEGER) ? NaN : Number(value)
  })
}

/** Whether the counts of a header can be those of a graph in a file of so many bytes; asked before anything is allocated. */
export function countsFit(vertices: number, arcs: number, fileBytes: number): boolean {
  return vertices >= 0 && arcs >= 0 && 4 * vertices <= fileBytes && 4 * arcs <= fileBytes
}

/** @throws Failure (input) when the header's counts and the file's length cannot belong together. */
export function requireLength(file: StoredFile, layout: CsrLayout | null, format: string): CsrLayout {
  if (layout === null)
    throw inputFailure(
      file.name,
      `the header and the ${file.bytes} bytes of this file do not fit together as ${format}`,
      'Is it complete, and of this format? Name another with --format.',
    )
  if (layout.vertices > MAX_VERTICES)
    throw inputFailure(
      file.name,
      `${layout.vertices} vertices are past the ${MAX_VERTICES} that ids have room for`,
      'Split the graph.',
    )
  return layout
}

/**
 * Whether 4- or 8-byte edge data are whole numbers or IEEE floats; the formats do not say. Whole numbers are small (their
 * top bits repeat the sign), and floats of ordinary size are not.
 */
export function weightKind(file: StoredFile, at: number, width: 4 | 8, count: number): NumberKind {
  const bytes = file.read(at, width * Math.min(count, 1 << 14))
  const isSmall =
    width === 4
      ? new Int32Array(bytes.buffer).every((word) => Math.abs(word) < 2 ** 23)
      : new BigInt64Array(bytes.buffer).every((word) => word < 2n ** 52n && word > -(2n ** 52n))
  if (width === 4) return isSmall ? 'i32' : 'f32'
  return isSmall ? 'i64' : 'f64'
}

export function weightWarning(kind: NumberKind): string {
  const noun = kind.startsWith('f') ? 'floating-point' : 'whole'
  return `the edge data were taken for ${noun} numbers of ${8 * numberBytes[kind]} bits, as their values look`
}
