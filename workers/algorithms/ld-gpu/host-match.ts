import {
  AGAIN,
  ARCS,
  COUNTERS,
  ENDED,
  NONE,
  OPEN,
  POINTING,
  SCAN_COUNTS,
  countsOf,
  isMatched,
  keptWords,
} from '../../../kernels/matching/match-state.ts'
import { matchBest } from '../../../kernels/matching/match-best.ts'
import { MatchRounds } from '../../../kernels/matching/match-rounds.ts'
import { matchPair } from '../../../kernels/matching/match-pair.ts'
import { matchPoint } from '../../../kernels/matching/match-point.ts'
import { type Lists, BestNeighbours } from '../../../kernels/parts/best-neighbours.ts'
import { type NeighbourPlace, BestScanner } from '../../../kernels/parts/best-scanner.ts'
import type { Range } from '../../graph/graph-pieces.ts'
import { within } from '../../graph/graph-slice.ts'
import { type FreeLists, FreeListsWriter, freeListOf } from './free-lists.ts'
import type { HostLists } from './host-lists.ts'
import { type MatchSetup, CHUNK, chunksWith } from './match-setup.ts'
import { type WaitingVertices, markWaiting } from './waiting-vertices.ts'

/** A pointing phase: which list of active vertices it begins with, and what it counts. */
export interface PointPhase {
  /** undefined: all vertices. */
  readonly from: 0 | 1 | undefined
  readonly counts: number
  /** The collected lists, where lists are streamed. */
  readonly lists: FreeLists | undefined
}

export interface PointFigures {
  /** As `counts` says. */
  open: number
  /** Scanned. */
  arcs: number
}

/** A processor of a matching: it shares the state of all vertices with the others, and takes units and chunks from the board. */
export class HostMatch {
  readonly #setup: MatchSetup
  readonly #lists: HostLists
  readonly #counters = new Uint32Array(COUNTERS)
  readonly #scanner: BestScanner | undefined
  /** That does rounds in the memory of the vertices. */
  readonly #rounds: MatchRounds | undefined
  readonly #best: BestNeighbours
  readonly #scanLists: ReturnType<typeof matchBest>['twin']

