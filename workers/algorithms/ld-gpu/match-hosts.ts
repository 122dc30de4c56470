import type { JobContext } from '../../base/job.ts'
import { ScanBoard } from '../../threads/scan-board.ts'
import { runInThread } from '../../threads/thread-pool.ts'
import { allDone } from '../../threads/all-done.ts'
import type { FreeLists } from './free-lists.ts'
import type { PointFigures, PointPhase } from './host-match.ts'
import type { HostMatchReport, HostPhase } from './host-match-tasks.ts'
import { runPhase } from './host-match-tasks.ts'
import type { MatchSetup } from './match-setup.ts'

/** The processors of a matching: threads that go through its phases together. This thread is one of them. */
export class MatchHosts {
  bytesRead = 0
  readMs = 0
  kernelMs = 0
  readonly reports: HostMatchReport[] = []
  readonly #setup: MatchSetup
  readonly #threads: number
  readonly #job: JobContext
  readonly #board: ScanBoard

  constructor(setup: MatchSetup, threads: number, job: JobContext) {
    this.#setup = setup
    this.#threads = threads
    this.#job = job
    this.#board = new ScanBoard(setup.board)
  }

  /** Ends of lists, and the lists where they stay in memory. */
  async load(): Promise<void> {
    await this.#phase({ kind: 'load' })
  }

  /** @param afterUnit called between units of lists. @param beside other workers that take units from the same board */
  async scan(allFree: boolean, afterUnit: () => void, beside: () => readonly Promise<unknown>[]): Promise<void> {
    await this.#phase({ kind: 'scan', allFree }, afterUnit, beside)
  }

  /** The same by those other workers alone. */
  async watch(works: () => readonly Promise<unknown>[]): Promise<void> {
    this.#board.begin(1)
    await allDone(works(), this.#board)
  }

  async collect(lists: FreeLists, afterUnit: () => void): Promise<void> {
    await this.#phase({ kind: 'collect', lists }, afterUnit)
  }

  async point(phase: PointPhase): Promise<PointFigures> {
    const reports = await this.#phase({ kind: 'point', phase })
    const sum = (figure: keyof PointFigures): number => reports.reduce((all, { found }) => all + found![figure], 0)
    return { open: sum('open'), arcs: sum('arcs') }
  }

  async pair(of: 0 | 1): Promise<void> {
    await this.#phase({ kind: 'pair', of })
  }

  async settle(): Promise<void> {
    await this.#phase({ kind: 'settle' })
  }

  async #phase(
    phase: HostPhase,
    afterUnit = (): void => {},
    beside: () => readonly Promise<unknown>[] = () => [],
  ): Promise<HostMatchReport[]> {
    this.#board.begin(1)
    const task = { setup: this.#setup, phase }
    const threads = Array.from({ length: this.#threads - 1 }, () =>
      runInThread<typeof task, HostMatchReport>('match-on-host', task),
    )
    const others = beside()
    const here = Promise.resolve().then(() => runPhase(task, this.#job.signal, afterUnit))
    await allDone<unknown>([here, ...threads, ...others], this.#board)
    const reports = await Promise.all([here, ...threads])
    this.bytesRead += reports.reduce((all, each) => all + each.bytesRead, 0)
    this.readMs += Math.max(...reports.map((each) => each.readMs))
    this.kernelMs += Math.max(...reports.map((each) => each.kernelMs))
    if (this.#setup.traced) this.reports.push(...reports)
    return reports
  }
}
