/**
 * The answer of a locally dominant matching in rounds, by any method: the checkpoint before it, `--quality` after it (quality/improve-matching.ts),
 * the totals, the record, and how it is verified. A method plans and computes: ld-gpu/ keeps the best neighbours of each vertex, and
 * reproductions/ld-gpu/ scans all lists in each round, as the paper does. set-answer.ts is the same for sets.
 */

import type { JobContext } from '../base/job.ts'
import type { RunArgs, RunPlan } from '../contract/jobs.ts'
import { broadcast } from '../exchange/exchange.ts'
import { type EdgeOrder, edgeOrderName, edgeOrderOf } from '../graph/edge-order.ts'
import type { GaloisGr } from '../graph/galois-gr.ts'
import { Matching } from '../graph/matching.ts'
import { requireWeights } from '../graph/scan-lists.ts'
import { verifyMatching } from '../verify/verify-matching.ts'
import { type Algorithm, type Answer, type AnswerRecord, type Run, answerElsewhere } from './algorithm.ts'
import { Checkpoint } from './checkpoint.ts'
import type { ComputedMatching, KeptRounds, MatchState } from './computed-matching.ts'
import { type MatchingTotals, totalsOf } from './matching-totals.ts'
import { type PlanEstimate, type PlanRequest, withWeights } from './plan-request.ts'
import {
  type MatchCheckpoint,
  completedBefore,
  improveMatching,
  improvingBytes,
  improvingPasses,
  withImprovedMatching,
  withSearchBound,
} from './quality/improve-matching.ts'
import { matchingQuality } from './quality/quality-option.ts'
import { percent, reportsOfRanks, workerRecord } from './worker-report.ts'

/** A way to compute a locally dominant matching: all of them find the same pairs. */
export interface MatchingMethod {
  /** The plan from the sizes of the graph alone. */
  estimate(request: PlanRequest): PlanEstimate
  /** The plan from the graph itself, where that says more; undefined for a file, and for very many lists. */
  planExactly?(request: PlanRequest): PlanEstimate | undefined
  /** The plan of a run, and what computes by it. @throws Failure (usage) where it does not fit */
  prepare(run: Run, order: EdgeOrder, job: JobContext): PreparedMatching | Promise<PreparedMatching>
}

/** A matching whose plan is made. */
interface PreparedMatching {
  readonly plan: RunPlan
  compute(rounds: KeptRounds): Promise<ComputedMatching>
}

/** An algorithm with several methods, of which `--method` chooses one. */
export function matchingBy(
  methods: Readonly<Record<'ordered' | 'rescan', MatchingMethod>>,
): Pick<Algorithm, 'requireOptions' | 'plan' | 'planExactly' | 'improvePasses' | 'improveBytes' | 'compute'> {
  const methodOf = ({ method }: Pick<RunArgs, 'method'>): MatchingMethod =>
    method === 'rescan' ? methods.rescan : methods.ordered
  return {
    requireOptions: (options) => void matchingQuality(options),
    plan: (request) => {
      const found = methodOf(request.options).estimate(request)
      const { weights } = edgeOrderOf(request.options, request.size)
      return weights === 'column' ? withWeights(found, request, requireWeights) : found
    },
    planExactly: (request) => methodOf(request.options).planExactly?.(request),
    improvePasses: improvingPasses,
    improveBytes: improvingBytes,
    compute: (run, job) => answerBy(methodOf(run.args), run, job),
  }
}

async function answerBy(method: MatchingMethod, run: Run, job: JobContext): Promise<Answer> {
  const { args, graph, exchange } = run
  const order = edgeOrderOf(args, graph)
  if (order.weights === 'column') requireWeights(graph)
  const checkpoint = checkpointOf(args, graph, order)
  const { plan, compute } = await method.prepare(run, order, job)
  const rounds = roundsOf(checkpoint)
  const before = completedBefore(checkpoint)
  const isBefore = Uint32Array.of(before === undefined ? 0 : 1)
  // A matching that another attempt completed: no rank has anything to do.
  const [isComplete] = exchange === undefined ? isBefore : await broadcast(exchange, isBefore)
  const found = isComplete === 1 ? (before ?? NOTHING) : await compute(rounds)
  const workers = await reportsOfRanks(exchange, found.workers)
  const computed = { ...found, workers }
  const { matching } = computed
  await run.checked()
  if (exchange !== undefined && exchange.rank > 0) return answerElsewhere(workers)
  const improved = improveMatching(run, computed, order, checkpoint, job)
  const dominant = matchingQuality(args).rounds === 0
  const summing = totalsOf(graph, matching, order, job)
  // Writing the result may fail before the record awaits it.
  summing.catch(() => {})
  return {
    bytes: new Uint8Array(matching.mates.buffer, matching.mates.byteOffset, matching.mates.byteLength),
    workers,
    record: async () => withImprovedMatching(recordOf(run, computed, plan, order, await summing), args, improved),
    verify: async () =>
      withSearchBound(await verifyMatching(graph, run.labels(), { matching, order, dominant }, job), args, improved),
    checkpoint,
  }
}

const NOTHING: ComputedMatching = {
  matching: new Matching(new Uint32Array(0)),
  workers: [],
  passes: 0,
  open: [],
  arcs: [],
  prepareMs: 0,
  computeMs: 0,
}

function checkpointOf(args: RunArgs, { vertices }: GaloisGr, order: EdgeOrder): MatchCheckpoint | undefined {
  const { method = 'ordered', quality = 'fast', objective = 'weight' } = args
  return Checkpoint.of(args, {
    order: `${method}-${edgeOrderName(order)}-${quality}${objective === 'weight' ? '' : `-${objective}`}`,
    vertices,
  })
}

/** Called when all is prepared. `start`: undefined where the run starts anew, or has no rounds left. */
function roundsOf(checkpoint: MatchCheckpoint | undefined): KeptRounds {
  const { parts, notes } = checkpoint?.start() ?? {}
  const checkpointer = checkpoint && {
    isDue: () => checkpoint.isDue(false),
    keep: ({ pointers, open, arcs }: MatchState) => checkpoint.write([pointers], { open, arcs }),
  }
  if (notes === undefined || notes.made !== undefined) return { start: undefined, checkpointer }
  return { start: { pointers: parts![0]!, open: notes.open, arcs: notes.arcs }, checkpointer }
}

function recordOf(
  { args, graph }: Run,
  { workers, open, arcs, passes, prepareMs, computeMs }: ComputedMatching,
  plan: RunPlan,
  order: EdgeOrder,
  { pairs, weight, hash }: MatchingTotals,
): AnswerRecord {
  const { devices, time, bytes, series } = workerRecord(workers)
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
      ...series,
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
