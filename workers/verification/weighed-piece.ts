import { EdgeWeigher } from '../graph/weighed-lists.ts'
import type { EdgeOrder } from '../graph/views/edge-order.ts'
import type { Piece } from './pieces.ts'

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
