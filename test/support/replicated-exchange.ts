import { eclMis, sweepPart } from '../../workers/algorithms/ecl-mis.ts'
import type { Part, SweepOutcome } from '../../workers/algorithms/ecl-mis.ts'
import { BatchStore } from '../../workers/device/batch-store.ts'
import type { Device } from '../../workers/device/device.ts'
import { ReplicatedStates } from '../../workers/exchange/replicated-states.ts'
import type { ExchangeCounts } from '../../workers/exchange/replicated-states.ts'
import { shareStates } from '../../workers/exchange/shared-states.ts'
import { planBatches } from '../../workers/graph/batches.ts'
import { prepareView } from '../../workers/graph/prepare-view.ts'
import type { ViewRequest } from '../../workers/graph/prepare-view.ts'
import type { VertexSet } from '../../workers/graph/vertex-set.ts'
import { quietJob } from '../../workers/job.ts'
import { releaseStores } from '../../workers/partition/follow.ts'
import { batchesOf } from '../../workers/partition/lead.ts'
import { Trace } from '../../workers/trace.ts'
import { LocalBarrier } from './local-barrier.ts'

export interface ReplicatedRequest {
  /** One for each worker. */
  readonly devices: readonly Device[]
  readonly batches: number
  /** Undecided vertices that the leading worker decides alone. */
  readonly residual: number
  /** Whether workers take from each other before each batch, as where they stream. */
  readonly inStep?: boolean
}

export interface ReplicatedResult {
  readonly set: VertexSet
  readonly outcomes: readonly SweepOutcome[]
  readonly counts: readonly ExchangeCounts[]
}

/** Runs the replicated exchange on a dataset folder with all workers on this thread. */
export async function replicatedSet(
  view: ViewRequest,
  { devices, batches: wanted, residual, inStep = false }: ReplicatedRequest,
): Promise<ReplicatedResult> {
  const prepared = prepareView(view, quietJob)
  try {
    const { vertices } = prepared.view.header
    const maxBufferBytes = Math.min(...devices.map((device) => device.maxBufferBytes))
    const batches = planBatches(prepared.tailOffsets, { batches: wanted, maxBufferBytes, maxBatchBytes: Infinity })
    const shared = shareStates(vertices, devices.length, batches, undefined, {
      residual,
      inStep,
      front: prepared.view.header.front,
    })
    const barrier = new LocalBarrier(devices.length)
    const exchanges = devices.map((device, worker) => new ReplicatedStates(device, shared, worker, barrier))
    let set: VertexSet | undefined
    const outcomes = await Promise.all(
      devices.map(async (device, worker): Promise<SweepOutcome> => {
        const store = new BatchStore(device, prepared.view, prepared.tailOffsets, Infinity)
        const own = batchesOf(batches, worker, devices.length)
        const exchange = exchanges[worker]!
        const trace = new Trace(false)
        const base = { device, store, batches: own, vertices, exchange, residual, trace }
        const part: Part = { ...base, states: undefined }
        const outcome = worker === 0 ? await eclMis(part, prepared, quietJob) : await sweepPart(part, quietJob)
        if ('set' in outcome) set = outcome.set as VertexSet
        await releaseStores(part)
        return outcome
      }),
    )
    return { set: set!, outcomes, counts: exchanges.map(({ counts }) => counts) }
  } finally {
    prepared.view.close()
  }
}
