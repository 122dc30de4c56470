/**
 * A processor of a matching: it shares candidates, pointers and matched bits of all vertices with the others, and takes units of the file and
 * chunks of vertices from the board. Phases do not overlap (match-workers.ts): scan, collect, point, pair, settle. A vertex whose candidates are
 * all matched looks at its list again in the same phase, if that is in memory. The kernels are the twins of kernels/matching, or their
 * WebAssembly.
 */

import {
  AGAIN,
  ARCS,
  COUNTERS,
  ENDED,
  NONE,
  OPEN,
  POINTING,
  countsOf,
  isMatched,
  keptWords,
} from '../../../kernels/matching/match-state.ts'
import { MatchRounds } from '../../../kernels/matching/match-rounds.ts'
import { matchPair } from '../../../kernels/matching/match-pair.ts'
import { matchPoint } from '../../../kernels/matching/match-point.ts'
import { BestNeighbours } from '../../../kernels/parts/best-neighbours.ts'
import { type NeighbourPlace, BestScanner } from '../../../kernels/parts/best-scanner.ts'
import { type Range, within } from '../../base/ranges.ts'
import { eachFree } from '../../graph/matching.ts'
import { FreeListsWriter, addLists, type HostLists, type ReadLists } from './host-lists.ts'
import {
  type FindList,
  type FreeLists,
  listFinder,
  type MatchSetup,
  listPlace,
  residentOrigins,
} from './match-setup.ts'
import { CHUNK, chunksOf } from './plan-match.ts'

/** A pointing phase. */
export interface PointPhase {
  /** Whether it begins with all vertices, in place of those that are active. */
  readonly ofAll: boolean
  /** What it counts (match-point.ts). */
  readonly counted: number
  /** The collected lists, where lists are streamed. */
  readonly free: FreeLists | undefined
}

export interface PointFigures {
  /** Active vertices as `counts` says. */
  open: number
  /** Scanned. */
  arcs: number
}

/** Words that a thread collects before others see them. */
const COLLECTED_WORDS = 1 << 14

interface Chunk extends Range {
  readonly chunk: number
}

/** One processor's part in each phase. */
export class HostMatch {
  readonly #setup: MatchSetup
  readonly #lists: HostLists
  readonly #counters = new Uint32Array(COUNTERS)
  readonly #scanner: BestScanner | undefined
  /** The module that does rounds in the memory of the vertices; undefined where it cannot. */
  readonly #rounds: MatchRounds | undefined
  readonly #best: BestNeighbours

