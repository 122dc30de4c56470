/**
 * Ranks over MPI, as an Exchange: all-gather and all-to-all of words, begun without waiting and looked at until they are done, as MPI proceeds
 * only meanwhile. A failure or a cancel is published in place of the next operation, with which it ends everywhere; a rank that does not answer
 * a cancelled run is lost. Operations begin in the same order on all ranks. mpi-library.ts calls MPI, exchange.ts is the interface.
 */

import { readFileSync } from 'node:fs'
import { setTimeout as after, setImmediate as nextTurn } from 'node:timers/promises'
import { Failure, type FailureValue, REPEAT, settleFailure } from '../base/failure.ts'
import type { StopSignal } from '../base/job.ts'
import { ALL_RANKS } from '../contract/ranks.ts'
import { type Exchange, type Operation, joinedParts, newFigures, textOfWords, wordsOfText } from './exchange.ts'
import { type GatherLayout, type MpiRequest, MpiLibrary, lostRank } from './mpi-library.ts'

/** What a rank says before each operation; LOST when they agree on a failure: this rank's command has ended. */
const [FINE, CANCELLED, FAILED, LOST] = [0, 1, 2, 3] as const
const kinds = { gather: 1, distribute: 2, failure: 3, end: 4 } as const
type Kind = keyof typeof kinds
/** Status, kind, words. */
const HEADER_WORDS = 3
/**
 * Looks at MPI without a pause, then with pauses: MPI proceeds only meanwhile. More of them once all ranks are there: where a process may not read the
 * memory of another, each look moves 64 KiB.
 */
const LOOKS = 200
const MOVING_LOOKS = 20_000
const PAUSE_MS = 0.2
const LOOKS_A_TURN = 50
/** The pause between two looks while the thread does other things. */
const BESIDE_MS = 1
/** A launcher that ends a job asks all ranks to stop, and kills them a second later. */
const LOST_MS = 500

/** Most bytes of released memory kept for an operation of the same size: the first touch takes longer than what it receives. */
const SPARE_BYTES = 1 << 26

const words = (count: number): Uint32Array => new Uint32Array(new ArrayBuffer(4 * count))
const noWords = words(0)

/** Ranks over MPI, of the thread that opens it. */
export class MpiExchange implements Exchange {
  readonly figures = newFigures()
  readonly #mpi: MpiLibrary
  readonly #signal: StopSignal
  readonly #pause = new Int32Array(new SharedArrayBuffer(4))
  readonly #starters = starters()
  #spare: ArrayBuffer | undefined
  #underWay: MpiOperation | undefined
  #stoppedMs: number | undefined

  /** @throws Failure as {@link MpiLibrary} */
  constructor(signal: StopSignal, mpi = new MpiLibrary()) {
    this.#mpi = mpi
    this.#signal = signal
  }

  get rank(): number {
    return this.#mpi.rank
  }

  get ranks(): number {
    return this.#mpi.ranks
  }

  gather(own: Uint32Array): Operation<readonly Uint32Array[]> {
    return this.#begin('gather', own.length, (counts) => this.#gatherParts(own, counts))
  }

  distribute(parts: readonly Uint32Array[]): Operation<readonly Uint32Array[]> {
    return this.#begin('distribute', 0, () => this.#distributeParts(parts))
  }

  words(count: number): Uint32Array {
    const spare = this.#spare
    if (spare?.byteLength !== 4 * count) return words(count)
    this.#spare = undefined
    return new Uint32Array(spare)
  }

