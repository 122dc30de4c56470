/**
 * ECL-MIS (Burtscher, Devale, Azimi, Jaiganesh, Powers, TOPC 2018) in one pass over the file: every list is read once, in file order, by the
 * worker that takes it. A vertex above all its undecided neighbours joins; one that waits keeps its blockers in a residual graph, which sweeps
 * shrink, and the serial finish (finish-set.ts) ends. Vertices that found no room there are deferred to another pass. The set is that of the
 * serial loop for any workers, batches and timing. GPUs scan in device-task.ts, processors in processors.ts, other ranks meet in rank-states.ts.
 */

import type { JobContext } from '../../base/job.ts'
import { Trace } from '../../base/trace.ts'
import type { Priority } from '../../contract/jobs.ts'
import { cpuFacts } from '../../device/cpu-device.ts'
import type { Device } from '../../device/device.ts'
import type { GaloisGr } from '../../graph/galois-gr.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import { GraphPieces, type GraphSlice, sliceOf, slicesOf } from '../../graph/graph-pieces.ts'
import { setOrder } from '../../graph/set-order.ts'
import { allDone, runInThread } from '../../threads/thread-pool.ts'
import { ScanBoard, reportScan } from '../../streaming/piece-scan.ts'
import type { Checkpointer } from '../checkpoint.ts'
import { type WorkerReport, together } from '../worker-report.ts'
import { type DeviceScanned, type DeviceTask, scanOnDevice } from './device-task.ts'
import { finishSet, finishAcross } from './finish-set.ts'
import { RankStates } from './rank-states.ts'
import type { Residual } from './host-kernels.ts'
import { MANY_LEFT, knownStates, shareStates, type ScanSetup, hubsComeFirst } from './shared-scan.ts'
import { type HostStates, PackedStates } from './host-states.ts'
import type { SetPlan, WorkerPlan } from './plan-set.ts'
import { Processors } from './processors.ts'

/** A set to compute, planned and with its graph open. */
interface SetRequest {
  readonly graph: GaloisGr
  readonly priority: Priority
  readonly seed: number
  readonly column?: Float64Array | undefined
  readonly plan: SetPlan
  /** The first worker's device, open; unused where that is a processor. */
  readonly lead: Device
  /** States to start from, two bits a vertex; undefined: all undecided. */
  readonly initial: Uint32Array | undefined
  readonly traced: boolean
  /** The checkpointer of states, two bits a vertex. */
  readonly checkpointer: Checkpointer<Uint32Array> | undefined
  /** The exchange with other ranks; undefined: there are none. */
  readonly exchange?: Exchange | undefined
}

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
  readonly ranks?: RankStates | undefined
}

/** A pass that leaves more than this share of its vertices is not repeated. */
const WORTHWHILE = 3 / 4

/** Computes a set. @throws Failure (input), (device), (cancelled) */
export async function computeSet(request: SetRequest, job: JobContext): Promise<ComputedSet> {
  const startMs = performance.now()
  const { graph, plan, traced, exchange } = request
  const { unitsAPiece } = plan
  const pieces = new GraphPieces(graph.file, graph.checked.source, unitsAPiece)
  const sample = pieces.sampleDegrees()
  const order = setOrder({ ...request, ...graph.file }, sample)
  const slices = exchange === undefined ? undefined : slicesOf(pieces, exchange.ranks)
  const own = slices?.[exchange!.rank] ?? sliceOf(pieces, undefined)
  const shared = { graph: graph.file, crcs: graph.checked.handle.crcs, order, own, isBackward: hubsComeFirst(sample) }
  const setup = { ...shared, board: new ScanBoard().words, unitsAPiece, traced }
  // Sections 3.1 and 3.2: a vertex above all its undecided neighbours joins and sets them out; one that waits keeps its blockers.
  let pass = await scanByWorkers(request, setup, slices, undefined, job)
  const { ranks, prepareMs } = pass
  let { workers } = pass
  let passes = 1
  // Deferred vertices found no room in the residual graph, which is made anew.
  for (let before = Infinity; pass.left > MANY_LEFT && pass.left < WORTHWHILE * before; passes++) {
    before = pass.left
    pass = await scanByWorkers({ ...request, initial: pass.states.packed() }, setup, slices, ranks, job)
    workers = workers.map(({ device, ...first }, i) => {
      const again = pass.workers[i]!
      const sweeps = (first.sweeps ?? 0) + (again.sweeps ?? 0)
      return { device, ...together([first, again], 'in turn'), sweeps }
    })
  }
  // The residual graph, in order of priority.
  const readTargets = (begin: number, end: number): Uint32Array => {
    const targets = new Uint32Array(end - begin)
    graph.checked.source.read(new Uint8Array(targets.buffer), graph.file.targetsAt + 4 * begin)
    return targets
  }
  const residual = { residuals: pass.residuals, left: pass.left, order, pieces, readTargets }
  const finished =
    ranks === undefined ? finishSet(pass.states, residual, job) : await finishAcross(ranks, residual, own.vertices, job)
  const sweeps = Math.max(0, ...workers.map((worker) => worker.sweeps ?? 0))
  const [lead, ...others] = workers
  return {
    states: pass.states,
    workers: [{ ...lead!, spans: [...lead!.spans, ...(ranks?.spans ?? [])] }, ...others],
    passes,
    sweeps,
    finished,
    prepareMs,
    computeMs: performance.now() - startMs - prepareMs,
    ranks,
  }
}

