import { Trace, type TraceSpan } from '../base/trace.ts'
import { type Exchange, type Operation, joinedParts, textOfWords, waitFor, wordsOfText } from './exchange.ts'

const NOTHING = new Uint32Array(0)

/** An exchange that waits for each operation, and has the waits in a trace. */
export class TracedExchange {
  readonly rank: number
  readonly ranks: number
  readonly #exchange: Exchange
  readonly #trace: Trace

  constructor(exchange: Exchange, trace: Trace) {
    this.rank = exchange.rank
    this.ranks = exchange.ranks
    this.#exchange = exchange
    this.#trace = trace
  }

  get spans(): readonly TraceSpan[] {
    return this.#trace.spans
  }

  /** The words of every rank, by rank. */
  gather(words: Uint32Array): Promise<readonly Uint32Array[]> {
    return this.#result(this.#exchange.gather(words))
  }

  /** What each rank sent here. */
  distribute(parts: readonly Uint32Array[]): Promise<readonly Uint32Array[]> {
    return this.#result(this.#exchange.distribute(parts))
  }

  /** What each rank sent to the first one, which alone receives it. */
  toFirst(words: Uint32Array): Promise<readonly Uint32Array[]> {
    return this.distribute(Array.from({ length: this.ranks }, (_, to) => (to === 0 ? words : NOTHING)))
  }

  /** All of it in one array, on the first rank. */
  async joined(words: Uint32Array): Promise<Uint32Array> {
    return joinedParts(await this.toFirst(words))
  }

  /** The words of the first rank, everywhere. @param words ignored elsewhere */
  async broadcast(words: Uint32Array | undefined): Promise<Uint32Array> {
    return (await this.gather(this.rank === 0 ? (words ?? NOTHING) : NOTHING))[0]!
  }

  /** The value of the first rank, which JSON holds, everywhere. @param value ignored elsewhere */
  async published<T>(value: T | undefined): Promise<T> {
    const words = await this.broadcast(value === undefined ? undefined : wordsOfText(JSON.stringify(value)))
    return JSON.parse(textOfWords(words)) as T
  }

  /** The sum of the counts of all ranks. */
  async sum(count: number): Promise<number> {
    const all = await this.gather(Uint32Array.of(count))
    return all.reduce((sum, [each]) => sum + each!, 0)
  }

  words(count: number): Uint32Array {
    return this.#exchange.words(count)
  }

  release(parts: readonly Uint32Array[]): void {
    this.#exchange.release(parts)
  }

  #result<T>(operation: Operation<T>): Promise<T> {
    return waitFor(this.#exchange, operation, this.#trace)
  }
}