  release(parts: readonly Uint32Array[]): void {
    for (const buffer of new Set(parts.map((part) => part.buffer))) {
      if (!(buffer instanceof ArrayBuffer) || buffer === this.#spare) continue
      const isKept = buffer.byteLength <= SPARE_BYTES && buffer.byteLength > (this.#spare?.byteLength ?? 0)
      ;(isKept ? this.#spare : buffer)?.transfer(0)
      if (isKept) this.#spare = buffer
    }
  }

  async end(): Promise<void> {
    // Not the signal of a run that is over.
    await this.#start('end', 0, FINE).result()
  }

  finish(): void {
    this.#mpi.finish()
  }

  async fail(error: unknown): Promise<Failure> {
    try {
      // The others may wait for what is under way.
      await this.#underWay?.result()
      const own = settleFailure(error).failure
      const status = own.code === 'cancelled' ? CANCELLED : FAILED
      await this.#start('failure', 0, status, undefined, status === FAILED ? own : undefined).result()
    } catch (agreed) {
      return agreed instanceof Failure ? agreed : new Failure(settleFailure(agreed).failure)
    }
    throw new Error('a failure was published, and no rank failed')
  }

  #begin(kind: Kind, count: number, payload: Payload): MpiOperation {
    if (this.#underWay?.isOver === false) throw new Error('one operation at a time')
    return this.#start(kind, count, this.#signal.aborted ? CANCELLED : FINE, payload)
  }

  #start(kind: Kind, count: number, status: number, payload?: Payload, own?: FailureValue): MpiOperation {
    this.#underWay = new MpiOperation(
      this.#mpi,
      (look) => this.#look(look),
      this.#requests(kind, count, status, payload, own),
    )
    return this.#underWay
  }

  *#requests(kind: Kind, count: number, status: number, payload?: Payload, own?: FailureValue): Requests {
    const headers = yield* this.#headers(status, kinds[kind], count)
    if (headers.statuses.some((each) => each !== FINE)) return yield* this.#agree(own)
    if (headers.kinds.some((each) => each !== kinds[kind]))
      throw new Error(`ranks do not agree on an operation: ${kind} here`)
    return payload === undefined ? [] : yield* payload(headers.counts)
  }

