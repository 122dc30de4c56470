import { EdgeWeigher } from '../graph/weighed-lists.ts'
import type { EdgeOrder } from '../graph/edge-order.ts'
import type { Piece } from './pieces.ts'

const BLOCK = 256

/** The list of one vertex of a piece under an order of edges: what lies at `at` + i of the weights, in units, is of the arc `start` + i. */
export class WeighedPiece {
  start = 0
  count = 0
  at = 0
  weights: Float32Array = new Float32Array(0)
  readonly #weigher: EdgeWeigher
  readonly #leavesOut: boolean
  #room: Float32Array = new Float32Array(1 << 10)

  constructor(order: EdgeOrder) {
    this.#weigher = new EdgeWeigher(order)
    this.#leavesOut = order.threshold !== undefined
  }

  /** Whether weights are read from the graph. */
  get areStored(): boolean {
    return this.#weigher.areStored
  }

  /** What the heaviest edge at vertex first + i of a piece weighs, 0 where there is none. */
  heaviest(piece: Piece, i: number): number {
    const { first, starts, targets, stored } = piece
    const { most, least, areStored } = this.#weigher
    const end = starts[i + 1]!
    let heaviest = 0
    // Long lists nearly always have an edge that nothing outweighs.
    for (let start = starts[i]!; start < end && heaviest < most; start += BLOCK) {
      const count = Math.min(BLOCK, end - start)
      const weights = areStored ? stored : this.#room
      const at = areStored ? start : 0
      if (!areStored) this.#weigher.weigh(first + i, targets, count, weights, start)
      for (let arc = at; arc < at + count; arc++) if (weights[arc]! > heaviest) heaviest = weights[arc]!
    }
    return heaviest < least ? 0 : heaviest
  }

  /** What the edge from vertex first + i of a piece to another vertex weighs; undefined where there is none. */
  weightTo(other: number, piece: Piece, i: number): number | undefined {
    const { first, starts, targets, stored } = piece
    const arc = placeOf(other, targets, starts[i]!, starts[i + 1]!)
    if (arc < 0) return undefined
    if (!this.#weigher.areStored) this.#weigher.weigh(first + i, targets, 1, this.#room, arc)
    const weight = this.#weigher.areStored ? stored[arc]! : this.#room[0]!
    return this.#leavesOut && weight < this.#weigher.least ? undefined : weight
  }

  /** Moves to vertex first + i of a piece. What the order leaves out is no longer in the piece then. */
  moveTo(piece: Piece, i: number): void {
    const { starts, targets } = piece
    const start = starts[i]!
    const count = starts[i + 1]! - start
    this.start = start
    this.count = count
    if (this.#weigher.areStored) {
      this.weights = piece.stored
      this.at = start
    } else {
      if (count > this.#room.length) this.#room = new Float32Array(2 * count)
      this.weights = this.#room
      this.#weigher.weigh(piece.first + i, targets, count, this.#room, start)
    }
    if (this.#leavesOut) this.#leaveOut(targets)
  }

  #leaveOut(targets: Uint32Array): void {
    const { start, at, weights } = this
    const { least } = this.#weigher
    let kept = 0
    for (let i = 0; i < this.count; i++) {
      const weight = weights[at + i]!
      if (weight < least) continue
      targets[start + kept] = targets[start + i]!
      weights[at + kept++] = weight
    }
    this.count = kept
  }
}

/** Where a vertex is among the ascending targets [start, end), or -1. */
function placeOf(vertex: number, targets: Uint32Array, start: number, end: number): number {
  let low = start
  let high = end
  while (low < high) {
    const middle = (low + high) >>> 1
    if (targets[middle]! < vertex) low = middle + 1
    else high = middle
  }
  return low < end && targets[low] === vertex ? low : -1
}
