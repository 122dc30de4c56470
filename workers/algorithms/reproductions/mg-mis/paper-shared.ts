/**
 * What the workers of MG-MIS under its paper's exchange share (Akathoott and others, ICS 2025, sections 3.1 and 3.2): equal ranges of vertices,
 * message buffers between each two workers, flags and states, and the barrier of workers on several ranks, which carries the buffers by
 * all-to-all meanwhile. All is in shared memory; what is written before a barrier is read after it. compute-status.ts has the rounds.
 */

import { type Exchange, joinedParts } from '../../../exchange/exchange.ts'
import type { Range } from '../../../base/ranges.ts'
import { VERTICES_PER_WORD, stateWords } from '../../../graph/vertex-set.ts'
import type { Barrier } from '../../../threads/barrier.ts'
import { PackedStates } from '../../../graph/host-states.ts'

/** Shared by the workers of MG-MIS under its paper's exchange, all in shared memory. */
export interface PaperShared {
  readonly vertices: number
  readonly workers: number
  readonly firstOfRank: readonly number[]
  /** Words of one buffer. */
  readonly bufferWords: number
  /** workers x workers buffers; that of sender s and receiver r at (s * workers + r) * bufferWords. */
  readonly buffers: Uint32Array
  /** Words in each of them. */
  readonly lengths: Int32Array
  /** FIGURES for each worker, and whether a checkpoint is due. */
  readonly figures: Int32Array
  /** 2 bits a vertex: what the workers published. */
  readonly states: Uint32Array
  /** Priorities by vertex; undefined: hashes of the id under the seed. */
  readonly ranks?: Uint32Array | undefined
  readonly seed: number
}

/** Words of a worker's {@link RoundFigures}. */
const FIGURES = 5

/** All buffers together, unless more is asked for. */
const MOST_BYTES = 256 << 20
const LEAST_WORDS = 64

/**
 * Words of a buffer by default: two for each own vertex, as many as all queries of a round. The paper gives the buffers whatever memory the
 * graph leaves.
 */
export function defaultBufferWords(vertices: number, workers: number): number {
  const wanted = Math.max(LEAST_WORDS, 2 * Math.ceil(vertices / workers))
  return Math.min(wanted, Math.floor(MOST_BYTES / 4 / workers ** 2))
}

/** @param firstOfRank the first worker of each rank */
export function sharePaperBuffers(
  vertices: number,
  workers: number,
  bufferWords: number,
  firstOfRank: readonly number[],
): Omit<PaperShared, 'ranks' | 'seed'> {
  const shared = (words: number): SharedArrayBuffer => new SharedArrayBuffer(4 * Math.max(1, words))
  return {
    vertices,
    workers,
    firstOfRank,
    bufferWords,
    buffers: new Uint32Array(shared(workers ** 2 * bufferWords)),
    lengths: new Int32Array(shared(workers ** 2)),
    figures: new Int32Array(shared(FIGURES * workers + 1)),
    states: new Uint32Array(shared(stateWords(vertices))),
  }
}

/** What all workers published of a round. */
export interface RoundFigures {
  readonly done: boolean
  readonly undecided: number
  /** Words that the largest buffer would need. */
  readonly need: number
  /** Whether vertices of other workers were notified to be out. */
  readonly notified: boolean
  /** Whether every vertex could ask since a round decided or notified something. */
  readonly asked: boolean
}

/** One worker's view of the message buffers and flags; the caller has barriers between writing and reading. */
export class MessageBuffers {
  /** Bulk transfers that this worker sent, but for empty ones, and their words. */
  transfers = 0
  words = 0
  readonly #shared: PaperShared
  readonly #worker: number

  constructor(shared: PaperShared, worker: number) {
    this.#shared = shared
    this.#worker = worker
  }

  /** Words from each worker, in order; 0 from this one. */
  lengths(): number[] {
    const { workers, lengths } = this.#shared
    return Array.from({ length: workers }, (_, from) =>
      from === this.#worker ? 0 : Atomics.load(lengths, from * workers + this.#worker),
    )
  }

