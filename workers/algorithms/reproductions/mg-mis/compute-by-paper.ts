import type { JobContext } from '../../../base/job.ts'
import { Trace } from '../../../base/trace.ts'
import type { RunArgs } from '../../../contract/jobs.ts'
import { limitsOf } from '../../../device/device-memory.ts'
import type { Device } from '../../../device/device.ts'
import { openDevice } from '../../../device/open-device.ts'
import { type Exchange, gatherValues } from '../../../exchange/exchange.ts'
import { type GraphHandle, GaloisGr } from '../../../graph/galois-gr.ts'
import { rankVertices } from '../../../graph/vertex-ranking.ts'
import { VertexSet } from '../../../graph/vertex-set.ts'
import { IN, stateOf } from '../../../graph/vertex-states.ts'
import { SharedBarrier, coordinate, workerJob } from '../../../threads/barrier.ts'
import { runInThread } from '../../../threads/thread-pool.ts'
import { type Answer, type AnswerRecord, type Run, answerElsewhere } from '../../algorithm.ts'
import type { Checkpointer } from '../../checkpoint.ts'
import { NO_LISTS, type RunLists, columnOfRanks, readLists, statesOfRanks } from '../../run-lists.ts'
import {
  requirePriority,
  setAnswer,
  setCheckpoint,
  setCheckpointer,
  setResult,
  startingStates,
} from '../../set-answer.ts'
import {
  type WorkerReport,
  isTraced,
  percent,
  reportsOfRanks,
  workerFigures,
  workerSeries,
} from '../../worker-report.ts'
import { degreesOf } from '../../../graph/degrees.ts'
import { type PaperOutcome, computeStatus } from './compute-status.ts'
import { type PaperShared, sharePaperBuffers } from './message-buffers.ts'
import { RankBarrier, gatherStates } from './paper-ranks.ts'
import { batchesEach, isRanked, paperHostBytes, planPaper, planPaperPart } from './plan-paper.ts'

/** MG-MIS under the exchange of its paper (ICS 2025, section 3). */
export async function computeByPaper(run: Run, job: JobContext): Promise<Answer> {
  const { args, graph, device, devices, exchange } = run
  const { seed, memoryBytes } = args
  const isFirst = exchange === undefined || exchange.rank === 0
  const place = { folder: args.folder, vertices: graph.vertices, labels: run.labels() }
  const read = isFirst ? await readLists(args, place) : NO_LISTS
  const lists = { ...read, column: await columnOfRanks(exchange, read.column) }
  const all = exchange === undefined ? [devices] : await gatherValues(exchange, devices)
  const firstOfRank = all.map((_, rank) => all.slice(0, rank).flat().length)
  const workers = all.flat().length
  // Of all workers: which of them runs out of memory first depends on timing.
  const { bufferWords } = planPaper(args, graph, all.flat().map(limitsOf))
  const startMs = performance.now()
  const ranks = ranksOf(args, graph, lists)
  const prepareMs = performance.now() - startMs
  const shared = sharePaperBuffers(graph.vertices, workers, bufferWords, firstOfRank)
  const checkpoint = setCheckpoint(args, graph, lists, 'paper-')
  shared.states.set((await statesOfRanks(exchange, startingStates(graph, run.labels, lists, checkpoint))) ?? [])
  const batches = batchesEach(args.batches, workers)
  const common = { graph: graph.handle, shared, batches, memoryBytes, ranks, seed, traced: isTraced(args) }
  const first = firstOfRank[exchange?.rank ?? 0]!
  const local = { local: devices.length, isAmong: exchange !== undefined }
  const tasks = devices.map(({ id }, i) => ({ ...common, ...local, device: id, worker: first + i }))
  const checkpointer = checkpoint && setCheckpointer(checkpoint, true)
  const computed = await computeOnWorkers(tasks, { device, exchange, checkpointer }, job)
  const { outcome } = computed
  if (exchange !== undefined) await gatherStates(shared, exchange)
  const reports = await reportsOfRanks(exchange, computed.reports)
  await run.checked()
  if (!isFirst) return answerElsewhere(reports)
  const set = new VertexSet(graph.vertices)
  for (let v = 0; v < graph.vertices; v++) if (stateOf(shared.states, v) === IN) set.add(v)
  const record = (improved: VertexSet): AnswerRecord =>
    recordOf(args, graph, shared, improved, outcome, reports, prepareMs)
  return setAnswer(run, { lists, checkpoint, workers: reports, set, record }, job)
}

/** Priorities that every worker holds; undefined where they are hashes of the id (section 3.1). */
function ranksOf(args: RunArgs, graph: GaloisGr, { column }: RunLists): Uint32Array | undefined {
  const { vertices, arcs } = graph
  if (!isRanked(args)) return undefined
  const input = { vertices, arcs, degrees: degreesOf(graph), seed: args.seed, column }
  const ranks = new Uint32Array(new SharedArrayBuffer(4 * Math.max(1, vertices)))
  ranks.set(rankVertices(requirePriority(args.priority), input).rank)
  return ranks
}

