import { type CsrLayout, numberBytes } from '../formats/csr-layout.ts'
import { numbers } from '../formats/read-csr.ts'
import type { StoredFile } from '../formats/stored-file.ts'
import { ArcFingerprint } from './arc-fingerprint.ts'

/** Vertices whose offsets are held at a time. */
export const VERTEX_STEP = 1 << 17
/** Arcs that are read at a time. */
export const ARC_STEP = 1 << 18

/** What was counted on the way through a file. */
export interface ListFacts {
  readonly maxDegree: number
  readonly isolated: number
}

/**
 * An adjacency file that may be a canonical graph already: lists ascending, no loops, nothing twice, both directions of every
 * edge, weights that need no rule. Every way through it stops with false or null as soon as it turns out to be none.
 */
export class CanonicalSource {
  readonly #file: StoredFile
  readonly #layout: CsrLayout
  /** null for graphs without weights, and where they are left out. */
  readonly weights: CsrLayout['weights']
  smallest = Infinity
  largest = 0

  constructor(file: StoredFile, layout: CsrLayout, ignoreWeights: boolean) {
    this.#file = file
    this.#layout = layout
    this.weights = ignoreWeights ? null : layout.weights
  }

  /** Gives away the end offsets of all lists as u64, piece by piece; null when they are not in order. */
  async ends(give: (words: Uint32Array, bytesRead: number) => Promise<void>): Promise<ListFacts | null> {
    const { vertices, arcs, offsets } = this.#layout
    let [before, maxDegree, isolated] = [0, 0, 0]
    if (offsets.leading && numbers(this.#file, offsets, 0, 1)[0] !== 0) return null
    for (let first = 0; first < vertices; first += VERTEX_STEP) {
      const ends = this.#endsOf(first, Math.min(vertices, first + VERTEX_STEP))
      const words = new Uint32Array(2 * ends.length)
      for (let i = 0; i < ends.length; i++) {
        const end = ends[i]!
        if (!(end >= before && end <= arcs)) return null
        const degree = end - before
        if (degree > maxDegree) maxDegree = degree
        if (degree === 0) isolated++
        words[2 * i] = end
        words[2 * i + 1] = end / 2 ** 32
        before = end
      }
      await give(words, offsets.at + (first + ends.length) * offsets.stride)
    }
    return before === arcs ? { maxDegree, isolated } : null
  }

  /** Gives away all targets as u32, piece by piece, checked; false when the file is not canonical after all. */
  async targets(give: (targets: Uint32Array, bytesRead: number) => Promise<void>): Promise<boolean> {
    const { vertices, targets } = this.#layout
    const fingerprint = new ArcFingerprint()
    let start = 0
    for (let first = 0; first < vertices; first += VERTEX_STEP) {
      const ends = this.#endsOf(first, Math.min(vertices, first + VERTEX_STEP))
      const stop = ends[ends.length - 1]!
      let u = 0
      let last = -1
      for (let arc = start; arc < stop; arc += ARC_STEP) {
        const count = Math.min(ARC_STEP, stop - arc)
        const piece = this.#targetsOf(arc, count)
        const bits = this.#weightBits(arc, count)
        if (piece === null || bits === undefined) return false
        for (let at = 0; at < count;) {
          while (ends[u]! <= arc + at) {
            u++
            last = -1
          }
          const to = Math.min(count, ends[u]! - arc)
          if (!fingerprint.take(first + u, piece, at, to, bits, last, vertices)) return false
          last = piece[to - 1]!
          at = to
        }
        await give(piece, targets.at + (arc + count) * targets.stride)
      }
      start = stop
    }
    return fingerprint.isSymmetric
  }

  /** Gives away the weights as f32. Only where there are any, and after {@link targets}, which has checked them. */
  async weightValues(give: (weights: Float32Array, bytesRead: number) => Promise<void>): Promise<void> {
    const section = this.weights
    if (section === null) return
    for (let arc = 0; arc < this.#layout.arcs; arc += ARC_STEP) {
      const count = Math.min(ARC_STEP, this.#layout.arcs - arc)
      await give(
        Float32Array.from(numbers(this.#file, section, arc, count)),
        section.at + (arc + count) * section.stride,
      )
    }
  }

  #endsOf(first: number, last: number): Float64Array | Float32Array {
    const { offsets } = this.#layout
    return numbers(this.#file, offsets, first + (offsets.leading ? 1 : 0), last - first)
  }

  #targetsOf(first: number, count: number): Uint32Array | null {
    const { targets } = this.#layout
    if (targets.stride === 4) return new Uint32Array(this.#file.read(targets.at + 4 * first, 4 * count).buffer)
    if (targets.stride === 8 && numberBytes[targets.kind] === 4) return this.#everyOther(first, count)
    const wide = numbers(this.#file, targets, first, count)
    const narrow = new Uint32Array(count)
    for (let i = 0; i < count; i++) {
      const v = wide[i]!
      if (!(v >= 0 && v < 2 ** 32)) return null
      narrow[i] = v
    }
    return narrow
  }

  /** Targets that stand in pairs with their weights. */
  #everyOther(first: number, count: number): Uint32Array {
    const { targets } = this.#layout
    const pairs = new Uint32Array(this.#file.read(targets.at + 8 * first, 8 * count - 4).buffer)
    const narrow = new Uint32Array(count)
    for (let i = 0; i < count; i++) narrow[i] = pairs[2 * i]!
    return narrow
  }

  /** The weights of some arcs as they are stored, by their bits; null where there are none, undefined where a rule is needed. */
  #weightBits(first: number, count: number): Uint32Array | null | undefined {
    if (this.weights === null) return null
    const weights = Float32Array.from(numbers(this.#file, this.weights, first, count))
    for (let i = 0; i < count; i++) {
      const weight = weights[i]!
      if (!(weight > 0 && weight < Infinity)) return undefined
      if (weight < this.smallest) this.smallest = weight
      if (weight > this.largest) this.largest = weight
    }
    return new Uint32Array(weights.buffer)
  }
}
