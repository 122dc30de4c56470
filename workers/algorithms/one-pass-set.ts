/**
 * A maximal independent set in one pass over the file, as an Algorithm: what comes before the pass (lists, states to start from, the plan, the
 * threads) and after it (the figures of all ranks, the checkpoint, the record). ecl-mis/ plans and computes; mg-mis/ is the same with several
 * devices. set-answer.ts improves and verifies, and matching-answer.ts is the same for matchings.
 */

import type { AnyKernel } from '../../kernels/kernel.ts'
import { pieceSums } from '../../kernels/memory/piece-sums.ts'
import type { JobContext } from '../base/job.ts'
import type { DeviceFacts, PlannedOptions, Priority, RunArgs } from '../contract/jobs.ts'
import type { GaloisGr } from '../graph/galois-gr.ts'
import type { HostStates } from '../graph/host-states.ts'
import type { VertexSet } from '../graph/vertex-set.ts'
import { warmThreads } from '../threads/thread-pool.ts'
import { type Algorithm, type Answer, type AnswerRecord, type Run, answerElsewhere } from './algorithm.ts'
import type { Checkpointer } from './checkpoint.ts'
import { type PlanEstimate, type PlanRequest, type UnitPlan, estimateByUnits, runPlanOf } from './plan-request.ts'
import type { RankStates } from './residual/rank-states.ts'
import {
  beginSet,
  improvePasses,
  requirePriority,
  requireSetOptions,
  setAnswer,
  setCheckpointer,
  setResult,
} from './set-answer.ts'
import { type WorkerReport, isTraced, percent, reportsOfRanks, workerRecord } from './worker-report.ts'

/** The size of a graph whose set is planned. */
export interface SetSize {
  readonly vertices: number
  readonly arcs: number
  /** Weights are stored behind the lists, and read where they share a piece. */
  readonly weighted: boolean
  readonly isPacked?: boolean | undefined
  /** Values stand behind the weights, and are read where they share a piece. */
  readonly values?: { readonly fileBytes: number } | undefined
  readonly hasColumn: boolean
}

/** A set to compute, planned and with its graph open. */
export interface SetRequest<Plan> extends Pick<Run, 'graph' | 'exchange'> {
  readonly priority: Priority
  readonly seed: number
  readonly column?: Float64Array | undefined
  readonly plan: Plan
  /** The first worker's device, open; unused where that is a processor. */
  readonly lead: Run['device']
  /** States to start from, two bits a vertex; undefined: all undecided. */
  readonly initial: Uint32Array | undefined
  readonly traced: boolean
  /** The checkpointer of states, two bits a vertex. */
  readonly checkpointer: Checkpointer<Uint32Array> | undefined
}

/** A set that workers computed, and their figures. */
export interface ComputedSet {
  readonly states: HostStates
  /** Reports in the order of the plan. */
  readonly workers: readonly WorkerReport[]
  readonly passes: number
  readonly sweeps: number
  /** Vertices of the serial finish. */
  readonly finished: number
  readonly prepareMs: number
  readonly computeMs: number
  /** What was exchanged with other ranks. */
  readonly ranks?: Pick<RankStates, 'rounds' | 'listBytes' | 'wholeBytes' | 'roundBytes'> | undefined
}

/** How a set is planned, from the sizes of the graph alone, and computed. */
export interface OnePass<Plan> {
  readonly kernels: readonly AnyKernel[]
  plan(size: SetSize, wishes: Pick<PlannedOptions, 'batches' | 'memoryBytes'>, devices: readonly DeviceFacts[]): Plan
  compute(request: SetRequest<Plan>, job: JobContext): Promise<ComputedSet>
}

/** What an algorithm adds to the record. */
interface OnePassExtras {
  readonly options?: AnswerRecord['options']
  readonly counters?: (bytes: AnswerRecord['bytes'], graph: GaloisGr) => AnswerRecord['counters']
}

