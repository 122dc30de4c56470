import type { EdgeOrder } from '../graph/edge-order.ts'
import { EdgeHash } from '../../kernels/parts/edge-hash.ts'

/**
 * Says of two edges at a vertex that weigh the same which comes first: by hash; by the smaller sum of degrees, then by hash; at last by
 * the larger neighbour (workers/graph/edge-order.ts).
 */
export class EdgeComparison {
  readonly #ties: EdgeOrder['ties']
  readonly #degrees: Uint32Array
  readonly #first: EdgeHash
  readonly #second: EdgeHash
  /** The edge whose hash `first` has. */
  #v = -1
  #mate = -1

  /** @param degrees of the vertices, where ties ask for them */
  constructor({ ties, seed }: Pick<EdgeOrder, 'ties' | 'seed'>, degrees: Uint32Array) {
    this.#ties = ties
    this.#degrees = degrees
    this.#first = new EdgeHash(seed)
    this.#second = new EdgeHash(seed)
  }

  /** Whether the edge from v to `mate` comes before the one to u. Quick where v and its mate are those of the last call. */
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