  constructor(setup: MatchSetup, lists: HostLists) {
    this.#setup = setup
    this.#lists = lists
    const { memory } = setup.memory
    this.#scanner = BestScanner.for(setup.order, setup.candidates)
    if (memory !== undefined)
      this.#rounds = new MatchRounds(setup.order, setup.candidates, {
        ...setup.memory,
        memory,
        ...lists.residentOrigins,
      })
    this.#best = new BestNeighbours(setup.order, setup.candidates)
    this.#scanLists = matchBest(setup.candidates, setup.order).twin
  }

  /** Every vertex of units from the board keeps its best free neighbours. @param allFree no vertex has a mate yet */
  scan(allFree: boolean, afterUnit: () => void): void {
    const { memory } = this.#setup
    for (const unit of this.#lists.units()) {
      if (!allFree && this.#isDecided(unit.vertices)) continue
      if (memory.lists !== undefined) {
        const { origin, weightsAt } = this.#lists.residentOrigins
        const lists = { ends: memory.ends, targets: memory.lists, weightBits: memory.lists }
        this.#lists.compute('lists', () => this.#scan(unit.vertices, lists, origin, weightsAt, allFree))
      } else {
        const { within, behind, origin, weightsAt, ...lists } = this.#lists.readLists(unit)
        this.#lists.compute('lists', () =>
          this.#scan(within, { ends: memory.ends, ...lists }, origin, weightsAt, allFree),
        )
        for (const v of behind) this.keepLong(v, allFree)
      }
      afterUnit()
    }
  }

  /** Collects the free neighbours of vertices that may yet find a mate, as far as there is room. */
  collect(free: FreeLists, afterUnit: () => void): void {
    const { matched, ends } = this.#setup.memory
    const writer = new FreeListsWriter(free, matched)
    for (const unit of this.#lists.units()) {
      if (this.#isDecided(unit.vertices)) continue
      const { within, behind, origin, weightsAt, targets, weightBits } = this.#lists.readLists(unit)
      this.#lists.compute('free lists', () => {
        for (let v = within.first; v < within.end; v++) {
          if (this.#isOver(v)) continue
          const begin = v === 0 ? 0 : ends[v - 1]!
          const length = (ends[v]! - begin) >>> 0
          writer.begin(v)
          writer.add(targets, weightBits, (begin - origin) >>> 0, (begin - weightsAt) >>> 0, length)
          writer.end()
        }
      })
      for (const v of behind) {
        if (this.#isOver(v)) continue
        writer.begin(v)
        this.#lists.readLong(v, (neighbours, weights, count) => writer.add(neighbours, weights, 0, 0, count))
        writer.end()
      }
      afterUnit()
    }
    writer.flush()
  }

  /** The pointing phase, by chunks from the board. */
  point(phase: PointPhase): PointFigures {
    if (this.#rounds === undefined || phase.lists !== undefined) return this.#pointByTwin(phase)
    const { memory, graph } = this.#setup
    const { from, counts } = phase
    const to = from === 0 ? 1 : 0
    const found = { open: 0, arcs: 0 }
    for (const chunk of this.#chunks()) {
      const first = chunk * CHUNK
      const most = Math.min(graph.vertices - first, CHUNK)
      const count = from === undefined ? most : memory.openOfChunks[from][chunk]!
      const list = from === undefined ? undefined : memory.open[from].subarray(first)
      const next = memory.open[to].subarray(first)
      const { pointing, opened, arcs } = this.#rounds.point(first, count, list, next, counts)
      memory.openOfChunks[to][chunk] = pointing
      found.open += opened
      found.arcs += arcs
    }
    return found
  }

  #pointByTwin({ from, counts: counted, lists }: PointPhase): PointFigures {
    const { memory, own, candidates } = this.#setup
    const kernel = matchPoint(candidates)
    const counters = this.#counters
    const again = new Uint32Array(CHUNK)
    const spare = new Uint32Array(0)
    const to = from === 0 ? 1 : 0
    const counts = countsOf(to)
    const length = from === undefined ? NONE : countsOf(from) + POINTING
    const found = { open: 0, arcs: 0 }
    for (const chunk of this.#chunks()) {
      const { first, end } = within({ first: chunk * CHUNK, end: (chunk + 1) * CHUNK }, own.vertices)
      counters.fill(0)
      if (from !== undefined) counters[length] = memory.openOfChunks[from][chunk]!
      const { kept, matched, pointers } = memory
      const list = from === undefined ? spare : memory.open[from].subarray(first, end)
      const state = { matched, kept, pointers, next: memory.open[to].subarray(first, end), counters }
      const phase = { first, count: end - first, counts }
      kernel.twin({ ...phase, length, counted }, { ...state, list, again })
      const looked = this.#lookAgain(again.subarray(0, counters[counts + AGAIN]), lists)
      if (looked > 0) {
        counters[counts + AGAIN] = looked
        kernel.twin({ ...phase, length: counts + AGAIN, counted: 0 }, { ...state, list: again.slice(0, looked), again })
      }
      memory.openOfChunks[to][chunk] = counters[counts + POINTING]!
      found.open += counters[counts + OPEN]!
      found.arcs += counters[ARCS]!
    }
    return found
  }

  /** The matching phase, by chunks from the board. @param of the last list of active vertices */
  pair(of: 0 | 1): void {
    const { pointers, matched, open, openOfChunks } = this.#setup.memory
    const counters = this.#counters
    for (const chunk of this.#chunks()) {
      const { first, end } = within({ first: chunk * CHUNK, end: (chunk + 1) * CHUNK }, this.#setup.own.vertices)
      if (this.#rounds !== undefined) {
        this.#rounds.pair(open[of].subarray(first), openOfChunks[of][chunk]!)
        continue
      }
      counters[0] = openOfChunks[of][chunk]!
      matchPair.twin({ length: 0 }, { list: open[of].subarray(first, end), pointers, matched, counters })
    }
  }

  /** Marks the vertices that may yet find a mate, by chunks. */
  mark(waiting: WaitingVertices): void {
    const { memory, candidates } = this.#setup
    for (const chunk of this.#chunks()) markWaiting(waiting, chunk, memory, candidates, this.#setup.own.vertices)
  }

  /** Copies the pointers of matched vertices, by chunks: they are the mates. */
  settle(mates: Uint32Array): void {
    const { own, memory } = this.#setup
    const { pointers, matched } = memory
    for (const chunk of this.#chunks()) {
      const { first, end } = within({ first: CHUNK * chunk, end: CHUNK * (chunk + 1) }, own.vertices)
      mates.set(pointers.subarray(first, end), first)
      for (let v = first; v < end; v += 32) {
        const word = matched[v >>> 5]!
        if (word === 0xffffffff) continue
        for (let u = v; u < Math.min(end, v + 32); u++) if (((word >>> (u & 31)) & 1) === 0) mates[u] = NONE
      }
    }
  }

  keepLong(v: number, allFree: boolean): void {
    const { memory } = this.#setup
    if (!allFree && isMatched(memory.matched, v)) return
    const best = this.#best
    best.forget()
    this.#lists.readLong(v, (targets, weightBits, count) =>
      best.look(v, { ends: memory.ends, targets, weightBits }, 0, count, 0, allFree ? undefined : memory.matched),
    )
    best.store(v, memory.kept)
  }

  #scan({ first, end }: Range, lists: Lists, origin: number, weightsAt: number, allFree: boolean): void {
    const { memory, order } = this.#setup
    if (allFree && lists.targets === memory.lists && this.#rounds?.scans === true) return this.#rounds.scan(first, end)
    const { ends, matched, kept } = memory
    const scanner = allFree ? this.#scanner : undefined
    const none = new Uint32Array(0)
    const buffers = { ...lists, matched, kept, list: none, longs: none, counters: this.#counters }
    const lengths = { longer: NONE, longest: NONE }
    for (let v = first; v < end;) {
      const scanned = scanner?.scan(v, end, ends, lists, origin, weightsAt, kept) ?? v
      // A list that is too long for the module, or an order that it does not know.
      const count = scanner === undefined ? end - v : 1
      const params = {
        first: v,
        count,
        origin,
        weightsAt,
        isListed: 0,
        keptFirst: 0,
        counts: SCAN_COUNTS,
        ...lengths,
        ...order,
      }
      if (scanned === v) this.#scanLists({ ...params, allFree: allFree ? 1 : 0 }, buffers)
      v = scanned === v ? v + count : scanned
    }
  }

  /**
   * Vertices whose candidates are all matched scan their lists, in memory or collected.
   * @returns how many there are; these are first now
   */
  #lookAgain(again: Uint32Array, free: FreeLists | undefined): number {
    const { memory } = this.#setup
    const { ends, matched, kept } = memory
    let looked = 0
    for (const v of again) {
      const place = this.#placeOf(v, free)
      if (place === undefined) continue
      again[looked++] = v
      this.#counters[ARCS]! += place.count
      if (this.#scanner?.scanFree(v, place, matched, kept) === true) continue
      this.#best.forget()
      const lists = { ends, targets: place.targets, weightBits: place.weights }
      this.#best.look(v, lists, place.start, place.count, place.weightsStart, matched)
      this.#best.store(v, kept)
    }
    return looked
  }

  #placeOf(v: number, free: FreeLists | undefined): NeighbourPlace | undefined {
    const { lists, ends } = this.#setup.memory
    if (lists === undefined) return free && freeListOf(free, v)
    const { origin, weightsAt } = this.#lists.residentOrigins
    const begin = v === 0 ? 0 : ends[v - 1]!
    const [start, weightsStart] = [(begin - origin) >>> 0, (begin - weightsAt) >>> 0]
    return { targets: lists, weights: lists, start, weightsStart, count: (ends[v]! - begin) >>> 0 }
  }

  *#chunks(): Generator<number> {
    const { first, end } = chunksWith(this.#setup.own.vertices)
    const { board } = this.#lists
    const startMs = performance.now()
    for (let chunk = first + board.take('lists', 1); chunk < end; chunk = first + board.take('lists', 1)) {
      this.#lists.checkStop()
      yield chunk
    }
    this.#lists.kernelMs += performance.now() - startMs
  }

  #isOver(v: number): boolean {
    const { matched, kept } = this.#setup.memory
    return isMatched(matched, v) || (kept[keptWords(this.#setup.candidates) * v]! & ENDED) !== 0
  }

  #isDecided({ first, end }: Range): boolean {
    for (let v = first; v < end; v++) if (!this.#isOver(v)) return false
    return true
  }
}
