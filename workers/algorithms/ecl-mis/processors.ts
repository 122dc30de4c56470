import { cpuFacts } from '../../device/cpu-device.ts'
import { Failure } from '../../failure.ts'
import type { JobContext } from '../../job.ts'
import { runInThread } from '../../threads/thread-pool.ts'
import type { DeviceReport } from './device-task.ts'
import type { HostScan } from './host-scan.ts'
import { StatusStates } from './host-states.ts'
import type { HostReport, HostTask } from './host-tasks.ts'
import { withScan } from './host-tasks.ts'
import type { WorkerPlan } from './plan-set.ts'
import type { Residual } from './residual.ts'
import { ScanBoard } from '../../streaming/scan-board.ts'
import type { HostMemory, ScanSetup } from './scan-setup.ts'
import { shareHostMemory } from './scan-setup.ts'

const NOTHING: Residual = { records: new Uint32Array(0), pool: new Uint32Array(0) }

/** The processors of a run: threads that share the states of all vertices. */
export class Processors {
  readonly memory: HostMemory
  readonly states: StatusStates
  readonly #setup: ScanSetup
  readonly #workers: readonly WorkerPlan[]
  readonly #leads: boolean
  readonly #job: JobContext

  /** @param leads whether this thread is one of them */
  constructor(setup: ScanSetup, workers: readonly WorkerPlan[], leads: boolean, job: JobContext) {
    const { vertices } = setup.graph
    this.memory = shareHostMemory(vertices, setup.order.priority)
    this.states = new StatusStates(vertices, this.memory.status)
    this.#setup = setup
    this.#workers = workers
    this.#leads = leads
    this.#job = job
  }

  get threads(): number {
    return this.#workers.reduce((sum, { threads }) => sum + threads, 0)
  }

  /** Ends and codes of all vertices; their states are then those to start from. */
  async index(initial: Uint32Array | undefined): Promise<HostReport[][]> {
    const reports = await this.#inThreads('index-set', (scan) => {
      scan.index()
      return NOTHING
    })
    if (initial !== undefined) this.states.merge(initial)
    new ScanBoard(this.#setup.board).setIndexed()
    return reports
  }

  /** Visits the lists that the board gives out. @param afterUnit called between units where this thread takes part */
  scan(afterUnit: () => void): Promise<HostReport[][]> {
    return this.#inThreads('scan-set', (scan) => scan.scan(afterUnit))
  }

  /** @returns what each thread of each worker did. @throws what the first of them that failed by itself did */
  async #inThreads(name: string, here: (scan: HostScan) => Residual): Promise<HostReport[][]> {
    const threads = this.#workers.map(({ threads, limits }, worker) =>
      Array.from({ length: threads }, (_, thread): Promise<HostReport> => {
        const task: HostTask = { setup: this.#setup, memory: this.memory, limits }
        if (!this.#leads || worker > 0 || thread > 0) return runInThread(name, task)
        return Promise.resolve().then(() => withScan(task, this.#job.signal, here))
      }),
    )
    await allDone(threads.flat(), new ScanBoard(this.#setup.board))
    return Promise.all(threads.map((each) => Promise.all(each)))
  }
}

/**
 * Settles when all have; a failure stops the others, and what they say of being stopped does not count, though they may say it first: who
 * fails stops the board, and only then its message is under way.
 */
export async function allDone<T>(works: readonly Promise<T>[], board: ScanBoard): Promise<T[]> {
  const errors: unknown[] = []
  const settled = await Promise.all(
    works.map((work) =>
      work.catch((error: unknown) => {
        errors.push(error)
        board.stop()
        return undefined
      }),
    ),
  )
  if (errors.length > 0) throw errors.find((error) => !isCancelled(error)) ?? errors[0]
  return settled as T[]
}

const isCancelled = (error: unknown): boolean => error instanceof Failure && error.code === 'cancelled'

/** What the threads of one worker did in all phases, together. */
export function processorReport(
  device: string,
  reports: readonly HostReport[],
): Omit<DeviceReport, 'residual' | 'left' | 'prepareMs'> {
  const sum = (figure: (report: HostReport) => number): number => reports.reduce((all, each) => all + figure(each), 0)
  const most = (figure: (report: HostReport) => number): number => Math.max(0, ...reports.map(figure))
  return {
    device: cpuFacts(device),
    bytesRead: sum(({ bytesRead }) => bytesRead),
    readMs: most(({ readMs }) => readMs),
    kernelMs: most(({ kernelMs }) => kernelMs),
    waitMs: 0,
    toDevice: 0,
    fromDevice: 0,
    exchanged: 0,
    sweeps: 0,
    spans: reports.flatMap(({ spans }) => spans),
  }
}
