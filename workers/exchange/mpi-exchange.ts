import { readFileSync } from 'node:fs'
import { setTimeout as after, setImmediate as nextTurn } from 'node:timers/promises'
import { Failure, type FailureValue, REPEAT, settleFailure } from '../base/failure.ts'
import type { StopSignal } from '../base/job.ts'
import { ALL_RANKS } from '../contract/ranks.ts'
import { type Exchange, type Operation, joined, newFigures, textOfWords, wordsOfText } from './exchange.ts'
import { type Layout, type MpiRequest, MpiLibrary, lostRank } from './mpi-library.ts'

/** What a rank says before each operation. */
const FINE = 0
const CANCELLED = 1
const FAILED = 2
/** When they agree on a failure: this rank's command has ended. */
const LOST = 3
const kinds = { gather: 1, distribute: 2, failure: 3, end: 4 } as const
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
/** Between two looks where the thread does other things. */
const BESIDE_MS = 1
/** A launcher that ends a job asks all ranks to stop, and kills them a second later. */
const LOST_MS = 500

const words = (count: number): Uint32Array => new Uint32Array(new ArrayBuffer(4 * count))
const noWords = words(0)

/** Ranks over MPI, of the thread that opens it. */
export class MpiExchange implements Exchange {
  readonly figures = newFigures()
  readonly #mpi: MpiLibrary
  readonly #signal: StopSignal
  readonly #pause = new Int32Array(new SharedArrayBuffer(4))
  readonly #starters = starters()
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

  get version(): string {
    return this.#mpi.version
  }

  gather(own: Uint32Array): Operation<readonly Uint32Array[]> {
    return this.#begin('gather', own.length, (header) => this.#gatherParts(own, header))
  }

  distribute(parts: readonly Uint32Array[]): Operation<readonly Uint32Array[]> {
    return this.#begin('distribute', 0, () => this.#distributeParts(parts))
  }

  release(parts: readonly Uint32Array[]): void {
    for (const buffer of new Set(parts.map((part) => part.buffer)))
      if (buffer instanceof ArrayBuffer) buffer.transfer(0)
  }

  async end(): Promise<void> {
    // Not the signal of a run that is over.
    await this.#start('end', 0, () => [finished([])], FINE).result()
  }

  /** After the last operation. */
  finish(): void {
    this.#mpi.finish()
  }

  async fail(error: unknown): Promise<Failure> {
    try {
      // The others may wait for what is under way.
      await this.#underWay?.result()
      const own = settleFailure(error).failure
      const status = own.code === 'cancelled' ? CANCELLED : FAILED
      await this.#start('failure', 0, () => [finished([])], status, status === FAILED ? own : undefined).result()
    } catch (agreed) {
      return agreed instanceof Failure ? agreed : new Failure(settleFailure(agreed).failure)
    }
    throw new Error('a failure was published, and no rank failed')
  }

  #begin(kind: keyof typeof kinds, count: number, payload: Payload): MpiOperation {
    if (this.#underWay?.isOver === false) throw new Error('one operation at a time')
    return this.#start(kind, count, payload, this.#signal.aborted ? CANCELLED : FINE)
  }

