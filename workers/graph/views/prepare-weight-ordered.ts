import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { JobContext } from '../../job.ts'
import { GaloisGr } from '../galois-gr.ts'
import type { PreparedView, ViewRequest } from '../prepare-view.ts'
import { defaultBudgetBytes, openOrBuild } from '../prepare-view.ts'
import { buildWeightOrdered } from '../weight-ordered-view.ts'
import type { EdgeOrder } from './edge-order.ts'
import { edgeOrderName } from './edge-order.ts'

/** Ordering lists keeps processors busy, more than reading keeps a disk. */
const MOST_THREADS = 8

export interface WeightOrderedRequest extends Pick<ViewRequest, 'folder' | 'checksum' | 'budgetBytes' | 'threads'> {
  readonly order: EdgeOrder
}

/** Opens the weight-ordered view of a dataset, building and storing it first where it is not there yet. */
export function prepareWeightOrdered(request: WeightOrderedRequest, job: JobContext): PreparedView {
  return openOrBuild(request, 'weight-ordered', edgeOrderName(request.order), (path) => {
    const graph = GaloisGr.open(join(request.folder, 'graph.gr'))
    const { budgetBytes = defaultBudgetBytes(), threads = Math.min(MOST_THREADS, availableParallelism()) } = request
    try {
      buildWeightOrdered(graph, path, request.checksum, request.order, { budgetBytes, threads }, job)
    } finally {
      graph.close()
    }
  })
}
