import type { JobContext } from '../../base/job.ts'
import { PIECE_BYTES } from '../../base/sums.ts'
import type { TraceSpan } from '../../base/trace.ts'
import { cpuFacts } from '../../device/cpu-device.ts'
import { ScanBoard } from '../../threads/scan-board.ts'
import { allDone, runInThread } from '../../threads/thread-pool.ts'
import { type WorkerReport, idleReport } from '../worker-report.ts'
import type { Side } from './device-lists.ts'
import { type DeviceScanReport, type DeviceScanTask, scanOnDevice, sumOf } from './device-best-scan.ts'
import type { MatchHosts } from './match-hosts.ts'
import type { MatchWorker } from './match-plan.ts'
import type { MatchRequest } from './match-request.ts'
import type { MatchSetup } from './match-setup.ts'

type Work = Pick<DeviceScanTask, 'allFree' | 'collect'>

/** Passes over the lists: the best neighbours of every vertex (LD-GPU, SC 2024, Algorithm 3), or the free ones of some. */
export class MatchScans {
  readonly #request: MatchRequest
  readonly #setup: MatchSetup
  readonly #hosts: MatchHosts
  readonly #job: JobContext
  readonly #side: Side | undefined
  readonly #board: ScanBoard
  /** Of each worker. */
  readonly #reports: readonly DeviceScanReport[][]

  /** @param side from where GPUs take units */
  constructor(request: MatchRequest, setup: MatchSetup, hosts: MatchHosts, job: JobContext, side?: Side) {
    this.#request = request
    this.#setup = setup
    this.#hosts = hosts
    this.#job = job
    this.#side = side
    this.#board = new ScanBoard(setup.board)
    this.#reports = request.plan.workers.map(() => [])
  }

  /** Begins a pass of the GPUs that do no rounds. */
  begin(work: Work): Promise<DeviceScanReport>[] {
    this.#board.begin(1, this.#setup.own.units.first)
    return this.#onDevices(work)
  }

  /** A pass of GPUs alone. */
  async onDevices(work: Work): Promise<DeviceScanReport[]> {
    const works = this.begin(work)
    this.#board.setReady()
    return allDone(works, this.#board)
  }

  /** Every vertex keeps its best free neighbours. @param allFree no vertex has a mate yet */
  async run(allFree: boolean): Promise<void> {
    const work = { allFree, collect: undefined }
    if (this.#request.plan.workers.some(({ gpu }) => gpu === undefined))
      await this.#hosts.run({ kind: 'scan', allFree }, this.report, () => this.#onDevices(work))
    else await this.onDevices(work)
    const deferred = this.#reports.flatMap((each) => each.at(-1)?.deferred ?? [])
    this.#hosts.keep(deferred, allFree)
  }

  /** Reports how far the pass has come. */
  readonly report = (): void => {
    const { own, unitsAPiece } = this.#setup
    const { first, end } = own.units
    const units = Math.min(end, this.#board.taken) - first
    const unitBytes = PIECE_BYTES / unitsAPiece
    this.#job.progress({ phase: 'scan', done: units * unitBytes, total: (end - first) * unitBytes, unit: 'bytes' })
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
    const { bytesRead, readMs, kernelMs, reports } = this.#hosts
    return workers.map(({ device, gpu }, worker) => {
      const idle = gpu === 'rounds' ? lead! : idleReport(cpuFacts(device))
      const report = gpu === 'scan' ? sumOf(this.#reports[worker]!) : idle
      if (worker !== first) return report
      return {
        ...report,
        bytesRead: report.bytesRead + bytesRead,
        readMs: report.readMs + readMs,
        kernelMs: report.kernelMs + (gpu === undefined ? kernelMs : 0),
        spans: [...report.spans, ...spans, ...reports.flatMap((each) => each.spans)],
      }
    })
  }

  #onDevices(work: Work): Promise<DeviceScanReport>[] {
    return this.#request.plan.workers.flatMap((worker, i) => (worker.gpu === 'scan' ? [this.#on(worker, i, work)] : []))
  }

  async #on({ device, batchPieces }: MatchWorker, worker: number, work: Work): Promise<DeviceScanReport> {
    const task = { setup: this.#setup, device, batchPieces: batchPieces!, side: this.#side, ...work }
    const found =
      worker === 0
        ? await scanOnDevice(task, this.#request.lead, this.#job.signal, this.report)
        : await runInThread<DeviceScanTask, DeviceScanReport>('match-scan-on-device', task, device)
    this.#reports[worker]!.push(found)
    return found
  }
}
