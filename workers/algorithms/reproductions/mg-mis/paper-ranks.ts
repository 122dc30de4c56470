import { type Exchange, joined } from '../../../exchange/exchange.ts'
import type { Range } from '../../../graph/graph-pieces.ts'
import { VERTICES_PER_WORD } from '../../../graph/vertex-states.ts'
import type { Barrier } from '../../../threads/barrier.ts'
import { PackedStates } from '../../ecl-mis/host-states.ts'
import { FIGURES, type PaperShared, EqualRanges } from './paper-shared.ts'

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
    return joined(words)
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

/** Of the rank that a worker is on. */
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