/** What a pass leaves. */
interface Pass {
  readonly states: HostStates
  /** Taken away once they are joined. */
  readonly residuals: Residual[]
  /** Deferred vertices. */
  readonly left: number
  readonly workers: readonly WorkerReport[]
  readonly prepareMs: number
  readonly ranks: RankStates | undefined
}

const isHost = ({ layout }: WorkerPlan): boolean => layout === undefined

/** @param earlier the ranks of the pass before */
async function scanByWorkers(
  request: SetRequest,
  setup: ScanSetup,
  slices: readonly GraphSlice[] | undefined,
  earlier: RankStates | undefined,
  job: JobContext,
): Promise<Pass> {
  const { graph, plan, lead, initial, checkpointer, exchange } = request
  const { workers } = plan
  const board = new ScanBoard(setup.board)
  const hosts = workers.filter(isHost)
  const processors = hosts.length === 0 ? undefined : new Processors(setup, hosts, isHost(workers[0]!), job)
  board.begin(workers.length - hosts.length + (processors?.threads ?? 0), setup.own.units.first)
  const shared = shareStates(graph.vertices, processors?.memory, workers.length, hosts.length, exchange !== undefined)
  const known = knownStates(graph.vertices, shared)
  if (initial !== undefined && processors === undefined) known?.merge(initial)
  const ranks =
    earlier ?? (exchange && new RankStates(exchange, slices!, known!, graph.vertices, new Trace(setup.traced)))
  if (ranks !== undefined) ranks.states = known!
  const others = async (): Promise<Residual[]> => {
    const devices = await Promise.all(onDevices.slice(1))
    return [...devices, ...((await onHosts) ?? []).flat()].map(({ residual }) => residual)
  }
  const onDevice = async ({ device, layout }: WorkerPlan, place: number): Promise<DeviceScanned> => {
    const task: DeviceTask = { setup, device, layout: layout!, initial, shared, place }
    if (place > 0) return runInThread('scan-set-on-device', task, device)
    return scanOnDevice(task, lead, {
      signal: job.signal,
      afterBatch: async (scan) => {
        reportScan(setup, job)
        const isKnown = known !== undefined && (processors === undefined || board.isReady)
        if (checkpointer?.isDue() === true) checkpointer.keep(isKnown ? known.packed() : await scan.packed())
      },
      others: workers.length === 1 ? undefined : others,
      ranks,
    })
  }
  const gpus = workers.flatMap((worker, place) => (isHost(worker) ? [] : [() => onDevice(worker, place)]))
  // The first keeps this thread while it allocates: the others begin before it.
  const begun = gpus.toReversed().map((begin) => begin())
  const onDevices = begun.reverse()
  const onHosts = processors?.scan(initial, () => {
    const done = reportScan(setup, job)
    if (board.isReady) ranks?.proceed(done)
    if (checkpointer?.isDue() === true) checkpointer.keep(processors.states.packed())
  })
  await allDone<unknown>(onHosts === undefined ? onDevices : [...onDevices, onHosts], board)
  const devices = await Promise.all(onDevices)
  const threads = (await onHosts) ?? []
  const states = known ?? processors?.states ?? new PackedStates(graph.vertices, devices[0]!.states!)
  return { ...passOf(workers, devices, threads), states, ranks }
}

/** What the workers say at its end. @param threads of each worker that is a processor */
function passOf(
  workers: readonly WorkerPlan[],
  devices: readonly DeviceScanned[],
  threads: Awaited<ReturnType<Processors['scan']>>,
): Pick<Pass, 'residuals' | 'left' | 'workers' | 'prepareMs'> {
  const reports = [...devices, ...threads.flat()]
  const residuals = reports.map(({ residual }) => residual)
  // The first has taken them over.
  residuals.splice(1, devices[0]?.taken ?? 0)
  let [device, host] = [0, 0]
  return {
    residuals,
    left: reports.reduce((sum, { left }) => sum + left, 0),
    workers: workers.map((worker) =>
      isHost(worker)
        ? { device: cpuFacts(worker.device), ...together(threads[host++]!, 'beside') }
        : devices[device++]!.report,
    ),
    prepareMs: (threads[0]?.[0] ?? reports[0]!).prepareMs,
  }
}
