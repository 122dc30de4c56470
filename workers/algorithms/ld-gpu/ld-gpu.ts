import type { Device } from '../../device/device.ts'
import type { EdgeOrder } from '../../graph/edge-order.ts'
import { edgeOrderName } from '../../graph/edge-order.ts'
import type { GaloisGr } from '../../graph/galois-gr.ts'
import { requireWeights } from '../../graph/weighed-lists.ts'
import type { JobContext } from '../../base/job.ts'
import type { DeviceFacts, PlannedOptions, RunArgs, RunPlan } from '../../contract/jobs.ts'
import { warmThreads } from '../../threads/thread-pool.ts'
import { verifyMatching } from '../../verify/verify-matching.ts'
import type { Algorithm, Answer, Run } from '../algorithm.ts'
import { Checkpoint } from '../checkpoint.ts'
import type { GraphSize } from '../estimate.ts'
import { estimateRescan, planRescanExactly } from '../reproductions/ld-gpu/estimate-rescan.ts'
import { planRescan } from '../reproductions/ld-gpu/plan-rescan.ts'
import { computeRescan } from '../reproductions/ld-gpu/rescan-workers.ts'
import { isTraced } from '../write-traces.ts'
import { augment } from './augment.ts'
import { augmentRounds } from './augment-option.ts'
import type { ComputedMatching, MatchState } from './match-request.ts'
import { computeMatching } from './compute-matching.ts'
import { matchKernels } from './device-matching.ts'
import { orderOf } from './edge-order-of-run.ts'
import { estimateMatching, weightsRefusal } from './estimate-matching.ts'
import type { MatchCheckpoint } from './made-matching.ts'
import { augmentedBefore, checkpointCompleted, checkpointerOf, completedBefore, startOf } from './made-matching.ts'
import { matchRecord } from './match-outcome.ts'
import { orderParams } from './match-setup.ts'
import { totalsOf } from './matching-totals.ts'
import type { MatchPlan } from './plan-match.ts'
import { CANDIDATES, planMatch, usefulDevices } from './plan-match.ts'

/** LD-GPU (SC 2024): a locally dominant matching, by the best neighbours of each vertex or by the paper's scans of all. */
export const ldGpu: Algorithm = {
  requireOptions: ({ quality }) => void augmentRounds(quality),
  plan: (request) => {
    const found = isRescan(request.options) ? estimateRescan(request) : estimateMatching(request)
    return { ...found, refusal: weightsRefusal(request) ?? found.refusal }
  },
  planExactly: (request) => (isRescan(request.options) ? planRescanExactly(request) : undefined),
  improvePasses: augmentPasses,
  severalGpus: 'useful',
  kernels: (args, graph) =>
    isRescan(args) ? [] : Object.values(matchKernels(CANDIDATES, orderParams(orderOf(args, graph), graph.file))),
  compute: computeMatchingRun,
}

const isRescan = ({ method }: Pick<RunArgs, 'method'>): boolean => method === 'rescan'

/** A matching that was computed, and what was planned. */
interface Made {
  readonly computed: ComputedMatching
  readonly plan: RunPlan
}

async function computeMatchingRun(run: Run, job: JobContext): Promise<Answer> {
  const { args, graph, device, devices } = run
  const rounds = augmentRounds(args.quality)
  const order = orderOf(args, graph)
  if (order.weights === 'column') requireWeights(graph)
  const checkpoint = checkpointOf(args, graph, order)
  const make = isRescan(args) ? byRescan : byCandidates
  const { computed, plan } = await make(args, graph, device, devices, order, checkpoint, job)
  const { matching } = computed
  await run.checked()
  const from = augmentedBefore(checkpoint)
  if (from === undefined) checkpointCompleted(checkpoint, computed)
  const augmentation =
    rounds === 0
      ? undefined
      : augment(graph, matching, order, rounds, job, from, (state) => checkpointCompleted(checkpoint, computed, state))
  const summing = totalsOf(graph, matching, order, job)
  // The result may not be written; the record waits for it.
  summing.catch(() => {})
  const made = { computed, plan, order, augmentation, graph }
  return {
    bytes: new Uint8Array(matching.mates.buffer, matching.mates.byteOffset, matching.mates.byteLength),
    workers: computed.workers,
    record: async () => matchRecord(args, { ...made, totals: await summing }),
    verify: () => verifyMatching(graph, run.labels(), { matching, order, dominant: rounds === 0 }, job),
    checkpoint,
  }
}

/** At most: one that weighs where weights are stored, as many as asked for, and one that completes. */
function augmentPasses(options: PlannedOptions, size: GraphSize): number {
  const rounds = augmentRounds(options.quality)
  if (rounds === 0) return 0
  return rounds + 1 + (orderOf(options, size).weights === 'column' ? 1 : 0)
}

/** What a matching depends on is named: a checkpoint of another order means nothing. */
function checkpointOf(args: RunArgs, { vertices }: GaloisGr, order: EdgeOrder): MatchCheckpoint | undefined {
  const { checksum: graph, method = 'ordered', quality = 'fast' } = args
  return Checkpoint.of(args, { graph, order: `${method}-${edgeOrderName(order)}-${quality}`, tiles: '', vertices })
}

type Make = (
  args: RunArgs,
  graph: GaloisGr,
  device: Device,
  devices: readonly DeviceFacts[],
  order: EdgeOrder,
  checkpoint: MatchCheckpoint | undefined,
  job: JobContext,
) => Promise<Made>

/** What rounds go on from, and how they are kept; called when all is prepared. */
function stepsOf(checkpoint: MatchCheckpoint | undefined): {
  readonly start: MatchState | undefined
  readonly checkpointer: ReturnType<typeof checkpointerOf> | undefined
} {
  checkpoint?.start()
  return { start: startOf(checkpoint), checkpointer: checkpoint && checkpointerOf(checkpoint) }
}

const byCandidates: Make = async (args, graph, lead, devices, order, checkpoint, job) => {
  const { vertices, arcs } = graph
  const size = { vertices, arcs, readsWeights: order.weights === 'column' }
  const useful = usefulDevices(size, args, devices)
  if (useful.length < devices.length)
    job.log(
      `${useful[0]!.id} holds the whole graph: it computes alone. Give --partitions to share the work all the same.`,
    )
  const plan = planMatch(size, args, useful)
  warmThreads(plan.threads - 1)
  const request = { graph, order, plan, lead, traced: isTraced(args), ...stepsOf(checkpoint) }
  const computed = completedBefore(checkpoint) ?? (await computeMatching(request, job))
  return { computed, plan: runPlanOf(graph, plan) }
}

const byRescan: Make = async (args, graph, device, devices, order, checkpoint, job) => {
  const workers = devices.map(({ id }) => id)
  const planned = planRescan(args, graph, order, devices)
  const run = { device, workers, graph, order, ...planned, traced: isTraced(args), ...stepsOf(checkpoint) }
  return { computed: completedBefore(checkpoint) ?? (await computeRescan(run, job)), plan: planned.plan }
}

/** What a run reports of its plan. */
function runPlanOf({ vertices, arcs }: GaloisGr, { units, workers, hostBytes }: MatchPlan): RunPlan {
  const deviceBytes = Math.max(...workers.map((worker) => worker.deviceBytes))
  return { vertices, arcs, batches: Math.max(1, units), hostBytes, deviceBytes }
}
