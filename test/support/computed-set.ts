import type { Checkpointer } from '../../workers/algorithms/checkpoint.ts'
import { computeSet } from '../../workers/algorithms/ecl-mis/compute-set.ts'
import type { ResidualLimits } from '../../kernels/mis/host-kernels.ts'
import type { ComputedSet } from '../../workers/algorithms/one-pass-set.ts'
import { planSet } from '../../workers/algorithms/ecl-mis/plan-set.ts'
import { CpuDevice, cpuFacts } from '../../workers/device/cpu-device.ts'
import type { Device } from '../../workers/device/device.ts'
import type { Exchange } from '../../workers/exchange/exchange.ts'
import { GaloisGr } from '../../workers/graph/galois-gr.ts'
import { type JobContext, quietJob } from '../../workers/base/job.ts'
import type { Priority } from '../../workers/contract/jobs.ts'

export interface SetCase {
  readonly priority: Priority
  readonly seed?: number
  readonly column?: Float64Array | undefined
  readonly batches?: number | undefined
  readonly memoryBytes?: number | undefined
  /** Threads of each processor; absent: as the plan says. */
  readonly threads?: number | undefined
  /** What each worker may keep; absent: as the plan says. */
  readonly limits?: ResidualLimits | undefined
  /** How far a list may reach behind its piece; absent: as far as the plan counts. */
  readonly reachBytes?: number | undefined
  readonly initial?: Uint32Array | undefined
  readonly checkpointer?: Checkpointer<Uint32Array> | undefined
  readonly exchange?: Exchange | undefined
}

/**
 * The set of a graph in a file, as a run computes it.
 * @param devices of each worker: "cpu:0", or the leading one open
 */
export async function computedSet(
  path: string,
  devices: readonly (string | Device)[],
  wanted: SetCase,
  job: JobContext = quietJob,
): Promise<ComputedSet> {
  const graph = GaloisGr.open(path)
  try {
    const { column, seed = 0, threads, limits, reachBytes, priority, checkpointer, exchange } = wanted
    const facts = devices.map((device) => (typeof device === 'string' ? cpuFacts(device) : device.facts))
    const size = { ...graph.file, weighted: graph.weighted, hasColumn: priority === 'column' }
    const plan = planSet(size, wanted, facts)
    const workers = plan.workers.map((worker) => ({
      ...worker,
      threads: worker.layout === undefined ? (threads ?? worker.threads) : 0,
      limits: { ...(limits ?? worker.limits), reachBytes },
      layout: worker.layout && { ...worker.layout, ...limits },
    }))
    const [first] = devices
    const lead = typeof first === 'object' ? first : new CpuDevice(first ?? 'cpu:0')
    const how = { initial: wanted.initial, traced: false, checkpointer, exchange }
    const request = { graph, priority, seed, column, lead, ...how }
    return await computeSet({ ...request, plan: { ...plan, workers } }, job)
  } finally {
    graph.close()
  }
}
