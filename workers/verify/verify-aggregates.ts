import { DisjointSets } from '../base/disjoint-sets.ts'
import type { JobContext } from '../base/job.ts'
import type { GaloisGr } from '../graph/galois-gr.ts'
import { eachList } from '../graph/scan-lists.ts'
import { classSizes } from './witness.ts'

export interface AggregateFindings {
  /** Vertices that break a law, and the law; undefined: none does. */
  readonly broken: { readonly law: 'apart' | 'alone' | 'number'; readonly vertices: readonly number[] } | undefined
  readonly figures: { readonly aggregates: number; readonly largest: number; readonly smallest: number }
}

export const aggregateCheckBytes = (vertices: number): number => 24 * vertices + (64 << 20)

/**
 * Checks that aggregates have the numbers from 0 on, that each is connected by edges that count, and that a vertex is alone only where none of its
 * edges does. An edge counts where |w| >= threshold sqrt(d(u) d(v)), d being the sums of |w|; without a threshold all do.
 */
export function verifyAggregates(
  graph: GaloisGr,
  values: Uint32Array,
  threshold: number,
  job: JobContext,
): AggregateFindings {
  const { vertices } = graph
  const { classes: aggregates, unused, sizes, largest, smallest } = classSizes(values)
  const figures = { aggregates, largest, smallest }
  if (aggregates > vertices) return { broken: { law: 'number', vertices: [values.indexOf(aggregates - 1)] }, figures }
  if (unused !== undefined) return { broken: { law: 'number', vertices: [] }, figures }
  const sets = new DisjointSets(vertices)
  let alone: number | undefined
  const counts = threshold > 0 ? strongEdges(graph, threshold, job) : undefined
  const look: Parameters<typeof eachList>[3] = (v, start, end, targets, weights) => {
    for (let at = start; at < end; at++) {
      const u = targets[at]!
      if (counts?.(v, u, weights[at]!) === false) continue
      if (sizes[values[v]!] === 1) alone ??= v
      if (values[u] === values[v]) sets.join(u, v)
    }
  }
  eachList(graph, job, 'verify', look, counts !== undefined)
  if (alone !== undefined) return { broken: { law: 'alone', vertices: [alone] }, figures }
  const roots = new Int32Array(aggregates).fill(-1)
  for (let v = 0; v < vertices; v++) {
    const root = roots[values[v]!]!
    if (root < 0) roots[values[v]!] = sets.of(v)
    else if (root !== sets.of(v)) return { broken: { law: 'apart', vertices: [root, v] }, figures }
  }
  return { broken: undefined, figures }
}

function strongEdges(
  graph: GaloisGr,
  threshold: number,
  job: JobContext,
): (v: number, u: number, w: number) => boolean {
  const sums = new Float64Array(graph.vertices)
  const add: Parameters<typeof eachList>[3] = (v, start, end, _, weights) => {
    for (let at = start; at < end; at++) sums[v]! += Math.abs(weights[at]!)
  }
  eachList(graph, job, 'verify', add, true)
  return (v, u, w) => w * w >= threshold * threshold * (sums[v]! * sums[u]!)
}
