import { eclMis } from '../algorithms/ecl-mis.ts'
import type { EclMisResult, Part } from '../algorithms/ecl-mis.ts'
import { layWalk } from '../algorithms/sweep-beside.ts'
import { workspaceBytes } from '../algorithms/mis-workspace.ts'
import { BatchStore } from '../device/batch-store.ts'
import type { Device } from '../device/device.ts'
import { noExchange } from '../exchange/exchange.ts'
import { BARRIER_WORDS, SharedBarrier, shouldStop, stopWaiting } from '../exchange/barrier.ts'
import { ReplicatedStates, changesBytes } from '../exchange/replicated-states.ts'
import type { SharedStates } from '../exchange/shared-states.ts'
import { shareStates } from '../exchange/shared-states.ts'
import type { Batch } from '../graph/batches.ts'
import type { PreparedView } from '../graph/prepare-view.ts'
import { SectionSums } from '../graph/section-sums.ts'
import type { ViewFile } from '../graph/view-file.ts'
import type { JobContext } from '../job.ts'
import { Trace } from '../trace.ts'
import type { Walk } from '../walk/walk.ts'
import { withFollowers } from './followers.ts'
import { bytesReadAhead, releaseStores, reportOf } from './follow.ts'
import { slabsOfWorkers } from '../algorithms/plan-run.ts'
import { walkFor } from './out-of-core.ts'
import type { PartReport, PartTask, SharedControl, WalkTask } from './part-task.ts'
import { sumRounds } from './sum-rounds.ts'

/** A run that is planned and prepared, ready to be computed. */
export interface PreparedRun {
  /** The leading worker's device, open. */
  readonly device: Device
  /** The device of each worker; the first is the leader's. */
  readonly workers: readonly string[]
  readonly view: PreparedView
  readonly batches: readonly Batch[]
  /** Bytes that each worker may use on its device. */
  readonly deviceBytes: number
  /** Vertices that the leading worker looks up on its device at a time when it gathers the result. */
  readonly positions: number
  readonly initial: Uint32Array | undefined
  readonly traced: boolean
  readonly afterStep?: Part['afterStep']
}

export interface Led {
  readonly found: EclMisResult
  /** What each worker did, the leader first. */
  readonly reports: readonly PartReport[]
}

/** Batches of worker `index`: every one in turn, so that each worker has some of every priority. */
export function batchesOf(batches: readonly Batch[], index: number, workers: number): Batch[] {
  return batches.filter((batch) => batch.index % workers === index)
}

/** Computes the set with one worker for each device of the run. This thread leads; the others follow in threads of their own. */
export async function computeSet(run: PreparedRun, job: JobContext): Promise<Led> {
  const { vertices } = run.view.view.header
  const walked = walkOf(run, job)
  if (walked !== undefined) return leadWalk(run, walked, job)
  if (run.workers.length === 1) return leadPart(run, undefined, job)
  const shared = shareStates(vertices, run.workers.length, run.batches, run.initial, {
    inStep: someStream(run),
    front: run.view.view.header.front,
  })
  const tasks = followerTasks(run, shared)
  const watch = setInterval(() => job.signal.aborted && stopWaiting(shared.control), 50)
  try {
    const { led, reports } = await withFollowers(tasks, () => leadPart(run, shared, job))
    const all = [...led.reports, ...reports]
    requireSound(run.view.view, all)
    const roundCounts = sumRounds(all.map((report) => report.roundCounts ?? []))
    return { found: { ...led.found, rounds: roundCounts.length, roundCounts }, reports: all }
  } finally {
    clearInterval(watch)
  }
}

interface Walked {
  readonly walk: Walk
  readonly trace: Trace
  readonly shared: SharedControl
}

/** Where heads pass through devices, or stay there, and threads walk beside them. */
function walkOf(run: PreparedRun, job: JobContext): Walked | undefined {
  const workers = run.workers.length
  const control = new Int32Array(new SharedArrayBuffer(4 * BARRIER_WORDS))
  const trace = new Trace(run.traced)
  const signal = {
    get aborted() {
      return job.signal.aborted || shouldStop(control)
    },
  }
  const barrier = new SharedBarrier(control, workers, job.signal)
  const walk = walkFor(run.view, run.batches, slabBytes(run), { workers, barrier, trace, signal })
  return walk && { walk, trace, shared: { control, workers } }
}

