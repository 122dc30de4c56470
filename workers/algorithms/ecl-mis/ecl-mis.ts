/**
 * ECL-MIS (Burtscher, Devale, Azimi, Jaiganesh, Powers, TOPC 2018) as an Algorithm: here are its options, plan and record, and the way from a
 * run to a set and back; compute-set.ts is the algorithm. Read that first, then finish-set.ts, then either processors.ts with host-kernels.ts or
 * device-task.ts with device-scan.ts. mg-mis/mg-mis.ts is the same with several devices.
 */

import { pieceSums } from '../../../kernels/memory/piece-sums.ts'
import type { JobContext } from '../../base/job.ts'
import type { Priority, RunArgs } from '../../contract/jobs.ts'
import type { GaloisGr } from '../../graph/galois-gr.ts'
import type { VertexSet } from '../../graph/vertex-set.ts'
import { warmThreads } from '../../threads/thread-pool.ts'
import { type Algorithm, type Answer, type AnswerRecord, type Run, answerElsewhere } from '../algorithm.ts'
import { runPlanOf } from '../plan-request.ts'
import {
  beginSet,
  requirePriority,
  requireSetOptions,
  setAnswer,
  setCheckpointer,
  setResult,
  improvePasses,
} from '../set-answer.ts'
import { isTraced, percent, reportsOfRanks, workerRecord } from '../worker-report.ts'
import { type ComputedSet, computeSet } from './compute-set.ts'
import { setKernels } from './device-scan.ts'
import { type SetPlan, estimateSet, planSet } from './plan-set.ts'

/** A maximal set in one pass over the lists. */
export const eclMis: Algorithm = {
  requireOptions: requireSetOptions,
  plan: estimateSet,
  worksAcross: () => true,
  improvePasses,
  severalGpus: 'needless',
  kernels: () => [...setKernels, pieceSums],
  compute: (run, job) => computeInOnePass(run, {}, job),
}

/** What MG-MIS adds to the record. */
interface OnePassExtras {
  readonly options?: AnswerRecord['options']
  readonly counters?: (bytes: AnswerRecord['bytes'], graph: GaloisGr) => AnswerRecord['counters']
}

/** ECL-MIS, and MG-MIS with replicated states. */
export async function computeInOnePass(run: Run, extras: OnePassExtras, job: JobContext): Promise<Answer> {
  const { args, graph, device: lead, devices, exchange } = run
  const { seed } = args
  const priority = requirePriority(args.priority)
  const size = { ...graph.file, weighted: graph.weighted, hasColumn: priority === 'column' }
  const plan = planSet(size, args, devices)
  warmThreads(plan.workers.reduce((sum, { threads }) => sum + threads, 0) - 1)
  const { lists, checkpoint, initial } = await beginSet(run)
  const { column } = lists
  const checkpointer = checkpoint && setCheckpointer(checkpoint, false)
  const traced = isTraced(args)
  const request = { graph, priority, seed, column, plan, lead, initial, traced, checkpointer, exchange }
  const found = await computeSet(request, job)
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
  planned: SetPlan,
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
        : [{ name: 'taken by rank 0', of: 'round' as const, unit: 'bytes', values: ranks.roundBytes }]),
    ],
    time: { prepareMs, computeMs, ...time },
    bytes,
    passes,
    plan,
  }
}
