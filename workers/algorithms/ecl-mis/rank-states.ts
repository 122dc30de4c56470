import type { Trace } from '../../base/trace.ts'
import type { Exchange, Operation } from '../../exchange/exchange.ts'
import type { GraphSlice } from '../../graph/graph-slice.ts'
import type { Range } from '../../graph/graph-pieces.ts'
import { IN, OUT, UNDECIDED, VERTICES_PER_WORD, stateWords } from '../../graph/vertex-states.ts'
import type { HostStates } from './host-states.ts'

/** What a rank says of itself at each exchange; the words of states follow. */
const FORM = 0
const IS_SCANNED = 1
const WAITING = 2
const RESIDUAL_WORDS = 3
const MEMBERS = 4
const FIGURES = 5
/** Forms of states: a list of members, then of vertices that are out; or two bits for each vertex of the slice. */
const LIST = 0
const WHOLE = 1

/** How far a rank is; of all ranks: their sums. */
export interface RankFigures {
  readonly isScanned: boolean
  /** Undecided vertices, and words that they take to publish. */
  readonly waiting: number
  readonly words: number
  /** States that were published. */
  readonly changes: number
}

/** Between two exchanges that nothing else asks for; a rank that is asked to stop publishes it there. */
const EVERY_MS = 200
/** A rank scans this many times the bytes that an exchange moves before the next one. */
const SCANNED_PER_EXCHANGED = 16

/** So few undecided vertices are gathered, and decided by every rank alike. */
const FEW = 4096
/** So are more where a round decides fewer than one in sixteen: chains cross from rank to rank. */
const SLOW = 15 / 16
const MOST_WORDS = 1 << 26

/**
 * States that every rank has of all vertices (MG-MIS, ICS 2025, section 3.2, with replicated states): a rank decides the vertices of its slice and
 * publishes what changed, as a list while that is shorter than a bitmap. An exchange is under way while the next batches are scanned.
 */
export class RankStates {
  states: HostStates
  readonly exchange: Exchange
  listBytes = 0
  wholeBytes = 0
  rounds = 0
  /** What all ranks do after the last round: another, or they gather what waits, or nothing waits any more. */
  next: 'round' | 'gather' | 'over' = 'round'
  /** Bytes that this rank took from the others in each exchange after the scan. */
  readonly roundBytes: number[] = []
  readonly #slices: readonly GraphSlice[]
  readonly #own: Range
  readonly #published: Uint32Array
  readonly #trace: Trace
  readonly #everyBytes: number
  #underWay: Operation<readonly Uint32Array[]> | undefined
  #sent: Uint32Array = new Uint32Array(0)
  /** Ends its span in the trace. */
  #isOver = (): void => {}
  #lastMs = performance.now()
  #scanned = 0
  /** Waiting vertices of the round before. */
  #waiting = Infinity

  /** @param slices of all ranks */
  constructor(exchange: Exchange, slices: readonly GraphSlice[], states: HostStates, vertices: number, trace: Trace) {
    this.exchange = exchange
    this.states = states
    this.#slices = slices
    this.#own = wordsOf(slices[exchange.rank]!.vertices)
    this.#published = new Uint32Array(this.#own.end - this.#own.first)
    this.#trace = trace
    this.#everyBytes = (SCANNED_PER_EXCHANGED * vertices) / 4
  }

  /** Called while lists are scanned; never waits. @param scanned bytes so far in this pass */
  proceed(scanned: number): void {
    if (this.#underWay !== undefined) {
      if (!this.#underWay.isDone()) return
      this.#complete(this.#underWay.value)
      this.#scanned = scanned
    }
    const isDue = scanned - this.#scanned >= this.#everyBytes || performance.now() - this.#lastMs >= EVERY_MS
    if (isDue) this.#begin({ isScanned: false, waiting: 0, words: 0 })
  }

  /** What is under way, then one exchange more. */
  async round(own: Pick<RankFigures, 'waiting' | 'words'>): Promise<void> {
    await this.#finish()
    this.#begin({ ...own, isScanned: true })
    const before = this.exchange.figures.bytesReceived
    const all = await this.#finish()
    this.rounds++
    this.roundBytes.push(this.exchange.figures.bytesReceived - before)
    this.#decide(all!)
  }

  #decide({ isScanned, waiting, words }: RankFigures): void {
    if (!isScanned) return
    const isSlow = waiting > SLOW * this.#waiting && words <= MOST_WORDS
    this.#waiting = waiting
    if (waiting === 0) this.next = 'over'
    else if (waiting <= FEW || isSlow) this.next = 'gather'
  }