  constructor(setup: MatchSetup, lists: HostLists) {
    this.#setup = setup
    this.#lists = lists
    const { memory } = setup.memory
    this.#scanner = BestScanner.for(setup.order, setup.candidates)
    if (memory !== undefined)
      this.#rounds = new MatchRounds(setup.order, setup.candidates, {
        ...setup.memory,
        memory,
        ...residentOrigins(setup.graph),
      })
    this.#best = new BestNeighbours(setup.order, setup.candidates)
  }

  /** Every vertex of units from the board keeps its best free neighbours. @param allFree no vertex has a mate yet */
  scan(allFree: boolean, afterUnit: () => void): void {
    for (const unit of this.#lists.units()) {
      if (!allFree && this.#isDecided(unit.vertices)) continue
      const read = this.#lists.readLists(unit)
      this.#lists.scan.compute('lists', () => this.#scan(read, allFree))
      if (read.behind !== undefined) this.keepLong(read.behind, allFree)
      afterUnit()
    }
  }

  /** Collects the free neighbours of vertices that may yet find a mate, as far as there is room. */
  collect(free: FreeLists, afterUnit: () => void): void {
    const { ends, places } = this.#setup.memory
    const writer = new FreeListsWriter(this.#setup)
    for (const unit of this.#lists.units()) {
      if (this.#isDecided(unit.vertices)) continue
      const read = this.#lists.readLists(unit)
      this.#lists.scan.compute('free lists', () => {
        for (let v = read.within.first; v < read.within.end; v++) {
          if (this.#isOver(v)) continue
          writer.begin(v)
          writer.add(listPlace(ends, v, read))
          writer.end()
          if (writer.length >= COLLECTED_WORDS) addLists(free, places, writer.take())
        }
      })
      if (read.behind !== undefined && !this.#isOver(read.behind)) writer.addLong(read.behind, this.#lists)
      afterUnit()
    }
    addLists(free, places, writer.take())
  }

  /** The pointing phase, by chunks from the board. */
  point({ ofAll, counted, free }: PointPhase): PointFigures {
    const { open, openOfChunks } = this.#setup.memory
    const rounds = free === undefined ? this.#rounds : undefined
    const findList = listFinder(this.#setup, free)
    const found = { open: 0, arcs: 0 }
    for (const { chunk, first, end } of this.#chunks()) {
      const next = open.subarray(first, end)
      const list = ofAll ? undefined : next.subarray(0, openOfChunks[chunk])
      const { pointing, opened, arcs } =
        rounds?.point(first, list?.length ?? end - first, list, next, counted) ??
        this.#pointByTwin({ first, end }, list, next, counted, findList)
      openOfChunks[chunk] = pointing
      found.open += opened
      found.arcs += arcs
    }
    return found
  }

  /** Active vertices replace those that were. */
  #pointByTwin(
    { first, end }: Range,
    list: Uint32Array | undefined,
    next: Uint32Array,
    counted: number,
    findList: FindList,
  ): ReturnType<MatchRounds['point']> {
    const { memory, candidates } = this.#setup
    const { kept, matched, pointers } = memory
    const kernel = matchPoint(candidates)
    const counters = this.#counters.fill(0)
    const again = new Uint32Array(end - first)
    const counts = countsOf(0)
    const length = list === undefined ? NONE : countsOf(1)
    if (list !== undefined) counters[length] = list.length
    const state = { matched, kept, pointers, next, counters }
    const phase = { first, count: end - first, counts }
    kernel.twin({ ...phase, length, counted }, { ...state, list: list ?? next, again })
    const looked = this.#lookAgain(again.subarray(0, counters[counts + AGAIN]), findList)
    if (looked > 0) {
      counters[counts + AGAIN] = looked
      kernel.twin({ ...phase, length: counts + AGAIN, counted: 0 }, { ...state, list: again.slice(0, looked), again })
    }
    return { pointing: counters[counts + POINTING]!, opened: counters[counts + OPEN]!, arcs: counters[ARCS]! }
  }

  /** The matching phase, by chunks from the board. */
  pair(): void {
    const { pointers, matched, open, openOfChunks } = this.#setup.memory
    const counters = this.#counters
    for (const { chunk, first, end } of this.#chunks()) {
      const list = open.subarray(first, end)
      if (this.#rounds !== undefined) this.#rounds.pair(list, openOfChunks[chunk]!)
      else {
        counters[0] = openOfChunks[chunk]!
        matchPair.twin({ count: end - first, length: 0 }, { list, pointers, matched, counters })
      }
    }
  }

  /** Counts the vertices that may yet find a mate, by chunks; none has a collected list then. */
  undecided(): number {
    const { matched, places } = this.#setup.memory
    let count = 0
    for (const { first, end } of this.#chunks()) {
      places.fill(0, first, end)
      eachFree(matched, { first, end }, (v) => {
        if (!this.#isEnded(v)) count++
      })
    }
    return count
  }

  /** Copies the pointers of matched vertices, by chunks: they are the mates. */
  settle(mates: Uint32Array): void {
    const { pointers, matched } = this.#setup.memory
    for (const { first, end } of this.#chunks()) {
      mates.set(pointers.subarray(first, end), first)
      eachFree(matched, { first, end }, (v) => (mates[v] = NONE))
    }
  }

  keepLong(v: number, allFree: boolean): void {
    const { ends, kept, matched } = this.#setup.memory
    if (!allFree && isMatched(matched, v)) return
    const best = this.#best
    best.forget()
    this.#lists.readLong(v, ({ targets, weights: weightBits, start, weightsStart, count }) =>
      best.look(v, { ends, targets, weightBits }, start, count, weightsStart, allFree ? undefined : matched),
    )
    best.store(v, kept)
  }

  #scan(lists: ReadLists, allFree: boolean): void {
    const { ends, matched, kept } = this.#setup.memory
    const { origin, weightsAt } = lists
    const { first, end } = lists.within
    if (allFree && this.#rounds?.scans === true) return this.#rounds.scan(first, end)
    for (let v = first; v < end;) {
      const next = allFree ? this.#scanner?.scan(v, end, ends, lists, origin, weightsAt, kept) : undefined
      if (next !== undefined && next > v) {
        v = next
        continue
      }
      // Some have a mate, or the list is too long for the module, or it does not know the order.
      if (allFree || !isMatched(matched, v)) this.#keepBest(v, listPlace(ends, v, lists), allFree ? undefined : matched)
      v++
    }
  }

  /**
   * Vertices whose candidates are all matched scan their lists, in memory or collected.
   * @returns how many there are; these are first now
   */
  #lookAgain(again: Uint32Array, findList: FindList): number {
    const { matched, kept } = this.#setup.memory
    let looked = 0
    for (const v of again) {
      const place = findList(v)
      if (place === undefined) continue
      again[looked++] = v
      this.#counters[ARCS]! += place.count
      if (this.#scanner?.scanFree(v, place, matched, kept) !== true) this.#keepBest(v, place, matched)
    }
    return looked
  }

  #keepBest(v: number, place: NeighbourPlace, matched: Uint32Array | undefined): void {
    const { ends, kept } = this.#setup.memory
    const { targets, weights: weightBits, start, weightsStart, count } = place
    this.#best.forget()
    this.#best.look(v, { ends, targets, weightBits }, start, count, weightsStart, matched)
    this.#best.store(v, kept)
  }

  /** Chunks of vertices from the board. */
  *#chunks(): Generator<Chunk> {
    const { own } = this.#setup
    const first = Math.floor(own.vertices.first / CHUNK)
    const end = chunksOf(own.vertices.end)
    const { scan } = this.#lists
    const { board } = scan
    const startMs = performance.now()
    for (let chunk = first + board.take('lists', 1); chunk < end; chunk = first + board.take('lists', 1)) {
      scan.checkStop()
      yield { chunk, ...within({ first: chunk * CHUNK, end: (chunk + 1) * CHUNK }, own.vertices) }
    }
    scan.kernelMs += performance.now() - startMs
  }

  #isEnded(v: number): boolean {
    return (this.#setup.memory.kept[keptWords(this.#setup.candidates) * v]! & ENDED) !== 0
  }

  #isOver(v: number): boolean {
    return isMatched(this.#setup.memory.matched, v) || this.#isEnded(v)
  }

  #isDecided({ first, end }: Range): boolean {
    for (let v = first; v < end; v++) if (!this.#isOver(v)) return false
    return true
  }
}
