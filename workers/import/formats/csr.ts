import { inputFailure } from '../../base/failure.ts'
import { numberBytes, type NumberKind } from '../../graph/number-kinds.ts'
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

/** Whether the counts of a header can be those of a graph in a file of so many bytes, before anything is allocated. */
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

const LIMB = 2 ** 32

/** `count` numbers of a section from number `first`, as doubles; whole numbers past 2^53 lose low bits, which no check passes. */
export function numbers(
  file: StoredFile,
  { at, stride, kind }: Section,
  first: number,
  count: number,
): Float64Array | Float32Array {
  if (count === 0) return new Float64Array(0)
  const width = numberBytes[kind]
  const bytes = file.read(at + first * stride, (count - 1) * stride + width)
  if (stride === width) return packed(bytes.buffer, kind)
  const values = new Float64Array(count)
  const view = new DataView(bytes.buffer)
  for (let i = 0; i < count; i++) values[i] = numberAt(view, i * stride, kind)
  return values
}

function packed(buffer: ArrayBuffer, kind: Section['kind']): Float64Array | Float32Array {
  switch (kind) {
    case 'i32':
      return new Float64Array(new Int32Array(buffer))
    case 'u32':
      return new Float64Array(new Uint32Array(buffer))
    case 'f32':
      return new Float32Array(buffer)
    case 'f64':
      return new Float64Array(buffer)
    case 'u64':
    case 'i64': {
      const halves = new Uint32Array(buffer)
      const values = new Float64Array(halves.length / 2)
      for (let i = 0; i < values.length; i++) {
        const high = halves[2 * i + 1]!
        values[i] = (kind === 'i64' ? high | 0 : high) * LIMB + halves[2 * i]!
      }
      return values
    }
  }
}

function numberAt(view: DataView, at: number, kind: Section['kind']): number {
  switch (kind) {
    case 'i32':
      return view.getInt32(at, true)
    case 'u32':
      return view.getUint32(at, true)
    case 'f32':
      return view.getFloat32(at, true)
    case 'f64':
      return view.getFloat64(at, true)
    case 'i64':
      return view.getInt32(at + 4, true) * LIMB + view.getUint32(at, true)
    case 'u64':
      return view.getUint32(at + 4, true) * LIMB + view.getUint32(at, true)
  }
}

/** Ends of the lists of the vertices [first, first + count), unchecked. */
export function endsOf(
  file: StoredFile,
  { offsets }: CsrLayout,
  first: number,
  count: number,
): Float64Array | Float32Array {
  return numbers(file, offsets, first + (offsets.leading ? 1 : 0), count)
}

/** The end of the list of one vertex, unchecked. */
export function endOf(file: StoredFile, layout: CsrLayout, vertex: number): number {
  return endsOf(file, layout, vertex, 1)[0]!
}

/** The first vertex whose list ends past an arc, if the ends ascend; their number where there is none. */
export function firstListPast(file: StoredFile, layout: CsrLayout, arc: number): number {
  let [low, high] = [0, layout.vertices]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (endOf(file, layout, middle) > arc) high = middle
    else low = middle + 1
  }
  return low
}

/** `count` targets from arc `first`; null where one of them has more than 32 bits or is negative. They may still be no vertices. */
export function exactTargets(
  file: StoredFile,
  { targets }: CsrLayout,
  first: number,
  count: number,
): Uint32Array<ArrayBuffer> | null {
  if (count === 0) return new Uint32Array(0)
  const { at, stride, kind } = targets
  const isWide = kind === 'i64' || kind === 'u64'
  const bytes = file.read(at + first * stride, (count - 1) * stride + (isWide ? 8 : 4))
  const words = new Uint32Array(bytes.buffer)
  if (stride === 4) return words
  const step = stride / 4
  const exact = new Uint32Array(count)
  let high = 0
  for (let i = 0; i < count; i++) {
    exact[i] = words[i * step]!
    if (isWide) high |= words[i * step + 1]!
  }
  return high === 0 ? exact : null
}

/** Targets as u32; what does not fit, or is negative, is past all vertices. */
export function targetsOf(file: StoredFile, layout: CsrLayout, first: number, count: number): Uint32Array {
  return (
    exactTargets(file, layout, first, count) ??
    Uint32Array.from(numbers(file, layout.targets, first, count), (v) => (v >= 0 && v < LIMB ? v : LIMB - 1))
  )
}

const END_STEP = 1 << 16

interface ListOfArc {
  readonly vertex: number
  /** First arc of the list, and the first after it. */
  readonly start: number
  readonly end: number
}

/** Finds the lists of ascending arcs in an adjacency file, whose ends may be in any disorder. */
export class ListWalk {
  readonly #file: StoredFile
  readonly #layout: CsrLayout
  #ends: Float64Array | Float32Array = new Float64Array(0)
  /** The vertex of `#ends[0]`. */
  #first = 0
  #vertex: number
  #start: number

  /** @param arc the first that will be looked up */
  constructor(file: StoredFile, layout: CsrLayout, arc: number) {
    this.#file = file
    this.#layout = layout
    this.#vertex = firstListPast(file, layout, arc)
    this.#start = this.#vertex === 0 ? 0 : endOf(file, layout, this.#vertex - 1)
  }

  /** The list of an arc, not before that of the call before; null where the ends of the lists are in disorder. */
  at(arc: number): ListOfArc | null {
    const { vertices } = this.#layout
    for (; this.#vertex < vertices; this.#vertex++) {
      if (this.#vertex >= this.#first + this.#ends.length) this.#read()
      const end = this.#ends[this.#vertex - this.#first]!
      if (!(end >= this.#start)) return null
      if (end > arc) return this.#start <= arc ? { vertex: this.#vertex, start: this.#start, end } : null
      this.#start = end
    }
    return null
  }

  #read(): void {
    this.#first = this.#vertex
    const count = Math.min(END_STEP, this.#layout.vertices - this.#first)
    this.#ends = endsOf(this.#file, this.#layout, this.#first, count)
  }
}
