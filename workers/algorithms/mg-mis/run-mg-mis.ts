import { limitsOf } from '../../device/device-memory.ts'
import { openDevice } from '../../device/open-device.ts'
import { sharePaperMail } from '../reproductions/mg-mis/paper-mail.ts'
import type { PaperShared } from '../reproductions/mg-mis/paper-mail.ts'
import { GaloisGr } from '../../graph/galois-gr.ts'
import type { GraphHandle } from '../../graph/galois-gr.ts'
import { openLabels } from '../../graph/labels.ts'
import type { Labels } from '../../graph/labels.ts'
import { openGraph } from '../../graph/open-graph.ts'
import { orderName, rankVertices } from '../../graph/priority.ts'
import { VertexSet } from '../../graph/vertex-set.ts'
import { IN, stateOf } from '../../graph/vertex-states.ts'
import { removeResult, writeResult } from '../../graph/result-file.ts'
import type { JobContext } from '../../base/job.ts'
import type { RunOutcome } from '../../contract/jobs.ts'
import { verifyIndependentSet } from '../../verify/verify-independent-set.ts'
import { Checkpoint } from '../checkpoint.ts'
import { initialStates } from '../initial-states.ts'
import { factsOf, requirePlanned } from '../plan.ts'
import { withImprovement } from '../quality/improved-outcome.ts'
import { parseSetQuality } from '../quality/quality-option.ts'
import type { SetRunArgs } from '../run.ts'
import type { SetCheckpoint } from '../set-checkpoint.ts'
import { improveWithCheckpoints, listsName } from '../set-checkpoint.ts'
import { isTraced, writeTraces } from '../write-traces.ts'
import { runSet } from '../ecl-mis/run-set.ts'
import { workerFigures, workerSeries } from '../worker-report.ts'
import type { RunLists } from '../run-lists.ts'
import { readLists } from '../run-lists.ts'
import { workersOf } from '../workers-of-run.ts'
import type { PaperOutcome } from '../reproductions/mg-mis/compute-status.ts'
import { batchesEach, isRanked, paperHostBytes, planPaper } from '../reproductions/mg-mis/paper-plan.ts'
import { computePaper } from '../reproductions/mg-mis/paper-run.ts'
import type { PaperReport, PaperTask } from '../reproductions/mg-mis/paper-run.ts'

/** MG-MIS under either exchange, from a dataset to a verified set. The set is that of ECL-MIS with the same priority. */
export function runMgMis(args: SetRunArgs, job: JobContext): Promise<RunOutcome> {
  return args.exchange === 'paper' ? runPaper(args, job) : runSet(args, job)
}

async function runPaper(args: SetRunArgs, job: JobContext): Promise<RunOutcome> {
  const startMs = performance.now()
  const quality = parseSetQuality(args.quality)
  const graph = openGraph(args.folder, args.checksum, job)
  const workers = workersOf(args)
  const device = await openDevice(workers[0]!)
  try {
    const labels = openLabels(args.folder, graph.vertices)
    const facts = await factsOf(workers, device.facts, args.memoryBytes)
    requirePlanned(args, facts)
    const lists = readLists(args, labels, graph.vertices)
    // Of all workers: which one finds first that it has not enough memory depends on timing.
    const { bufferWords } = planPaper(args, graph, facts.map(limitsOf))
    const rankedAtMs = performance.now()
    const ranks = ranksOf(args, graph, lists)
    const prepareMs = performance.now() - rankedAtMs
    const shared = sharePaperMail(graph.vertices, workers.length, bufferWords)
    const checkpoint = checkpointOf(args, graph, lists)
    startFrom(graph, labels, lists, shared, checkpoint)
    const tasks = tasksOf(args, workers, shared, ranks, graph.handle)
    const keeper = checkpoint && {
      isDue: () => checkpoint.isDue(true) && !checkpoint.kept?.notes,
      keep: (states: Uint32Array) => checkpoint.write([states], null),
    }
    const { outcome, reports } = await computePaper(tasks, device, job, keeper)
    const set = setOf(shared, graph.vertices)
    const improvement = improveWithCheckpoints(graph, set, quality, lists, checkpoint, job)
    writeResult(args.resultFile, set.bytes)
    writeTraces(args, reports)
    const totalMs = performance.now() - startMs
    const verification = args.verify ? await verifyIndependentSet(graph, labels, set, lists.exclude, job) : null
    // Not before: a run that is interrupted while it is verified need not be computed again.
    checkpoint?.remove()
    const told = paperOutcome(args, graph, shared, set, outcome, reports, { prepareMs, totalMs })
    return { ...withImprovement(told, args.quality, improvement), verification, resumed: checkpoint?.resumed }
  } catch (error) {
    removeResult(args.resultFile)
    throw error
  } finally {
    device.close()
    graph.close()
  }
}

