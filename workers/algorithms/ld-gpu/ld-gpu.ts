/**
 * LD-GPU (Mandulak, Ghosh, Ferdous, Halappanavar, Slota, SC 2024) as an Algorithm: a locally dominant matching, which weighs at least half of
 * the best one. `--method ordered` keeps the best neighbours of each vertex (match-on-device.ts, match-on-hosts.ts); `rescan` is the paper's own
 * protocol (reproductions/ld-gpu). Here are the choice between them, checkpoints, estimates (plan-match.ts) and the record of a run;
 * improve-matching.ts follows.
 */

import type { JobContext } from '../../base/job.ts'
import type { DeviceFacts, RunArgs, RunPlan } from '../../contract/jobs.ts'
import { type Exchange, broadcast } from '../../exchange/exchange.ts'
import { type EdgeOrder, edgeOrderName } from '../../graph/edge-order.ts'
import type { GaloisGr } from '../../graph/galois-gr.ts'
import { Matching } from '../../graph/matching.ts'
import { keyedOrder, requireWeights } from '../../graph/scan-lists.ts'
import { warmThreads } from '../../threads/thread-pool.ts'
import { verifyMatching } from '../../verify/verify-matching.ts'
import {
  budgetsOf,
  type PlanEstimate,
  type PlanRequest,
  attempt,
  boundless,
  estimateOf,
  knownBytes,
  runPlanOf,
  withWeights,
} from '../plan-request.ts'
import { type Algorithm, type Answer, type AnswerRecord, type Run, answerElsewhere } from '../algorithm.ts'
import { Checkpoint } from '../checkpoint.ts'
import { matchingQuality } from '../quality/quality-option.ts'
import { computeRescan, estimateRescan, planRescanExactly, rescanPlan } from '../reproductions/ld-gpu/rescan.ts'
import { isTraced, percent, reportsOfRanks, workerFigures, workerSeries } from '../worker-report.ts'
import { matchKernels } from './device-matching.ts'
import {
  type MatchCheckpoint,
  withSearchBound,
  completedBefore,
  improveMatching,
  improvingBytes,
  improvingPasses,
  withImprovedMatching,
} from '../quality/improve-matching.ts'
import { computeMatching } from './match-on-device.ts'
import { type ComputedMatching, type MatchRequest, type MatchState, orderOf, orderParams } from './match-setup.ts'
import { type MatchingTotals, totalsOf } from '../matching-totals.ts'
import {
  CANDIDATES,
  type MatchPlan,
  type MatchSize,
  type MatchWishes,
  listsBytes,
  planMatch,
  planPasses,
  planSlice,
  usefulDevices,
} from './plan-match.ts'

/** LD-GPU (SC 2024): a locally dominant matching, by the best neighbours of each vertex or by the paper's scans of all. */
export const ldGpu: Algorithm = {
  requireOptions: (options) => void matchingQuality(options),
  plan: (request) => {
    const found = isRescan(request.options) ? estimateRescan(request) : estimateMatching(request)
    const { weights } = orderOf(request.options, request.size)
    return weights === 'column' ? withWeights(found, request, requireWeights) : found
  },
  worksAcross: (options) => !isRescan(options),
  planExactly: (request) => (isRescan(request.options) ? planRescanExactly(request) : undefined),
  improvePasses: improvingPasses,
  improveBytes: improvingBytes,
  severalGpus: 'useful',
  kernels: (args, graph) =>
    isRescan(args) ? [] : Object.values(matchKernels(CANDIDATES, orderParams(orderOf(args, graph), graph.file))),
  compute: computeMatchingRun,
}

const isRescan = ({ method }: Pick<RunArgs, 'method'>): boolean => method === 'rescan'

