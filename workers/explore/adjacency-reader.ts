import { type JobContext, throwIfCancelled } from '../base/job.ts'
import { lowerBound } from '../base/ranges.ts'
import type { GaloisGr } from '../graph/galois-gr.ts'
import { vertexHash } from '../graph/set-order.ts'

/** Pieces of a list. */
const PIECES = 64
/** The most arcs of lists read whole, and of single arcs searched on the disk. */
const MAX_READ_ARCS = 1 << 26
const MAX_SEARCHES = 20_000
/** Longer lists are searched, not scanned. */
const LONG_LIST = 16

export class AdjacencyReader {
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

  /** The neighbours, or an even sample of more than `most`. */
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
    return this.#graph.weighted ? this.#graph.readValues(arc, arc + 1)[0]! : null
  }

  /** Each edge among some vertices, from its end of lower degree: both ends, and the arc. */
  *edgesAmong(vertices: Iterable<number>, job: JobContext): Generator<readonly [number, number, number]> {
    const rising = [...vertices].sort((a, b) => this.degree(a) - this.degree(b) || a - b)
    const later = new Set(rising)
    for (const v of rising) {
      throwIfCancelled(job.signal)
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

/** Fires at the start, as many as look alike on graphs of one component; more are lit when they go out. */
const FIRES = 8
/** Neighbours that each vertex sets on fire. */
const BURNT = 3
/** The seed of the hash that chooses among vertices. */
export const SEED = 1
/** Neighbours of a longer list that are looked at. */
const MOST_READ = 1 << 12

/**
 * A connected-looking sample of a graph that is too large to be read for a drawing: J. Leskovec, C. Faloutsos, "Sampling from large
 * graphs" (2006), forest fire. Which neighbours burn is decided by a hash, so that it is the same sample every time.
 * @returns at most `count` vertices, ascending
 */
export function sampleVertices(graph: AdjacencyReader, count: number, job: JobContext): Uint32Array {
  const { vertices } = graph
  const taken = new Set<number>()
  const front: number[] = []
  const light = (v: number): void => {
    if (taken.has(v) || taken.size >= count) return
    taken.add(v)
    front.push(v)
  }
  for (let fire = 0; taken.size < Math.min(count, vertices) && fire < 4 * count; fire++) {
    const start = vertexHash(fire, SEED) % vertices
    if (fire < FIRES || graph.degree(start) > 0) light(start)
    // The first fires burn beside each other; each later one until it goes out.
    if (fire + 1 < FIRES) continue
    for (let at = 0; at < front.length && taken.size < count; at++) {
      throwIfCancelled(job.signal)
      const v = front[at]!
      const burning = [...graph.neighbours(v, MOST_READ)].map((u) => ({
        u,
        rank: vertexHash(u ^ Math.imul(v, 0x9e3779b1), SEED),
      }))
      burning.sort((a, b) => a.rank - b.rank || a.u - b.u)
      for (const { u } of burning.slice(0, BURNT)) light(u)
    }
    front.length = 0
  }
  return Uint32Array.from(taken).sort()
}
