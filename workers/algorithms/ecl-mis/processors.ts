/**
 * The processors of a scan: threads that share the states of all vertices, a byte each, and take units of 1 MiB from the task board, read them
 * while they stay in the cache, and visit their lists at once. The last sweeps are done side by side, with a sum over all threads after each. A
 * state changes once, and reading an older one only makes a vertex wait longer, so no thread waits for another. kernels/mis/host-kernels.ts has
 * what is done with a list.
 */

import type { JobContext, StopSignal } from '../../base/job.ts'
import { type PieceScan, ScanBoard, type ThreadPlace, threadPlaces, unitsFrom } from '../../streaming/piece-scan.ts'
import { inScan } from '../../streaming/scan-worker.ts'
import { runInThread } from '../../threads/thread-pool.ts'
import { type HostKernels, type HostMemory, hostKernels, hostLists } from '../../../kernels/mis/host-kernels.ts'
import type { Residual } from '../../../kernels/mis/visit-lists.ts'
import type { WorkerReport } from '../worker-report.ts'
import { type HostLimits, MOST_TAIL_BYTES, type WorkerPlan } from './plan-set.ts'
import type { SetSetup } from './shared-states.ts'
import { ByteStates } from '../../graph/host-states.ts'
import { sharedMemory, sharedWords } from '../../base/words.ts'
import type { SetOrder } from '../../graph/set-order.ts'
import type { Range } from '../../base/ranges.ts'
import { PIECE_BYTES } from '../../base/sums.ts'
import { isUndecided } from '../../graph/vertex-set.ts'

/** Fewer arcs are visited in less time than the memories of WebAssembly take to make, a millisecond. */
const ARCS_OF_A_MODULE = 1 << 15

/** Which ranges of what is read are looked at. */
type Wants = Parameters<PieceScan['read']>[2]

/** What a thread of a processor reports. */
interface HostReport extends Pick<WorkerReport, 'bytesRead' | 'readMs' | 'kernelMs' | 'spans'> {
  readonly residual: Residual
  /** Deferred vertices. */
  readonly deferred: number
  /** The time until all vertices were indexed. */
  readonly prepareMs: number
}

/**
 * @param threads of a rank, which has no ends of others; undefined: all ends are kept
 * @param inModule whether WebAssembly visits lists: it knows no column
 */
export function shareHostMemory(
  vertices: number,
  priority: SetOrder['priority'],
  threads?: number,
  inModule = priority !== 'column',
): HostMemory {
  const stateBytes = 4 * Math.ceil(vertices / 4)
  // Equal degrees are compared, if not by their codes.
  const hasWindows = threads !== undefined && (priority === 'hash' || priority === 'ecl')
  const ends = hasWindows ? threads * WINDOW_WORDS : vertices
  const memory = inModule ? sharedMemory(stateBytes + 4 * ends + PIECE_BYTES) : undefined
  if (memory === undefined && hasWindows) return shareHostMemory(vertices, priority, undefined, inModule)
  const shared = (at: number, bytes: number): Uint32Array =>
    memory === undefined ? sharedWords(Math.max(1, bytes / 4)) : new Uint32Array(memory.buffer, at, bytes / 4)
  const wasm = memory && { module: hostLists(), memory }
  return { states: shared(0, stateBytes), ends: shared(stateBytes, 4 * ends), hasWindows, wasm }
}

const WINDOW_WORDS = 1 << 16

/** The processors of a run: threads that share all states. */
export class Processors {
  readonly memory: HostMemory
  readonly states: ByteStates
  readonly threads: number
  readonly #setup: SetSetup
  readonly #workers: readonly WorkerPlan[]
  readonly #leads: boolean
  readonly #job: JobContext