async function computeMatchingRun(run: Run, job: JobContext): Promise<Answer> {
  const { args, graph, exchange } = run
  const order = orderOf(args, graph)
  if (order.weights === 'column') requireWeights(graph)
  const checkpoint = checkpointOf(args, graph, order)
  const found = await (isRescan(args) ? byRescan : byCandidates)(run, order, checkpoint, job)
  const { computed } = found
  const { matching } = computed
  await run.checked()
  if (exchange !== undefined && exchange.rank > 0) return answerElsewhere(computed.workers)
  const improved = improveMatching(run, computed, order, checkpoint, job)
  const dominant = matchingQuality(args).rounds === 0
  const summing = totalsOf(graph, matching, order, job)
  // Writing the result may fail before the record awaits it.
  summing.catch(() => {})
  return {
    bytes: new Uint8Array(matching.mates.buffer, matching.mates.byteOffset, matching.mates.byteLength),
    workers: computed.workers,
    record: async () => withImprovedMatching(recordOf(run, found, order, await summing), args, improved),
    verify: async () =>
      withSearchBound(await verifyMatching(graph, run.labels(), { matching, order, dominant }, job), args, improved),
    checkpoint,
  }
}

function checkpointOf(args: RunArgs, { vertices }: GaloisGr, order: EdgeOrder): MatchCheckpoint | undefined {
  const { method = 'ordered', quality = 'fast', objective = 'weight' } = args
  return Checkpoint.of(args, {
    order: `${method}-${edgeOrderName(order)}-${quality}${objective === 'weight' ? '' : `-${objective}`}`,
    vertices,
  })
}

interface Found {
  readonly computed: ComputedMatching
  readonly plan: RunPlan
}

type Compute = (run: Run, order: EdgeOrder, checkpoint: MatchCheckpoint | undefined, job: JobContext) => Promise<Found>

/** Called when all is prepared. `start`: undefined where the run starts anew, or has no rounds left. */
function roundsOf(checkpoint: MatchCheckpoint | undefined): Pick<MatchRequest, 'start' | 'checkpointer'> {
  const { parts, notes } = checkpoint?.start() ?? {}
  const checkpointer = checkpoint && {
    isDue: () => checkpoint.isDue(false),
    keep: ({ pointers, open, arcs }: MatchState) => checkpoint.write([pointers], { open, arcs }),
  }
  if (notes === undefined || notes.made !== undefined) return { start: undefined, checkpointer }
  return { start: { pointers: parts![0]!, open: notes.open, arcs: notes.arcs }, checkpointer }
}

const byCandidates: Compute = async (run, asked, checkpoint, job) => {
  const { args, graph, device: lead, exchange } = run
  const order = keyedOrder(asked, graph)
  const { vertices, arcs } = graph
  const size = { vertices, arcs, readsWeights: order.weights === 'column', values: graph.file.values }
  const plan = exchange === undefined ? planOfProcess(run, size, job) : await planOfRank(run, exchange, size)
  warmThreads(plan.threads - 1)
  const request = { graph, order, plan, lead, traced: isTraced(args), exchange, ...roundsOf(checkpoint) }
  const before = completedBefore(checkpoint)
  const isBefore = Uint32Array.of(before === undefined ? 0 : 1)
  // A matching that another attempt completed: no rank has anything to do.
  const [isComplete] = exchange === undefined ? isBefore : await broadcast(exchange, isBefore)
  const computed = isComplete === 1 ? (before ?? NOTHING) : await computeMatching(request, job)
  const workers = await reportsOfRanks(exchange, computed.workers)
  return { computed: { ...computed, workers }, plan: runPlanOf(graph, plan) }
}

function planOfProcess({ args, devices }: Run, size: MatchSize, job: JobContext): MatchPlan {
  const useful = usefulDevices(size, args, devices)
  if (useful.length < devices.length)
    job.log(`${useful[0]!.id} holds the whole graph: it computes alone; more partitions share the work all the same.`)
  return planMatch(size, args, useful)
}

/** All ranks: GPUs scan lists; the rounds are done by the first one's GPU, else by the processors of all. */
async function planOfRank({ args, devices }: Run, exchange: Exchange, size: MatchSize): Promise<MatchPlan> {
  const forFirst = planPasses(size, args, devices, exchange.ranks)
  const agreed = await exchange.gather(Uint32Array.of(forFirst === undefined ? 0 : 1)).result()
  const doesAll = agreed.every(([has]) => has === 1)
  return doesAll ? forFirst! : planSlice(size, exchange.ranks, args, devices)
}

