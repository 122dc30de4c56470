import { kernel } from '../kernel.ts'
import { hashPart, shiftedHash } from '../parts/vertex-hash.ts'
import wgsl from './anneal-propose.wgsl?raw'

const GOLDEN = 0x9e3779b9

/** The lists of a graph, list v is targets[starts[v], starts[v + 1]); an independent set of it, and vertices that are to join, a bit a vertex. */
interface Visited {
  readonly starts: Uint32Array
  readonly targets: Uint32Array
  readonly members: Uint32Array
  readonly proposing: Uint32Array
}

interface Visits {
  /** Words of the set. */
  readonly first: number
  readonly past: number
  readonly vertices: number
  /** The chance that a vertex takes the place of two, in parts of 2^32. */
  readonly threshold: number
  /** What is drawn follows from it. */
  readonly draws: number
}

/**
 * Visits vertices outside a set; see anneal-propose.wgsl. Mostly two words of the list and two bits settle it: neighbours that were members are at the
 * front.
 * @param buffers proposing gets the vertices that are to join in place of one or two neighbours, which are the first of their lists then
 */
function visitWords(
  { starts, targets, members, proposing }: Visited,
  { first, past, vertices, threshold, draws }: Visits,
): void {
  for (let w = first; w < past; w++) {
    let open = outsideIn(members, w, vertices)
    if (open === 0) continue
    const key = shiftedHash(w ^ draws)
    const hot = bitsBelow(key, threshold)
    const even = shiftedHash(key)
    while (open !== 0) {
      const bit = open & -open
      open ^= bit
      const v = (w << 5) | (31 - Math.clz32(bit))
      const start = starts[v]!
      const end = starts[v + 1]!
      let most = 2
      if ((hot & bit) === 0) {
        most = 1
        if (end - start > 1) {
          const a = targets[start]!
          const b = targets[start + 1]!
          if (((members[a >>> 5]! >>> (a & 31)) & (members[b >>> 5]! >>> (b & 31)) & 1) !== 0) continue
        }
      }
      let front = start
      for (let i = start; i < end && front - start <= most; i++) {
        const u = targets[i]!
        if (((members[u >>> 5]! >>> (u & 31)) & 1) === 0) continue
        targets[i] = targets[front]!
        targets[front++] = u
      }
      const count = front - start
      if (count <= most && (count !== 1 || (even & bit) !== 0)) proposing[w]! |= bit
    }
  }
}

/** The vertices of word w that are not in a set, a bit each. */
export function outsideIn(members: Uint32Array, w: number, vertices: number): number {
  const isShort = w === members.length - 1 && (vertices & 31) !== 0
  return isShort ? ~members[w]! & ((1 << (vertices & 31)) - 1) : ~members[w]!
}

/** A bit for each of 32 words whose bits are drawn side by side, from the highest on: whether it is below the threshold. */
export function bitsBelow(key: number, threshold: number): number {
  let below = 0
  let undecided = -1
  for (let place = 0; place < 32 && undecided !== 0; place++) {
    const drawn = shiftedHash(key + Math.imul(place + 1, GOLDEN))
    const limit = -((threshold >>> (31 - place)) & 1)
    below |= undecided & ~drawn & limit
    undecided &= ~(drawn ^ limit)
  }
  return below
}

/** Vertices of words [first, past) that are to join; see anneal-propose.wgsl. */
export const annealPropose = kernel(
  'anneal-propose',
  [wgsl, hashPart],
  ['first', 'past', 'vertices', 'threshold', 'draws'],
  { starts: 'read', targets: 'write', members: 'read', proposing: 'write' },
  (visits, buffers) => {
    buffers.proposing.fill(0, visits.first, visits.past)
    visitWords(buffers, visits)
  },
)
