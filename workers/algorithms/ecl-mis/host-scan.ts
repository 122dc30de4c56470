import { IN, OUT, stateBytes } from '../../../kernels/parts/vertex-states.ts'
import { type StopSignal, throwIfCancelled } from '../../base/job.ts'
import { type Range, within } from '../../base/ranges.ts'
import { PIECE_BYTES } from '../../base/sums.ts'
import type { Trace } from '../../base/trace.ts'
import { damagedGraph } from '../../graph/galois-gr.ts'
import { GraphPieces } from '../../graph/graph-pieces.ts'
import { stateOf, UNDECIDED } from '../../graph/vertex-set.ts'
import type { AllReduce } from '../../threads/barrier.ts'
import { PieceReader, ScanBoard } from '../../streaming/piece-scan.ts'
import { type HostKernels, type Residual, type ResidualLimits, hostKernels } from './host-kernels.ts'
import { ByteStates } from './host-states.ts'
import { type HostMemory, type ScanSetup, takeUnits, windowOf } from './scan-setup.ts'

/** A list that reaches further behind its piece is deferred. */
const TAIL_BYTES = 8 << 20
/** A sweep at so many words, and again whenever they doubled: all sweeps together cost no more than keeping did. */
const FIRST_SWEEP_WORDS = 1 << 16
/** The last sweeps, of all processors side by side, stop when one decides a smaller share of what waits, or when so few wait. */
const WORTHWHILE = 1 / 16
const FEW = 1 << 12

/** A processor of a scan: it shares all states with the others, and takes pieces from the task board. */
export class HostScan {
  readonly reader: PieceReader
  kernelMs = 0
  readonly #setup: ScanSetup
  readonly #memory: HostMemory
  readonly #board: ScanBoard
  readonly #pieces: GraphPieces
  readonly #kernels: HostKernels
  readonly #signal: StopSignal
  readonly #trace: Trace
  readonly #endOf: ((v: number) => number) | undefined
  /** Of a rank; undefined where ends are kept. */
  readonly #window: Uint32Array | undefined
  /** States that the scan started from. */
  #initial: Uint32Array | undefined
  #sweepAt = FIRST_SWEEP_WORDS
  #tooLong = 0

  /** @param file the graph's, open for reading @param thread of this processor, among all */
  constructor(
    setup: ScanSetup,
    memory: HostMemory,
    thread: number,
    limits: ResidualLimits,
    file: number,
    trace: Trace,
    signal: StopSignal,
  ) {
    const { graph, crcs, board, unitsAPiece } = setup
    this.#setup = setup
    this.#memory = memory
    this.#board = new ScanBoard(board)
    this.#pieces = new GraphPieces(graph, file, unitsAPiece)
    this.#signal = signal
    this.#trace = trace
    this.reader = new PieceReader(graph, file, crcs)
    const tail = Math.min(TAIL_BYTES, 4 * graph.vertices)
    const longest = Math.min(graph.bytes, PIECE_BYTES + tail)
    this.#kernels = hostKernels(setup, memory, limits, 4 * Math.ceil(longest / 4))
    const { ends } = memory
    this.#window = windowOf(memory, thread)
    const isWhole = setup.own.vertices.end - setup.own.vertices.first === graph.vertices
    // Ends are stored modulo 2^32, which is exact where there are fewer arcs.
    if (isWhole && graph.arcs < 2 ** 32) this.#endOf = (v) => (v < 0 ? 0 : ends[v]!)
  }

