import { join } from 'node:path'
import { ArcStore } from '../../workers/algorithms/arc-store.ts'
import { planArcBatches } from '../../workers/algorithms/plan-arcs.ts'
import {
  type PaperOutcome,
  computeStatus,
  paperKernels,
} from '../../workers/algorithms/reproductions/mg-mis/compute-status.ts'
import type { Device } from '../../workers/device/device.ts'
import {
  EqualRanges,
  type PaperShared,
  RankBarrier,
  gatherStates,
  sharePaperBuffers,
} from '../../workers/algorithms/reproductions/mg-mis/paper-shared.ts'
import { GaloisGr } from '../../workers/graph/galois-gr.ts'
import { IN, stateOf } from '../../workers/graph/vertex-set.ts'
import { quietJob } from '../../workers/base/job.ts'
import { type Barrier, shareSums } from '../../workers/threads/barrier.ts'
import { Trace } from '../../workers/base/trace.ts'
import { LocalBarrier } from './local-barrier.ts'
import { localRanks } from './local-ranks.ts'

export interface PaperRequest {
  /** One for each worker. */
  readonly devices: readonly Device[]
  readonly bufferWords: number
  readonly batches: number
  readonly arcBytes?: number
  readonly maxBatchBytes?: number
  readonly ranks?: Uint32Array | undefined
  readonly seed?: number
  /** Ranks, with a worker or more each. */
  readonly across?: number
}

/** Runs the paper's exchange on a dataset folder with all workers on this thread. @returns the members as each rank knows them */
export async function paperSet(
  folder: string,
  {
    devices,
    bufferWords,
    batches,
    arcBytes = Infinity,
    maxBatchBytes = Infinity,
    ranks,
    seed = 0,
    across = 1,
  }: PaperRequest,
): Promise<{ members: Set<number>[]; outcomes: PaperOutcome[] }> {
  const graph = GaloisGr.open(join(folder, 'graph.gr'))
  try {
    const { vertices } = graph
    const workers = devices.length
    const ranges = new EqualRanges(vertices, workers)
    const compute = async (worker: number, shared: PaperShared, barrier: Barrier): Promise<PaperOutcome> => {
      const device = devices[worker]!
      const limits = { batches, maxBatchBytes, maxBufferBytes: device.maxBufferBytes }
      const own = ranges.of(worker)
      await device.prepare(paperKernels)
      const plan = {
        batches: planArcBatches(graph, { first: own.low, end: own.high }, limits),
        arcBytes,
        deviceBytes: Infinity,
      }
      const trace = new Trace(false)
      const store = new ArcStore(device, graph, arcBytes, trace)
      const { bounds } = ranges
      const common = { graph: graph.handle, bounds, shared, batches, budgetBytes: Infinity, traced: false }
      const task = {
        ...common,
        ...shareSums(workers),
        before: undefined,
        threads: 1,
        device: device.facts.id,
        worker,
      }
      const { outcome } = await computeStatus({
        ...{ task, device, graph, plan, store, trace, job: quietJob, ...own, workers },
        ready: () => barrier.arrive(),
        pause: () => Promise.resolve(),
        arrive: () => barrier.arrive(),
        sum: () => Promise.reject(new Error('no sums here')),
        isDue: () => 0,
        keep: () => {},
      })
      store.release()
      return outcome
    }
    const made = await Promise.all(
      localRanks(across).map(async (exchange) => {
        const firstOfRank = Array.from({ length: across + 1 }, (_, rank) => Math.floor((rank * workers) / across))
        const shared = { ...sharePaperBuffers(vertices, workers, bufferWords, firstOfRank), ranks, seed }
        const first = firstOfRank[exchange.rank]!
        const each = firstOfRank[exchange.rank + 1]! - first
        const here = new LocalBarrier(each)
        const outcomes = await Promise.all(
          Array.from({ length: each }, (_, i) => {
            const of = i === 0 ? exchange : undefined
            return compute(first + i, shared, across === 1 ? here : new RankBarrier(here, shared, of))
          }),
        )
        await gatherStates(shared, exchange)
        const members = new Set<number>()
        for (let v = 0; v < vertices; v++) if (stateOf(shared.states, v) === IN) members.add(v)
        return { members, outcomes }
      }),
    )
    return { members: made.map(({ members }) => members), outcomes: made.flatMap(({ outcomes }) => outcomes) }
  } finally {
    graph.close()
  }
}
