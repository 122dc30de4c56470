import type { Failure } from '../base/failure.ts'
import type { GaloisGr } from '../graph/galois-gr.ts'
import { damagedGraph } from '../graph/galois-gr.ts'
import type { Turns } from './turns.ts'

/** Most vertices of a piece, where their lists are short. */
const VERTICES_PER_PIECE = 1 << 16

/** The lists of consecutive vertices, as they lie in the graph. Used for one piece after another. */
export class Piece {
  /** Tells the rooms of a thread apart, from 0 on. */
  readonly room: number
  /** The vertices [first, end). */
  first = 0
  end = 0
  /** The arcs of vertex first + i are [starts[i], starts[i + 1]) of `targets`. */
  readonly starts: Uint32Array
  /** Ascending in each list. */
  targets: Uint32Array
  /** What arcs weigh in the graph; empty where that is not asked for. */
  stored: Float32Array
  /** Arcs of a piece, unless it is one longer list. */
  readonly #usual: number

  /** @param room which of a thread; for so many vertices and arcs, or one longer list */
  constructor(room: number, vertices: number, arcs: number, withWeights: boolean) {
    this.room = room
    this.#usual = arcs
    this.starts = new Uint32Array(vertices + 1)
    this.targets = new Uint32Array(arcs)
    this.stored = new Float32Array(withWeights ? arcs : 0)
  }

  /** Most vertices that it holds. */
  get capacity(): number {
    return this.starts.length - 1
  }

  /** Makes room for a list that is longer than a piece, and gives it up once none is. */
  hold(arcs: number): void {
    const room = Math.max(arcs, this.#usual)
    const isWide = this.targets.length > this.#usual && arcs <= this.#usual
    if (arcs <= this.targets.length && !isWide) return
    this.targets = new Uint32Array(room)
    if (this.stored.length > 0) this.stored = new Float32Array(room)
  }
}

/** Reads the lists of a graph in pieces, which the graph alone defines: as many whole lists as have `arcs` arcs together, one at least. */
export class PieceReader {
  readonly #graph: GaloisGr
  readonly #arcs: number
  readonly #withWeights: boolean

  constructor(graph: GaloisGr, arcs: number, withWeights: boolean) {
    this.#graph = graph
    this.#arcs = arcs
    this.#withWeights = withWeights
  }

  room(number: number): Piece {
    const { vertices, arcs } = this.#graph
    const most = Math.min(vertices, VERTICES_PER_PIECE)
    return new Piece(number, most, Math.min(arcs, this.#arcs), this.#withWeights)
  }

  /**
   * The next piece that no thread has.
   * @returns the arcs up to its end; undefined when none is left
   * @throws Failure (input) where the graph is damaged, (storage) where the disk cannot be read
   */
  read(piece: Piece, turns: Turns): number | undefined {
    const { vertices } = this.#graph
    for (let first; (first = turns.cursor) < vertices;) {
      const offsets = this.#graph.readOffsets(first, Math.min(vertices, first + piece.capacity))
      const count = this.#cut(offsets, first, piece)
      if (!turns.claim(first, first + count)) continue
      this.#readLists(piece, first, count, offsets[0]!)
      return offsets[count]!
    }
    return undefined
  }

  /** How many of the lists belong to the piece; notes where they lie. */
  #cut(offsets: Float64Array, first: number, { starts }: Piece): number {
    const from = offsets[0]!
    let count = 0
    let end = from
    while (count + 1 < offsets.length) {
      const next = offsets[count + 1]!
      if (next < end || next > this.#graph.arcs) throw this.#damaged(`where the list of vertex ${first + count} ends`)
      if (count > 0 && next - from > this.#arcs) break
      starts[++count] = next - from
      end = next
    }
    return count
  }

  #readLists(piece: Piece, first: number, count: number, from: number): void {
    const arcs = piece.starts[count]!
    piece.first = first
    piece.end = first + count
    piece.hold(arcs)
    this.#graph.readTargets(from, from + arcs, piece.targets)
    if (this.#withWeights) this.#graph.readWeights(from, from + arcs, piece.stored)
    const { starts, targets } = piece
    for (let i = 0; i < count; i++) {
      let last = -1
      for (let arc = starts[i]!; arc < starts[i + 1]!; arc++) {
        if (targets[arc]! <= last) throw this.#damaged(`the order of the neighbours of vertex ${first + i}`)
        last = targets[arc]!
      }
      if (last >= this.#graph.vertices) throw this.#damaged(`the neighbours of vertex ${first + i}`)
    }
  }

  #damaged(what: string): Failure {
    return damagedGraph(this.#graph.path, what)
  }
}
