import type { EdgeOrder } from '../graph/views/edge-order.ts'
import { EdgeHash } from '../graph/views/edge-hash.ts'

const hashes = { first: new EdgeHash(0), second: new EdgeHash(0), seed: 0 }

/**
 * Whether, of two edges at v that weigh the same, the one to `mate` comes before the one to u: by hash; by the smaller sum of degrees,
 * then by hash; at last by the larger neighbour (workers/graph/views/edge-order.ts).
 */
export function comesBefore(
  { ties, seed }: Pick<EdgeOrder, 'ties' | 'seed'>,
  degrees: Uint32Array,
  v: number,
  mate: number,
  u: number,
): boolean {
  if (ties === 'degree' && degrees[mate] !== degrees[u]) return degrees[mate]! < degrees[u]!
  if (ties !== 'id') {
    if (hashes.seed !== seed) Object.assign(hashes, { first: new EdgeHash(seed), second: new EdgeHash(seed), seed })
    hashes.first.of(v, mate)
    hashes.second.of(v, u)
    if (hashes.first.high !== hashes.second.high) return hashes.first.high > hashes.second.high
  }
  return mate > u
}
