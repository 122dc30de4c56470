import { COUNTERS, DAMAGE, LEFT } from '../../../kernels/mis/codes.ts'
import { misIndex } from '../../../kernels/mis/mis-index.ts'
import { misScan } from '../../../kernels/mis/mis-scan.ts'
import { misSweep } from '../../../kernels/mis/mis-sweep.ts'
import { IN, OUT, statusBytes } from '../../../kernels/parts/vertex-order.ts'
import { PIECE_BYTES } from '../../base/sums.ts'
import { damagedGraph } from '../../graph/galois-gr.ts'
import { GraphPieces } from '../../graph/graph-pieces.ts'
import type { Range } from '../../graph/graph-pieces.ts'
import { throwIfCancelled } from '../../job.ts'
import type { StopSignal } from '../../job.ts'
import type { Trace } from '../../trace.ts'
import { PieceReader } from '../../streaming/piece-reader.ts'
import type { Residual, ResidualLimits } from './residual.ts'
import { HostResidual } from './residual.ts'
import { ScanBoard } from '../../streaming/scan-board.ts'
import type { HostMemory, ScanSetup } from './scan-setup.ts'

/** A list that reaches further than this behind its piece is left for later. */
const TAIL_BYTES = 8 << 20
/** Sweeps begin when so much is kept, and again whenever it has doubled: then all of them together cost no more than keeping did. */
const FIRST_SWEEP_WORDS = 1 << 16
/** Sweeps at the end go on while each decides at least this share of what waits. */
const WORTHWHILE = 1 / 16

/** One processor's part of a scan. It shares the statuses of all vertices with the others, and takes pieces from the board. */
export class HostScan {
  readonly reader: PieceReader
  kernelMs = 0
  readonly #setup: ScanSetup
  readonly #memory: HostMemory
  readonly #board: ScanBoard
  readonly #pieces: GraphPieces
  readonly #residual: HostResidual
  readonly #signal: StopSignal
  readonly #trace: Trace
  readonly #bytes: Uint8Array
  readonly #words: Uint32Array
  readonly #endOf: ((v: number) => number) | undefined
  #sweepAt = FIRST_SWEEP_WORDS

  /** @param file the graph's, open for reading */
  constructor(
    setup: ScanSetup,
    memory: HostMemory,
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
    this.#residual = new HostResidual(new Uint32Array(COUNTERS), limits)
    this.#signal = signal
    this.#trace = trace
    this.reader = new PieceReader(graph, file, crcs)
    const tail = Math.min(TAIL_BYTES, 4 * graph.vertices)
    this.#bytes = new Uint8Array(4 * Math.ceil(Math.min(graph.bytes, PIECE_BYTES + tail) / 4))
    this.#words = new Uint32Array(this.#bytes.buffer)
    const { ends } = memory
    // Ends modulo 2^32 do not tell lists apart that are as far from one another.
    if (graph.arcs < 2 ** 32) this.#endOf = (v) => (v < 0 ? 0 : ends[v]!)
  }

  /** Ends and codes of the vertices whose offsets are in pieces that this processor gets. @throws Failure (input) where they are damaged */
  index(): void {
    const { order, graph } = this.#setup
    const { indexEnd, offsetWords } = this.#pieces
    for (let piece = this.#board.take('index', 1); piece < indexEnd; piece = this.#board.take('index', 1)) {
      this.#checkStop()
      const { first, end } = this.#pieces.verticesIndexedIn({ first: piece, end: piece + 1 })
      this.#read(piece, this.#pieces.bytesOf({ first: piece, end: piece + 1 }).bytes)
      if (first === end) continue
      const begin = (this.#pieces.endOffsetAt(first) - piece * PIECE_BYTES) / 4
      const before = this.#pieces.endOf(first - 1) >>> 0
      const { counters } = this.#residual
      const buffers = { raw: this.#words, codes: order.codes, column: order.column, counters, ...this.#memory }
      this.#compute('offsets', () =>
        misIndex.twin({ first, count: end - first, begin, before, words: offsetWords, ...order.params }, buffers),
      )
      if (counters[DAMAGE] !== 0) throw damagedGraph(graph.path, 'the offsets')
    }
  }

  /**
   * Visits the lists of the units that this processor gets, and sweeps what it keeps.
   * @param afterUnit called between units
   */
  scan(afterUnit: () => void): Residual {
    const { units } = this.#pieces
    for (let unit = this.#board.take('lists', 1); unit < units; unit = this.#board.take('lists', 1)) {
      this.#checkStop()
      this.#visit(unit)
      if (this.#residual.words > this.#sweepAt) this.#sweep()
      afterUnit()
    }
    this.#board.arrive()
    this.#settle()
    return this.#residual.take()
  }

  /** Vertices that found no room, or whose list is too long; they wait without a record. */
  get left(): number {
    return this.#residual.counters[LEFT]!
  }

  #visit(unit: number): void {
    const { graph, order } = this.#setup
    const piece = this.#pieces.pieceOf(unit)
    let { first, end } = this.#pieces.verticesIn({ first: unit, end: unit + 1 }, this.#endOf)
    if (this.#isDecided({ first, end })) return
    const { at, bytes } = this.#pieces.bytesOf({ first: piece, end: piece + 1 })
    const endOf = this.#endOf ?? ((v: number) => this.#pieces.endOf(v))
    let length = Math.max(bytes, graph.targetsAt + 4 * endOf(end - 1) - at)
    if (length > this.#bytes.length) {
      // Only the last list can reach so far; whoever finishes reads it by itself.
      length = bytes
      end--
      this.#residual.counters[LEFT]!++
    }
    this.#read(piece, length)
    const residual = this.#residual
    residual.makeRoom(end - first, length / 4)
    const { params, column } = order
    const origin = this.#pieces.originOf(piece)
    const { records, pool, counters } = residual
    const buffers = { targets: this.#words, column, records, pool, longs: NOTHING, counters, ...this.#memory }
    this.#compute('lists', () =>
      misScan.twin({ first, count: end - first, origin, list: 0, longer: 0, ...params }, buffers),
    )
  }

  #isDecided({ first, end }: Range): boolean {
    const status = statusBytes(this.#memory.status)
    for (let v = first; v < end; v++) if (status[v] !== IN && status[v] !== OUT) return false
    return true
  }

  #sweep(): void {
    const { counters, records, pool } = this.#residual
    const { status } = this.#memory
    this.#compute('sweep', () => {
      misSweep.twin({ listIn: 0, listOut: 0 }, { recordsIn: records, pool, status, recordsOut: records, counters })
      this.#residual.compact()
    })
    this.#sweepAt = Math.max(FIRST_SWEEP_WORDS, 2 * this.#residual.words)
  }

  #settle(): void {
    for (let before = Infinity; this.#residual.count > 0;) {
      this.#checkStop()
      before = this.#residual.count
      this.#sweep()
      if (before - this.#residual.count < WORTHWHILE * before) return
    }
  }

  #read(piece: number, length: number): void {
    const { at } = this.#pieces.bytesOf({ first: piece, end: piece })
    this.#trace.span('disk read', `piece ${piece}`, () => this.reader.readHere(this.#bytes.subarray(0, length), at))
  }

  #compute(name: string, work: () => void): void {
    const startMs = performance.now()
    this.#trace.span('kernel', name, work)
    this.kernelMs += performance.now() - startMs
  }

  #checkStop(): void {
    throwIfCancelled(this.#signal)
    throwIfCancelled({ aborted: this.#board.isStopped })
  }
}

const NOTHING = new Uint32Array(1)
