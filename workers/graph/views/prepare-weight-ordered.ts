import { availableParallelism } from 'node:os'
import type { JobContext } from '../../job.ts'
import { GaloisGr } from '../galois-gr.ts'
import type { PreparedView, ViewRequest } from '../prepare-view.ts'
import { defaultBudgetBytes, openOrBuild } from '../prepare-view.ts'
import type { WeightOrderedKind } from '../weight-ordered-view.ts'
import { buildWeightOrdered } from '../weight-ordered-view.ts'
import type { EdgeOrder } from './edge-order.ts'
import { edgeOrderName } from './edge-order.ts'

/** Ordering lists keeps processors busy, more than reading keeps a disk. */
const MOST_THREADS = 8

export interface WeightOrderedRequest extends Pick<ViewRequest, 'folder' | 'checksum' | 'budgetBytes' | 'threads'> {
  readonly order: EdgeOrder
  /** Absent: `weight-ordered`. */
  readonly kind?: WeightOrderedKind | undefined
}

/** Opens the weight-ordered view of a dataset, building and storing it first where it is not there yet. */
export function prepareWeightOrdered(request: WeightOrderedRequest, job: JobContext): PreparedView {
  const { kind = 'weight-ordered', order, checksum } = request
  return openOrBuild(request, kind, edgeOrderName(order), (path) => {
    const graph = GaloisGr.inFolder(request.folder)
    const { budgetBytes = defaultBudgetBytes(), threads = Math.min(MOST_THREADS, availableParallelism()) } = request
    try {
      buildWeightOrdered(graph, { kind, path, checksum, order }, { budgetBytes, threads }, job)
    } finally {
      graph.close()
    }
  })
}