  #start(kind: keyof typeof kinds, count: number, payload: Payload, status: number, own?: FailureValue) {
    this.figures.operations++
    const header = words(HEADER_WORDS)
    header.set([status, kinds[kind], count])
    const all = words(HEADER_WORDS * this.ranks)
    const steps = (): readonly Step[] => {
      if (statusesIn(all).some((each) => each !== FINE)) return this.#agree(own)
      if (all.some((word, i) => i % HEADER_WORDS === 1 && word !== kinds[kind]))
        throw new Error(`ranks do not agree on an operation: ${kind} here`)
      return payload(all)
    }
    const operation = new MpiOperation(this.#mpi, (look) => this.#look(look), [
      { request: () => this.#mpi.gather(header, all), then: steps },
    ])
    this.#underWay = operation
    return operation
  }

  #gatherParts(own: Uint32Array, header: Uint32Array): readonly Step[] {
    const counts = Int32Array.from({ length: this.ranks }, (_, r) => header[HEADER_WORDS * r + 2]!)
    const { places, total } = placesOf(counts)
    const all = words(total)
    this.figures.bytesSent += 4 * own.length * (this.ranks - 1)
    this.figures.bytesReceived += 4 * (total - own.length)
    const then = (): readonly Step[] => [finished(partsOf(all, { counts, places }))]
    return total === 0 ? then() : [{ request: () => this.#mpi.gatherParts(own, all, counts, places), then }]
  }

  #distributeParts(parts: readonly Uint32Array[]): readonly Step[] {
    const to = layoutOf(Int32Array.from(parts, ({ length }) => length))
    const sent = new Uint32Array(joined(parts).buffer)
    const counts = new Int32Array(new ArrayBuffer(4 * this.ranks))
    const then = (): readonly Step[] => {
      const from = layoutOf(counts)
      const received = words(from.total)
      this.figures.bytesSent += 4 * (to.total - parts[this.rank]!.length)
      this.figures.bytesReceived += 4 * (from.total - counts[this.rank]!)
      const request = (): MpiRequest => this.#mpi.distributeParts(sent, to, received, from)
      return [{ request, then: () => [finished(partsOf(received, from))] }]
    }
    return [{ request: () => this.#mpi.distribute(to.counts, counts), then }]
  }

  /**
   * All ranks learn what failed; the failure of the lowest rank is that of the run. A launcher asks all ranks to stop when the user does, and
   * likewise when a rank's command ended; but only after that, so that its engine knows here.
   */
  #agree(own: FailureValue | undefined): readonly Step[] {
    const text = own === undefined ? noWords : wordsOfText(JSON.stringify(own))
    const isAlone = this.#signal.abandoned === true || starters() !== this.#starters
    const header = words(HEADER_WORDS)
    header.set([isAlone ? LOST : FINE, 0, text.length])
    const all = words(HEADER_WORDS * this.ranks)
    const then = (): readonly Step[] => {
      const lost = statusesIn(all).indexOf(LOST)
      if (lost >= 0) throw lostRank(`the process of rank ${lost} ended`)
      const counts = Int32Array.from({ length: this.ranks }, (_, r) => all[HEADER_WORDS * r + 2]!)
      const layout = layoutOf(counts)
      const texts = words(layout.total)
      const request = (): MpiRequest => this.#mpi.gatherParts(text, texts, counts, layout.places)
      return [{ request, then: () => throwFirst(partsOf(texts, layout)) }]
    }
    return [{ request: () => this.#mpi.gather(header, all), then }]
  }

  /** Between two looks. @throws Failure (lost) */
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

type Payload = (header: Uint32Array) => readonly Step[]

/** A request of MPI, and what follows from it; without one the operation is over. */
type Step =
  | { readonly request: () => MpiRequest; readonly then: () => readonly Step[] }
  | { readonly request?: undefined; readonly value: readonly Uint32Array[] }

/** Between two looks at MPI. */
interface Look {
  /** At this step so far. */
  readonly looks: number
  /** Whether all ranks have come to the operation. */
  readonly isMoving: boolean
  /** The thread has other things to do. */
  readonly isBeside: boolean
}

const finished = (value: readonly Uint32Array[]): Step => ({ value })

class MpiOperation implements Operation<readonly Uint32Array[]> {
  readonly #mpi: MpiLibrary
  readonly #look: (look: Look) => Promise<void>
  readonly #first: Step
  #step: Step
  #request: MpiRequest | undefined
  #error: unknown

  constructor(mpi: MpiLibrary, look: (look: Look) => Promise<void>, [first]: readonly Step[]) {
    this.#mpi = mpi
    this.#look = look
    this.#first = first!
    this.#step = first!
    this.#request = first!.request?.()
  }

  get isOver(): boolean {
    return this.#error !== undefined || this.#step.request === undefined
  }

  isDone(): boolean {
    if (this.#error !== undefined) throw this.#error
    try {
      while (this.#step.request !== undefined) {
        if (!this.#mpi.isDone(this.#request!)) return false
        const [next] = this.#step.then()
        this.#request = next!.request?.()
        this.#step = next!
      }
      return true
    } catch (error) {
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

  async #until(isBeside: boolean): Promise<readonly Uint32Array[]> {
    let step: Step | undefined
    for (let looks = 1; !this.isDone(); looks++) {
      if (step !== this.#step) looks = 1
      step = this.#step
      await this.#look({ looks, isMoving: step !== this.#first, isBeside })
    }
    return this.value
  }

  get value(): readonly Uint32Array[] {
    if (this.#step.request !== undefined) throw new Error('an operation is not over')
    return this.#step.value
  }
}

const statusesIn = (headers: Uint32Array): Uint32Array => headers.filter((_, i) => i % HEADER_WORDS === 0)

function placesOf(counts: Int32Array): { readonly places: Int32Array; readonly total: number } {
  const places = new Int32Array(new ArrayBuffer(4 * counts.length))
  let total = 0
  for (const [rank, count] of counts.entries()) {
    places[rank] = total
    total += count
  }
  if (total >= 2 ** 31) throw new Error(`${total} words are too many for one operation of MPI`)
  return { places, total }
}

function layoutOf(counts: Int32Array): Layout & { readonly total: number } {
  return { counts, ...placesOf(counts) }
}

const partsOf = (all: Uint32Array, { counts, places }: Layout): Uint32Array[] =>
  Array.from(counts, (count, rank) => all.subarray(places[rank], places[rank]! + count))

function throwFirst(texts: readonly Uint32Array[]): never {
  const first = texts.find(({ length }) => length > 0)
  if (first !== undefined) throw new Failure(JSON.parse(textOfWords(first)) as FailureValue)
  throw new Failure({ code: 'cancelled', where: ALL_RANKS, what: 'cancelled', remedy: '', fixes: [REPEAT] })
}