/** Priorities that every worker holds, as they are no hash of the id; undefined for those that are (section 3.1). */
function ranksOf(args: SetRunArgs, graph: GaloisGr, { column }: RunLists): Uint32Array | undefined {
  const { vertices, arcs } = graph
  if (!isRanked(args)) return undefined
  const degrees = degreesOf(graph.readOffsets(0, vertices))
  const { rank } = rankVertices(args.priority, { vertices, arcs, degrees, seed: args.seed, column })
  const ranks = new Uint32Array(new SharedArrayBuffer(4 * Math.max(1, vertices)))
  ranks.set(rank)
  return ranks
}

function checkpointOf(args: SetRunArgs, { vertices }: GaloisGr, lists: RunLists): SetCheckpoint | undefined {
  const order = `paper-${orderName({ priority: args.priority, seed: args.seed, column: lists.column })}`
  return Checkpoint.of(args, { graph: args.checksum, order: order + listsName(lists), tiles: '', vertices })
}

/** Puts the states to start from into shared memory: the last checkpoint's, else what the lists say. */
function startFrom(
  graph: GaloisGr,
  labels: Labels,
  { keep, exclude }: RunLists,
  { states }: PaperShared,
  checkpoint: SetCheckpoint | undefined,
): void {
  const kept = checkpoint?.start()
  if (kept !== undefined) states.set(kept.parts[0]!)
  else if (keep !== undefined || exclude !== undefined) states.set(initialStates(graph, labels, keep, exclude))
}

function tasksOf(
  args: SetRunArgs,
  workers: readonly string[],
  shared: PaperShared,
  ranks: Uint32Array | undefined,
  graph: GraphHandle,
): PaperTask[] {
  const { memoryBytes, seed } = args
  const each = batchesEach(args.batches, workers.length)
  const common = { graph, shared, batches: each, memoryBytes, ranks, seed } as const
  return workers.map((device, worker) => ({ ...common, device, worker, traced: isTraced(args) }))
}

function setOf({ states }: PaperShared, vertices: number): VertexSet {
  const set = new VertexSet(vertices)
  for (let v = 0; v < vertices; v++) if (stateOf(states, v) === IN) set.add(v)
  return set
}

/** Bytes as a share of the canonical graph's offsets and targets (the paper's Table 2). */
function percentOfGraph(bytes: number, vertices: number, arcs: number): number {
  const graphBytes = 8 * vertices + 4 * arcs
  return graphBytes === 0 ? 0 : (100 * bytes) / graphBytes
}

function paperOutcome(
  args: SetRunArgs,
  { vertices, arcs }: GaloisGr,
  { bufferWords }: PaperShared,
  set: VertexSet,
  { rounds, computeMs, kernelMs }: PaperOutcome,
  reports: readonly PaperReport[],
  { prepareMs, totalMs }: { prepareMs: number; totalMs: number },
): Omit<RunOutcome, 'verification'> {
  const papers = reports.flatMap(({ paper }) => (paper === undefined ? [] : [paper]))
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
  const plan = {
    vertices,
    arcs,
    batches: sum(papers.map(({ batches }) => batches)),
    hostBytes: paperHostBytes(vertices, reports.length, bufferWords),
    deviceBytes: Math.max(...papers.map(({ deviceBytes }) => deviceBytes)),
  }
  const roundCounts = rounds.map(({ undecided }, i) => ({ round: i + 1, undecided }))
  const { devices, time, bytes } = workerFigures(reports)
  const { size, hash } = set.summary()
  return {
    algorithm: args.algorithm,
    devices,
    options: {
      priority: args.priority,
      seed: args.seed,
      batches: plan.batches,
      memoryBytes: args.memoryBytes ?? null,
      exchange: 'paper',
      bufferWords,
    },
    result: { kind: 'independent-set', size, fraction: vertices === 0 ? 0 : size / vertices, hash },
    rounds: rounds.length,
    roundCounts,
    time: { prepareMs, computeMs, ...time, kernelMs, totalMs },
    bytes,
    passes: rounds.length,
    plan,
    counters: {
      movedPercent: percentOfGraph(bytes.exchanged, vertices, arcs),
      transfers: sum(papers.map(({ transfers }) => transfers)),
      largestBufferNeed: Math.max(0, ...rounds.map(({ need }) => need)),
    },
    series: [{ name: 'bufferNeed', unit: 'words', values: rounds.map(({ need }) => need) }, ...workerSeries(reports)],
  }
}

function degreesOf(offsets: Float64Array): Uint32Array {
  const degrees = new Uint32Array(offsets.length - 1)
  for (let v = 0; v < degrees.length; v++) degrees[v] = offsets[v + 1]! - offsets[v]!
  return degrees
}
