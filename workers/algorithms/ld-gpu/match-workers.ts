import { BatchStore } from '../../device/batch-store.ts'
import type { Device } from '../../device/device.ts'
import { openDevice } from '../../device/open-device.ts'
import { SharedBarrier, stopWaiting } from '../../exchange/barrier.ts'
import { followingJob } from '../../exchange/following-job.ts'
import { inputFailure } from '../../failure.ts'
import type { Batch } from '../../graph/batches.ts'
import { Matching } from '../../graph/matching.ts'
import type { PreparedView } from '../../graph/prepare-view.ts'
import { SectionSums } from '../../graph/section-sums.ts'
import { ViewFile } from '../../graph/view-file.ts'
import type { JobContext, StopSignal } from '../../job.ts'
import type { MatchTask, PartReply, WorkerReport } from '../../partition/part-task.ts'
import { withFollowers } from '../../partition/followers.ts'
import { settleFailure } from '../../serve-jobs.ts'
import { Trace } from '../../trace.ts'
import { DiskEntries, WholeEntries } from './entries.ts'
import type { Entries } from './entries.ts'
import type { MatchReport } from './match-outcome.ts'
import type { MatchState, RoundKeeper } from './match-state.ts'
import { matchOrdered } from './ordered.ts'
import { viewKindOf } from './plan-match.ts'
import type { MatchPlan, Residence } from './plan-match.ts'
import { boardOf } from './from-disk/host-state.ts'
import { hostThreads } from './from-disk/host-threads.ts'
import { PointerExchange, sharePointers, startOfWorker } from './pointer-exchange.ts'
import type { SharedPointers } from './pointer-exchange.ts'
import { updateCapacityOf } from './workspace.ts'

/** A matching that is planned and prepared, ready to be computed. */
export interface PreparedMatch extends MatchPlan {
  /** The leading worker's device, open. */
  readonly device: Device
  /** The device of each worker; the first is the leader's. */
  readonly workers: readonly string[]
  readonly view: PreparedView
  readonly traced: boolean
  readonly timed: boolean
  /** As of MatchPart, of all vertices. */
  readonly start?: MatchState | undefined
  readonly keeper?: RoundKeeper | undefined
  /** Of each worker's host, where lists are read from disk; absent: as many as the machine has for it. */
  readonly threads?: number | undefined
}

export interface ComputedMatching {
  readonly matching: Matching
  /** What each worker did, the leader first. */
  readonly reports: readonly MatchReport[]
}

/** Computes the matching, this thread leading and the other workers in threads of their own. */
export async function computeMatching(run: PreparedMatch, job: JobContext): Promise<ComputedMatching> {
  const { vertices } = run.view.view.header
  const threads = run.threads ?? hostThreads(vertices, run.workers.length)
  const shared =
    run.workers.length === 1
      ? undefined
      : sharePointers(vertices, boundsOf(vertices, run.shares), run.residence, run.start, threads)
  let matching = new Matching(new Uint32Array(0))
  const done = (reports: readonly MatchReport[]): ComputedMatching => {
    checkSections(run.view.view, reports)
    return { matching, reports }
  }
  const part = { ...run, vertices, own: run.shares[0]!, worker: 0, shared, threads }
  const lead = (): Promise<MatchReport> => runPart(part, job, (made) => (matching = made))
  if (shared === undefined) return done([await lead()])
  const watch = setInterval(() => job.signal.aborted && stopWaiting(shared.control), 50)
  try {
    const { led, reports } = await withFollowers(tasksOf(run, shared), lead)
    return done([led, ...reports.filter(isMatchReport)])
  } finally {
    clearInterval(watch)
  }
}

/** No thread alone reads a whole section. @throws Failure (input) where one that was read whole is not what was written */
function checkSections({ path, header }: ViewFile, reports: readonly MatchReport[]): void {
  const { heads, tails, behind } = header
  const sums = new SectionSums(path, { heads, tails, behind })
  for (const report of reports) for (const sum of report.sums ?? []) sums.add(sum)
}

