import { cpuFacts } from '../../device/cpu-device.ts'
import type { JobContext } from '../../base/job.ts'
import { runInThread } from '../../threads/thread-pool.ts'
import type { WorkerReport } from '../worker-report.ts'
import { ByteStates } from './host-states.ts'
import type { HostReport, HostTask } from './host-tasks.ts'
import { scanOnProcessor } from './host-tasks.ts'
import type { WorkerPlan } from './plan-set.ts'
import { allDone } from '../../threads/all-done.ts'
import { ScanBoard } from '../../threads/scan-board.ts'
import type { HostMemory, ScanSetup } from './scan-setup.ts'
import { shareHostMemory } from './scan-setup.ts'

/** The processors of a run: threads that share the states of all vertices. */
export class Processors {
  readonly memory: HostMemory
  readonly states: ByteStates
  readonly #setup: ScanSetup
  readonly #workers: readonly WorkerPlan[]
  readonly #leads: boolean
  readonly #job: JobContext

  /** @param leads whether this thread is one of them */
  constructor(setup: ScanSetup, workers: readonly WorkerPlan[], leads: boolean, job: JobContext) {
    const { vertices } = setup.graph
    this.memory = shareHostMemory(vertices, setup.order.priority)
    this.states = new ByteStates(vertices, this.memory.states)
    this.#setup = setup
    this.#workers = workers
    this.#leads = leads
    this.#job = job
  }

  get threads(): number {
    return this.#workers.reduce((sum, { threads }) => sum + threads, 0)
  }

  /**
   * Ends and codes of all vertices, then the lists that the board gives out.
   * @param initial states to start from; undefined: all undecided
   * @param afterUnit called between units where this thread takes part
   * @returns what each thread of each worker did
   * @throws what the first of them that failed by itself did
   */
  async scan(initial: Uint32Array | undefined, afterUnit: () => void): Promise<HostReport[][]> {
    const shared = initial && inSharedMemory(initial)
    const threads = this.#workers.map(({ threads, limits }, worker) =>
      Array.from({ length: threads }, (_, thread): Promise<HostReport> => {
        const task: HostTask = { setup: this.#setup, memory: this.memory, limits, initial: shared }
        if (!this.#leads || worker > 0 || thread > 0) return runInThread('scan-set', task)
        return Promise.resolve().then(() => scanOnProcessor(task, this.#job.signal, afterUnit))
      }),
    )
    await allDone(threads.flat(), new ScanBoard(this.#setup.board))
    return Promise.all(threads.map((each) => Promise.all(each)))
  }
}

function inSharedMemory(words: Uint32Array): Uint32Array {
  const shared = new Uint32Array(new SharedArrayBuffer(words.byteLength))
  shared.set(words)
  return shared
}

/** What the threads of one worker did in all phases, together. */
export function processorReport(device: string, reports: readonly HostReport[]): WorkerReport {
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