async function leadWalk(run: PreparedRun, { walk, trace, shared }: Walked, job: JobContext): Promise<Led> {
  const { device, view, initial: states, positions, afterStep } = run
  const { vertices } = view.view.header
  walk.start()
  const memory = layWalk(walk, view.view, states)
  const store = new BatchStore(device, view.view, view.tailOffsets, slabBytes(run), trace, job.signal)
  const base = { device, store, batches: [], vertices, exchange: noExchange, residual: 0, states, trace }
  const part: Part = { ...base, positions, afterStep, walk }
  const tasks = run.workers
    .slice(1)
    .map((id, i): WalkTask => ({ kind: 'walk', device: id, worker: i + 1, memory, shared, traced: run.traced }))
  const { led, reports } = await withFollowers(tasks, () =>
    eclMis(part, view, withBytesRead(job, part, view.view)).finally(() => releaseStores(part)),
  )
  return { found: led, reports: [reportOf(part, led, view.view, undefined), ...reports] }
}

async function leadPart(run: PreparedRun, shared: SharedStates | undefined, job: JobContext): Promise<Led> {
  const { device, view, batches, workers } = run
  const { vertices } = view.view.header
  const own = batchesOf(batches, 0, workers.length)
  const trace = new Trace(run.traced)
  const store = new BatchStore(device, view.view, view.tailOffsets, slabBytes(run), trace, job.signal)
  const exchange = shared === undefined ? noExchange : replicated(device, shared, trace, job)
  const states = shared?.initial ?? run.initial
  const { afterStep, positions } = run
  const residual = shared?.residual ?? 0
  const base = { device, store, batches: own, vertices, exchange, residual, states, trace }
  const part: Part = { ...base, positions, afterStep }
  const found = await eclMis(part, view, withBytesRead(job, part, view.view)).finally(() => releaseStores(part))
  const replicas = exchange instanceof ReplicatedStates ? exchange : undefined
  return { found, reports: [reportOf(part, found, view.view, replicas)] }
}

function replicated(device: Device, shared: SharedStates, trace: Trace, job: JobContext): ReplicatedStates {
  const barrier = new SharedBarrier(shared.control, shared.workers, job.signal)
  return new ReplicatedStates(device, shared, 0, barrier, trace)
}

/** @throws Failure (input) when a section that the workers read together has not the checksum of its header */
function requireSound({ path, header }: ViewFile, reports: readonly PartReport[]): void {
  const { heads, tails, behind } = header
  const sums = new SectionSums(path, { heads, tails, behind })
  for (const report of reports) for (const sum of report.sums ?? []) sums.add(sum)
}

/** Progress with the bytes that the leading worker has read. */
function withBytesRead(job: JobContext, part: Part, view: ViewFile): JobContext {
  const progress: JobContext['progress'] = (step) =>
    job.progress({ ...step, bytes: view.bytesRead + bytesReadAhead(part) })
  return { signal: job.signal, progress, log: (message) => job.log(message) }
}

const slabBytes = ({ batches, deviceBytes, view, positions, workers }: PreparedRun): number => {
  const { vertices } = view.view.header
  return deviceBytes - workspaceBytes(batches, vertices, positions) - changesBytes(vertices, workers.length)
}

/** Whether some worker's slabs do not fit its device: then a batch takes longer to come than others take to tell of theirs. */
function someStream(run: PreparedRun): boolean {
  return slabsOfWorkers(run.batches, run.workers.length).some((bytes) => bytes > slabBytes(run))
}

function followerTasks(run: PreparedRun, shared: SharedStates): PartTask[] {
  const { view, workers, batches, traced } = run
  const { graph, order, vertices } = view.view.header
  return workers.slice(1).map((device, i) => ({
    kind: 'view',
    device,
    worker: i + 1,
    viewPath: view.view.path,
    graph,
    order,
    vertices,
    own: batchesOf(batches, i + 1, workers.length),
    tailOffsets: view.tailOffsets,
    shared,
    slabBytes: slabBytes(run),
    traced,
  }))
}
