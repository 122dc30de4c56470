import type { JobContext } from '../base/job.ts'
import { ExactSum } from '../base/exact-sum.ts'
import type { GaloisGr } from './galois-gr.ts'
import type { Range } from './graph-pieces.ts'
import { NO_MATE, type Matching } from './matching.ts'
import type { EdgeOrder } from './edge-order.ts'
import { EdgeHash } from '../../kernels/parts/edge-hash.ts'
import { weighedLists } from './weighed-lists.ts'

/** The weight of a matching: each edge once, summed exactly and rounded once. It reads the graph only where weights are stored in it. */
export function matchingWeight(graph: GaloisGr, { mates }: Matching, order: EdgeOrder, job: JobContext): number {
  return weightOf(pairWeights(graph, mates, order, { first: 0, end: mates.length }, job), order)
}

/** The weight of all pairs from the terms that {@link pairWeights} returned for parts of the vertices, in any order. */
export function weightOf(terms: readonly number[], { weights }: EdgeOrder): number {
  const sum = new ExactSum()
  for (const term of terms) sum.add(term)
  return weights === 'random3' ? sum.value / 1000 : sum.value
}

/** Terms whose exact sum is the weight of the pairs u < v with u in a range, in thousandths where weights are random. */
export function pairWeights(
  graph: GaloisGr,
  mates: Uint32Array,
  order: EdgeOrder,
  range: Range,
  job: JobContext,
): readonly number[] {
  if (order.weights === 'column') return storedWeights(graph, mates, order, range, job)
  const hash = new EdgeHash(order.seed)
  let sum = 0
  for (let u = range.first; u < range.end; u++) {
    const v = mates[u]!
    if (v === NO_MATE || v < u) continue
    if (order.weights === 'unit') sum++
    else {
      hash.of(u, v)
      sum += 1 + hash.modThousand()
    }
  }
  return [sum]
}

function storedWeights(
  graph: GaloisGr,
  mates: Uint32Array,
  order: EdgeOrder,
  range: Range,
  job: JobContext,
): readonly number[] {
  const sum = new ExactSum()
  for (const { v, neighbours, weights } of weighedLists(graph, order, 'weigh', job, range)) {
    const mate = mates[v]!
    if (mate > v && mate < graph.vertices) sum.add(weights[neighbours.indexOf(mate)] ?? 0)
  }
  return sum.terms
}
