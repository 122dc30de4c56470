/**
 * The workers of a matching: processors, this thread among them, that run its phases together and meet after each, and GPUs that scan and
 * collect lists for others (scan-on-device.ts). Threads are started once and take phases from a board; a failure of one stops all. Figures of
 * phases add up to a report for each worker. match-on-hosts.ts and match-on-device.ts say which phase comes next.
 */

import { NONE } from '../../../kernels/matching/match-state.ts'
import { tieRules } from '../../../kernels/parts/edge-order.ts'
import { endThreadIfDue } from '../../base/fault-injection.ts'
import type { JobContext, StopSignal } from '../../base/job.ts'
import type { TraceSpan } from '../../base/trace.ts'
import { cpuFacts } from '../../device/cpu-device.ts'
import { PieceScan, ScanBoard, reportScan } from '../../streaming/piece-scan.ts'
import { allDone, runInThread } from '../../threads/thread-pool.ts'
import { type WorkerReport, together } from '../worker-report.ts'
import type { Side } from './device-lists.ts'
import type { FreeLists, MatchRequest, MatchSetup } from './match-setup.ts'
import { HostLists } from './host-lists.ts'
import { HostMatch, type PointFigures, type PointPhase } from './host-match.ts'
import { type DeviceScanReport, type DeviceScanTask, scanOrCollect } from './scan-on-device.ts'

/** Vertices: a thread takes longer to start than a matching of fewer takes. */
const WORTH_A_THREAD = 1 << 25

type ScanWork = Pick<DeviceScanTask, 'allFree' | 'collect'>

/** The workers of a matching: processors, this thread among them, that run its phases together, and GPUs that scan and collect lists for others. */
export class MatchWorkers {
  readonly #request: MatchRequest
  readonly #setup: MatchSetup
  readonly #job: JobContext
  readonly #side: Side | undefined
  readonly #board: ScanBoard
  /** What GPUs did, pass by pass, for each worker. */
  readonly #scans: readonly DeviceScanReport[][]
  /** What all processors did together. */
  #hosts = together([], 'in turn')
  /** Whether the processors know the ends of the lists. */
  #hasEnds = false

  /** @param side from where GPUs take units */
  constructor(request: MatchRequest, setup: MatchSetup, job: JobContext, side?: Side) {
    this.#request = request
    this.#setup = setup
    this.#job = job
    this.#side = side
    this.#board = new ScanBoard(setup.board)
    this.#scans = request.plan.workers.map(() => [])
  }

