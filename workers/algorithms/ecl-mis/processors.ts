import { closeSync } from 'node:fs'
import { endThreadIfDue } from '../../base/fault-injection.ts'
import { openFile } from '../../base/file-bytes.ts'
import type { JobContext, StopSignal } from '../../base/job.ts'
import { Trace } from '../../base/trace.ts'
import { cpuFacts } from '../../device/cpu-device.ts'
import { AllReduce, BARRIER_WORDS, SharedBarrier, sumsOf } from '../../threads/barrier.ts'
import { ScanBoard } from '../../streaming/piece-scan.ts'
import { allDone, runInThread } from '../../threads/thread-pool.ts'
import { type WorkerReport, idleReport } from '../worker-report.ts'
import type { Residual, ResidualLimits } from './host-kernels.ts'
import { HostScan } from './host-scan.ts'
import { ByteStates } from './host-states.ts'
import type { WorkerPlan } from './plan-set.ts'
import { type HostMemory, type ScanSetup, shareHostMemory } from './scan-setup.ts'

/** The processors of a run: threads that share all states. */
export class Processors {
  readonly memory: HostMemory
  readonly states: ByteStates
  readonly threads: number
  readonly #setup: ScanSetup
  readonly #workers: readonly WorkerPlan[]
  readonly #leads: boolean
  readonly #job: JobContext

  /** @param leads whether this thread is one of them */
  constructor(setup: ScanSetup, workers: readonly WorkerPlan[], leads: boolean, job: JobContext) {
    const { graph, order, own } = setup
    const { vertices } = graph
    this.threads = workers.reduce((sum, { threads }) => sum + threads, 0)
    const isWhole = own.vertices.end - own.vertices.first === vertices
    this.memory = shareHostMemory(vertices, order.priority, isWhole ? undefined : this.threads)
    this.states = new ByteStates(vertices, this.memory.states)
    this.#setup = setup
    this.#workers = workers
    this.#leads = leads
    this.#job = job
  }

  /**
   * @param initial states to start from; undefined: all undecided
   * @param afterUnit called between units where this thread takes part
   * @returns a report for each thread of each worker
   * @throws the first failure of a thread by itself
   */
  async scan(initial: Uint32Array | undefined, afterUnit: () => void): Promise<HostReport[][]> {
    const shared = initial && new Uint32Array(new SharedArrayBuffer(initial.byteLength))
    shared?.set(initial!)
    let begun = 0
    const sweeps = { control: new Int32Array(new SharedArrayBuffer(4 * BARRIER_WORDS)), sums: sumsOf(this.threads) }
    const common = { setup: this.#setup, memory: this.memory, initial: shared, threads: this.threads, sweeps }
    const threads = this.#workers.map(({ threads, limits }, worker) =>
      Array.from({ length: threads }, (_, thread): Promise<HostReport> => {
        const task: HostTask = { ...common, limits, thread: begun++ }
        if (!this.#leads || worker > 0 || thread > 0) return runInThread('scan-set', task)
        return Promise.resolve().then(() => scanOnProcessor(task, this.#job.signal, afterUnit))
      }),
    )
    await allDone(threads.flat(), new ScanBoard(this.#setup.board))
    return Promise.all(threads.map((each) => Promise.all(each)))
  }
}

/** The report of a worker from those of its threads. */
export function processorReport(device: string, reports: readonly HostReport[]): WorkerReport {
  const sum = (figure: (report: HostReport) => number): number => reports.reduce((all, each) => all + figure(each), 0)
  const most = (figure: (report: HostReport) => number): number => Math.max(0, ...reports.map(figure))
  return {
    ...idleReport(cpuFacts(device)),
    bytesRead: sum(({ bytesRead }) => bytesRead),
    readMs: most(({ readMs }) => readMs),
    kernelMs: most(({ kernelMs }) => kernelMs),
    spans: reports.flatMap(({ spans }) => spans),
  }
}

/** The task of a processor. */
interface HostTask {
  readonly setup: ScanSetup
  readonly memory: HostMemory
  readonly limits: ResidualLimits
  /** States to start from, two bits a vertex, in shared memory; undefined: all undecided. */
  readonly initial: Uint32Array | undefined
  /** Its place among all. */
  readonly thread: number
  readonly threads: number
  /** Of the last sweeps, which all do side by side. */
  readonly sweeps: { readonly control: Int32Array; readonly sums: Float64Array }
}

export interface HostReport extends Pick<WorkerReport, 'bytesRead' | 'readMs' | 'kernelMs' | 'spans'> {
  readonly residual: Residual
  /** Deferred vertices. */
  readonly left: number
  /** Until all vertices were indexed. */
  readonly prepareMs: number
}

export async function scanTask(task: HostTask): Promise<HostReport> {
  await endThreadIfDue()
  const { residual, ...report } = await scanOnProcessor(task, new ScanBoard(task.setup.board).signal, () => {})
  // All of the memory behind them would be sent.
  return { ...report, residual: { records: residual.records.slice(), pool: residual.pool.slice() } }
}

/** Indexes, then scans, on this thread; a failure stops the others. @param afterUnit called between units of lists */
async function scanOnProcessor(task: HostTask, signal: StopSignal, afterUnit: () => void): Promise<HostReport> {
  const startMs = performance.now()
  const { setup, memory, limits } = task
  const board = new ScanBoard(setup.board)
  let file: number | undefined
  try {
    file = openFile(setup.graph.path, 'r')
    const trace = new Trace(setup.traced)
    const scan = new HostScan(setup, memory, task.thread, limits, file, trace, signal)
    scan.index(task.initial)
    await board.untilReady(signal)
    const prepareMs = performance.now() - startMs
    scan.scan(afterUnit)
    await board.untilAll(signal)
    const stop: StopSignal = {
      get aborted() {
        return signal.aborted || board.isStopped
      },
    }
    const barrier = new SharedBarrier(task.sweeps.control, task.threads, stop)
    const residual = await scan.settle(new AllReduce(task.sweeps.sums, task.thread, barrier))
    const { bytesRead, readMs } = scan.reader
    return { residual, left: scan.left, prepareMs, bytesRead, readMs, kernelMs: scan.kernelMs, spans: trace.spans }
  } catch (error) {
    board.stop()
    throw error
  } finally {
    if (file !== undefined) closeSync(file)
  }
}