interface PassPlan extends UnitPlan {
  readonly workers: readonly (UnitPlan['workers'][number] & { readonly threads: number })[]
}

export const setInOnePass = <Plan extends PassPlan>(pass: OnePass<Plan>, extras: OnePassExtras = {}): Algorithm => ({
  requireOptions: requireSetOptions,
  plan: (request) => estimate(pass, request),
  worksAcross: () => true,
  improvePasses,
  severalGpus: 'needless',
  kernels: () => [...pass.kernels, pieceSums],
  compute: (run, job) => compute(pass, run, extras, job),
})

function estimate(pass: OnePass<PassPlan>, request: PlanRequest): PlanEstimate {
  const { vertices, arcs, weighted, values, isPacked } = request.size
  const size = { vertices, arcs, weighted, values, isPacked, hasColumn: request.options.priority === 'column' }
  const shown = { shareBytes: 8 * vertices + 4 * arcs, resultBytes: Math.ceil(vertices / 8) }
  return estimateByUnits(request, (wishes, on) => pass.plan(size, wishes, on), shown)
}

async function compute<Plan extends PassPlan>(
  pass: OnePass<Plan>,
  run: Run,
  extras: OnePassExtras,
  job: JobContext,
): Promise<Answer> {
  const { args, graph, device: lead, devices, exchange } = run
  const { seed } = args
  const priority = requirePriority(args.priority)
  const size = { ...graph.file, weighted: graph.weighted, hasColumn: priority === 'column' }
  const plan = pass.plan(size, args, devices)
  warmThreads(plan.workers.reduce((sum, { threads }) => sum + threads, 0) - 1)
  const { lists, checkpoint, initial } = await beginSet(run)
  const { column } = lists
  const checkpointer = checkpoint && setCheckpointer(checkpoint, false)
  const traced = isTraced(args)
  const request = { graph, priority, seed, column, plan, lead, initial, traced, checkpointer, exchange }
  const found = await pass.compute(request, job)
  await run.checked()
  const { states } = found
  const workers = await reportsOfRanks(exchange, found.workers)
  if (checkpoint?.isDue(true) === true && !checkpoint.kept?.notes) checkpoint.write([states.packed()], null)
  const record = (set: VertexSet): AnswerRecord =>
    recordOf(args, priority, graph, set, { ...found, workers }, plan, extras)
  if (exchange !== undefined && exchange.rank > 0) return answerElsewhere(workers)
  return setAnswer(run, { set: states.members(), lists, checkpoint, workers, record }, job)
}

function recordOf(
  { seed, memoryBytes }: RunArgs,
  priority: Priority,
  graph: GaloisGr,
  set: VertexSet,
  { workers, passes, sweeps, finished, prepareMs, computeMs, ranks }: ComputedSet,
  planned: UnitPlan,
  { options = {}, counters = () => ({}) }: OnePassExtras,
): AnswerRecord {
  const { devices, time, bytes, series } = workerRecord(workers)
  const plan = runPlanOf(graph, planned)
  return {
    devices,
    options: { priority, seed, batches: plan.batches, memoryBytes: memoryBytes ?? null, ...options },
    result: setResult(set),
    rounds: passes + sweeps,
    roundCounts: [{ round: passes + sweeps, undecided: finished }],
    counters: {
      ...counters(bytes, graph),
      readPercent: percent(bytes.read, graph.file.bytes),
      finished,
      ...(ranks && { rankRounds: ranks.rounds, listBytes: ranks.listBytes, wholeBytes: ranks.wholeBytes }),
    },
    series: [
      ...series,
      ...(ranks === undefined
        ? []
        : [{ name: 'taken by rank 0', of: 'round' as const, unit: 'bytes', values: [...ranks.roundBytes] }]),
    ],
    time: { prepareMs, computeMs, ...time },
    bytes,
    passes,
    plan,
  }
}