  received(from: number, length: number): Uint32Array {
    const { workers, bufferWords, buffers } = this.#shared
    const at = (from * workers + this.#worker) * bufferWords
    return buffers.subarray(at, at + length)
  }

  send(to: number, words: Uint32Array): void {
    const { workers, bufferWords, buffers, lengths } = this.#shared
    const pair = this.#worker * workers + to
    buffers.set(words, pair * bufferWords)
    Atomics.store(lengths, pair, words.length)
    if (words.length === 0) return
    this.transfers++
    this.words += words.length
  }

  publish({ done, undecided, need, notified, asked }: RoundFigures): void {
    const at = FIGURES * this.#worker
    const own = [Number(done), undecided, need, Number(notified), Number(asked)]
    for (const [i, figure] of own.entries()) Atomics.store(this.#shared.figures, at + i, figure)
  }

  /** Whether all are done, the sum of the undecided, the largest need, whether any notified another, whether all could ask. */
  allReduce(): RoundFigures {
    const { figures, workers } = this.#shared
    let [undecided, need] = [0, 0]
    let [done, notified, asked] = [true, false, true]
    for (let at = 0; at < FIGURES * workers; at += FIGURES) {
      done &&= Atomics.load(figures, at) === 1
      undecided += Atomics.load(figures, at + 1) >>> 0
      need = Math.max(need, Atomics.load(figures, at + 2) >>> 0)
      notified ||= Atomics.load(figures, at + 3) === 1
      asked &&= Atomics.load(figures, at + 4) === 1
    }
    return { done, undecided, need, notified, asked }
  }

  /** The coordinator asks every worker to publish its states at the end of the round. */
  set keepsStates(keeps: boolean) {
    const { figures } = this.#shared
    Atomics.store(figures, figures.length - 1, keeps ? 1 : 0)
  }

  get keepsStates(): boolean {
    const { figures } = this.#shared
    return Atomics.load(figures, figures.length - 1) === 1
  }
}

/**
 * Ranges of vertices, one for each worker (MG-MIS, section 3.1): with n = share * workers + extra the first `extra` workers own share + 1. Every
 * vertex has one owner; the authors' program leaves the remainder of n / workers without.
 */
export class EqualRanges {
  readonly vertices: number
  readonly workers: number
  readonly share: number
  readonly extra: number

  constructor(vertices: number, workers: number) {
    this.vertices = vertices
    this.workers = workers
    this.share = Math.floor(vertices / workers)
    this.extra = vertices % workers
  }

  /** First vertex of a worker; that of worker `workers` is n. */
  first(worker: number): number {
    return worker * this.share + Math.min(worker, this.extra)
  }

  /** Bounds of ranges: that of worker w and the next one are the ends of its range. */
  get bounds(): number[] {
    return Array.from({ length: this.workers + 1 }, (_, worker) => this.first(worker))
  }

  of(worker: number): OwnRange {
    const low = this.first(worker)
    const high = this.first(worker + 1)
    const origin = low - (low % VERTICES_PER_WORD)
    return { low, high, origin, places: high - origin }
  }
}

/** The vertices [low, high) of a worker; v has place v - origin, so that words of states hold the same vertices everywhere. */
export interface OwnRange {
  readonly low: number
  readonly high: number
  /** low rounded down to a whole word of states. */
  readonly origin: number
  /** high - origin; the first low - origin places stay unused. */
  readonly places: number
}

/**
 * The barrier of workers on several ranks: those of one rank meet in shared memory, and meanwhile the first of them exchanges with
 * the other ranks what was sent to their workers (MG-MIS, ICS 2025, section 3.2: the bulk transfers, by all-to-all).
 */
export class RankBarrier implements Barrier {
  readonly #local: Barrier
  readonly #shared: PaperShared
  readonly #exchange: Exchange | undefined
  #waitMs = 0

  /** @param exchange of the first worker of the rank alone */
  constructor(local: Barrier, shared: PaperShared, exchange: Exchange | undefined) {
    this.#local = local
    this.#shared = shared
    this.#exchange = exchange
  }

  get waitMs(): number {
    return this.#waitMs + this.#local.waitMs
  }

  async arrive(): Promise<void> {
    await this.#local.arrive()
    if (this.#exchange !== undefined) await this.#transfer(this.#exchange)
    await this.#local.arrive()
  }

  async #transfer(exchange: Exchange): Promise<void> {
    const { ranks, rank } = exchange
    const parts = Array.from({ length: ranks }, (_, to) => (to === rank ? NOTHING : this.#partFor(exchange, to)))
    const startMs = performance.now()
    const received = await exchange.distribute(parts).result()
    this.#waitMs += performance.now() - startMs
    for (const [from, words] of received.entries()) if (from !== rank) this.#store(exchange, from, words)
  }

  /** Figures of the workers here, whether a checkpoint is due, each buffer with its length, states where a checkpoint asks for them. */
  #partFor({ rank }: Exchange, to: number): Uint32Array {
    const { figures, workers, bufferWords, buffers, lengths } = this.#shared
    const own = workersOf(this.#shared, rank)
    const keeps = Atomics.load(figures, figures.length - 1)
    const words: Uint32Array[] = []
    const ownFigures = figures.subarray(FIGURES * own.first, FIGURES * own.end)
    words.push(Uint32Array.from(ownFigures), Uint32Array.of(keeps))
    const others = workersOf(this.#shared, to)
    for (let s = own.first; s < own.end; s++)
      for (let r = others.first; r < others.end; r++) {
        const pair = s * workers + r
        const length = Atomics.exchange(lengths, pair, 0)
        words.push(Uint32Array.of(length), buffers.subarray(pair * bufferWords, pair * bufferWords + length))
      }
    if (keeps !== 0 && to === 0) words.push(ownStates(this.#shared, rank))
    return joinedParts(words)
  }

  #store({ rank }: Exchange, from: number, words: Uint32Array): void {
    const { figures, workers, bufferWords, buffers, lengths } = this.#shared
    const others = workersOf(this.#shared, from)
    const own = workersOf(this.#shared, rank)
    let at = FIGURES * (others.end - others.first)
    for (let i = 0; i < at; i++) Atomics.store(figures, FIGURES * others.first + i, words[i]! | 0)
    const keeps = words[at++]!
    if (from === 0) Atomics.store(figures, figures.length - 1, keeps)
    for (let s = others.first; s < others.end; s++)
      for (let r = own.first; r < own.end; r++) {
        const pair = s * workers + r
        const length = words[at++]!
        buffers.set(words.subarray(at, at + length), pair * bufferWords)
        Atomics.store(lengths, pair, length)
        at += length
      }
    mergeStates(this.#shared, from, words.subarray(at))
  }
}

/** The states of all vertices on every rank, once all are decided. */
export async function gatherStates(shared: PaperShared, exchange: Exchange): Promise<void> {
  const all = await exchange.gather(ownStates(shared, exchange.rank)).result()
  for (const [rank, words] of all.entries()) mergeStates(shared, rank, words)
}

const NOTHING = new Uint32Array(0)

const workersOf = ({ firstOfRank, workers }: PaperShared, rank: number): Range => ({
  first: firstOfRank[rank]!,
  end: firstOfRank[rank + 1] ?? workers,
})

/** How many workers the rank of a worker has. */
export function workersBeside(shared: PaperShared, worker: number): number {
  const { first, end } = workersOf(
    shared,
    shared.firstOfRank.findLastIndex((first) => first <= worker),
  )
  return end - first
}

/** Words with states of a rank's vertices; those at its ends have states of other ranks, too. */
function stateWordsOf(shared: PaperShared, rank: number): Range {
  const ranges = new EqualRanges(shared.vertices, shared.workers)
  const own = workersOf(shared, rank)
  const [first, end] = [ranges.first(own.first), ranges.first(own.end)]
  return { first: Math.floor(first / VERTICES_PER_WORD), end: Math.ceil(end / VERTICES_PER_WORD) }
}

function ownStates(shared: PaperShared, rank: number): Uint32Array {
  const { first, end } = stateWordsOf(shared, rank)
  return shared.states.slice(first, end)
}

function mergeStates(shared: PaperShared, rank: number, words: Uint32Array): void {
  new PackedStates(shared.vertices, shared.states).merge(words, stateWordsOf(shared, rank).first)
}