  /** @param leads whether this thread is one of them */
  constructor(setup: SetSetup, workers: readonly WorkerPlan[], leads: boolean, job: JobContext) {
    const { graph, order, own } = setup
    const { vertices } = graph
    const isAlone = own.vertices.end - own.vertices.first === vertices
    this.threads = workers.reduce((sum, { threads }) => sum + threads, 0)
    const inModule = order.priority !== 'column' && (this.threads > 1 || graph.arcs >= ARCS_OF_A_MODULE)
    this.memory = shareHostMemory(vertices, order.priority, isAlone ? undefined : this.threads, inModule)
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
    const places = threadPlaces(this.threads)
    const common = { setup: this.#setup, memory: this.memory, initial: shared }
    const threads = this.#workers.map(({ threads, limits }, worker) =>
      Array.from({ length: threads }, (_, thread): Promise<HostReport> => {
        const task: HostTask = { ...common, limits, place: places.shift()! }
        if (!this.#leads || worker > 0 || thread > 0) return runInThread('scan-set', task)
        return Promise.resolve().then(() => scanOnProcessor(task, this.#job.signal, afterUnit))
      }),
    )
    await new ScanBoard(this.#setup.board).all(threads.flat())
    return Promise.all(threads.map((each) => Promise.all(each)))
  }
}

/** The task of a processor. */
interface HostTask {
  readonly setup: SetSetup
  readonly memory: HostMemory
  readonly limits: HostLimits
  /** States to start from, two bits a vertex, in shared memory; undefined: all undecided. */
  readonly initial: Uint32Array | undefined
  /** The sums in which all threads meet between their last sweeps. */
  readonly place: ThreadPlace
}

export async function scanTask(task: HostTask): Promise<HostReport> {
  const { residual, ...report } = await scanOnProcessor(task, undefined, () => {})
  // All of the memory behind them would be sent.
  return { ...report, residual: { records: residual.records.slice(), pool: residual.pool.slice() } }
}

/**
 * Indexes, then scans, on this thread; a failure stops the others.
 * @param signal undefined in a thread of its own
 * @param afterUnit called between units of lists
 */
function scanOnProcessor(task: HostTask, signal: StopSignal | undefined, afterUnit: () => void): Promise<HostReport> {
  const startMs = performance.now()
  return inScan(task.setup, signal, async (source) => {
    const { board } = source
    const scan = new HostScan(task, source)
    scan.index()
    await board.untilReady(source.signal)
    const prepareMs = performance.now() - startMs
    scan.scan(afterUnit)
    await board.untilAll(source.signal)
    const sum = source.sumOver(task.place)
    const residual = await scan.settle(async (waiting) => (await sum([waiting]))[0]!)
    return { residual, deferred: scan.deferred, prepareMs }
  })
}

/** A sweep at so many words, and again whenever they doubled: all sweeps together cost no more than keeping did. */
const FIRST_SWEEP_WORDS = 1 << 16
/** The last sweeps, of all processors side by side, stop when one decides a smaller share of what waits, or when so few wait. */
const WORTHWHILE = 1 / 16
const FEW = 1 << 12

/** A processor of a scan: it shares all states with the others, and takes pieces from the task board. */
export class HostScan {
  readonly #setup: SetSetup
  readonly #memory: HostMemory
  readonly #source: PieceScan
  readonly #kernels: HostKernels
  /** On a rank: the ends of the lists that are visited, and the one before them; undefined: all ends are kept. */
  readonly #window: Uint32Array | undefined
  readonly #initial: Uint32Array | undefined
  #sweepAt = FIRST_SWEEP_WORDS
  #tooLong = 0

  constructor({ setup, memory, place, limits, initial }: HostTask, source: PieceScan) {
    const { graph } = setup
    this.#setup = setup
    this.#memory = memory
    this.#initial = initial
    this.#source = source
    // A list that reaches further behind its piece is deferred.
    const tail = Math.min(limits.reachBytes ?? MOST_TAIL_BYTES, 4 * graph.vertices)
    const longest = Math.min(graph.bytes, PIECE_BYTES + tail)
    this.#kernels = hostKernels(setup.order, graph.vertices, memory, limits, 4 * Math.ceil(longest / 4))
    const windowAt = place.thread * WINDOW_WORDS
    this.#window = memory.hasWindows ? memory.ends.subarray(windowAt, windowAt + WINDOW_WORDS) : undefined
  }

  /**
   * Ends and priority codes, piece by piece from the board; the thread of the last piece merges the initial states.
   * @throws Failure (input) where the offsets are damaged
   */
  index(): void {
    const initial = this.#initial
    const { board, pieces } = this.#source
    const { indexEnd } = pieces
    for (let piece = board.take('index', 1); piece < indexEnd; piece = board.take('index', 1)) {
      this.#source.checkStop()
      const vertices = pieces.verticesIndexedIn({ first: piece, end: piece + 1 })
      this.#read(piece, pieces.bytesOf({ first: piece, end: piece + 1 }).bytes)
      const { first, end } = vertices
      if (first < end) this.#index(piece, vertices)
      if (!board.countIndexed(indexEnd)) continue
      if (initial !== undefined) new ByteStates(this.#setup.graph.vertices, this.#memory.states).merge(initial)
      board.setReady()
    }
  }

  /** Visits units from the board, and sweeps the residual graph. @param afterUnit called between units */
  scan(afterUnit: () => void): void {
    for (const { unit, piece, vertices } of unitsFrom(this.#source, this.#setup, this.#memory.ends)) {
      this.#visit(unit, piece, vertices)
      if (this.#kernels.words > this.#sweepAt) this.#sweep()
      afterUnit()
    }
    this.#source.board.arrive()
  }

  /** Sweeps, once all workers have visited their lists. @param sum over all processors @returns what waits still */
  async settle(sum: (waiting: number) => Promise<number>): Promise<Residual> {
    for (let before = Infinity; ;) {
      const waiting = await sum(this.#kernels.count)
      if (waiting <= FEW || before - waiting < WORTHWHILE * before) return this.#kernels.residual()
      before = waiting
      this.#sweep()
    }
  }

  /** Deferred vertices: without room, or with too long a list. */
  get deferred(): number {
    return this.#kernels.deferred + this.#tooLong
  }

  #visit(unit: number, piece: number, vertices: Range): void {
    if (this.#kernels.isDecided(vertices)) return this.#verifyTail(unit, vertices.first)
    const { first } = vertices
    let { end } = vertices
    const { at, bytes } = this.#source.pieces.bytesOf({ first: piece, end: piece + 1 })
    let length = Math.max(bytes, this.#endByte(end - 1) - at)
    if (length > this.#kernels.bytes.length) {
      // Only the last list can reach so far.
      length = bytes
      end--
      this.#tooLong++
    }
    this.#read(piece, length, this.#waitingFrom(at, { first, end }))
    const origin = this.#source.pieces.originOf(piece)
    this.#source.compute('lists', () => this.#visitLists({ first, end }, origin, length))
  }

  /** Nothing of the piece is looked at but what belongs to the list before: its end, or what a list too long for one read has there. */
  #verifyTail(unit: number, vertex: number): void {
    const { crcs, unitsAPiece } = this.#setup
    if (crcs === undefined || unit % unitsAPiece > 0 || vertex === 0) return
    if (this.#initial !== undefined && !isUndecided(this.#initial, vertex - 1)) return
    const piece = this.#source.pieces.pieceOf(unit)
    const { at, bytes } = this.#source.pieces.bytesOf({ first: piece, end: piece + 1 })
    const end = this.#endByte(vertex - 1)
    const start = this.#endByte(vertex - 2)
    const isTooLong = end - (start - (start % PIECE_BYTES)) > this.#kernels.bytes.length
    if (start < at && end > at && (end < at + bytes || isTooLong)) this.#read(piece, bytes)
  }

  /** The byte of the file behind a list. */
  #endByte(v: number): number {
    return this.#setup.graph.targetsAt + 4 * this.#source.pieces.endOf(v)
  }

  #visitLists(vertices: Range, origin: number, length: number): void {
    const window = this.#window
    if (window === undefined) return this.#kernels.visit(vertices, origin, length)
    for (let first = vertices.first; first < vertices.end; first += window.length - 1) {
      const end = Math.min(vertices.end, first + window.length - 1)
      this.#source.pieces.readEnds(first - 1, window.subarray(0, end - first + 1))
      this.#kernels.visit({ first, end }, origin, length, window)
    }
  }

  #index(piece: number, vertices: Range): void {
    const offsets = this.#source.pieces.endsFrom(vertices.first, piece * PIECE_BYTES)
    const ascend = this.#source.compute('offsets', () => this.#kernels.index(vertices, offsets))
    this.#source.requireAscending(ascend)
  }

  #sweep(): void {
    this.#source.compute('sweep', () => this.#kernels.sweep())
    this.#sweepAt = Math.max(FIRST_SWEEP_WORDS, 2 * this.#kernels.words)
  }

  /** Which bytes from `at` on have lists of vertices that wait, asked in their order; all, unless the graph is packed and all ends are in memory. */
  #waitingFrom(at: number, { first, end }: Range): Wants {
    const { ends, hasWindows } = this.#memory
    const { targetsAt, arcs } = this.#setup.graph
    if (this.#source.reader.packed === undefined || hasWindows || arcs >= 2 ** 32) return undefined
    let v = first
    return (from, to) => {
      const [arc, arcEnd] = [(at + from - targetsAt) / 4, (at + to - targetsAt) / 4]
      while (v < end && ends[v]! <= arc) v++
      let behind = v
      while (behind < end && (behind === 0 ? 0 : ends[behind - 1]!) < arcEnd) behind++
      return !this.#kernels.isDecided({ first: v, end: behind })
    }
  }

  #read(piece: number, length: number, wants?: Wants): void {
    this.#source.read(this.#kernels.bytes.subarray(0, length), piece * PIECE_BYTES, wants)
  }
}