  /** Every vertex keeps its best free neighbours (LD-GPU, SC 2024, Algorithm 3). @param allFree no vertex has a mate yet */
  async scan(allFree: boolean): Promise<void> {
    const work = { allFree, collect: undefined }
    if (this.#request.plan.workers.some(({ gpu }) => gpu === undefined))
      await this.run({ kind: 'scan', allFree }, this.reportScan, () => this.#onDevices(work))
    else await this.onDevices(work)
    await this.keep(
      this.#scans.flatMap((each) => each.at(-1)?.deferred ?? []),
      allFree,
    )
  }

  /** Begins a pass over the lists of the GPUs that do no rounds. */
  begin(work: ScanWork): Promise<DeviceScanReport>[] {
    this.#board.begin(1, this.#setup.own.units.first)
    return this.#onDevices(work)
  }

  /** A pass of GPUs alone. */
  async onDevices(work: ScanWork): Promise<DeviceScanReport[]> {
    const works = this.begin(work)
    this.#board.setReady()
    return allDone(works, this.#board)
  }

  /** Reports how far a pass has come. */
  readonly reportScan = (): void => void reportScan(this.#setup, this.#job)

  /** Vertices with long lists keep their candidates, on this thread; ties by degrees need all ends. */
  async keep(vertices: readonly number[], allFree: boolean): Promise<void> {
    if (vertices.length === 0) return
    if (!this.#hasEnds && this.#setup.order.ties === tieRules.degree) await this.run({ kind: 'load' })
    const phase = { kind: 'keep', vertices, allFree } as const
    const { bytesRead } = runPhase({ setup: this.#setup, phase }, this.#job.signal, () => {})
    this.#hosts = together([this.#hosts, { bytesRead }], 'in turn')
  }

  /** Fills the pointers of a large matching in another thread: the first touch of memory takes longer than a copy into it. */
  async touchPointers(): Promise<void> {
    const setup = this.#setup
    if (setup.memory.pointers.length < WORTH_A_THREAD) return
    await runInThread<HostMatchTask, HostMatchReport>('match-on-host', { setup, phase: { kind: 'touch' } })
  }

  /**
   * A phase of all processors.
   * @param afterUnit called between units of lists
   * @param beside other workers that take units from the same board
   * @returns what all threads found together
   */
  async run(
    phase: HostPhase,
    afterUnit = (): void => {},
    beside: () => readonly Promise<unknown>[] = () => [],
  ): Promise<PointFigures> {
    // Chunks count from 0.
    this.#board.begin(1, phase.kind === 'scan' || phase.kind === 'collect' ? this.#setup.own.units.first : 0)
    const task = { setup: this.#setup, phase }
    const threads = Array.from({ length: this.#request.plan.threads - 1 }, () =>
      runInThread<typeof task, HostMatchReport>('match-on-host', task),
    )
    const others = beside()
    const here = Promise.resolve().then(() => runPhase(task, this.#job.signal, afterUnit))
    await allDone<unknown>([here, ...threads, ...others], this.#board)
    const reports = await Promise.all([here, ...threads])
    const sum = (figure: (report: HostMatchReport) => number): number =>
      reports.reduce((all, report) => all + figure(report), 0)
    this.#hosts = together([this.#hosts, together(reports, 'beside')], 'in turn')
    if (phase.kind === 'load') this.#hasEnds = true
    return { open: sum(({ found }) => found.open), arcs: sum(({ found }) => found.arcs) }
  }

  /**
   * What the workers did, in the order of the plan. The work of all processors counts for the first of them, or the first GPU where there are only
   * GPUs.
   * @param spans of waiting @param lead of the GPU that does the rounds
   */
  reports(spans: readonly TraceSpan[] = [], lead?: WorkerReport): WorkerReport[] {
    const { workers } = this.#request.plan
    const first = Math.max(
      0,
      workers.findIndex(({ gpu }) => gpu === undefined),
    )
    return workers.map(({ device, gpu }, worker) => {
      const parts: readonly Partial<WorkerReport>[] = gpu === 'rounds' ? [lead!] : this.#scans[worker]!
      const facts = parts[0]?.device ?? cpuFacts(device)
      const hosts = gpu === undefined ? this.#hosts : { ...this.#hosts, kernelMs: 0 }
      return { device: facts, ...together(worker === first ? [...parts, { spans }, hosts] : parts, 'in turn') }
    })
  }

  #onDevices(work: ScanWork): Promise<DeviceScanReport>[] {
    return this.#request.plan.workers.flatMap(({ device, gpu, batchPieces }, worker) => {
      if (gpu !== 'scan') return []
      const task = { setup: this.#setup, device, batchPieces: batchPieces!, side: this.#side, ...work }
      return [this.#onDevice(task, worker)]
    })
  }

  async #onDevice(task: DeviceScanTask, worker: number): Promise<DeviceScanReport> {
    const found =
      worker === 0
        ? await scanOrCollect(task, this.#request.lead, this.#job.signal, this.reportScan)
        : await runInThread<DeviceScanTask, DeviceScanReport>('match-scan-on-device', task, task.device)
    this.#scans[worker]!.push(found)
    return found
  }
}

type HostPhase =
  | { readonly kind: 'load' }
  | { readonly kind: 'scan'; readonly allFree: boolean }
  | { readonly kind: 'keep'; readonly vertices: readonly number[]; readonly allFree: boolean }
  | { readonly kind: 'collect'; readonly lists: FreeLists }
  | ({ readonly kind: 'point' } & PointPhase)
  | { readonly kind: 'pair' }
  | { readonly kind: 'undecided' }
  | { readonly kind: 'touch' }
  | { readonly kind: 'settle'; readonly mates: Uint32Array }

interface HostMatchTask {
  readonly setup: MatchSetup
  readonly phase: HostPhase
}

interface HostMatchReport extends Pick<WorkerReport, 'bytesRead' | 'readMs' | 'kernelMs' | 'spans'> {
  readonly found: PointFigures
}

/** The phase of a processor in a thread of its own. */
export async function hostMatchTask(task: HostMatchTask): Promise<HostMatchReport> {
  if (task.phase.kind === 'scan') await endThreadIfDue()
  return runPhase(task, new ScanBoard(task.setup.board).signal, () => {})
}

/** Runs a phase on this thread; a failure stops the others. */
function runPhase({ setup, phase }: HostMatchTask, signal: StopSignal, afterUnit: () => void): HostMatchReport {
  let scan: PieceScan | undefined
  try {
    scan = PieceScan.open(setup, signal)
    const lists = new HostLists(setup, scan)
    const host = new HostMatch(setup, lists)
    let found = { open: 0, arcs: 0 }
    if (phase.kind === 'load') lists.load()
    else if (phase.kind === 'scan') host.scan(phase.allFree, afterUnit)
    else if (phase.kind === 'keep') for (const v of phase.vertices) host.keepLong(v, phase.allFree)
    else if (phase.kind === 'collect') host.collect(phase.lists, afterUnit)
    else if (phase.kind === 'point') found = host.point(phase)
    else if (phase.kind === 'pair') host.pair()
    else if (phase.kind === 'undecided') found.open = host.undecided()
    else if (phase.kind === 'touch') setup.memory.pointers.fill(NONE)
    else host.settle(phase.mates)
    const { bytesRead, readMs } = scan.reader
    return { found, bytesRead, readMs, kernelMs: scan.kernelMs, spans: scan.trace.spans }
  } catch (error) {
    new ScanBoard(setup.board).stop()
    throw error
  } finally {
    scan?.close()
  }
}
