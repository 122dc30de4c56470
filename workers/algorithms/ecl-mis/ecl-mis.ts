import { pieceSums } from '../../../kernels/memory/piece-sums.ts'
import type { GaloisGr } from '../../graph/galois-gr.ts'
import type { Labels } from '../../graph/labels.ts'
import { orderName } from '../../graph/vertex-ranking.ts'
import type { VertexSet } from '../../graph/vertex-set.ts'
import type { JobContext } from '../../base/job.ts'
import type { Priority, RunArgs, RunPlan } from '../../contract/jobs.ts'
import { warmThreads } from '../../threads/thread-pool.ts'
import type { Algorithm, Answer, AnswerRecord, Run } from '../algorithm.ts'
import { Checkpoint } from '../checkpoint.ts'
import { type RunLists, initialStates, NO_LISTS, readLists } from '../run-lists.ts'
import {
  type SetCheckpoint,
  listsName,
  requirePriority,
  requireSetOptions,
  setAnswer,
  setResult,
  swapPasses,
} from '../set-answer.ts'
import { isTraced, workerFigures, workerSeries } from '../worker-report.ts'
import { type ComputedSet, type StateCheckpointer, computeSet } from './compute-set.ts'
import { setKernels } from './device-scan.ts'
import { type SetPlan, estimateSet, planSet } from './plan-set.ts'

/** ECL-MIS (TOPC 2018): a maximal set in one pass over the lists. */
export const eclMis: Algorithm = {
  requireOptions: requireSetOptions,
  plan: estimateSet,
  improvePasses: swapPasses,
  severalGpus: 'needless',
  kernels: () => [...setKernels, pieceSums],
  compute: (run, job) => computeInOnePass(run, {}, job),
}

/** What an algorithm that computes likewise adds to a record. */
export interface OnePassExtras {
  readonly options?: AnswerRecord['options']
  readonly counters?: (bytes: AnswerRecord['bytes'], graph: GaloisGr) => AnswerRecord['counters']
}

/** ECL-MIS, and MG-MIS with replicated states. */
export async function computeInOnePass(run: Run, extras: OnePassExtras, job: JobContext): Promise<Answer> {
  const { args, graph, device, devices, labels } = run
  const priority = requirePriority(args.priority)
  const lists = namesLists(args) ? readLists(args, labels(), graph.vertices) : NO_LISTS
  const column = priority === 'column' ? lists.column : undefined
  const size = { ...graph.file, weighted: graph.weighted, hasColumn: priority === 'column' }
  const plan = planSet(size, args, devices)
  warmThreads(plan.workers.reduce((sum, { threads }) => sum + threads, 0) - 1)
  const order = orderName({ priority, seed: args.seed, column }) + listsName(lists)
  const identity = { graph: args.checksum, order, tiles: '', vertices: graph.vertices }
  const checkpoint: SetCheckpoint | undefined = Checkpoint.of(args, identity)
  const found = await computeSet(
    {
      graph,
      priority,
      seed: args.seed,
      column,
      plan,
      lead: device,
      initial: startingStates(graph, labels, lists, checkpoint),
      traced: isTraced(args),
      checkpointer: checkpoint && checkpointerOf(checkpoint),
    },
    job,
  )
  await run.checked()
  const { states, workers } = found
  if (checkpoint?.isDue(true) === true && !checkpoint.kept?.notes) checkpoint.write([states.packed()], null)
  const record = (set: VertexSet): AnswerRecord => recordOf(args, priority, graph, set, found, plan, extras)
  return setAnswer(run, { set: states.members(), lists, checkpoint, workers, record }, job)
}

const namesLists = ({ keepFile, excludeFile, columnFile }: RunArgs): boolean =>
  [keepFile, excludeFile, columnFile].some((file) => file !== undefined)

function checkpointerOf(checkpoint: SetCheckpoint): StateCheckpointer {
  return {
    // Where only swaps are left, their checkpoint says more.
    isDue: () => checkpoint.isDue(false) && !checkpoint.kept?.notes,
    keep: (states) => checkpoint.write([states], null),
  }
}

/** The states of the last checkpoint, else those of the lists, else undefined: every vertex is undecided. */
function startingStates(
  graph: GaloisGr,
  labels: () => Labels,
  { keep, exclude }: RunLists,
  checkpoint: SetCheckpoint | undefined,
): Uint32Array | undefined {
  const kept = checkpoint?.start()
  if (kept !== undefined) return kept.parts[0]
  if (keep === undefined && exclude === undefined) return undefined
  return initialStates(graph, labels(), keep, exclude)
}

/** What a run reports of its plan. */
function runPlanOf({ vertices, arcs }: GaloisGr, { units, workers, hostBytes }: SetPlan): RunPlan {
  const deviceBytes = Math.max(...workers.map((worker) => worker.deviceBytes))
  return { vertices, arcs, batches: Math.max(1, units), hostBytes, deviceBytes }
}

function recordOf(
  { seed, memoryBytes }: RunArgs,
  priority: Priority,
  graph: GaloisGr,
  set: VertexSet,
  { workers, passes, sweeps, finished, prepareMs, computeMs }: ComputedSet,
  planned: SetPlan,
  { options = {}, counters = () => ({}) }: OnePassExtras,
): AnswerRecord {
  const { devices, time, bytes } = workerFigures(workers)
  const plan = runPlanOf(graph, planned)
  return {
    devices,
    options: { priority, seed, batches: plan.batches, memoryBytes: memoryBytes ?? null, ...options },
    result: setResult(set),
    rounds: passes + sweeps,
    roundCounts: [{ round: passes + sweeps, undecided: finished }],
    counters: { ...counters(bytes, graph), readPercent: percent(bytes.read, graph.file.bytes), finished },
    series: workerSeries(workers),
    time: { prepareMs, computeMs, ...time },
    bytes,
    passes,
    plan,
  }
}

export const percent = (bytes: number, of: number): number => (of === 0 ? 0 : (100 * bytes) / of)
