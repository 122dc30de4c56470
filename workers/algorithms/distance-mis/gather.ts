import { IN } from '../../../kernels/distance/distance-words.ts'
import type { JobContext } from '../../base/job.ts'
import type { GaloisGr } from '../../graph/galois-gr.ts'
import { scanLists } from '../../graph/scan-lists.ts'
import { NO_VALUE } from '../../graph/result-file.ts'
import { type Strength, strongArcs } from './strength.ts'

/** Visits the strong neighbours of every vertex without an aggregate. */
function scanFree(
  graph: GaloisGr,
  values: Uint32Array,
  strength: Strength | undefined,
  job: JobContext,
  visit: (v: number, strong: Uint32Array) => void,
): void {
  const choose = strength && strongArcs(graph, strength)
  scanLists(graph, job, 'gather', (lists) => {
    const { offsets, targets } = choose?.(lists.offsets, lists.targets, lists) ?? lists
    for (let row = 0; row + 1 < offsets.length; row++)
      if (values[lists.first + row] === NO_VALUE)
        visit(lists.first + row, targets.subarray(offsets[row], offsets[row + 1]))
  })
}

/**
 * Aggregates around the members of a set among the vertices without one (Kelley, Rajamanickam, IPDPS 2022, Algorithm 3, lines 2 to 12), numbered
 * by the ids of their roots. No vertex is beside two members.
 * @param leastFree neighbours that a root needs
 * @returns how many aggregates there are now
 */
export function gatherAround(
  graph: GaloisGr,
  { words, values, strength }: { words: Uint32Array; values: Uint32Array; strength?: Strength | undefined },
  { count, leastFree }: { count: number; leastFree: number },
  job: JobContext,
): number {
  const roots = new Uint32Array(values.length).fill(NO_VALUE)
  const free = new Uint32Array(leastFree > 0 ? values.length : 0)
  scanFree(graph, values, strength, job, (v, strong) => {
    if (words[v] === IN) {
      roots[v] = v
      for (const u of strong) if (leastFree > 0 && values[u] === NO_VALUE) free[v]!++
    } else roots[v] = strong.find((u) => words[u] === IN && values[u] === NO_VALUE) ?? NO_VALUE
  })
  const numbers = new Map<number, number>()
  for (const [v, root] of roots.entries())
    if (root === v && (free[v] ?? 0) >= leastFree) numbers.set(v, count + numbers.size)
  for (const [v, root] of roots.entries()) {
    const number = numbers.get(root)
    if (number !== undefined) values[v] = number
  }
  return count + numbers.size
}

/**
 * Lets what is left join the neighbouring aggregate to which it has most edges, of equal ones the smaller, then the first (the same, lines 13 on);
 * all see the aggregates as they were before.
 * @returns how many joined
 */
export function joinNeighbours(
  graph: GaloisGr,
  { values, strength }: { values: Uint32Array; strength?: Strength | undefined },
  count: number,
  job: JobContext,
): number {
  const sizes = sizesOf(values, count)
  const joins = new Map<number, number>()
  scanFree(graph, values, strength, job, (v, strong) => {
    const edges = new Map<number, number>()
    for (const u of strong) if (values[u] !== NO_VALUE) edges.set(values[u]!, (edges.get(values[u]!) ?? 0) + 1)
    const [best] = [...edges].sort(([a, m], [b, n]) => n - m || sizes[a]! - sizes[b]! || a - b)
    if (best !== undefined) joins.set(v, best[0])
  })
  for (const [v, aggregate] of joins) values[v] = aggregate
  return joins.size
}

/** Vertices of each aggregate. */
export function sizesOf(values: Uint32Array, count: number): Uint32Array {
  const sizes = new Uint32Array(count)
  for (const value of values) if (value !== NO_VALUE) sizes[value]!++
  return sizes
}