/** A following worker's part of a matching. Whatever goes wrong, the others are told to stop waiting for it. */
export async function followMatch(task: MatchTask): Promise<PartReply> {
  const { shared } = task
  try {
    const device = await openDevice(task.device)
    const view = ViewFile.openIfValid(task.viewPath, task.graph, task.order, viewKindOf(task.residence))
    try {
      if (view === undefined) throw inputFailure(task.viewPath, 'the view is gone', 'Run it again; it is built anew.')
      const prepared = { view, tailOffsets: task.tailOffsets, buildMs: 0 }
      return { type: 'done', report: await runPart({ ...task, device, view: prepared }, followingJob(shared.control)) }
    } finally {
      view?.close()
      device.close()
    }
  } catch (error) {
    stopWaiting(shared.control)
    return { type: 'failed', ...settleFailure(error) }
  }
}

interface MatchShare extends Pick<PreparedMatch, 'device' | 'view' | 'residence' | 'traced' | 'timed' | 'keeper'> {
  readonly vertices: number
  readonly own: readonly Batch[]
  readonly worker: number
  readonly shared: SharedPointers | undefined
  /** Of a worker that is alone; several find theirs in shared memory. */
  readonly start?: MatchState | undefined
  readonly threads?: number | undefined
}

async function runPart(
  share: MatchShare,
  job: JobContext,
  finish?: (matching: Matching) => void,
): Promise<MatchReport> {
  const { device, view, own, vertices, shared, worker, timed, keeper } = share
  const trace = new Trace(share.traced)
  const entries = entriesOf(device, view, own, share.residence, trace, job.signal)
  const exchange =
    shared &&
    new PointerExchange(
      shared,
      worker,
      // The thread hears that another one ended while it waits.
      new SharedBarrier(shared.control, shared.workers, job.signal),
      updateCapacityOf(vertices),
      trace,
    )
  const start = shared === undefined ? share.start : startOfWorker(shared, worker)
  const part = {
    device,
    entries,
    batches: own,
    vertices,
    exchange,
    host: hostOf(share, job),
    trace,
    timed,
    start,
    keeper,
  }
  const rounds = await matchOrdered(part, job, finish).finally(() => entries.release())
  return {
    ...rounds,
    ...device.copied,
    device: device.facts,
    readMs: entries.readMs,
    waitMs: exchange?.waitMs ?? 0,
    exchangeMs: exchange?.exchangeMs ?? 0,
    bytesRead: view.view.bytesRead + entries.bytesRead,
    sums: entries.checksums,
    bytesAsked: entries.bytesAsked,
    reads: entries.reads,
    exchanged: exchange?.bytes ?? 0,
    exchangedOfRounds: exchange === undefined ? [] : [...(start?.open.map(() => 0) ?? []), ...exchange.bytesOfRounds],
    spans: trace.spans,
  }
}

/** Where lists are read from disk, what the hosts go on with. */
function hostOf({ shared, residence, vertices, worker, start, threads = 1 }: MatchShare, job: JobContext) {
  if (residence === 'whole') return undefined
  const board = shared?.board ?? boardOf(vertices, { workers: 1, threads }, start)
  const { control, members } = board.meeting
  return { board, worker, barrier: new SharedBarrier(control, members, job.signal) }
}

/** The entries of a worker's own lists, where the plan has them. */
export function entriesOf(
  device: Device,
  view: PreparedView,
  own: readonly Batch[],
  residence: Residence,
  trace: Trace,
  signal?: StopSignal,
): Entries {
  return residence === 'whole'
    ? new WholeEntries(new BatchStore(device, view.view, view.tailOffsets, Infinity, trace, signal))
    : new DiskEntries(device, view, own, residence, trace, signal)
}

/** Worker w owns the vertices [bounds[w], bounds[w + 1]); one without batches owns none. */
export function boundsOf(vertices: number, shares: readonly (readonly Batch[])[]): number[] {
  const bounds = [vertices]
  for (const own of shares.toReversed()) bounds.unshift(own[0]?.first ?? bounds[0]!)
  return bounds
}

function tasksOf(
  { view, workers, shares, residence, traced, timed }: PreparedMatch,
  shared: SharedPointers,
): MatchTask[] {
  const { graph, order, vertices } = view.view.header
  const { tailOffsets } = view
  const common = { kind: 'match', viewPath: view.view.path, graph, order, vertices, tailOffsets, residence } as const
  return workers
    .slice(1)
    .map((device, i) => ({ ...common, device, worker: i + 1, own: shares[i + 1]!, shared, traced, timed }))
}

export const isMatchReport = (report: WorkerReport): report is MatchReport => 'exchangedOfRounds' in report