  /** Vertices that wait on all ranks, everywhere. */
  async gatherWaiting(words: Uint32Array): Promise<readonly Uint32Array[]> {
    return this.#trace.span('exchange', 'waiting vertices', () => this.exchange.gather(words).result())
  }

  #begin(own: Pick<RankFigures, 'isScanned' | 'waiting' | 'words'>): void {
    const words = this.#trace.span('exchange', 'pack', () => this.#changes(own))
    this.#isOver = this.#trace.begin('exchange', own.isScanned ? 'round' : 'states beside batches')
    this.#sent = words
    this.#underWay = this.exchange.gather(words)
    this.#lastMs = performance.now()
  }

  async #finish(): Promise<RankFigures | undefined> {
    const operation = this.#underWay
    if (operation === undefined) return undefined
    const startMs = performance.now()
    const all = await this.#trace.span('wait', 'for other ranks', () => operation.result())
    this.exchange.figures.waitMs += performance.now() - startMs
    return this.#complete(all)
  }

  #complete(all: readonly Uint32Array[]): RankFigures {
    this.#underWay = undefined
    this.#isOver()
    const figures = this.#trace.span('exchange', 'merge', () => this.#merge(all))
    this.exchange.release([...all, this.#sent])
    return figures
  }

  /** Figures, and what changed since the last exchange. */
  #changes({ isScanned, waiting, words }: Omit<RankFigures, 'changes'>): Uint32Array {
    const published = this.#published
    const members: number[] = []
    const others: number[] = []
    let isList = true
    for (let i = 0; i < published.length; i++) {
      if (isDecided(published[i]!)) continue
      let news = this.states.packedWord(this.#own.first + i) & ~published[i]!
      if (news === 0) continue
      published[i]! |= news
      if (!isList) continue
      const first = VERTICES_PER_WORD * (this.#own.first + i)
      for (; news !== 0; news &= news - 1) {
        const bit = 31 - Math.clz32(news & -news)
        ;(bit % 2 === 0 ? members : others).push(first + (bit >>> 1))
      }
      isList = members.length + others.length < published.length
    }
    const payload = isList ? members.length + others.length : published.length
    const all = new Uint32Array(FIGURES + payload)
    all.set([isList ? LIST : WHOLE, isScanned ? 1 : 0, waiting, words, members.length])
    if (isList) {
      all.set(members, FIGURES)
      all.set(others, FIGURES + members.length)
      this.listBytes += 4 * payload
    } else {
      all.set(published, FIGURES)
      this.wholeBytes += 4 * payload
    }
    return all
  }

  #merge(all: readonly Uint32Array[]): RankFigures {
    let figures: RankFigures = { isScanned: true, waiting: 0, words: 0, changes: 0 }
    for (const [rank, words] of all.entries()) {
      figures = {
        isScanned: figures.isScanned && words[IS_SCANNED] === 1,
        waiting: figures.waiting + words[WAITING]!,
        words: figures.words + words[RESIDUAL_WORDS]!,
        changes: figures.changes + words.length - FIGURES,
      }
      if (rank === this.exchange.rank) continue
      const payload = words.subarray(FIGURES)
      if (words[FORM] === WHOLE) this.states.merge(payload, wordsOf(this.#slices[rank]!.vertices).first)
      else
        for (const [i, v] of payload.entries())
          if (this.states.get(v) === UNDECIDED) this.states.set(v, i < words[MEMBERS]! ? IN : OUT)
    }
    return figures
  }
}

/** All vertices of a word are. */
const isDecided = (word: number): boolean => ((word | (word >>> 1)) & 0x55555555) === 0x55555555

/** Slices begin at whole words of states. */
const wordsOf = ({ first, end }: Range): Range => ({ first: first / VERTICES_PER_WORD, end: stateWords(end) })
