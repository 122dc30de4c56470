import { DisjointSets } from '../../../base/disjoint-sets.ts'
import type { JobContext } from '../../../base/job.ts'
import type { GaloisGr } from '../../../graph/galois-gr.ts'
import { eachList } from '../../../graph/scan-lists.ts'
import { type Checked, classSizes, witnessAt } from '../../../verify/witness.ts'

const NO_ROOT = 0xffffffff

export const aggregateCheckBytes = (vertices: number): number => 24 * vertices + (64 << 20)

/**
 * Checks that aggregates have the numbers from 0 on, that each is connected by edges that count, and that a vertex is alone only where none of its
 * edges does. An edge counts where |w| >= threshold sqrt(d(u) d(v)), d being the sums of |w|; without a threshold all do.
 */
export function checkAggregates(graph: GaloisGr, values: Uint32Array, threshold: number, job: JobContext): Checked {
  const { vertices } = graph
  const { classes: aggregates, unused, sizes, largest, smallest } = classSizes(values)
  const figures = { aggregates, largest, smallest }
  const broken = (places: readonly number[], words: (...labels: string[]) => string) => ({
    witness: witnessAt(places, words),
    figures,
  })
  if (unused !== undefined)
    return broken(
      aggregates > vertices ? [values.indexOf(aggregates - 1)] : [],
      () => 'aggregates have no numbers from 0 on',
    )
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
  if (alone !== undefined)
    return broken([alone], (v) => `vertex ${v} is an aggregate of its own, and has an edge that counts`)
  const roots = new Uint32Array(aggregates).fill(NO_ROOT)
  for (let v = 0; v < vertices; v++) {
    const root = roots[values[v]!]!
    if (root === NO_ROOT) roots[values[v]!] = sets.of(v)
    else if (root !== sets.of(v))
      return broken([root, v], (a, b) => `vertices ${a} and ${b} are in one aggregate that is not connected`)
  }
  return { witness: undefined, figures }
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
