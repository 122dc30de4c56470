/**
 * States that every rank has of all vertices, as MG-MIS (ICS 2025, section 3.2) with replicated states: a rank decides the vertices of its slice
 * and publishes what changed, as a list while that is shorter than a bitmap. An exchange is under way while the next batches are scanned, and
 * begins once enough was scanned to pay for it. Ranks agree in each exchange on what comes next: another one, a gathering at the first rank, or
 * the end. finish-set.ts has the rounds at the end.
 */

import { Trace } from '../../base/trace.ts'
import { type Exchange, type Operation, waitFor } from '../../exchange/exchange.ts'
import type { GraphSlice } from '../../graph/graph-pieces.ts'
import type { Range } from '../../base/ranges.ts'
import { VERTICES_PER_WORD, stateWords } from '../../graph/vertex-set.ts'
import type { HostStates } from '../../graph/host-states.ts'
import type { Residual } from '../../../kernels/mis/visit-lists.ts'

/** What a rank says of itself at each exchange; the words of states follow. */
const FORM = 0
const IS_SCANNED = 1
const WAITING = 2
const RESIDUAL_WORDS = 3
const STATE_WORDS = 4
const RECORD_WORDS_SENT = 5
const DEFERRED = 6
const FIGURES = 7
/** Forms of states, two bits a vertex: words that changed, each behind its place in the slice; or all of the slice. */
const LIST = 0
const WHOLE = 1

/** How far a rank is; of all ranks: their sums. */
interface RankFigures {
  readonly isScanned: boolean
  /** Undecided vertices, and words that they take to publish. */
  readonly waiting: number
  readonly words: number
  /** Deferred ones among them. */
  readonly deferred: number
}

/** Figures of a rank that scans. */
const SCANNING: RankFigures = { isScanned: false, waiting: 0, words: 0, deferred: 0 }

/** The time between two exchanges that nothing else asks for; a rank that is asked to stop publishes it there. */
const EVERY_MS = 200
/** A rank scans this many times the bytes that an exchange moves before the next one. */
const SCANNED_PER_EXCHANGED = 16

/** The most undecided vertices that are gathered, and decided by the first rank. */
const FEW = 4096
/** The exchanges of all states that a gathering of more may cost. */
const EXCHANGES = 2
/** The share of vertices that a round may leave before more are gathered: chains cross from rank to rank. */
const SLOW = 15 / 16
const MOST_WORDS = 1 << 26

/** The states of this rank, and their exchange with those of the others. */
export class RankStates {
  states!: HostStates
  readonly exchange: Exchange
  /** Words of this rank. */
  readonly own: Range
  listBytes = 0
  wholeBytes = 0
  rounds = 0
  /** What all ranks do after the last round: another, or the first takes what waits, or nothing waits any more. */
  next: 'round' | 'gather' | 'over' = 'round'
  /** What waited on the others, on the first rank, once that is known, and a device has not taken it. */
  rest: readonly Residual[] | undefined
  /** Deferred vertices of all ranks after the last round. */
  deferred = 0
  /** Bytes that this rank took from the others in each exchange after the scan. */
  readonly roundBytes: number[] = []
  readonly #slices: readonly GraphSlice[]
  readonly #vertices: number
  #published: Uint32Array
  /** Taken for the states of the next exchange. */
  #spare: Uint32Array
  readonly #trace: Trace
  #underWay: Operation<readonly Uint32Array[]> | undefined
  #sent: Uint32Array = new Uint32Array(0)
  /** Ends its span in the trace. */
  #isOver = (): void => {}
  #lastMs = performance.now()
  #scanned = 0
  /** Waiting vertices of the round before. */
  #waiting = Infinity

  /** The states are those of the pass under way. @param slices of all ranks */
  constructor(exchange: Exchange, slices: readonly GraphSlice[], vertices: number, traced: boolean) {
    this.exchange = exchange
    this.own = wordsOf(slices[exchange.rank]!.vertices)
    this.#slices = slices
    this.#vertices = vertices
    this.#published = new Uint32Array(this.own.end - this.own.first)
    this.#spare = new Uint32Array(this.#published.length)
    this.#trace = new Trace(traced)
  }

  /** Spans of what was exchanged. */
  get spans(): Trace['spans'] {
    return this.#trace.spans
  }

