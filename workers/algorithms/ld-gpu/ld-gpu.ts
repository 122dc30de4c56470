import type { Device } from '../../device/device.ts'
import { type EdgeOrder, edgeOrderName } from '../../graph/edge-order.ts'
import type { GaloisGr } from '../../graph/galois-gr.ts'
import { requireWeights } from '../../graph/weighed-lists.ts'
import type { JobContext } from '../../base/job.ts'
import type { DeviceFacts, PlannedOptions, RunArgs, RunPlan } from '../../contract/jobs.ts'
import { warmThreads } from '../../threads/thread-pool.ts'
import { verifyMatching } from '../../verify/verify-matching.ts'
import type { Algorithm, Answer, AnswerRecord, Run } from '../algorithm.ts'
import { Checkpoint } from '../checkpoint.ts'
import type { GraphSize } from '../estimate.ts'
import { estimateRescan, planRescanExactly, planRescan } from '../reproductions/ld-gpu/plan-rescan.ts'
import { computeRescan } from '../reproductions/ld-gpu/rescan-workers.ts'
import { isTraced, workerFigures, workerSeries } from '../worker-report.ts'
import { type Augmentation, augment, augmentRounds } from './augment.ts'
import type { ComputedMatching, MatchState } from './match-request.ts'
import { computeMatching } from './compute-matching.ts'
import { matchKernels } from './device-matching.ts'
import { orderOf, orderParams } from './match-setup.ts'
import { type MatchPlan, estimateMatching, weightsRefusal, CANDIDATES, planMatch, usefulDevices } from './plan-match.ts'
import {
  type MatchCheckpoint,
  augmentedBefore,
  checkpointCompleted,
  checkpointerOf,
  completedBefore,
  startOf,
} from './match-checkpoint.ts'
import { type MatchingTotals, totalsOf } from './matching-totals.ts'

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
    job.log(`${useful[0]!.id} holds the whole graph: it computes alone; more partitions share the work all the same.`)
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

export interface FinishedMatching {
  readonly computed: ComputedMatching
  readonly plan: RunPlan
  readonly order: EdgeOrder
  readonly totals: MatchingTotals
  readonly augmentation: Augmentation | undefined
  readonly graph: GaloisGr
}

/** What the record of a matching says. */
export function matchRecord(
  args: RunArgs,
  { computed, plan, order, totals, augmentation, graph }: FinishedMatching,
): AnswerRecord {
  const { workers, open, arcs, passes, prepareMs, computeMs } = computed
  const { pairs, weight, hash } = totals
  const { devices, time, bytes } = workerFigures(workers)
  const looked = arcs.reduce((all, each) => all + each, 0)
  const share = (part: number, whole: number): number => (whole === 0 ? 0 : (100 * part) / whole)
  return {
    devices,
    options: {
      method: args.method ?? 'ordered',
      weights: order.weights,
      ties: order.ties,
      seed: order.seed,
      threshold: order.threshold ?? null,
      quality: args.quality ?? 'fast',
      workers: workersText(args, workers.length),
      batches: plan.batches,
      memoryBytes: args.memoryBytes ?? null,
    },
    result: { kind: 'matching', pairs, weight, hash },
    rounds: open.length,
    roundCounts: open.map((_, i) => ({ round: i + 1, undecided: open[i + 1] ?? 0 })),
    counters: {
      mmeps: time.kernelMs === 0 ? 0 : pairs / time.kernelMs / 1000,
      arcsTouched: looked,
      workers: workers.length,
      arcsTouchedPercent: share(looked, plan.arcs),
      readPercent: share(bytes.read, graph.file.bytes),
      ...augmentCounters(augmentation),
    },
    series: [
      { name: 'open vertices', unit: '', values: [...open] },
      { name: 'arcs touched', unit: '', values: [...arcs] },
      ...workerSeries(workers),
    ],
    time: { prepareMs, computeMs, ...time },
    bytes,
    passes: passes + (augmentation?.passes ?? 0),
    plan,
  }
}

/** How many workers there were, and why fewer than devices. */
function workersText({ device, partitions }: RunArgs, workers: number): string | number {
  const devices = device.split(',').length
  return partitions === undefined && workers < devices ? `1 of ${devices}: one device holds everything` : workers
}

function augmentCounters(augmentation: Augmentation | undefined): Record<string, number> {
  if (augmentation === undefined) return {}
  const { gain, swaps, elapsedMs } = augmentation
  return { augmentGain: gain, augmentSwaps: swaps, augmentMs: elapsedMs }
}
