/**
 * A matching of members with neighbours outside the set, from two names of each member: the neighbours outside of smallest degree, which are the
 * hardest to match otherwise; of several some that members with the same neighbours do not all name. Names are edges between vertices outside, of
 * which each matches one of its ends. In a component of k vertices that is a tree they match all but one, in any other all; so the number of pairs
 * is that of k or k - 1 over all components, in whatever order names come. It costs the lists of the members, and no thread waits for another.
 * Where most vertices with neighbours are members its bound is tighter than that of greedy-matching.ts. set-check.wat has the twin of noteNames,
 * and counts pairs by components alone.
 */

import { DisjointSets } from '../base/disjoint-sets.ts'
import { NO_MATE } from '../graph/matching.ts'

/** Notes the names of member v at 2 v and 2 v + 1, of one neighbour twice; its list is `targets` [start, end). */
export function noteNames(
  names: Uint32Array,
  ranks: Uint8Array,
  isMember: (v: number) => boolean,
  v: number,
  targets: Uint32Array,
  start: number,
  end: number,
): void {
  const spread = Math.imul(v, 0x9e3779b1)
  let [best, next] = [NO_MATE, NO_MATE]
  let [least, second] = [Infinity, Infinity]
  for (let arc = start; arc < end; arc++) {
    const u = targets[arc]!
    if (isMember(u)) continue
    const key = ranks[u]! * 2 ** 32 + ((u ^ spread) >>> 0)
    if (key < least) {
      ;[next, second] = [best, least]
      ;[best, least] = [u, key]
    } else if (key < second) [next, second] = [u, key]
  }
  names[2 * v] = best
  names[2 * v + 1] = next === NO_MATE ? best : next
}

/** The mate of each vertex. */
export function matchNamed(names: Uint32Array): { readonly mates: Uint32Array; readonly pairs: number } {
  const vertices = names.length / 2
  const mates = new Uint32Array(vertices).fill(NO_MATE)
  const components = new DisjointSets(vertices)
  const isFull = new Uint8Array(vertices)
  let pairs = 0
  for (let v = 0; v < vertices; v++) {
    const [x, y] = [names[2 * v]!, names[2 * v + 1]!]
    if (x === NO_MATE) continue
    const [atX, atY] = [components.of(x), components.of(y)]
    const [isXFull, isYFull] = [isFull[atX] === 1, isFull[atY] === 1]
    if (isXFull && isYFull) continue
    takeEnd(mates, names, v, isXFull ? y : x)
    pairs++
    isFull[Math.min(atX, atY)] = Number(!components.join(x, y) || isXFull || isYFull)
  }
  for (let v = 0; v < vertices; v++) if (names[2 * v] === NO_MATE && mates[v] !== NO_MATE) mates[mates[v]!] = v
  return { mates, pairs }
}

/** Gives vertex `end` to member v. A member that had it takes its other one, and so on: in a tree that ends at the one vertex to spare. */
function takeEnd(mates: Uint32Array, names: Uint32Array, v: number, end: number): void {
  for (let [member, at] = [v, end]; member !== NO_MATE;) {
    const before = mates[at]!
    mates[at] = member
    if (before !== NO_MATE) at = names[2 * before] === at ? names[2 * before + 1]! : names[2 * before]!
    member = before
  }
}
