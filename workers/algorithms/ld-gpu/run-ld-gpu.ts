import { openDevice } from '../../device/open-device.ts'
import type { Device } from '../../device/device.ts'
import type { EdgeOrder } from '../../graph/edge-order.ts'
import { edgeOrderName } from '../../graph/edge-order.ts'
import type { GaloisGr } from '../../graph/galois-gr.ts'
import { openLabels } from '../../graph/labels.ts'
import { removeResult, writeResult } from '../../graph/result-file.ts'
import { requireWeights } from '../../graph/weighed-lists.ts'
import type { JobContext } from '../../base/job.ts'
import type { DeviceFacts, RunArgs, RunOutcome, RunPlan } from '../../contract/jobs.ts'
import { warmThreads } from '../../threads/thread-pool.ts'
import { verifyMatching } from '../../verify/verify-matching.ts'
import { Checkpoint } from '../checkpoint.ts'
import { factsOf, requirePlanned } from '../plan.ts'
import { planRescan } from '../reproductions/ld-gpu/plan-rescan.ts'
import { computeRescan } from '../reproductions/ld-gpu/rescan-workers.ts'
import { openRunGraph } from '../run-graph.ts'
import { workersOf } from '../workers-of-run.ts'
import { isTraced, writeTraces } from '../write-traces.ts'
import { augment } from './augment.ts'
import { augmentRounds } from './augment-option.ts'
import type { ComputedMatching, MatchState } from './match-request.ts'
import { computeMatching } from './compute-matching.ts'
import { matchKernels } from './device-matching.ts'
import { orderOf } from './edge-order-of-run.ts'
import type { MatchCheckpoint } from './made-matching.ts'
import { augmentedBefore, keepMade, keeperOf, madeBefore, startOf } from './made-matching.ts'
import { matchOutcome } from './match-outcome.ts'
import { orderParams } from './match-setup.ts'
import { totalsOf } from './matching-totals.ts'
import type { MatchPlan } from './plan-match.ts'
import { CANDIDATES, planMatch, usefulDevices } from './plan-match.ts'

/** A matching that was computed, and what was planned. */
interface Made {
  readonly computed: ComputedMatching
  readonly plan: RunPlan
}

/** LD-GPU from a dataset to a verified matching: plans, computes, stores the mates, verifies. */
export async function runLdGpu(args: RunArgs, job: JobContext): Promise<RunOutcome> {
  const startMs = performance.now()
  const rounds = augmentRounds(args.quality)
  const workers = workersOf(args)
  const opening = openDevice(workers[0]!)
  // It may fail while the graph is opened; who waits for it hears of it.
  opening.catch(() => {})
  const { graph, checked } = openRunGraph(args, job)
  let device: Device | undefined
  try {
    if (args.method !== 'rescan') {
      const kernels = matchKernels(CANDIDATES, orderParams(orderOf(args, graph), graph.file))
      opening.then((opened) => opened.prepare(Object.values(kernels))).catch(() => {})
    }
    device = await opening
    const devices = await factsOf(workers, device.facts, args.memoryBytes)
    requirePlanned(args, devices, graph)
    const order = orderOf(args, graph)
    if (order.weights === 'column') requireWeights(graph)
    const checkpoint = checkpointOf(args, graph, order)
    const make = args.method === 'rescan' ? byRescan : byCandidates
    const { computed, plan } = await make(args, graph, device, devices, order, checkpoint, job)
    const { matching } = computed
    await checked()
    const from = augmentedBefore(checkpoint)
    if (from === undefined) keepMade(checkpoint, computed)
    const augmentation =
      rounds === 0
        ? undefined
        : augment(graph, matching, order, rounds, job, from, (state) => keepMade(checkpoint, computed, state))
    const summing = totalsOf(graph, matching, order, job)
    // The result may not be written; who waits for both hears of it.
    summing.catch(() => {})
    writeResult(args.resultFile, new Uint8Array(matching.mates.buffer))
    writeTraces(args, computed.workers)
    const totals = await summing
    const totalMs = performance.now() - startMs
    const claim = { matching, order, dominant: rounds === 0 }
    const verification = args.verify
      ? await verifyMatching(graph, openLabels(args.folder, graph.vertices), claim, job)
      : null
    // Not before: a run that is interrupted while it is verified need not be computed again.
    checkpoint?.remove()
    const outcome = matchOutcome(args, { computed, plan, order, totals, augmentation, graph }, totalMs)
    return { ...outcome, verification, resumed: checkpoint?.resumed }
  } catch (error) {
    removeResult(args.resultFile)
    throw error
  } finally {
    device?.close()
    graph.close()
  }
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
  readonly keeper: ReturnType<typeof keeperOf> | undefined
} {
  checkpoint?.start()
  return { start: startOf(checkpoint), keeper: checkpoint && keeperOf(checkpoint) }
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
  const computed = madeBefore(checkpoint) ?? (await computeMatching(request, job))
  return { computed, plan: runPlanOf(graph, plan) }
}

const byRescan: Make = async (args, graph, device, devices, order, checkpoint, job) => {
  const workers = devices.map(({ id }) => id)
  const planned = planRescan(args, graph, order, devices)
  const run = { device, workers, graph, order, ...planned, traced: isTraced(args), ...stepsOf(checkpoint) }
  return { computed: madeBefore(checkpoint) ?? (await computeRescan(run, job)), plan: planned.plan }
}

/** What a run reports of its plan. */
function runPlanOf({ vertices, arcs }: GaloisGr, { units, workers, hostBytes }: MatchPlan): RunPlan {
  const deviceBytes = Math.max(...workers.map((worker) => worker.deviceBytes))
  return { vertices, arcs, batches: Math.max(1, units), hostBytes, deviceBytes }
}
