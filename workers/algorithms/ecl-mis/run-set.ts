import { pieceSums } from '../../../kernels/memory/piece-sums.ts'
import { openDevice } from '../../device/open-device.ts'
import type { Device } from '../../device/device.ts'
import type { GaloisGr } from '../../graph/galois-gr.ts'
import type { Labels } from '../../graph/labels.ts'
import { openLabels } from '../../graph/labels.ts'
import { orderName } from '../../graph/priority.ts'
import { removeResult, writeResult } from '../../graph/result-file.ts'
import type { VertexSet } from '../../graph/vertex-set.ts'
import type { JobContext } from '../../base/job.ts'
import type { RunOutcome, RunPlan } from '../../contract/jobs.ts'
import { warmThreads } from '../../threads/thread-pool.ts'
import { verifyIndependentSet } from '../../verify/verify-independent-set.ts'
import { Checkpoint } from '../checkpoint.ts'
import { initialStates } from '../initial-states.ts'
import { factsOf, requirePlanned } from '../plan.ts'
import { withImprovement } from '../quality/improved-outcome.ts'
import { parseSetQuality } from '../quality/quality-option.ts'
import type { SetRunArgs } from '../run.ts'
import { openRunGraph } from '../run-graph.ts'
import type { RunLists } from '../run-lists.ts'
import { readLists } from '../run-lists.ts'
import type { SetCheckpoint } from '../set-checkpoint.ts'
import { improveWithCheckpoints, listsName } from '../set-checkpoint.ts'
import { workersOf } from '../workers-of-run.ts'
import { isTraced, writeTraces } from '../write-traces.ts'
import { workerFigures, workerSeries } from '../worker-report.ts'
import type { ComputedSet, StateKeeper } from './compute-set.ts'
import { computeSet } from './compute-set.ts'
import type { SetPlan } from './plan-set.ts'
import { setKernels } from './device-scan.ts'
import { planSet } from './plan-set.ts'

/** ECL-MIS, and MG-MIS with replicated states, from a dataset to a verified set: plans, computes, stores the set, verifies. */
export async function runSet(args: SetRunArgs, job: JobContext): Promise<RunOutcome> {
  const startMs = performance.now()
  const workers = workersOf(args)
  const opening = openDevice(workers[0]!)
  // Either may fail while the graph is opened; who waits for them hears of it.
  opening.then((opened) => opened.prepare([...setKernels, pieceSums])).catch(() => {})
  const { graph, checked } = openRunGraph(args, job)
  let device: Device | undefined
  try {
    const labels = (): Labels => openLabels(args.folder, graph.vertices)
    device = await opening
    const devices = await factsOf(workers, device.facts, args.memoryBytes)
    // Before any list is looked at: a plan says the same of all that it does not have to read.
    requirePlanned(args, devices, graph)
    const lists = namesLists(args) ? readLists(args, labels(), graph.vertices) : NO_LISTS
    const size = { ...graph.file, weighted: graph.weighted, hasColumn: args.priority === 'column' }
    const plan = planSet(size, args, devices)
    warmThreads(plan.workers.reduce((sum, { threads }) => sum + threads, 0) - 1)
    const checkpoint = checkpointOf(args, graph, lists)
    const found = await computeSet(
      {
        graph,
        priority: args.priority,
        seed: args.seed,
        column: args.priority === 'column' ? lists.column : undefined,
        plan,
        lead: device,
        initial: startingStates(graph, labels, lists, checkpoint),
        traced: isTraced(args),
        keeper: checkpoint && keeperOf(checkpoint),
      },
      job,
    )
    const set = found.states.members()
    await checked()
    if (checkpoint?.isDue(true) === true && !checkpoint.kept?.notes) checkpoint.write([found.states.packed()], null)
    const improvement = improveWithCheckpoints(graph, set, parseSetQuality(args.quality), lists, checkpoint, job)
    writeResult(args.resultFile, set.bytes)
    writeTraces(args, found.workers)
    const totalMs = performance.now() - startMs
    const verification = args.verify ? await verifyIndependentSet(graph, labels(), set, lists.exclude, job) : null
    // Not before: a run that is interrupted while it is verified need not be computed again.
    checkpoint?.remove()
    const outcome = outcomeOf(args, graph, set, found, plan, totalMs)
    const resumed = checkpoint?.resumed
    return { ...withImprovement(outcome, args.quality, improvement), verification, resumed }
  } catch (error) {
    removeResult(args.resultFile)
    throw error
  } finally {
    device?.close()
    graph.close()
  }
}

const NO_LISTS: RunLists = { keep: undefined, exclude: undefined, column: undefined }

const namesLists = ({ keepFile, excludeFile, columnFile }: SetRunArgs): boolean =>
  [keepFile, excludeFile, columnFile].some((file) => file !== undefined)

function checkpointOf(args: SetRunArgs, { vertices }: GaloisGr, lists: RunLists): SetCheckpoint | undefined {
  const order = orderName({ ...args, column: args.priority === 'column' ? lists.column : undefined }) + listsName(lists)
  return Checkpoint.of(args, { graph: args.checksum, order, tiles: '', vertices })
}

function keeperOf(checkpoint: SetCheckpoint): StateKeeper {
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
export function runPlanOf({ vertices, arcs }: GaloisGr, { units, workers, hostBytes }: SetPlan): RunPlan {
  const deviceBytes = Math.max(...workers.map((worker) => worker.deviceBytes))
  return { vertices, arcs, batches: Math.max(1, units), hostBytes, deviceBytes }
}

function outcomeOf(
  args: SetRunArgs,
  graph: GaloisGr,
  set: VertexSet,
  { workers, passes, sweeps, finished, prepareMs, computeMs }: ComputedSet,
  planned: SetPlan,
  totalMs: number,
): Omit<RunOutcome, 'verification'> {
  const { size, hash } = set.summary()
  const { vertices, arcs, file } = graph
  const { devices, time, bytes } = workerFigures(workers)
  const plan = runPlanOf(graph, planned)
  const graphBytes = 8 * vertices + 4 * arcs
  return {
    algorithm: args.algorithm,
    devices,
    options: {
      priority: args.priority,
      seed: args.seed,
      batches: plan.batches,
      memoryBytes: args.memoryBytes ?? null,
      ...(args.algorithm === 'mg-mis' ? { exchange: 'replicated' } : {}),
    },
    result: { kind: 'independent-set', size, fraction: vertices === 0 ? 0 : size / vertices, hash },
    rounds: passes + sweeps,
    roundCounts: [{ round: passes + sweeps, undecided: finished }],
    counters: {
      ...(args.algorithm === 'mg-mis' ? { movedPercent: percent(bytes.exchanged, graphBytes) } : {}),
      readPercent: percent(bytes.read, file.bytes),
      finished,
    },
    series: workerSeries(workers),
    time: { prepareMs, computeMs, ...time, totalMs },
    bytes,
    passes,
    plan,
  }
}

const percent = (bytes: number, of: number): number => (of === 0 ? 0 : (100 * bytes) / of)
