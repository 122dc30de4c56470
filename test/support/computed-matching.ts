import type { ComputedMatching, KeptRounds } from '../../workers/algorithms/computed-matching.ts'
import { computeMatching } from '../../workers/algorithms/ld-gpu/match-on-device.ts'
import type { MatchPlan } from '../../workers/algorithms/ld-gpu/match-setup.ts'
import { type MatchWishes, planMatch } from '../../workers/algorithms/ld-gpu/plan-match.ts'
import { CpuDevice, cpuFacts } from '../../workers/device/cpu-device.ts'
import type { Device } from '../../workers/device/device.ts'
import type { Exchange } from '../../workers/exchange/exchange.ts'
import { GaloisGr } from '../../workers/graph/galois-gr.ts'
import type { EdgeOrder } from '../../workers/graph/edge-order.ts'
import { type JobContext, quietJob } from '../../workers/base/job.ts'

export interface MatchingCase extends MatchWishes, Partial<KeptRounds> {
  readonly order: EdgeOrder
  /** Neighbours that a vertex keeps, and others, in place of what the plan says. */
  readonly candidates?: number
  readonly changed?: Partial<MatchPlan> | undefined
  readonly exchange?: Exchange | undefined
}

/**
 * The matching of a graph in a file, as a run computes it.
 * @param devices of each worker: "cpu:0", or the leading one open
 */
export async function computedMatching(
  path: string,
  devices: readonly (string | Device)[],
  { order, start, checkpointer, candidates, changed, exchange, ...wishes }: MatchingCase,
  job: JobContext = quietJob,
): Promise<ComputedMatching> {
  const graph = GaloisGr.open(path)
  try {
    const facts = devices.map((device) => (typeof device === 'string' ? cpuFacts(device) : device.facts))
    const { vertices, arcs, isPacked } = graph.file
    const plan = planMatch({ vertices, arcs, isPacked, readsWeights: order.weights === 'column' }, wishes, facts)
    const [first] = devices
    const lead = typeof first === 'object' ? first : new CpuDevice(first ?? 'cpu:0')
    return await computeMatching(
      {
        graph,
        order,
        plan: { ...plan, ...(candidates !== undefined && { candidates }), ...changed },
        lead,
        start,
        traced: false,
        checkpointer,
        exchange,
      },
      job,
    )
  } finally {
    graph.close()
  }
}

export const matesOf = ({ matching }: ComputedMatching): number[] =>
  Array.from(matching.mates, (mate) => (mate === 0xffffffff ? -1 : mate))