  /** What every rank says, by rank. */
  *#headers(status: number, kind: number, count: number) {
    const own = words(HEADER_WORDS)
    own.set([status, kind, count])
    const all = words(HEADER_WORDS * this.ranks)
    yield this.#mpi.gather(own, all)
    const nth = (n: number): Int32Array => Int32Array.from({ length: this.ranks }, (_, r) => all[HEADER_WORDS * r + n]!)
    return { statuses: nth(0), kinds: nth(1), counts: nth(2) }
  }

  *#gatherParts(own: Uint32Array, counts: Int32Array): Requests {
    const layout = layoutOf(counts)
    const all = words(layout.total)
    this.figures.bytesReceived += 4 * (layout.total - own.length)
    if (layout.total > 0) yield this.#mpi.gatherParts(own, all, layout)
    return partsOf(all, layout)
  }

  *#distributeParts(parts: readonly Uint32Array[]): Requests {
    const to = layoutOf(Int32Array.from(parts, ({ length }) => length))
    const sent = new Uint32Array(joinedParts(parts).buffer)
    const counts = new Int32Array(new ArrayBuffer(4 * this.ranks))
    yield this.#mpi.distribute(to.counts, counts)
    const from = layoutOf(counts)
    const received = this.words(from.total)
    this.figures.bytesReceived += 4 * (from.total - counts[this.rank]!)
    yield this.#mpi.distributeParts(sent, to, received, from)
    return partsOf(received, from)
  }

  /**
   * All ranks learn what failed; the failure of the lowest rank is that of the run. A launcher asks all ranks to stop when the user does, and
   * likewise when a rank's command ended; but only after that, so that its engine knows here.
   */
  *#agree(own: FailureValue | undefined): Requests {
    const text = own === undefined ? noWords : wordsOfText(JSON.stringify(own))
    const isAlone = this.#signal.abandoned === true || starters() !== this.#starters
    const { statuses, counts } = yield* this.#headers(isAlone ? LOST : FINE, 0, text.length)
    const lost = statuses.indexOf(LOST)
    if (lost >= 0) throw lostRank(`the process of rank ${lost} ended`)
    const layout = layoutOf(counts)
    const texts = words(layout.total)
    yield this.#mpi.gatherParts(text, texts, layout)
    const first = partsOf(texts, layout).find(({ length }) => length > 0)
    if (first !== undefined) throw new Failure(JSON.parse(textOfWords(first)) as FailureValue)
    throw new Failure({ code: 'cancelled', where: ALL_RANKS, what: 'cancelled', remedy: '', fixes: [REPEAT] })
  }

  /** Pauses between two looks. @throws Failure (lost) */
  async #look({ looks, isMoving, isBeside }: Look): Promise<void> {
    if (this.#signal.aborted) this.#stoppedMs ??= performance.now()
    if (this.#stoppedMs !== undefined && performance.now() - this.#stoppedMs > LOST_MS)
      throw lostRank('another rank of this run ended, or does not answer')
    const isShort = looks <= (isMoving ? MOVING_LOOKS : LOOKS)
    if (isBeside) return isShort && isMoving ? nextTurn() : after(BESIDE_MS)
    if (!isShort) Atomics.wait(this.#pause, 0, 0, PAUSE_MS)
    if (looks % LOOKS_A_TURN === 0) await nextTurn()
  }
}

/** The command of this rank, and what started that: its launcher, or a command under another Node, which does not end with it. */
function starters(): string {
  try {
    const [, parent] = /^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${process.ppid}/status`, 'utf8')) ?? []
    return `${process.ppid} ${parent}`
  } catch {
    // Not Linux, or it ended just now.
    return String(process.ppid)
  }
}

/** The requests of one operation, each begun when the one before is done; returns what each rank sent. */
type Requests = Generator<MpiRequest, readonly Uint32Array[], undefined>

/** @param counts of words, by rank */
type Payload = (counts: Int32Array) => Requests

/** What was seen between two looks at MPI. */
interface Look {
  /** Looks at this step so far. */
  readonly looks: number
  /** Whether all ranks have come to the operation. */
  readonly isMoving: boolean
  /** The thread has other things to do. */
  readonly isBeside: boolean
}

class MpiOperation implements Operation<readonly Uint32Array[]> {
  readonly #mpi: MpiLibrary
  readonly #look: (look: Look) => Promise<void>
  readonly #requests: Requests
  #begun = 0
  /** undefined once it is over. */
  #request: MpiRequest | undefined
  #value: readonly Uint32Array[] = []
  #error: unknown

  constructor(mpi: MpiLibrary, look: (look: Look) => Promise<void>, requests: Requests) {
    this.#mpi = mpi
    this.#look = look
    this.#requests = requests
    this.#beginNext()
  }

  get isOver(): boolean {
    return this.#request === undefined
  }

  isDone(): boolean {
    if (this.#error !== undefined) throw this.#error
    try {
      while (this.#request !== undefined) {
        if (!this.#mpi.isDone(this.#request)) return false
        this.#beginNext()
      }
      return true
    } catch (error) {
      this.#request = undefined
      this.#error = error
      throw error
    }
  }

  result(): Promise<readonly Uint32Array[]> {
    return this.#until(false)
  }

  beside(): Promise<readonly Uint32Array[]> {
    return this.#until(true)
  }

  get value(): readonly Uint32Array[] {
    if (!this.isOver) throw new Error('an operation is not over')
    return this.#value
  }

  async #until(isBeside: boolean): Promise<readonly Uint32Array[]> {
    let known = 0
    for (let looks = 1; !this.isDone(); looks++) {
      if (known !== this.#begun) looks = 1
      known = this.#begun
      await this.#look({ looks, isMoving: known > 1, isBeside })
    }
    return this.value
  }

  #beginNext(): void {
    const next = this.#requests.next()
    this.#begun++
    this.#request = next.done === true ? undefined : next.value
    if (next.done === true) this.#value = next.value
  }
}

function layoutOf(counts: Int32Array): GatherLayout & { readonly total: number } {
  const places = new Int32Array(new ArrayBuffer(4 * counts.length))
  let total = 0
  for (const [rank, count] of counts.entries()) {
    places[rank] = total
    total += count
  }
  if (total >= 2 ** 31) throw new Error(`${total} words are too many for one operation of MPI`)
  return { counts, places, total }
}

const partsOf = (all: Uint32Array, { counts, places }: GatherLayout): Uint32Array[] =>
  Array.from(counts, (count, rank) => all.subarray(places[rank], places[rank]! + count))
