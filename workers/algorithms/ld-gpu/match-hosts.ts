import { closeSync } from 'node:fs'
import { NONE } from '../../../kernels/matching/match-state.ts'
import { tieRules } from '../../../kernels/parts/edge-order.ts'
import { endThreadIfDue } from '../../base/fault-injection.ts'
import { openFile } from '../../base/file-bytes.ts'
import type { JobContext, StopSignal } from '../../base/job.ts'
import { type TraceSpan, Trace } from '../../base/trace.ts'
import { ScanBoard } from '../../threads/scan-board.ts'
import { allDone, runInThread } from '../../threads/thread-pool.ts'
import type { FreeLists } from './free-lists.ts'
import { HostLists } from './host-lists.ts'
import { HostMatch, type PointFigures, type PointPhase } from './host-match.ts'
import type { MatchSetup } from './match-setup.ts'

/** Vertices: a thread takes longer to start than a matching of fewer takes. */
const WORTH_A_THREAD = 1 << 25

/** The processors of a matching: threads, this one among them, that run its phases together. */
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

  /** What the comparison of edges needs to know of all vertices, where some are to keep their candidates. */
  async loadFor(vertices: readonly number[]): Promise<void> {
    if (vertices.length > 0 && this.#setup.order.ties === tieRules.degree) await this.run({ kind: 'load' })
  }

  /** Vertices keep their candidates, on this thread. */
  keep(vertices: readonly number[], allFree: boolean): void {
    if (vertices.length === 0) return
    const phase = { kind: 'keep', vertices, allFree } as const
    const { bytesRead } = runPhase({ setup: this.#setup, phase }, this.#job.signal, () => {})
    this.bytesRead += bytesRead
  }

  /** Of large matchings, in another thread: the first touch of memory takes longer than a copy into it. */
  async touchPointers(): Promise<void> {
    const setup = this.#setup
    if (setup.memory.pointers.length < WORTH_A_THREAD) return
    await runInThread<HostMatchTask, HostMatchReport>('match-on-host', { setup, phase: { kind: 'touch' } })
  }

  /**
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
    const threads = Array.from({ length: this.#threads - 1 }, () =>
      runInThread<typeof task, HostMatchReport>('match-on-host', task),
    )
    const others = beside()
    const here = Promise.resolve().then(() => runPhase(task, this.#job.signal, afterUnit))
    await allDone<unknown>([here, ...threads, ...others], this.#board)
    const reports = await Promise.all([here, ...threads])
    const sum = (figure: (report: HostMatchReport) => number): number =>
      reports.reduce((all, report) => all + figure(report), 0)
    this.bytesRead += sum((each) => each.bytesRead)
    this.readMs += Math.max(...reports.map((each) => each.readMs))
    this.kernelMs += Math.max(...reports.map((each) => each.kernelMs))
    if (this.#setup.traced) this.reports.push(...reports)
    return { open: sum(({ found }) => found.open), arcs: sum(({ found }) => found.arcs) }
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

export interface HostMatchReport {
  readonly found: PointFigures
  readonly bytesRead: number
  readonly readMs: number
  readonly kernelMs: number
  readonly spans: readonly TraceSpan[]
}

/** In a thread of its own. */
export async function hostMatchTask(task: HostMatchTask): Promise<HostMatchReport> {
  if (task.phase.kind === 'scan') await endThreadIfDue()
  return runPhase(task, new ScanBoard(task.setup.board).signal, () => {})
}

/** On this thread; a failure stops the others. */
function runPhase({ setup, phase }: HostMatchTask, signal: StopSignal, afterUnit: () => void): HostMatchReport {
  let file: number | undefined
  try {
    file = openFile(setup.graph.path, 'r')
    const trace = new Trace(setup.traced)
    const lists = new HostLists(setup, file, trace, signal)
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
    const { bytesRead, readMs } = lists.reader
    return { found, bytesRead, readMs, kernelMs: lists.kernelMs, spans: trace.spans }
  } catch (error) {
    new ScanBoard(setup.board).stop()
    throw error
  } finally {
    if (file !== undefined) closeSync(file)
  }
}
