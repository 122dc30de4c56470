import { join } from 'node:path'
import { planArcBatches } from '../../workers/algorithms/arc-store.ts'
import { type PaperOutcome, computeStatus } from '../../workers/algorithms/reproductions/mg-mis/compute-status.ts'
import type { Device } from '../../workers/device/device.ts'
import { sharePaperBuffers } from '../../workers/algorithms/reproductions/mg-mis/message-buffers.ts'
import { EqualRanges } from '../../workers/algorithms/reproductions/mg-mis/paper-ranges.ts'
import { GaloisGr } from '../../workers/graph/galois-gr.ts'
import { IN, stateOf } from '../../workers/graph/vertex-states.ts'
import { quietJob } from '../../workers/base/job.ts'
import { Trace } from '../../workers/base/trace.ts'
import { LocalBarrier } from './local-barrier.ts'

export interface PaperRequest {
  /** One for each worker. */
  readonly devices: readonly Device[]
  readonly bufferWords: number
  readonly batches: number
  readonly arcBytes?: number
  readonly maxBatchBytes?: number
  readonly ranks?: Uint32Array | undefined
  readonly seed?: number
}

/** Runs the paper's exchange on a dataset folder with all workers on this thread. */
export async function paperSet(
  folder: string,
  { devices, bufferWords, batches, arcBytes = Infinity, maxBatchBytes = Infinity, ranks, seed = 0 }: PaperRequest,
): Promise<{ members: Set<number>; outcomes: PaperOutcome[] }> {
  const graph = GaloisGr.open(join(folder, 'graph.gr'))
  try {
    const workers = devices.length
    const ranges = new EqualRanges(graph.vertices, workers)
    const shared = sharePaperBuffers(graph.vertices, workers, bufferWords)
    const barrier = new LocalBarrier(workers)
    const outcomes = await Promise.all(
      devices.map((device, worker) => {
        const limits = { batches, maxBatchBytes, maxBufferBytes: device.maxBufferBytes }
        const own = planArcBatches(graph, ranges.of(worker), limits)
        const trace = new Trace(false)
        const part = { device, graph, worker, shared, batches: own, arcBytes, ranks, seed, trace }
        return computeStatus(part, barrier, quietJob)
      }),
    )
    const members = new Set<number>()
    for (let v = 0; v < graph.vertices; v++) if (stateOf(shared.states, v) === IN) members.add(v)
    return { members, outcomes }
  } finally {
    graph.close()
  }
}
