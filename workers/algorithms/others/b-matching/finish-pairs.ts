import { EdgeHash, modThousand } from '../../../../kernels/parts/edge-hash.ts'
import { ascendingBits } from '../../../../kernels/parts/edge-order.ts'
import type { JobContext } from '../../../base/job.ts'
import { WordList } from '../../../base/words.ts'
import { type EdgeOrder, leastKey } from '../../../graph/edge-order.ts'
import type { GaloisGr } from '../../../graph/galois-gr.ts'
import { radixOrder } from '../../../graph/radix-order.ts'
import { eachList, keyedOrder } from '../../../graph/scan-lists.ts'

/** Partners so far: slots of v from starts[v] on, of which the last residual[v] are free. */
export interface PartnerSlots {
  readonly starts: Uint32Array
  readonly residual: Uint32Array
  readonly partners: Uint32Array
}

/** Partners that are looked through one by one. */
const FEW = 16

/**
 * Adds the pairs that are left by the definition: the greatest edge first, each where both ends have room. It ends chains of vertices that wait for
 * each other, in one pass over the graph. @param degrees where ties go by them @returns whether it did: not where more edges are left than `most`
 */
export function finishPairs(
  graph: GaloisGr,
  order: EdgeOrder,
  slots: PartnerSlots,
  degrees: Uint32Array,
  most: number,
  job: JobContext,
): boolean {
  const { starts, residual, partners } = slots
  const left = new EdgesLeft(keyedOrder(order, graph), degrees)
  eachList(
    graph,
    job,
    'scan',
    (v, start, end, targets, weights) => {
      if (residual[v] === 0 || left.count > most) return
      const own = partners.subarray(starts[v]!, starts[v + 1]! - residual[v]!)
      const known = own.length > FEW ? new Set(own) : own
      const isPartner = (u: number): boolean => ('has' in known ? known.has(u) : known.includes(u))
      for (let at = start; at < end; at++) {
        const u = targets[at]!
        if (u > v && residual[u]! > 0 && !isPartner(u)) left.add(v, u, weights[at] ?? 0)
      }
    },
    order.weights === 'column',
  )
  if (left.count > most) return false
  const add = (v: number, u: number): void => {
    partners[starts[v + 1]! - residual[v]!--] = u
  }
  for (const [u, v] of left.inOrder()) {
    if (residual[u] === 0 || residual[v] === 0) continue
    add(u, v)
    add(v, u)
  }
  return true
}

/** Edges that may still be taken, with the words by which they compare (workers/graph/edge-order.ts). */
class EdgesLeft {
  readonly #order: EdgeOrder
  readonly #degrees: Uint32Array
  readonly #hash: EdgeHash
  readonly #least: number
  readonly #low = new WordList()
  readonly #high = new WordList()
  readonly #weights = new WordList()
  readonly #ties = new WordList()
  readonly #hashes = new WordList()
  readonly #bits = new Uint32Array(1)
  readonly #float = new Float32Array(this.#bits.buffer)

  constructor(order: EdgeOrder, degrees: Uint32Array) {
    this.#order = order
    this.#degrees = degrees
    this.#hash = new EdgeHash(order.seed)
    this.#least = leastKey(order)
  }

  get count(): number {
    return this.#low.length
  }

  /** @param u the smaller end @param stored the weight that the file has */
  add(u: number, v: number, stored: number): void {
    const { weights, ties } = this.#order
    if (weights === 'random3' || ties !== 'id') this.#hash.of(u, v)
    let key = 0
    if (weights === 'random3') key = modThousand(this.#hash.high, this.#hash.low)
    else if (weights === 'column') {
      this.#float[0] = stored
      key = ascendingBits(this.#bits[0]!)
    }
    if (key < this.#least) return
    this.#low.push(u)
    this.#high.push(v)
    this.#weights.push(key)
    this.#ties.push(ties === 'degree' ? this.#degrees[u]! + this.#degrees[v]! : 0)
    this.#hashes.push(ties === 'id' ? 0 : this.#hash.high)
  }

  /** The greatest first. */
  *inOrder(): Generator<readonly [number, number]> {
    const [low, high] = [this.#low.take(), this.#high.take()]
    const flipped = (words: Uint32Array): Uint32Array => words.map((word) => ~word)
    const keys = [flipped(low), flipped(high), flipped(this.#hashes.take()), this.#ties.take()]
    for (const place of radixOrder([...keys, flipped(this.#weights.take())])) yield [low[place]!, high[place]!]
  }
}
