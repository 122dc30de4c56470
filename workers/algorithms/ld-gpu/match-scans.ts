import { PIECE_BYTES } from '../../base/sums.ts'
import type { JobContext } from '../../base/job.ts'
import { cpuFacts } from '../../device/cpu-device.ts'
import { ScanBoard } from '../../threads/scan-board.ts'
import { runInThread } from '../../threads/thread-pool.ts'
import { type WorkerReport, idleReport } from '../worker-report.ts'
import { type DeviceScanReport, type DeviceScanTask, scanOnDevice, sumOf } from './device-best-scan.ts'
import type { MatchHosts } from './match-hosts.ts'
import type { MatchRequest } from './match-request.ts'
import type { MatchSetup } from './match-setup.ts'
import type { MatchWorker } from './match-plan.ts'

/** Scans of the lists by all workers: the best neighbours of every vertex (LD-GPU, SC 2024, Algorithm 3). */
export class MatchScans {
  readonly #request: MatchRequest
  readonly #setup: MatchSetup
  readonly #hosts: MatchHosts
  readonly #job: JobContext
  readonly #deviceReports = new Map<string, DeviceScanReport[]>()

  constructor(request: MatchRequest, setup: MatchSetup, hosts: MatchHosts, job: JobContext) {
    this.#request = request
    this.#setup = setup
    this.#hosts = hosts
    this.#job = job
  }

  /** @param allFree no vertex has a mate yet */
  async run(allFree: boolean): Promise<void> {
    const { unitsAPiece, board, own } = this.#setup
    const { first, end } = own.units
    const unitBytes = PIECE_BYTES / unitsAPiece
    const scanBoard = new ScanBoard(board)
    const report = (): void => {
      const done = (Math.min(end, scanBoard.taken) - first) * unitBytes
      this.#job.progress({ phase: 'scan', done, total: (end - first) * unitBytes, unit: 'bytes' })
    }
    const { workers } = this.#request.plan
    const onDevices = (): Promise<DeviceScanReport>[] =>
      workers.flatMap((worker, i) => (worker.gpu === 'scan' ? [this.#scanOn(worker, i, allFree, report)] : []))
    if (workers.some(({ gpu }) => gpu === undefined))
      await this.#hosts.run({ kind: 'scan', allFree }, report, onDevices)
    else await this.#hosts.watch(onDevices)
    const deferred = [...this.#deviceReports.values()].flatMap((reports) => reports.at(-1)!.deferred)
    this.#hosts.keep(deferred, allFree)
  }

  async #scanOn(
    { device, batchPieces }: MatchWorker,
    worker: number,
    allFree: boolean,
    report: () => void,
  ): Promise<DeviceScanReport> {
    const task = { setup: this.#setup, device, batchPieces: batchPieces!, allFree }
    const scanned =
      worker === 0
        ? await scanOnDevice(task, this.#request.lead, this.#job.signal, report)
        : await runInThread<DeviceScanTask, DeviceScanReport>('match-scan-on-device', task, device)
    this.#deviceReports.set(device, [...(this.#deviceReports.get(device) ?? []), scanned])
    return scanned
  }

  /** The work of all processors counts for the first of them, or the first GPU where there are only GPUs. */
  reports(): WorkerReport[] {
    const { workers } = this.#request.plan
    const first = Math.max(
      0,
      workers.findIndex(({ gpu }) => gpu === undefined),
    )
    const { bytesRead, readMs, kernelMs, reports } = this.#hosts
    return workers.map(({ device, gpu }, worker) => {
      const scans = gpu === 'scan' ? this.#deviceReports.get(device) : undefined
      const report = scans === undefined ? idleReport(cpuFacts(device)) : sumOf(scans)
      if (worker !== first) return report
      return {
        ...report,
        bytesRead: report.bytesRead + bytesRead,
        readMs: report.readMs + readMs,
        kernelMs: report.kernelMs + (gpu === undefined ? kernelMs : 0),
        spans: [...report.spans, ...reports.flatMap(({ spans }) => spans)],
      }
    })
  }
}
