import { DisjointSets } from '../base/disjoint-sets.ts'
import { nodesOf, type SmallGraph } from './small-graph.ts'

/** Edges that each node keeps; a graph with fewer is its own backbone. */
const KEPT = 5
/** Lists that are longer are not compared: their edges hold as if nothing were in common. */
const LONGEST_COMPARED = 4096

/** An edge between nodes a < b, and how alike their neighbours are. */
interface Tie {
  readonly a: number
  readonly b: number
  readonly likeness: number
}

/**
 * The edges that hold groups together: the most alike ones of each node, and a spanning forest of the most alike, so that nothing
 * falls apart. Drawn by these alone, a dense graph is no disc. A. Nocaj, M. Ortmann, U. Brandes, "Untangling the hairballs of
 * multi-centered, small-world online social media networks" (2015).
 * @returns pairs of nodes; of a sparse graph all edges
 */
export function backbone(graph: SmallGraph): readonly (readonly [number, number])[] {
  const n = nodesOf(graph)
  const ties = tiesOf(graph)
  if (ties.length <= KEPT * n) return ties.map(({ a, b }) => [a, b])
  const kept = new Uint8Array(n)
  const sets = new DisjointSets(n)
  // Equal ones in the order of their nodes.
  const sorted = ties.sort((s, t) => t.likeness - s.likeness || s.a - t.a || s.b - t.b)
  return sorted.flatMap(({ a, b }) => {
    const isOwn = kept[a]! < KEPT || kept[b]! < KEPT
    const joins = sets.join(a, b)
    if (!isOwn && !joins) return []
    kept[a]!++
    kept[b]!++
    return [[a, b] as const]
  })
}

/** Jaccard's coefficient of the neighbours of both ends; with the edge itself, so that it is above 0. */
function tiesOf({ offsets, targets }: SmallGraph): Tie[] {
  const n = offsets.length - 1
  const marked = new Int32Array(n).fill(-1)
  const ties: Tie[] = []
  for (let a = 0; a < n; a++) {
    for (let arc = offsets[a]!; arc < offsets[a + 1]!; arc++) marked[targets[arc]!] = a
    for (let arc = offsets[a]!; arc < offsets[a + 1]!; arc++) {
      const b = targets[arc]!
      if (b <= a) continue
      const length = offsets[b + 1]! - offsets[b]!
      let common = 1
      if (length <= LONGEST_COMPARED)
        for (let back = offsets[b]!; back < offsets[b + 1]!; back++) if (marked[targets[back]!] === a) common++
      ties.push({ a, b, likeness: common / (offsets[a + 1]! - offsets[a]! + length - common + 2) })
    }
  }
  return ties
}