const NOTHING: ComputedMatching = {
  matching: new Matching(new Uint32Array(0)),
  ...{ workers: [], passes: 0, open: [], arcs: [], prepareMs: 0, computeMs: 0 },
}

const byRescan: Compute = async (run, order, checkpoint, job) => {
  // Of all workers: which of them runs out of memory first depends on timing.
  const plan = rescanPlan(run, order)
  const rounds = roundsOf(checkpoint)
  return { computed: completedBefore(checkpoint) ?? (await computeRescan(run, order, rounds, job)), plan }
}

function recordOf(
  { args, graph }: Run,
  { computed, plan }: Found,
  order: EdgeOrder,
  { pairs, weight, hash }: MatchingTotals,
): AnswerRecord {
  const { workers, open, arcs, passes, prepareMs, computeMs } = computed
  const { devices, time, bytes } = workerFigures(workers)
  const scanned = arcs.reduce((all, each) => all + each, 0)
  return {
    devices,
    options: {
      method: args.method ?? 'ordered',
      weights: order.weights,
      ties: order.ties,
      seed: order.seed,
      threshold: order.threshold ?? null,
      workers: workersText(args, workers.length),
      batches: plan.batches,
      memoryBytes: args.memoryBytes ?? null,
    },
    result: { kind: 'matching', pairs, weight, hash },
    rounds: open.length,
    roundCounts: open.map((_, i) => ({ round: i + 1, undecided: open[i + 1] ?? 0 })),
    counters: {
      mmeps: time.kernelMs === 0 ? 0 : pairs / time.kernelMs / 1000,
      arcsTouched: scanned,
      workers: workers.length,
      arcsTouchedPercent: percent(scanned, plan.arcs),
      readPercent: percent(bytes.read, graph.file.bytes),
    },
    series: [
      { name: 'open vertices', unit: '', values: [...open] },
      { name: 'arcs touched', unit: '', values: [...arcs] },
      ...workerSeries(workers),
    ],
    time: { prepareMs, computeMs, ...time },
    bytes,
    passes,
    plan,
  }
}

/** Their number, and why they are fewer than the devices. */
function workersText({ device, partitions }: RunArgs, workers: number): string | number {
  const devices = device.split(',').length
  return partitions === undefined && workers < devices ? `1 of ${devices}: one device holds everything` : workers
}

/** A matching by the best neighbours of each vertex: the plan of a run follows from the size of its graph. */
export function estimateMatching(request: PlanRequest): PlanEstimate {
  const { options, size: graph, devices } = request
  const { vertices, arcs, values, whole } = graph
  const size = { vertices, arcs, readsWeights: orderOf(options, graph).weights === 'column', values }
  const useful = whole === undefined ? usefulDevices(size, options, devices) : devices
  const planOn = (wishes: MatchWishes, on: readonly DeviceFacts[]): MatchPlan => {
    if (whole === undefined) return planMatch(size, wishes, on)
    const all = { ...size, ...whole }
    return planPasses(all, wishes, on, whole.ranks) ?? planSlice(all, whole.ranks, wishes, on)
  }
  const tried = attempt(() => planOn(options, useful))
  // What is refused for its memory would take this much.
  const plan = tried.plan ?? planOn({ batches: options.batches }, useful.map(boundless))
  const budgets = budgetsOf(useful, options.memoryBytes)
  const shareBytes = 8 * vertices + listsBytes(size)
  const holds = plan.keepsLists ? 'share' : 'nothing'
  const lanes = plan.workers.map(({ device, deviceBytes }, worker) => {
    return { device, shareBytes, holds, deviceBytes, availableBytes: knownBytes(budgets[worker]!) } as const
  })
  const planned = { ...runPlanOf(size, plan), lanes, resident: plan.keepsLists }
  const found = estimateOf({ ...request, devices: useful }, planned, 4 * vertices, tried.refusal)
  return { ...found, why: useful.length < devices.length ? aloneWords(useful[0]!.id) : undefined }
}

const aloneWords = (id: string): string =>
  `uses ${id} alone: it holds the whole graph, and others would only wait for it; several partitions share the work all the same`
