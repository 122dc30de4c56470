import type { JobContext } from '../base/job.ts'
import type { GaloisGr } from '../graph/galois-gr.ts'
import { scanLists } from '../graph/scan-lists.ts'

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
  let count = 0
  for (const value of values) count = Math.max(count, value + 1)
  const none = { aggregates: count, largest: 0, smallest: 0 }
  if (count > vertices) return { broken: { law: 'number', vertices: [values.indexOf(count - 1)] }, figures: none }
  const sizes = new Uint32Array(count)
  for (const value of values) sizes[value]!++
  const figures = {
    aggregates: count,
    largest: sizes.reduce((a, b) => Math.max(a, b), 0),
    smallest: count === 0 ? 0 : sizes.reduce((a, b) => Math.min(a, b)),
  }
  if (sizes.includes(0)) return { broken: { law: 'number', vertices: [] }, figures }
  const parents = Uint32Array.from({ length: vertices }, (_, v) => v)
  const find = (v: number): number => {
    let root = v
    while (parents[root] !== root) root = parents[root] = parents[parents[root]!]!
    return root
  }
  let alone: number | undefined
  const counts = threshold > 0 ? strongEdges(graph, threshold, job) : undefined
  scanLists(graph, job, 'verify', ({ first, offsets, targets, firstArc }) => {
    const weights = counts && graph.readWeights(firstArc, firstArc + targets.length)
    for (let row = 0; row + 1 < offsets.length; row++) {
      const v = first + row
      for (let at = offsets[row]!; at < offsets[row + 1]!; at++) {
        const u = targets[at]!
        if (counts?.(v, u, weights![at]!) === false) continue
        if (sizes[values[v]!] === 1) alone ??= v
        if (values[u] !== values[v]) continue
        const [a, b] = [find(u), find(v)]
        parents[Math.max(a, b)] = Math.min(a, b)
      }
    }
  })
  if (alone !== undefined) return { broken: { law: 'alone', vertices: [alone] }, figures }
  const roots = new Int32Array(count).fill(-1)
  for (let v = 0; v < vertices; v++) {
    const root = roots[values[v]!]!
    if (root < 0) roots[values[v]!] = find(v)
    else if (root !== find(v)) return { broken: { law: 'apart', vertices: [root, v] }, figures }
  }
  return { broken: undefined, figures }
}

function strongEdges(
  graph: GaloisGr,
  threshold: number,
  job: JobContext,
): (v: number, u: number, w: number) => boolean {
  const sums = new Float64Array(graph.vertices)
  scanLists(graph, job, 'verify', ({ first, offsets, firstArc }) => {
    const weights = graph.readWeights(firstArc, firstArc + offsets.at(-1)!)
    for (let row = 0; row + 1 < offsets.length; row++)
      sums[first + row] = weights
        .subarray(offsets[row], offsets[row + 1])
        .reduce((sum: number, w) => sum + Math.abs(w), 0)
  })
  return (v, u, w) => w * w >= threshold * threshold * (sums[v]! * sums[u]!)
}
