import { lowerBound } from '../base/ranges.ts'

/** Vertex (z * height + y) * width + x, joined to the next and the one before along each side; `periodic`: opposite faces are joined. */
export interface LatticeShape {
  readonly width: number
  readonly height: number
  readonly depth: number
  readonly periodic: boolean
}

/** Along one side. */
interface Axis {
  /** The step from a vertex to the next. */
  readonly step: number
  readonly side: number
}

/** The adjacency lists of a lattice by formula: any range, ascending. */
export class LatticeLists {
  readonly vertices: number
  readonly arcs: number
  readonly maxDegree: number
  readonly #shape: LatticeShape
  readonly #axes: readonly Axis[]
  readonly #known: Int32Array[] = []
  #room = new Uint32Array(0)

  constructor(shape: LatticeShape) {
    const { width, height, depth } = shape
    this.#shape = shape
    this.vertices = width * height * depth
    this.#axes = [
      { step: 1, side: width },
      { step: width, side: height },
      { step: width * height, side: depth },
    ]
    this.maxDegree = this.#axes.reduce((sum, { side }) => sum + Math.min(2, side - 1), 0)
    this.arcs = this.arcsBefore(this.vertices)
  }

  /** Arcs of all vertices below v. */
  arcsBefore(v: number): number {
    if (this.#shape.periodic) return this.maxDegree * v
    // A vertex at an end of a side lacks a neighbour there.
    return this.#axes.reduce((sum, axis) => sum + 2 * v - countAt(axis, 0, v) - countAt(axis, axis.side - 1, v), 0)
  }

  /** How many arcs there are up to the end of each list of [first, last), as two words each, the lower one first. */
  ends(first: number, last: number, into: Uint32Array): void {
    let end = this.arcsBefore(first)
    let at = 0
    this.#runs(first, last, (_v, count, { length }) => {
      for (let i = 0; i < count; i++) {
        end += length
        into[at++] = end
        into[at++] = end / 2 ** 32
      }
    })
  }

  /** Fills in the targets of the arcs [first, last). */
  targets(first: number, last: number, into: Uint32Array): void {
    if (first >= last) return
    const begin = this.#owner(first)
    const end = this.#owner(last - 1) + 1
    // Whole lists.
    const words = this.arcsBefore(end) - this.arcsBefore(begin)
    if (this.#room.length < words) this.#room = new Uint32Array(words)
    const room = this.#room
    let at = 0
    this.#runs(begin, end, (v, count, distances) => {
      at = distances.length === 6 ? fillSix(room, at, v, count, distances) : fill(room, at, v, count, distances)
    })
    const skipped = first - this.arcsBefore(begin)
    into.set(room.subarray(skipped, skipped + last - first))
  }

  /** The vertex whose list has an arc. */
  #owner(arc: number): number {
    return lowerBound(0, this.vertices, (v) => this.arcsBefore(v + 1) <= arc)
  }

  /** Consecutive vertices of a row whose neighbours are at the same distances, which ascend. */
  #runs(first: number, last: number, visit: (v: number, count: number, distances: Int32Array) => void): void {
    const { width, height } = this.#shape
    for (let v = first; v < last;) {
      const x = v % width
      const row = Math.floor(v / width)
      const [y, z] = [row % height, Math.floor(row / height)]
      const stop = Math.min(last, v - x + width)
      for (let from = v; from < stop;) {
        const at = from - v + x
        const count = at === 0 || at === width - 1 ? 1 : Math.min(stop - from, width - 1 - at)
        visit(from, count, this.#distances(at, y, z))
        from += count
      }
      v = stop
    }
  }

  /** The distances to the neighbours of a vertex: the same wherever it is not at an end of a side. */
  #distances(...places: readonly number[]): Int32Array {
    const kind = places.reduce((sum, place, axis) => 3 * sum + endOf(this.#axes[axis]!, place), 0)
    this.#known[kind] ??= Int32Array.from(
      places.flatMap((place, axis) => this.#beside(axis, place)).sort((a, b) => a - b),
    )
    return this.#known[kind]
  }

  /** Along an axis. */
  #beside(number: number, place: number): number[] {
    const { step, side } = this.#axes[number]!
    const before = place > 0 ? -step : step * (side - 1)
    const after = place < side - 1 ? step : -step * (side - 1)
    if (this.#shape.periodic) return side === 1 ? [] : before === after ? [after] : [before, after]
    return [...(place > 0 ? [before] : []), ...(place < side - 1 ? [after] : [])]
  }
}

/** 0 and 2: a place is the first or the last along an axis. */
const endOf = ({ side }: Axis, place: number): number => (place === 0 ? 0 : place === side - 1 ? 2 : 1)

/** Vertices below v at a place along an axis. */
function countAt({ step, side }: Axis, place: number, v: number): number {
  const around = step * side
  return Math.floor(v / around) * step + Math.min(step, Math.max(0, (v % around) - place * step))
}

function fill(room: Uint32Array, at: number, first: number, count: number, distances: Int32Array): number {
  for (let i = 0, v = first | 0; i < count; i++, v = (v + 1) | 0)
    for (let k = 0; k < distances.length; k++) room[at++] = (v + distances[k]!) | 0
  return at
}

/** The same, with all distances in registers. */
function fillSix(room: Uint32Array, at: number, first: number, count: number, distances: Int32Array): number {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = distances
  for (let i = 0, v = first | 0; i < count; i++, v = (v + 1) | 0) {
    room[at] = (v + a) | 0
    room[at + 1] = (v + b) | 0
    room[at + 2] = (v + c) | 0
    room[at + 3] = (v + d) | 0
    room[at + 4] = (v + e) | 0
    room[at + 5] = (v + f) | 0
    at += 6
  }
  return at
}
