/**
 * ECL-MIS (Burtscher, Devale, Azimi, Jaiganesh, Powers, TOPC 2018) in one pass over the file: every list is read once, in file order, by the
 * worker that takes it. A vertex above all its undecided neighbours joins; one that waits keeps its blockers in a residual graph, which sweeps
 * shrink, and the serial finish (residual/finish-set.ts) ends. Vertices that found no room there are deferred to another pass. The set is that of
 * the serial loop for any workers, batches and timing. GPUs scan in device-scan.ts, processors in processors.ts; other ranks meet in
 * residual/rank-states.ts.
 */

import type { Residual } from '../../../kernels/mis/visit-lists.ts'
import type { JobContext } from '../../base/job.ts'
import { type HostStates, PackedStates } from '../../graph/host-states.ts'
import { setOrder } from '../../graph/set-order.ts'
import { ScanBoard, reportScan } from '../../streaming/piece-scan.ts'
import { shareScan } from '../../streaming/scan-worker.ts'
import { runInThread } from '../../threads/thread-pool.ts'
import type { ComputedSet, SetRequest } from '../one-pass-set.ts'
import { finishPass } from '../residual/finish-set.ts'
import { RankStates } from '../residual/rank-states.ts'
import { type WorkerReport, together } from '../worker-report.ts'
import { type DeviceScanned, type DeviceTask, scanOnDevice } from './device-scan.ts'
import type { SetPlan, WorkerPlan } from './plan-set.ts'
import { Processors } from './processors.ts'
import { MANY_DEFERRED, type SetSetup, knownStates, shareStates } from './shared-states.ts'

/** A pass that leaves more than this share of its vertices is not repeated. */
const WORTHWHILE = 3 / 4

/** Computes a set. @throws Failure (input), (device), (cancelled) */
export async function computeSet(request: SetRequest<SetPlan>, job: JobContext): Promise<ComputedSet> {
  const startMs = performance.now()
  const { graph, plan, traced, exchange } = request
  const { setup: scan, pieces, slices } = shareScan(graph, plan.unitsAPiece, traced, exchange)
  const { degrees, hubsComeFirst: isBackward } = pieces.sampleDegrees()
  const order = setOrder({ ...request, ...graph.file }, degrees)
  const setup = { ...scan, order, isBackward }
  // Sections 3.1 and 3.2: a vertex above all its undecided neighbours joins and sets them out; one that waits keeps its blockers.
  const ranks = exchange && new RankStates(exchange, slices, graph.vertices, traced)
  let pass = await scanByWorkers(request, setup, ranks, job)
  const { prepareMs } = pass
  let { workers } = pass
  let passes = 1
  // Deferred vertices found no room in the residual graph, which is made anew.
  for (let before = Infinity; pass.deferred > MANY_DEFERRED && pass.deferred < WORTHWHILE * before; passes++) {
    before = pass.deferred
    pass = await scanByWorkers({ ...request, initial: pass.states.packed() }, setup, ranks, job)
    workers = workers.map(({ device, ...first }, i) => {
      const again = pass.workers[i]!
      const sweeps = (first.sweeps ?? 0) + (again.sweeps ?? 0)
      return { device, ...together([first, again], 'in turn'), sweeps }
    })
  }
  // The residual graph, in order of priority.
  const residual = { residuals: pass.residuals, deferred: pass.deferred, order, pieces }
  const finished = await finishPass(pass.states, ranks, residual, scan.own.vertices, job)
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
  readonly deferred: number
  readonly workers: readonly WorkerReport[]
  readonly prepareMs: number
}

const isHost = ({ layout }: WorkerPlan): boolean => layout === undefined

async function scanByWorkers(
  request: SetRequest<SetPlan>,
  setup: SetSetup,
  ranks: RankStates | undefined,
  job: JobContext,
): Promise<Pass> {
  const { graph, plan, lead, initial, checkpointer } = request
  const { workers } = plan
  const board = new ScanBoard(setup.board)
  const hosts = workers.filter(isHost)
  const processors = hosts.length === 0 ? undefined : new Processors(setup, hosts, isHost(workers[0]!), job)
  board.begin(workers.length - hosts.length + (processors?.threads ?? 0), setup.own.units.first)
  const shared = shareStates(graph.vertices, processors?.memory, workers.length, hosts.length, ranks !== undefined)
  const known = knownStates(graph.vertices, shared)
  if (initial !== undefined && processors === undefined) known?.merge(initial)
  if (ranks !== undefined) ranks.states = known!
  const others = async (): Promise<Residual[]> => {
    const devices = await Promise.all(onDevices.slice(1))
    return [...devices, ...((await onHosts) ?? []).flat()].map(({ residual }) => residual)
  }
  const onDevice = async ({ device, layout }: WorkerPlan, index: number): Promise<DeviceScanned> => {
    const task: DeviceTask = { setup, device, layout: layout!, initial, shared, index }
    if (index > 0) return runInThread('scan-set-on-device', task, device)
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
  const gpus = workers.flatMap((worker, index) => (isHost(worker) ? [] : [() => onDevice(worker, index)]))
  // The first keeps this thread while it allocates: the others begin before it.
  const begun = gpus.toReversed().map((begin) => begin())
  const onDevices = begun.reverse()
  const onHosts = processors?.scan(initial, () => {
    const done = reportScan(setup, job)
    if (board.isReady) ranks?.proceed(done)
    if (checkpointer?.isDue() === true) checkpointer.keep(processors.states.packed())
  })
  await board.all<unknown>(onHosts === undefined ? onDevices : [...onDevices, onHosts])
  const devices = await Promise.all(onDevices)
  const threads = (await onHosts) ?? []
  const states = known ?? processors?.states ?? new PackedStates(graph.vertices, devices[0]!.states!)
  return { ...passOf(workers, devices, threads), states }
}

/** What the workers say at its end. @param threads of each worker that is a processor */
function passOf(
  workers: readonly WorkerPlan[],
  devices: readonly DeviceScanned[],
  threads: Awaited<ReturnType<Processors['scan']>>,
): Pick<Pass, 'residuals' | 'deferred' | 'workers' | 'prepareMs'> {
  const reports = [...devices, ...threads.flat()]
  const residuals = reports.map(({ residual }) => residual)
  // The first has taken them over.
  residuals.splice(1, devices[0]?.adopted ?? 0)
  let [device, host] = [0, 0]
  return {
    residuals,
    deferred: reports.reduce((sum, { deferred }) => sum + deferred, 0),
    workers: workers.map((worker) =>
      isHost(worker) ? { device: worker.facts, ...together(threads[host++]!, 'beside') } : devices[device++]!.report,
    ),
    prepareMs: (threads[0]?.[0] ?? reports[0]!).prepareMs,
  }
}