  /** Called while processors scan lists; never waits. @param scanned bytes so far in this pass */
  proceed(scanned: number): void {
    if (this.#underWay !== undefined) {
      if (!this.#underWay.isDone()) return
      this.#complete(this.#underWay.value)
      this.#scanned = scanned
    }
    const dueBytes = (SCANNED_PER_EXCHANGED * this.#vertices) / 4
    if (scanned - this.#scanned >= dueBytes || this.isLate) this.#begin(SCANNING)
  }

  get isLate(): boolean {
    return performance.now() - this.#lastMs >= EVERY_MS
  }

  /** Exchanges once, beside a GPU that scans lists. */
  async publish(): Promise<void> {
    this.#complete(await this.#begin(SCANNING).beside())
  }

  /** What is under way, then one exchange more. */
  async round(own: Omit<RankFigures, 'isScanned'>): Promise<void> {
    await this.#finish()
    this.#begin({ ...own, isScanned: true })
    const before = this.exchange.figures.bytesReceived
    const all = await this.#finish()
    this.rounds++
    this.roundBytes.push(this.exchange.figures.bytesReceived - before)
    this.#decide(all!)
  }

  #decide({ isScanned, waiting, words, deferred }: RankFigures): void {
    if (!isScanned) return
    this.deferred = deferred
    const isFew = waiting <= FEW || 4 * words <= (EXCHANGES * this.#vertices) / 4
    // All may wait for a deferred one.
    const isSlow = waiting > SLOW * this.#waiting && (words <= MOST_WORDS || waiting === this.#waiting)
    this.#waiting = waiting
    if (waiting === 0) this.next = 'over'
    else if (isFew || isSlow) this.next = 'gather'
  }

  /** What changed since the last round, and what waits. @returns on the first rank: what waits on the others */
  async gather(own: Residual | undefined): Promise<readonly Residual[]> {
    const none = new Uint32Array(0)
    const sent = own === undefined ? none : withResidual(this.#changes(SCANNING), own)
    const parts = Array.from({ length: this.exchange.ranks }, (_, to) => (to === 0 ? sent : none))
    const all = await waitFor(this.exchange, this.exchange.distribute(parts), this.#trace)
    this.exchange.release([sent])
    // No rank but the first receives anything; it sends nothing to itself.
    return all.flatMap((words, rank) => {
      if (words.length === 0) return []
      this.#mergeOf(rank, words)
      const records = FIGURES + words[STATE_WORDS]!
      const pool = records + words[RECORD_WORDS_SENT]!
      return [{ records: words.slice(records, pool), pool: words.slice(pool) }]
    })
  }

  #begin(own: RankFigures): Operation<readonly Uint32Array[]> {
    const words = this.#trace.span('exchange', 'pack', () => this.#changes(own))
    this.#isOver = this.#trace.begin('exchange', own.isScanned ? 'round' : 'states beside batches')
    this.#sent = words
    this.#underWay = this.exchange.gather(words)
    this.#lastMs = performance.now()
    return this.#underWay
  }

  async #finish(): Promise<RankFigures | undefined> {
    const operation = this.#underWay
    if (operation === undefined) return undefined
    return this.#complete(await waitFor(this.exchange, operation, this.#trace))
  }

  #complete(all: readonly Uint32Array[]): RankFigures {
    this.#underWay = undefined
    this.#isOver()
    const figures = this.#trace.span('exchange', 'merge', () => this.#merge(all))
    this.exchange.release([...all, this.#sent])
    return figures
  }

  /** Figures, and what changed since the last exchange. */
  #changes({ isScanned, waiting, words, deferred }: RankFigures): Uint32Array {
    const before = this.#published
    const now = this.#spare
    now.set(before)
    this.states.update(now, this.own)
    let changed = 0
    for (let i = 0; i < now.length; i++) if (now[i] !== before[i]) changed++
    const isList = 2 * changed < now.length
    const length = isList ? 2 * changed : now.length
    const all = new Uint32Array(FIGURES + length)
    all.set([isList ? LIST : WHOLE, isScanned ? 1 : 0, waiting, words, length, 0, deferred])
    if (!isList) all.set(now, FIGURES)
    else
      for (let i = 0, at = FIGURES; i < now.length; i++)
        if (now[i] !== before[i]) {
          all[at++] = i
          all[at++] = now[i]!
        }
    if (isList) this.listBytes += 4 * length
    else this.wholeBytes += 4 * length
    this.#published = now
    this.#spare = before
    return all
  }

  #merge(all: readonly Uint32Array[]): RankFigures {
    let figures: RankFigures = { ...SCANNING, isScanned: true }
    for (const [rank, words] of all.entries()) {
      figures = {
        isScanned: figures.isScanned && words[IS_SCANNED] === 1,
        waiting: figures.waiting + words[WAITING]!,
        words: figures.words + words[RESIDUAL_WORDS]!,
        deferred: figures.deferred + words[DEFERRED]!,
      }
      if (rank !== this.exchange.rank) this.#mergeOf(rank, words)
    }
    return figures
  }

  #mergeOf(rank: number, words: Uint32Array): void {
    const { first } = wordsOf(this.#slices[rank]!.vertices)
    const end = FIGURES + words[STATE_WORDS]!
    if (words[FORM] === WHOLE) this.states.merge(words.subarray(FIGURES, end), first)
    else for (let at = FIGURES; at < end; at += 2) this.states.mergeWord(first + words[at]!, words[at + 1]!)
  }
}

/** The states, and the residual graph behind them. */
function withResidual(states: Uint32Array, { records, pool }: Residual): Uint32Array {
  const all = new Uint32Array(states.length + records.length + pool.length)
  all.set(states)
  all[RECORD_WORDS_SENT] = records.length
  all.set(records, states.length)
  all.set(pool, states.length + records.length)
  return all
}

/** Slices begin at whole words of states. */
const wordsOf = ({ first, end }: Range): Range => ({ first: first / VERTICES_PER_WORD, end: stateWords(end) })
