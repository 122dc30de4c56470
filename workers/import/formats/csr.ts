/**
 * Reads adjacency lists of a binary file by position: ranges of offsets, and for each its targets and weights, in bounded memory whatever the
 * file's size. Counts, offsets and targets are checked as they pass, and damage is refused with its place. It also tells, by a few arcs, whether
 * a file may be canonical. binary-graphs.ts says where arrays are; canonical/ takes files that need no reader.
 */

import { lowerBound, type Range, rangesOf } from '../../base/ranges.ts'
import { numberBytes, type NumberKind } from '../../graph/graph-file.ts'
import type { ReaderContext, WholeReading } from '../reader/graph-reader.ts'
import type { StoredFile } from './stored-file.ts'

/** Number i starts at byte `at + i * stride`. */
export interface Section {
  readonly at: number
  readonly stride: number
  readonly kind: NumberKind
}

/** The places of the arrays of a binary adjacency file. */
export interface CsrLayout {
  readonly vertices: number
  readonly arcs: number
  /** `leading`: n + 1 offsets from 0; else n end offsets. */
  readonly offsets: Section & { readonly leading: boolean }
  readonly targets: Section
  readonly weights: Section | null
  readonly warnings: readonly string[]
}

/** The items, of `count` of a section, that begin in the bytes [at, at + bytes) of the file. */
export function itemsWithin(sectionAt: number, stride: number, count: number, at: number, bytes: number): Range {
  const before = (end: number): number => Math.min(count, Math.max(0, Math.ceil((end - sectionAt) / stride)))
  return { first: before(at), end: before(at + bytes) }
}

const LIMB = 2 ** 32

/** The words of `count` numbers, side by side. */
function wordsOf(file: StoredFile, { at, stride, kind }: Section, first: number, count: number) {
  if (count === 0) return new Uint32Array(0)
  const width = numberBytes[kind]
  const words = new Uint32Array(file.read(at + first * stride, (count - 1) * stride + width).buffer)
  if (stride === width) return words
  const each = width / 4
  const kept = new Uint32Array(each * count)
  for (let i = 0, from = 0; i < kept.length; i += each, from += stride / 4) {
    kept[i] = words[from]!
    if (each === 2) kept[i + 1] = words[from + 1]!
  }
  return kept
}

/** As doubles; whole numbers past 2^53 lose low bits, which no check passes. */
export function numbers(
  file: StoredFile,
  section: Section,
  first: number,
  count: number,
): Float64Array | Float32Array<ArrayBuffer> {
  return asNumbers(wordsOf(file, section, first, count), section.kind)
}

/** The same, of numbers as words side by side. */
export function asNumbers(words: Uint32Array<ArrayBuffer>, kind: NumberKind): Float64Array | Float32Array<ArrayBuffer> {
  switch (kind) {
    case 'i32':
      return new Float64Array(new Int32Array(words.buffer))
    case 'u32':
      return new Float64Array(words)
    case 'f32':
      return new Float32Array(words.buffer)
    case 'f64':
      return new Float64Array(words.buffer)
    case 'u64':
    case 'i64': {
      const values = new Float64Array(words.length / 2)
      for (let i = 0; i < values.length; i++) {
        const high = words[2 * i + 1]!
        values[i] = (kind === 'i64' ? high | 0 : high) * LIMB + words[2 * i]!
      }
      return values
    }
  }
}

/** The ends of the lists of [first, first + count), unchecked. */
export function endsOf(
  file: StoredFile,
  { offsets }: CsrLayout,
  first: number,
  count: number,
): Float64Array | Float32Array {
  return numbers(file, offsets, first + (offsets.leading ? 1 : 0), count)
}

export function endOf(file: StoredFile, layout: CsrLayout, vertex: number): number {
  return endsOf(file, layout, vertex, 1)[0]!
}

/** The first vertex whose list ends past an arc, if the ends ascend; n where there is none. */
export function firstListPast(file: StoredFile, layout: CsrLayout, arc: number): number {
  return lowerBound(0, layout.vertices, (v) => !(endOf(file, layout, v) > arc))
}

/** null where a target is negative or has more than 32 bits; others may still be no vertices. */
export function exactTargets(
  file: StoredFile,
  { targets }: CsrLayout,
  first: number,
  count: number,
): Uint32Array<ArrayBuffer> | null {
  const words = wordsOf(file, targets, first, count)
  if (numberBytes[targets.kind] === 4) return words
  const exact = new Uint32Array(count)
  let high = 0
  for (let i = 0; i < count; i++) {
    exact[i] = words[2 * i]!
    high |= words[2 * i + 1]!
  }
  return high === 0 ? exact : null
}

/** What is no u32 is past all vertices. */
export function targetsOf(file: StoredFile, layout: CsrLayout, first: number, count: number): Uint32Array {
  return (
    exactTargets(file, layout, first, count) ??
    Uint32Array.from(numbers(file, layout.targets, first, count), (v) => (v >= 0 && v < LIMB ? v : LIMB - 1))
  )
}

const END_STEP = 1 << 16

