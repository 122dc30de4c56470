import { limitsOf } from '../../../device/device-memory.ts'
import { type GraphHandle, GaloisGr } from '../../../graph/galois-gr.ts'
import type { Labels } from '../../../graph/labels.ts'
import { orderName, rankVertices } from '../../../graph/vertex-ranking.ts'
import { VertexSet } from '../../../graph/vertex-set.ts'
import { IN, stateOf } from '../../../graph/vertex-states.ts'
import type { JobContext } from '../../../base/job.ts'
import type { RunArgs } from '../../../contract/jobs.ts'
import type { Answer, AnswerRecord, Run } from '../../algorithm.ts'
import { Checkpoint } from '../../checkpoint.ts'
import { type RunLists, initialStates, readLists } from '../../run-lists.ts'
import { type SetCheckpoint, listsName, requirePriority, setAnswer, setResult } from '../../set-answer.ts'
import { type WorkerReport, isTraced, workerFigures, workerSeries } from '../../worker-report.ts'
import { type PaperOutcome, type StateCheckpointer, computeStatus } from './compute-status.ts'
import { type PaperShared, sharePaperMail } from './message-buffers.ts'
import { batchesEach, isRanked, paperHostBytes, planPaper, planPaperPart } from './plan-paper.ts'
import { openDevice } from '../../../device/open-device.ts'
import type { Device } from '../../../device/device.ts'
import { SharedBarrier, workerJob, coordinate } from '../../../threads/barrier.ts'
import { runInThread } from '../../../threads/thread-pool.ts'
import { Trace } from '../../../base/trace.ts'

/** MG-MIS under the exchange of its paper (ICS 2025, section 3). */
export async function computeByPaper(run: Run, job: JobContext): Promise<Answer> {
  const { args, graph, device, devices } = run
  const labels = run.labels()
  const workers = devices.map(({ id }) => id)
  const lists = readLists(args, labels, graph.vertices)
  // Of all workers: which one finds first that it has not enough memory depends on timing.
  const { bufferWords } = planPaper(args, graph, devices.map(limitsOf))
  const rankedAtMs = performance.now()
  const ranks = ranksOf(args, graph, lists)
  const prepareMs = performance.now() - rankedAtMs
  const shared = sharePaperMail(graph.vertices, workers.length, bufferWords)
  const checkpoint = checkpointOf(args, graph, lists)
  startFrom(graph, labels, lists, shared, checkpoint)
  const tasks = tasksOf(args, workers, shared, ranks, graph.handle)
  const checkpointer = checkpoint && {
    isDue: () => checkpoint.isDue(true) && !checkpoint.kept?.notes,
    keep: (states: Uint32Array) => checkpoint.write([states], null),
  }
  const { outcome, reports } = await computePaper(tasks, device, job, checkpointer)
  await run.checked()
  const found = { lists, checkpoint, workers: reports }
  const record = (set: VertexSet): AnswerRecord => recordOf(args, graph, shared, set, outcome, reports, prepareMs)
  return setAnswer(run, { ...found, set: setOf(shared, graph.vertices), record }, job)
}

/** Priorities that every worker holds, as they are no hash of the id; undefined for those that are (section 3.1). */
function ranksOf(args: RunArgs, graph: GaloisGr, { column }: RunLists): Uint32Array | undefined {
  const { vertices, arcs } = graph
  if (!isRanked(args)) return undefined
  const degrees = degreesOf(graph.readOffsets(0, vertices))
  const { rank } = rankVertices(requirePriority(args.priority), { vertices, arcs, degrees, seed: args.seed, column })
  const ranks = new Uint32Array(new SharedArrayBuffer(4 * Math.max(1, vertices)))
  ranks.set(rank)
  return ranks
}

