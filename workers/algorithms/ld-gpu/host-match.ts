import {
  AGAIN,
  ARCS,
  COUNTERS,
  DAMAGE,
  ENDED,
  NONE,
  OPEN,
  isMatched,
  keptWords,
} from '../../../kernels/matching/codes.ts'
import type { Lists } from '../../../kernels/parts/best-neighbours.ts'
import { BestNeighbours } from '../../../kernels/parts/best-neighbours.ts'
import { BestScanner } from '../../../kernels/parts/best-scanner.ts'
import { matchBest } from '../../../kernels/matching/match-best.ts'
import { matchEnds } from '../../../kernels/matching/match-ends.ts'
import { matchPair } from '../../../kernels/matching/match-pair.ts'
import { matchPoint } from '../../../kernels/matching/match-point.ts'
import { PIECE_BYTES, piecesOf } from '../../base/sums.ts'
import { readFully } from '../../file-bytes.ts'
import { damagedGraph } from '../../graph/galois-gr.ts'
import { GraphPieces } from '../../graph/graph-pieces.ts'
import type { Range } from '../../graph/graph-pieces.ts'
import { throwIfCancelled } from '../../job.ts'
import type { StopSignal } from '../../job.ts'
import { PieceReader } from '../../streaming/piece-reader.ts'
import { ScanBoard } from '../../streaming/scan-board.ts'
import type { Trace } from '../../trace.ts'
import type { FreeLists } from './free-lists.ts'
import { FreeListsWriter } from './free-lists.ts'
import type { MatchSetup } from './match-setup.ts'
import { CHUNK, chunksOf, originsFrom, readsWeights } from './match-setup.ts'

/** Arcs of a list that are read at a time where it reaches behind its piece. */
const ARCS_A_READ = 1 << 18

/** How a round is pointed: which of the two lists of open vertices it begins with, if any, and whom it counts. */
export interface PointPhase {
  /** undefined: all vertices. */
  readonly from: 0 | 1 | undefined
  readonly counts: number
}

/** What a pointing phase found. */
export interface PointFigures {
  /** As it was asked to count. */
  open: number
  /** Arcs that were looked at. */
  arcs: number
}

/** One processor's part of a matching. It shares what is known of all vertices with the others, and takes pieces and chunks from the board. */
export class HostMatch {
  readonly reader: PieceReader
  kernelMs = 0
  readonly #setup: MatchSetup
  readonly #board: ScanBoard
  readonly #pieces: GraphPieces
  readonly #file: number
  readonly #signal: StopSignal
  readonly #trace: Trace
  readonly #counters = new Uint32Array(COUNTERS)
  readonly #piece = new Uint32Array(PIECE_BYTES / 4)
  /** The weights of a piece's arcs lie in two pieces at the most. */
  #weights = new Uint32Array(0)

  /** @param file the graph's, open for reading */
  constructor(setup: MatchSetup, file: number, trace: Trace, signal: StopSignal) {
    this.#setup = setup
    this.#board = new ScanBoard(setup.board)
    this.#pieces = new GraphPieces(setup.graph, file, setup.unitsAPiece)
    this.#file = file
    this.#signal = signal
    this.#trace = trace
    this.reader = new PieceReader(setup.graph, file, setup.crcs)
  }

  /** Reads the pieces that this processor gets: ends of lists, and the lists themselves where they stay. @throws Failure (input) where ends descend */
  load(): void {
    const { graph, order, memory } = this.#setup
    const { indexEnd, lists } = this.#pieces
    const listsEnd = readsWeights(order) ? piecesOf(graph.bytes) : lists.end
    const end = memory.lists === undefined ? indexEnd : Math.max(indexEnd, listsEnd)
    for (let piece = this.#board.take('index', 1); piece < end; piece = this.#board.take('index', 1)) {
      this.#checkStop()
      const { at, bytes } = this.#pieces.bytesOf({ first: piece, end: piece + 1 })
      this.#read(this.#piece, at, bytes)
      if (piece < indexEnd) this.#index(piece)
      if (memory.lists !== undefined && piece >= lists.first)
        memory.lists.set(
          this.#piece.subarray(0, Math.min(PIECE_BYTES / 4, memory.lists.length - this.#wordOf(piece))),
          this.#wordOf(piece),
        )
    }
  }

