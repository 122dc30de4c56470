import type { JobContext } from '../job.ts'
import { ExactSum } from '../ingest/external/exact-sum.ts'
import type { GaloisGr } from './galois-gr.ts'
import { NO_MATE, type Matching } from './matching.ts'
import type { EdgeOrder } from './edge-order.ts'
import { EdgeHash } from '../../kernels/parts/edge-hash.ts'
import { weighedLists } from './weighed-lists.ts'

/** The weight of a matching: each edge once, summed exactly and rounded once. It reads the graph only where weights lie in it. */
export function matchingWeight(graph: GaloisGr, matching: Matching, order: EdgeOrder, job: JobContext): number {
  switch (order.weights) {
    case 'unit':
      return matching.summary().pairs
    case 'random3': {
      const hash = new EdgeHash(order.seed)
      let thousandths = 0
      const { mates } = matching
      for (let u = 0; u < mates.length; u++) {
        const v = mates[u]!
        if (v === NO_MATE || v < u) continue
        hash.of(u, v)
        thousandths += 1 + hash.modThousand()
      }
      return thousandths / 1000
    }
    case 'column': {
      const sum = new ExactSum()
      for (const { v, neighbours, weights } of weighedLists(graph, order, 'weigh', job)) {
        const mate = matching.mates[v]!
        if (mate > v && mate < graph.vertices) sum.add(weights[neighbours.indexOf(mate)] ?? 0)
      }
      return sum.value
    }
  }
}