/** Of a worker; its range follows from its number. */
interface PaperTask {
  readonly device: string
  readonly worker: number
  readonly graph: GraphHandle
  readonly shared: PaperShared
  /** Batches that the range is cut into at least. */
  readonly batches: number
  readonly memoryBytes: number | undefined
  /** By vertex, in shared memory; undefined: the hash of the id under the seed. */
  readonly ranks: Uint32Array | undefined
  readonly seed: number
  readonly traced: boolean
  /** Workers of this rank, and whether there are others. */
  readonly local: number
  readonly isAmong: boolean
}

interface PaperReport extends Omit<WorkerReport, 'sweeps'> {
  /** Bulk transfers, batches, and bytes on the device. */
  readonly paper: { readonly transfers: number; readonly batches: number; readonly deviceBytes: number }
}

interface PaperComputed {
  readonly outcome: PaperOutcome
  readonly report: PaperReport
}

/** The first worker here, the others in threads; the states are in shared memory afterwards. */
async function computeOnWorkers(
  tasks: readonly PaperTask[],
  lead: Lead,
  job: JobContext,
): Promise<{ outcome: PaperOutcome; reports: PaperReport[] }> {
  const [first, ...others] = tasks
  if (first === undefined) throw new Error('a run needs a worker')
  const start = (task: PaperTask): Promise<PaperReport> => runInThread('follow-paper', task, task.device)
  const { own, reports } = await coordinate(first.shared.control, job, others.map(start), () =>
    computeOnWorker(first, lead, job),
  )
  return { outcome: own.outcome, reports: [own.report, ...reports] }
}

/** A worker in a thread of its own. */
export async function paperTask(task: PaperTask): Promise<PaperReport> {
  const device = await openDevice(task.device)
  try {
    return (await computeOnWorker(task, { device }, workerJob(task.shared.control))).report
  } finally {
    device.close()
  }
}

/** What only the first worker of a rank has, but for its device. */
interface Lead {
  readonly device: Device
  readonly exchange?: Exchange | undefined
  readonly checkpointer?: Checkpointer<Uint32Array> | undefined
}

async function computeOnWorker(
  task: PaperTask,
  { device, exchange, checkpointer }: Lead,
  job: JobContext,
): Promise<PaperComputed> {
  const { shared, worker, ranks, seed, memoryBytes } = task
  const graph = GaloisGr.of(task.graph)
  try {
    const trace = new Trace(task.traced)
    const options = { batches: task.batches, memoryBytes, ranked: ranks !== undefined }
    const { batches, arcBytes, deviceBytes } = planPaperPart(device, graph, shared, worker, options)
    const isLead = shared.firstOfRank.includes(worker)
    const here = new SharedBarrier(shared.control, task.local, isLead ? job.signal : undefined)
    const barrier = task.isAmong ? new RankBarrier(here, shared, exchange) : here
    const part = { device, graph, worker, shared, batches, arcBytes, ranks, seed, trace }
    const outcome = await computeStatus(part, barrier, job, checkpointer)
    const { kernelMs, readMs, bytesRead, wordsSent, transfers } = outcome
    const figures = { kernelMs, readMs, waitMs: barrier.waitMs, bytesRead, ...device.copied, exchanged: 4 * wordsSent }
    const paper = { transfers, batches: batches.length, deviceBytes }
    return { outcome, report: { device: device.facts, ...figures, spans: trace.spans, paper } }
  } finally {
    graph.close()
  }
}

function recordOf(
  { priority, seed, memoryBytes }: RunArgs,
  { vertices, arcs }: GaloisGr,
  { bufferWords }: PaperShared,
  set: VertexSet,
  { rounds, computeMs, kernelMs }: PaperOutcome,
  reports: readonly PaperReport[],
  prepareMs: number,
): AnswerRecord {
  const papers = reports.map(({ paper }) => paper)
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
  const batches = sum(papers.map((paper) => paper.batches))
  const hostBytes = paperHostBytes(vertices, reports.length, bufferWords)
  const deviceBytes = Math.max(...papers.map((paper) => paper.deviceBytes))
  const { devices, time, bytes } = workerFigures(reports)
  const needs = rounds.map(({ need }) => need)
  return {
    devices,
    options: {
      priority: requirePriority(priority),
      seed,
      batches,
      memoryBytes: memoryBytes ?? null,
      exchange: 'paper',
      bufferWords,
    },
    result: setResult(set),
    rounds: rounds.length,
    roundCounts: rounds.map(({ undecided }, i) => ({ round: i + 1, undecided })),
    time: { prepareMs, computeMs, ...time, kernelMs },
    bytes,
    passes: rounds.length,
    plan: { vertices, arcs, batches, hostBytes, deviceBytes },
    counters: {
      // Of the canonical offsets and targets, as in the paper's Table 2.
      movedPercent: percent(bytes.exchanged, 8 * vertices + 4 * arcs),
      transfers: sum(papers.map(({ transfers }) => transfers)),
      largestBufferNeed: Math.max(0, ...needs),
    },
    series: [{ name: 'bufferNeed', unit: 'words', values: needs }, ...workerSeries(reports)],
  }
}
