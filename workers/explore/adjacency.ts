import { type JobContext, throwIfCancelled } from '../base/job.ts'
import { lowerBound } from '../base/lower-bound.ts'
import type { GaloisGr } from '../graph/galois-gr.ts'

/** Pieces of a list. */
const PIECES = 64
/** Of lists read whole; single arcs searched on the disk. */
const MAX_READ_ARCS = 1 << 26
const MAX_SEARCHES = 20_000
/** Longer lists are searched, not scanned. */
const LONG_LIST = 16

export class Adjacency {
  /** Enough was read. */
  skipped = 0
  readonly #graph: GaloisGr
  readonly #bounds = new Map<number, ReturnType<GaloisGr['arcsOf']>>()
  #readArcs = 0
  #searches = 0

  constructor(graph: GaloisGr) {
    this.#graph = graph
  }

  get vertices(): number {
    return this.#graph.vertices
  }

  degree(v: number): number {
    const { first, end } = this.#arcsOf(v)
    return end - first
  }

  /** Of more than `most`, an even sample. */
  neighbours(v: number, most: number): Uint32Array {
    const { first: start, end } = this.#arcsOf(v)
    const degree = end - start
    if (degree <= most) return this.#graph.readTargets(start, end)
    const length = Math.ceil(most / PIECES)
    const sample = new Uint32Array(PIECES * length)
    for (let i = 0; i < PIECES; i++) {
      const first = start + Math.floor((i * (degree - length)) / (PIECES - 1))
      this.#graph.readTargets(first, first + length, sample.subarray(i * length, (i + 1) * length))
    }
    // Pieces may overlap.
    return Uint32Array.from(new Set(sample)).sort()
  }

  weight(arc: number): number | null {
    return this.#graph.weighted ? this.#graph.readWeights(arc, arc + 1)[0]! : null
  }

  /** Each edge among some vertices, from its end of lower degree: both ends, and the arc. */
  *edgesAmong(vertices: Iterable<number>, job?: JobContext): Generator<readonly [number, number, number]> {
    const rising = [...vertices].sort((a, b) => this.degree(a) - this.degree(b) || a - b)
    const later = new Set(rising)
    for (const v of rising) {
      if (job !== undefined) throwIfCancelled(job.signal)
      later.delete(v)
      for (const [u, arc] of this.arcsTo(v, later)) yield [v, u, arc]
    }
  }

  arcsTo(v: number, wanted: ReadonlySet<number>): [number, number][] {
    const { first, end } = this.#arcsOf(v)
    const degree = end - first
    if (wanted.size === 0 || degree === 0) return []
    if (this.#readArcs + degree <= MAX_READ_ARCS) {
      this.#readArcs += degree
      const list = this.#graph.readTargets(first, end)
      if (degree > LONG_LIST * wanted.size) return search(wanted, first, end, (arc) => list[arc - first]!)
      return [...list].flatMap((u, i): [number, number][] => (wanted.has(u) ? [[u, first + i]] : []))
    }
    if (this.#searches + wanted.size <= MAX_SEARCHES) {
      this.#searches += wanted.size
      return search(wanted, first, end, (arc) => this.#graph.readTargets(arc, arc + 1)[0]!)
    }
    this.skipped++
    return []
  }

  #arcsOf(v: number): ReturnType<GaloisGr['arcsOf']> {
    const arcs = this.#bounds.get(v) ?? this.#graph.arcsOf(v)
    this.#bounds.set(v, arcs)
    return arcs
  }
}

function search(
  wanted: ReadonlySet<number>,
  first: number,
  end: number,
  target: (arc: number) => number,
): [number, number][] {
  return [...wanted].flatMap((u): [number, number][] => {
    const arc = lowerBound(first, end, (at) => target(at) < u)
    return arc < end && target(arc) === u ? [[u, arc]] : []
  })
}