/** Finds the lists of ascending arcs, where the ends may be in any disorder. */
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

  /** Its vertex, and its arcs [start, end), for an arc not before the last one; null where the ends are in disorder. */
  at(arc: number) {
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

const VERTEX_STEP = 1 << 17
const ARC_STEP = 1 << 18

/**
 * Reads ranges of offsets, and for each its targets and weights; memory does not depend on the size of the file.
 * @throws Failure (input) for offsets that do not ascend to m, and targets that are no vertices
 */
export async function* readCsr(file: StoredFile, layout: CsrLayout, context: ReaderContext): WholeReading {
  const { vertices, arcs } = layout
  context.output.weighted = layout.weights !== null && !context.ignoreWeights
  context.output.next()
  let start = 0
  for (const range of rangesOf(vertices, VERTEX_STEP)) {
    const { first } = range
    const ends = readEnds(file, layout, range, start)
    const last = ends.at(-1)!
    for (let arc = start, u = first; arc < last; arc += ARC_STEP) {
      const end = Math.min(last, arc + ARC_STEP)
      u = emit(file, layout, context, { ends, first, u, arc, end })
      yield layout.targets.at + end * layout.targets.stride
    }
    start = last
  }
  if (start !== arcs) throw file.broken(`the offsets end at ${start}, and the header promises ${arcs} arcs`)
  return { vertices: { kind: 'counted', vertices, base: 0 }, warnings: layout.warnings }
}

/** Checked to ascend from `start` and to stay within the arcs. */
function readEnds(
  file: StoredFile,
  layout: CsrLayout,
  { first, end: limit }: Range,
  start: number,
): Float64Array | Float32Array {
  const { offsets, arcs } = layout
  if (offsets.leading && first === 0 && numbers(file, offsets, 0, 1)[0] !== 0)
    throw file.broken('the first offset is not 0')
  const ends = endsOf(file, layout, first, limit - first)
  let before = start
  for (let i = 0; i < ends.length; i++) {
    const end = ends[i]!
    if (!(end >= before && end <= arcs))
      throw file.broken(
        `the list of vertex ${first + i} would run from ${before} to ${end} of ${arcs} arcs: offsets must ascend`,
      )
    before = end
  }
  return ends
}

interface Piece {
  readonly ends: Float64Array | Float32Array
  readonly first: number
  /** The vertex that holds `arc`, or one before it. */
  readonly u: number
  readonly arc: number
  readonly end: number
}

/** Writes the arcs [arc, end) as entries; returns the vertex of the last one. */
function emit(file: StoredFile, layout: CsrLayout, context: ReaderContext, piece: Piece): number {
  const { ends, first, arc, end } = piece
  const { output } = context
  const targets = targetsOf(file, layout, arc, end - arc)
  const weights = output.weighted && layout.weights !== null ? numbers(file, layout.weights, arc, end - arc) : null
  const { vertices } = layout
  // Floats of 64 bits may have more than seven digits, too.
  const isCoded = context.weights.codes !== undefined || layout.weights?.kind === 'f64'
  let u = piece.u
  let { block } = output
  let { count, from, to } = block
  for (let i = 0; i < targets.length; i++) {
    while (ends[u - first]! <= arc + i) u++
    const v = targets[i]!
    if (v >= vertices) {
      const [neighbour] = numbers(file, layout.targets, arc + i, 1)
      throw file.broken(`vertex ${u} has the neighbour ${neighbour}, and there are ${vertices} vertices, from 0`)
    }
    let weight = 1
    if (weights !== null) {
      weight = Math.fround(weights[i]!)
      if (isCoded || !(weight > 0 && weight < Infinity) || weight !== weights[i]) {
        const kept = oddWeight(file, context, weights[i]!, arc + i)
        if (kept === null) continue
        weight = kept
      }
    }
    if (count === from.length) {
      block.count = count
      block = output.next()
      ;({ count, from, to } = block)
    }
    from[count] = u
    to[count] = v
    if (block.weights !== null) block.weights[count] = weight
    count++
  }
  block.count = count
  return u
}

/** Apart: a closure would slow the loop down. */
function oddWeight(file: StoredFile, { weights }: ReaderContext, value: number, arc: number): number | null {
  return weights.apply(value, () => `${file.name}, arc ${arc}`, String(value))
}

const SAMPLED_ARCS = 16

/** Whether a few arcs have their reverse arcs; true proves nothing. */
export function mayBeCanonical(file: StoredFile, layout: CsrLayout): boolean {
  const { vertices, arcs } = layout
  for (let i = 0; i < SAMPLED_ARCS; i++) {
    const arc = Math.floor(((i + 0.5) * arcs) / SAMPLED_ARCS)
    const u = firstListPast(file, layout, arc)
    const v = exactTargets(file, layout, arc, 1)?.[0] ?? vertices
    if (u >= vertices || v >= vertices || u === v || !holds(file, layout, v, u)) return false
  }
  return true
}

/** If it ascends. */
function holds(file: StoredFile, layout: CsrLayout, u: number, v: number): boolean {
  const end = endOf(file, layout, u)
  const start = u === 0 ? 0 : endOf(file, layout, u - 1)
  if (!(start >= 0 && start <= end && end <= layout.arcs)) return false
  const target = (arc: number): number => exactTargets(file, layout, arc, 1)?.[0] ?? Infinity
  const arc = lowerBound(start, end, (at) => target(at) < v)
  return arc < end && target(arc) === v
}
