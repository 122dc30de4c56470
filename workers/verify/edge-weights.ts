import { EdgeHash } from '../../kernels/parts/edge-hash.ts'
import { lowerBound } from '../base/lower-bound.ts'
import type { EdgeOrder } from '../graph/edge-order.ts'
import { EdgeWeigher } from '../graph/weighed-lists.ts'
import type { Batch } from './pass.ts'

const BLOCK = 256

/** The weights, in units, of the list of one vertex of a batch: `weights[at + i]` is that of arc `start` + i. */
export class EdgeWeights {
  start = 0
  count = 0
  at = 0
  weights: Float32Array = new Float32Array(0)
  readonly #weigher: EdgeWeigher
  readonly #leavesOut: boolean
  #computed: Float32Array = new Float32Array(1 << 10)

  constructor(order: EdgeOrder) {
    this.#weigher = new EdgeWeigher(order)
    this.#leavesOut = order.threshold !== undefined
  }

  get areStored(): boolean {
    return this.#weigher.areStored
  }

  /** At vertex first + i; 0 for none. */
  heaviest(batch: Batch, i: number): number {
    const { first, starts, targets, stored } = batch
    const { most, least, areStored } = this.#weigher
    const end = starts[i + 1]!
    let heaviest = 0
    // Long lists nearly always have an edge of the largest weight.
    for (let start = starts[i]!; start < end && heaviest < most; start += BLOCK) {
      const count = Math.min(BLOCK, end - start)
      const weights = areStored ? stored : this.#computed
      const at = areStored ? start : 0
      if (!areStored) this.#weigher.weigh(first + i, targets, count, weights, start)
      for (let arc = at; arc < at + count; arc++) if (weights[arc]! > heaviest) heaviest = weights[arc]!
    }
    return heaviest < least ? 0 : heaviest
  }

  /** undefined for none. */
  weightTo(other: number, batch: Batch, i: number): number | undefined {
    const { first, starts, targets, stored } = batch
    const arc = lowerBound(starts[i]!, starts[i + 1]!, (at) => targets[at]! < other)
    if (arc === starts[i + 1] || targets[arc] !== other) return undefined
    if (!this.areStored) this.#weigher.weigh(first + i, targets, 1, this.#computed, arc)
    const weight = this.areStored ? stored[arc]! : this.#computed[0]!
    return this.#leavesOut && weight < this.#weigher.least ? undefined : weight
  }

  /** To vertex first + i; removes what the order leaves out. */
  moveTo(batch: Batch, i: number): void {
    const { first, starts, targets, stored } = batch
    this.start = starts[i]!
    this.count = starts[i + 1]! - this.start
    if (this.areStored) {
      this.weights = stored
      this.at = this.start
    } else {
      if (this.count > this.#computed.length) this.#computed = new Float32Array(2 * this.count)
      this.weights = this.#computed
      this.#weigher.weigh(first + i, targets, this.count, this.#computed, this.start)
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

/** Of workers/graph/edge-order.ts, for edges of one weight at one vertex. */
export class TieRule {
  readonly #ties: EdgeOrder['ties']
  readonly #degrees: Uint32Array
  readonly #first: EdgeHash
  readonly #second: EdgeHash
  /** The edge whose hash `first` has. */
  #v = -1
  #mate = -1

  constructor({ ties, seed }: Pick<EdgeOrder, 'ties' | 'seed'>, degrees: Uint32Array) {
    this.#ties = ties
    this.#degrees = degrees
    this.#first = new EdgeHash(seed)
    this.#second = new EdgeHash(seed)
  }

  /** Quick for the v and mate of the last call. */
  comesBefore(v: number, mate: number, u: number): boolean {
    const degrees = this.#degrees
    if (this.#ties === 'degree' && degrees[mate] !== degrees[u]) return degrees[mate]! < degrees[u]!
    if (this.#ties !== 'id') {
      if (this.#v !== v || this.#mate !== mate) {
        this.#first.of(v, mate)
        this.#v = v
        this.#mate = mate
      }
      this.#second.of(v, u)
      if (this.#first.high !== this.#second.high) return this.#first.high > this.#second.high
    }
    return mate > u
  }
}