function checkpointOf(args: RunArgs, { vertices }: GaloisGr, lists: RunLists): SetCheckpoint | undefined {
  const order = `paper-${orderName({ priority: requirePriority(args.priority), seed: args.seed, column: lists.column })}`
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
  args: RunArgs,
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

function recordOf(
  args: RunArgs,
  { vertices, arcs }: GaloisGr,
  { bufferWords }: PaperShared,
  set: VertexSet,
  { rounds, computeMs, kernelMs }: PaperOutcome,
  reports: readonly PaperReport[],
  prepareMs: number,
): AnswerRecord {
  const papers = reports.map(({ paper }) => paper)
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
  return {
    devices,
    options: {
      priority: args.priority,
      seed: args.seed,
      batches: plan.batches,
      memoryBytes: args.memoryBytes ?? null,
      exchange: 'paper',
      bufferWords,
    },
    result: setResult(set),
    rounds: rounds.length,
    roundCounts,
    time: { prepareMs, computeMs, ...time, kernelMs },
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

/** What a following worker is given under the exchange of the MG-MIS paper: its range follows from its number. */
export interface PaperTask {
  readonly device: string
  readonly worker: number
  readonly graph: GraphHandle
  readonly shared: PaperShared
  /** Batches that each worker's range is cut into at least, and bytes that it may use on its device. */
  readonly batches: number
  readonly memoryBytes: number | undefined
  /** Priorities by vertex in shared memory; absent: the hash of the id under the seed. */
  readonly ranks: Uint32Array | undefined
  readonly seed: number
  readonly traced: boolean
}

/** What a worker did; under this exchange: bulk transfers that it sent, its batches, its bytes on the device. */
export interface PaperReport extends Omit<WorkerReport, 'sweeps'> {
  readonly paper: { readonly transfers: number; readonly batches: number; readonly deviceBytes: number }
}

/** A following worker's part of a run under the paper's exchange, in a thread of its own. */
export async function followPaper(task: PaperTask): Promise<PaperReport> {
  const device = await openDevice(task.device)
  try {
    return (await runPart(task, device, workerJob(task.shared.control))).report
  } finally {
    device.close()
  }
}

/** Runs the parts of all workers, the first here and the others in threads; the states are in shared memory afterwards. */
export async function computePaper(
  tasks: readonly PaperTask[],
  device: Device,
  job: JobContext,
  checkpointer: StateCheckpointer | undefined,
): Promise<{ outcome: PaperOutcome; reports: PaperReport[] }> {
  const [first, ...others] = tasks
  if (first === undefined) throw new Error('a run needs a worker')
  const start = (task: PaperTask): Promise<PaperReport> => runInThread('follow-paper', task, task.device)
  const { own, reports } = await coordinate(first.shared.control, job, others.map(start), () =>
    runPart(first, device, job, checkpointer),
  )
  return { outcome: own.outcome, reports: [own.report, ...reports] }
}

async function runPart(
  task: PaperTask,
  device: Device,
  job: JobContext,
  checkpointer?: StateCheckpointer,
): Promise<{ outcome: PaperOutcome; report: PaperReport }> {
  const { shared, worker, ranks, seed, memoryBytes } = task
  const graph = GaloisGr.of(task.graph)
  try {
    const trace = new Trace(task.traced)
    const options = { batches: task.batches, memoryBytes, ranked: ranks !== undefined }
    const { batches, arcBytes, deviceBytes } = planPaperPart(device, graph, shared, worker, options)
    const barrier = new SharedBarrier(shared.control, shared.workers, worker === 0 ? job.signal : undefined)
    const part = { device, graph, worker, shared, batches, arcBytes, ranks, seed, trace }
    const outcome = await computeStatus(part, barrier, job, checkpointer)
    const report = {
      device: device.facts,
      kernelMs: outcome.kernelMs,
      readMs: outcome.readMs,
      waitMs: barrier.waitMs,
      bytesRead: outcome.bytesRead,
      ...device.copied,
      exchanged: 4 * outcome.wordsSent,
      spans: trace.spans,
      paper: { transfers: outcome.transfers, batches: batches.length, deviceBytes },
    }
    return { outcome, report }
  } finally {
    graph.close()
  }
}