  /** Every vertex of the units that this processor gets keeps its best free neighbours. @param allFree nobody has a mate yet */
  scan(allFree: boolean, afterUnit: () => void): void {
    const { memory, order, candidates } = this.#setup
    const best = matchBest(candidates)
    const scanner = allFree ? BestScanner.for(order, candidates) : undefined
    const { ends, matched, kept } = memory
    const none = new Uint32Array(0)
    const counters = this.#counters
    const rest = { ends, matched, kept, list: none, longs: none, counters }
    const scanAll = ({ first, end }: Range, lists: Lists, origin: number, weightsAt: number): void => {
      for (let v = first; v < end;) {
        const scanned = scanner?.scan(v, end, ends, lists, origin, weightsAt, kept) ?? v
        // A list that is too long for it, or an order that it does not know.
        const count = scanner === undefined ? end - v : 1
        const params = { first: v, count, origin, weightsAt, isListed: 0, longer: NONE, keptFirst: 0, ...order }
        if (scanned === v) best.twin({ ...params, allFree: allFree ? 1 : 0 }, { ...rest, ...lists })
        v = scanned === v ? v + count : scanned
      }
    }
    for (const { vertices, piece } of this.#units()) {
      if (!allFree && this.#isDecided(vertices)) continue
      if (memory.lists !== undefined) {
        const { origin, weightsAt } = this.#residentOrigins
        const lists = { ends, targets: memory.lists, weightBits: memory.lists }
        this.#compute('lists', () => scanAll(vertices, lists, origin, weightsAt))
      } else {
        const { within, behind } = this.#readLists(piece, vertices)
        const { origin } = originsFrom(this.#setup.graph, piece)
        const lists = { ends, targets: this.#piece, weightBits: this.#weights }
        this.#compute('lists', () => scanAll(within, lists, origin, this.#weightsAt))
        for (const v of behind) this.keepLong(v, allFree)
      }
      counters[ARCS] = 0
      afterUnit()
    }
  }

  /** The free neighbours of every vertex of the units that this processor gets that may still find a mate, as far as there is room for them. */
  collect(room: Int32Array, afterUnit: () => void): FreeLists {
    const { memory, graph, order } = this.#setup
    const { matched, ends } = memory
    const writer = new FreeListsWriter(room, readsWeights(order))
    for (const { vertices, piece } of this.#units()) {
      if (this.#isDecided(vertices)) continue
      const { within, behind } = this.#readLists(piece, vertices)
      const at = originsFrom(graph, piece)
      for (let v = within.first; v < within.end; v++) {
        if (this.#isOver(v)) continue
        const begin = v === 0 ? 0 : ends[v - 1]!
        const length = (ends[v]! - begin) >>> 0
        writer.begin()
        writer.add(
          this.#piece,
          this.#weights,
          (begin - at.origin) >>> 0,
          (begin - this.#weightsAt) >>> 0,
          length,
          matched,
        )
        writer.end(v)
      }
      for (const v of behind) {
        if (this.#isOver(v)) continue
        writer.begin()
        this.#readLong(v, (targets, weights, count) => writer.add(targets, weights, 0, 0, count, matched))
        writer.end(v)
      }
      afterUnit()
    }
    return writer.take()
  }

  /** The pointing phase of the chunks that this processor gets. */
  point({ from, counts }: PointPhase): PointFigures {
    const { memory, graph, candidates, order } = this.#setup
    const [kernel, best] = [matchPoint(candidates), matchBest(candidates)]
    const counters = this.#counters
    const again = new Uint32Array(CHUNK)
    const spare = new Uint32Array(0)
    const to = from === 0 ? 1 : 0
    const found = { open: 0, arcs: 0 }
    for (const chunk of this.#chunks()) {
      const first = chunk * CHUNK
      const end = Math.min(graph.vertices, first + CHUNK)
      counters.fill(0)
      if (from !== undefined) counters[from] = memory.openOfChunks[from][chunk]!
      const { kept, matched, pointers, ends } = memory
      const list = from === undefined ? spare : memory.open[from].subarray(first, end)
      const state = { matched, kept, pointers, next: memory.open[to].subarray(first, end), counters }
      const phase = { first, count: end - first, nextLength: to, open: OPEN }
      kernel.twin({ ...phase, length: from ?? NONE, counts }, { ...state, list, again })
      const { lists } = memory
      if (lists !== undefined && counters[AGAIN]! > 0) {
        best.twin(
          {
            first,
            count: end - first,
            ...this.#residentOrigins,
            isListed: 1,
            allFree: 0,
            longer: NONE,
            keptFirst: 0,
            ...order,
          },
          { ends, targets: lists, weightBits: lists, matched, kept, list: again, longs: spare, counters },
        )
        kernel.twin({ ...phase, length: AGAIN, counts: 0 }, { ...state, list: again.slice(0, counters[AGAIN]), again })
      }
      memory.openOfChunks[to][chunk] = counters[to]!
      found.open += counters[OPEN]!
      found.arcs += counters[ARCS]!
    }
    return found
  }

  /** The matching phase of the chunks that this processor gets. @param of the list of open vertices that was made last */
  pair(of: 0 | 1): void {
    const { pointers, matched, open, openOfChunks } = this.#setup.memory
    const counters = this.#counters
    for (const chunk of this.#chunks()) {
      const first = chunk * CHUNK
      counters[0] = openOfChunks[of][chunk]!
      matchPair.twin({ length: 0 }, { list: open[of].subarray(first, first + CHUNK), pointers, matched, counters })
    }
  }

  *#chunks(): Generator<number> {
    const chunks = chunksOf(this.#setup.graph.vertices)
    const startMs = performance.now()
    for (let chunk = this.#board.take('lists', 1); chunk < chunks; chunk = this.#board.take('lists', 1)) {
      this.#checkStop()
      yield chunk
    }
    this.kernelMs += performance.now() - startMs
  }

  *#units(): Generator<{ readonly vertices: Range; readonly piece: number }> {
    const { units } = this.#pieces
    const { ends } = this.#setup.memory
    // Ends modulo 2^32 do not tell lists apart that are as far from one another.
    const endOf = this.#setup.graph.arcs < 2 ** 32 ? (v: number) => (v < 0 ? 0 : ends[v]!) : undefined
    for (let unit = this.#board.take('lists', 1); unit < units; unit = this.#board.take('lists', 1)) {
      this.#checkStop()
      const vertices = this.#pieces.verticesIn({ first: unit, end: unit + 1 }, endOf)
      if (vertices.first < vertices.end) yield { vertices, piece: this.#pieces.pieceOf(unit) }
    }
  }

  #index(piece: number): void {
    const { first, end } = this.#pieces.verticesIndexedIn({ first: piece, end: piece + 1 })
    if (first === end) return
    const begin = (this.#pieces.endOffsetAt(first) - piece * PIECE_BYTES) / 4
    const before = this.#pieces.endOf(first - 1) >>> 0
    const params = { first, count: end - first, begin, before, words: this.#pieces.offsetWords }
    const buffers = { raw: this.#piece, ends: this.#setup.memory.ends, counters: this.#counters }
    this.#compute('offsets', () => matchEnds.twin(params, buffers))
    if (this.#counters[DAMAGE] !== 0) throw damagedGraph(this.#setup.graph.path, 'the offsets')
  }

  get #residentOrigins() {
    return originsFrom(this.#setup.graph, this.#pieces.lists.first)
  }

  #wordOf(piece: number): number {
    return ((piece - this.#pieces.lists.first) * PIECE_BYTES) / 4
  }

  /** The arc whose weight is the first word of what was read. */
  #weightsAt = 0

  /** Reads what the lists of these vertices have in the piece. @returns those that are whole in it, and those that reach behind it */
  #readLists(piece: number, { first, end }: Range): { readonly within: Range; readonly behind: readonly number[] } {
    const { graph, memory, order } = this.#setup
    const { ends } = memory
    const { at, bytes } = this.#pieces.bytesOf({ first: piece, end: piece + 1 })
    this.#read(this.#piece, at, bytes)
    const { origin } = originsFrom(graph, piece)
    // Only the last that has neighbours can reach so far.
    let last = end
    while (last > first && (ends[last - 1]! - origin) >>> 0 > bytes / 4) last--
    const begin = first === 0 ? 0 : ends[first - 1]!
    const count = last === first ? 0 : (ends[last - 1]! - begin) >>> 0
    if (readsWeights(order) && count > 0) this.#readWeights(piece, (begin - origin) >>> 0, count)
    return { within: { first, end: last }, behind: Array.from({ length: end - last }, (_, i) => last + i) }
  }

  /** @param word of the piece that the first arc is */
  #readWeights(piece: number, word: number, count: number): void {
    const { graph } = this.#setup
    const arc = (piece * PIECE_BYTES - graph.targetsAt) / 4 + word
    const from = graph.weights!.at + 4 * arc
    const pieces = { first: Math.floor(from / PIECE_BYTES), end: Math.ceil((from + 4 * count) / PIECE_BYTES) }
    const { at, bytes } = this.#pieces.bytesOf(pieces)
    if (4 * this.#weights.length < bytes) this.#weights = new Uint32Array(Math.ceil(bytes / 4))
    this.#read(this.#weights, at, bytes)
    this.#weightsAt = originsFrom(graph, pieces.first).weightsAt
  }

  /** A vertex keeps its best free neighbours, however long its list is. */
  keepLong(v: number, allFree: boolean): void {
    const { order, candidates, memory } = this.#setup
    if (!allFree && isMatched(memory.matched, v)) return
    const best = new BestNeighbours(order, candidates)
    best.forget()
    this.#readLong(v, (targets, weightBits, count) =>
      best.look(v, { ends: memory.ends, targets, weightBits }, 0, count, 0, allFree ? undefined : memory.matched),
    )
    best.store(v, memory.kept)
  }

  /** Reads the list of v, however long, in parts. */
  #readLong(v: number, take: (targets: Uint32Array, weights: Uint32Array, count: number) => void): void {
    const { graph, order } = this.#setup
    const end = this.#pieces.endOf(v)
    const weighted = readsWeights(order)
    for (let arc = this.#pieces.endOf(v - 1); arc < end; arc += ARCS_A_READ) {
      this.#checkStop()
      const count = Math.min(ARCS_A_READ, end - arc)
      const targets = new Uint32Array(count)
      readFully(this.#file, new Uint8Array(targets.buffer), graph.targetsAt + 4 * arc, graph.path)
      const weights = new Uint32Array(weighted ? count : 0)
      if (weighted) readFully(this.#file, new Uint8Array(weights.buffer), graph.weights!.at + 4 * arc, graph.path)
      this.reader.bytesRead += targets.byteLength + weights.byteLength
      take(targets, weights, count)
    }
  }

  #isOver(v: number): boolean {
    const { matched, kept } = this.#setup.memory
    return isMatched(matched, v) || (kept[keptWords(this.#setup.candidates) * v]! & ENDED) !== 0
  }

  #isDecided({ first, end }: Range): boolean {
    for (let v = first; v < end; v++) if (!this.#isOver(v)) return false
    return true
  }

  #read(words: Uint32Array, at: number, bytes: number): void {
    const into = new Uint8Array(words.buffer, words.byteOffset, bytes)
    this.#trace.span('disk read', `piece ${at / PIECE_BYTES}`, () => this.reader.readHere(into, at))
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