  /**
   * Ends and priority codes, piece by piece from the board; the thread of the last piece merges the initial states.
   * @throws Failure (input) where the offsets are damaged
   */
  index(initial: Uint32Array | undefined): void {
    this.#initial = initial
    const { indexEnd } = this.#pieces
    for (let piece = this.#board.take('index', 1); piece < indexEnd; piece = this.#board.take('index', 1)) {
      this.#checkStop()
      const vertices = this.#pieces.verticesIndexedIn({ first: piece, end: piece + 1 })
      this.#read(piece, this.#pieces.bytesOf({ first: piece, end: piece + 1 }).bytes)
      const { first, end } = vertices
      if (first < end) this.#index(piece, vertices)
      if (!this.#board.countIndexed(indexEnd)) continue
      if (initial !== undefined) new ByteStates(this.#setup.graph.vertices, this.#memory.states).merge(initial)
      this.#board.setReady()
    }
  }

  /** Visits units from the board, and sweeps the residual graph. @param afterUnit called between units */
  scan(afterUnit: () => void): void {
    const take = (): Range | undefined => takeUnits(this.#board, this.#setup, 1)
    for (let unit = take(); unit !== undefined; unit = take()) {
      this.#checkStop()
      this.#visit(unit.first)
      if (this.#kernels.words > this.#sweepAt) this.#sweep()
      afterUnit()
    }
    this.#board.arrive()
  }

  /** Once all workers have visited their lists. @param waiting of all processors @returns what waits still */
  async settle(waiting: AllReduce): Promise<Residual> {
    for (let before = Infinity; ;) {
      const [left] = await waiting.sum([this.#kernels.count])
      if (left! <= FEW || before - left! < WORTHWHILE * before) return this.#kernels.take()
      before = left!
      this.#sweep()
    }
  }

  /** Deferred vertices: without room, or with too long a list. */
  get left(): number {
    return this.#kernels.left + this.#tooLong
  }

  #visit(unit: number): void {
    const { own } = this.#setup
    const piece = this.#pieces.pieceOf(unit)
    const vertices = within(this.#pieces.verticesIn({ first: unit, end: unit + 1 }, this.#endOf), own.vertices)
    if (this.#isDecided(vertices)) return this.#verifyTail(unit, vertices.first)
    const { first } = vertices
    let { end } = vertices
    const { at, bytes } = this.#pieces.bytesOf({ first: piece, end: piece + 1 })
    let length = Math.max(bytes, this.#endByte(end - 1) - at)
    if (length > this.#kernels.bytes.length) {
      // Only the last list can reach so far.
      length = bytes
      end--
      this.#tooLong++
    }
    this.#read(piece, length)
    const origin = this.#pieces.originOf(piece)
    this.#compute('lists', () => this.#visitLists({ first, end }, origin, length))
  }

  /** Nothing of the piece is looked at but what belongs to the list before: its end, or what a list too long for one read has there. */
  #verifyTail(unit: number, vertex: number): void {
    const { crcs, unitsAPiece } = this.#setup
    if (crcs === undefined || unit % unitsAPiece > 0 || vertex === 0) return
    if (this.#initial !== undefined && stateOf(this.#initial, vertex - 1) !== UNDECIDED) return
    const piece = this.#pieces.pieceOf(unit)
    const { at, bytes } = this.#pieces.bytesOf({ first: piece, end: piece + 1 })
    const end = this.#endByte(vertex - 1)
    const start = this.#endByte(vertex - 2)
    const isTooLong = end - (start - (start % PIECE_BYTES)) > this.#kernels.bytes.length
    if (start < at && end > at && (end < at + bytes || isTooLong)) this.#read(piece, bytes)
  }

  /** Of the file, behind a list. */
  #endByte(v: number): number {
    return this.#setup.graph.targetsAt + 4 * (this.#endOf?.(v) ?? this.#pieces.endOf(v))
  }

  #visitLists(vertices: Range, origin: number, length: number): void {
    const window = this.#window
    if (window === undefined) return this.#kernels.visit(vertices, origin, length)
    for (let first = vertices.first; first < vertices.end; first += window.length - 1) {
      const end = Math.min(vertices.end, first + window.length - 1)
      this.#pieces.readEnds(first - 1, window.subarray(0, end - first + 1))
      this.#kernels.visit({ first, end }, origin, length, window)
    }
  }

  #index(piece: number, vertices: Range): void {
    const at = this.#pieces.endOffsetAt(vertices.first) - piece * PIECE_BYTES
    const before = this.#pieces.endOf(vertices.first - 1) >>> 0
    const offsets = { at, bytesEach: 4 * this.#pieces.offsetWords, before }
    const ascend = this.#compute('offsets', () => this.#kernels.index(vertices, offsets))
    if (!ascend) throw damagedGraph(this.#setup.graph.path, 'the offsets')
  }

  #isDecided({ first, end }: Range): boolean {
    const states = stateBytes(this.#memory.states)
    for (let v = first; v < end; v++) if (states[v] !== IN && states[v] !== OUT) return false
    return true
  }

  #sweep(): void {
    this.#compute('sweep', () => this.#kernels.sweep())
    this.#sweepAt = Math.max(FIRST_SWEEP_WORDS, 2 * this.#kernels.words)
  }

  #read(piece: number, length: number): void {
    const { at } = this.#pieces.bytesOf({ first: piece, end: piece })
    this.#trace.span('disk read', `piece ${piece}`, () =>
      this.reader.readHere(this.#kernels.bytes.subarray(0, length), at),
    )
  }

  #compute<T>(name: string, work: () => T): T {
    const startMs = performance.now()
    const result = this.#trace.span('kernel', name, work)
    this.kernelMs += performance.now() - startMs
    return result
  }

  #checkStop(): void {
    throwIfCancelled(this.#signal)
    throwIfCancelled({ aborted: this.#board.isStopped })
  }
}
