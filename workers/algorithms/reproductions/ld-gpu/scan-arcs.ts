import { EdgeHash } from '../../../../kernels/parts/edge-hash.ts'
import { ascendingBits } from '../../../../kernels/parts/edge-order.ts'
import { degreesOf } from '../../../graph/degrees.ts'
import { type EdgeOrder, leastKey } from '../../../graph/edge-order.ts'
import type { GaloisGr } from '../../../graph/galois-gr.ts'
import type { ArcChoice } from '../../arc-store.ts'

/** Words that break ties between edges of equal weight, beside the neighbour itself. */
export const tieWords = ({ ties }: EdgeOrder): number => ({ id: 0, hash: 1, degree: 2 })[ties]

/** A neighbour, its weight, the words that break ties. */
export const scanWords = (order: EdgeOrder): number => 2 + tieWords(order)

/** The arcs of a batch with the words by which match-scan compares them: the weights of all, then tieWords for each; larger comes first. */
export function scanArcs(graph: GaloisGr, order: EdgeOrder): ArcChoice {
  const degrees = order.ties === 'degree' ? degreesOf(graph) : undefined
  const least = leastKey(order)
  const { weights } = order
  const width = tieWords(order)
  const hash = new EdgeHash(order.seed)
  return (offsets, targets, { first, firstArc }) => {
    const stored = weights === 'column' ? graph.readWeights(firstArc, firstArc + targets.length) : new Float32Array(0)
    const bits = new Uint32Array(stored.buffer, stored.byteOffset, stored.length)
    const kept = { offsets: new Uint32Array(offsets.length), targets: new Uint32Array(targets.length) }
    const keys = new Uint32Array(targets.length)
    const ties = new Uint32Array(width * targets.length)
    let count = 0
    for (let row = 0; row + 1 < offsets.length; row++) {
      for (let at = offsets[row]!; at < offsets[row + 1]!; at++) {
        const u = targets[at]!
        if (weights === 'random3' || width > 0) hash.of(first + row, u)
        const weight = weights === 'column' ? ascendingBits(bits[at]!) : weights === 'random3' ? hash.modThousand() : 0
        // Edges that weigh too little are left out.
        if (weight < least) continue
        kept.targets[count] = u
        keys[count] = weight
        // The degree of one's own counts for all of the list alike.
        if (degrees !== undefined) ties[width * count] = ~degrees[u]!
        if (width > 0) ties[width * count + width - 1] = hash.high
        count++
      }
      kept.offsets[row + 1] = count
    }
    const values = new Uint32Array((1 + width) * count)
    values.set(keys.subarray(0, count))
    values.set(ties.subarray(0, width * count), count)
    return { ...kept, targets: kept.targets.subarray(0, count), values }
  }
}
