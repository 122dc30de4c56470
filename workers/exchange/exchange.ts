import { bufferOf } from '../base/words.ts'
import type { Failure } from '../base/failure.ts'
import type { Trace } from '../base/trace.ts'

/**
 * What ranks tell each other: processes, or threads of one process, that compute a run together. All of them call the same operations in the
 * same order; each operation ends everywhere with the same failure where a rank failed or was cancelled before it.
 */
export interface Exchange {
  readonly rank: number
  readonly ranks: number
  readonly figures: ExchangeFigures
  /** All-gather: the words of every rank, by rank. They must not change until the operation is over. */
  gather(words: Uint32Array): Operation<readonly Uint32Array[]>
  /** Personalised all-to-all: `parts[r]` goes to rank r. @returns what each rank sent here */
  distribute(parts: readonly Uint32Array[]): Operation<readonly Uint32Array[]>
  /** Words for what is sent: memory that was released, perhaps, with what it held. */
  words(count: number): Uint32Array
  /** What an operation gave or took, and is read no more. It is reused or freed at once: left to the collector, 64 MB of it stay. */
  release(parts: readonly Uint32Array[]): void
  /** Publishes a failure in place of the next operation. @returns what the run fails with on all ranks */
  fail(error: unknown): Promise<Failure>
  /** The last operation: no rank needs another any more. */
  end(): Promise<void>
}

interface ExchangeFigures {
  /** Bytes of payload, without headers. */
  bytesReceived: number
  /** Time in which this rank had nothing to do but wait. */
  waitMs: number
}

/** An operation under way: it proceeds while it is looked at. */
export interface Operation<T> {
  /** Never waits. @throws Failure that the ranks agreed on */
  isDone(): boolean
  /** The result, once it is done. */
  readonly value: T
  /** @throws Failure likewise; (lost) where another rank does not answer a cancelled run */
  result(): Promise<T>
  /** The same result, while this thread has other things to do. */
  beside(): Promise<T>
}

export const newFigures = (): ExchangeFigures => ({ bytesReceived: 0, waitMs: 0 })

/** Text as words: its bytes, then blanks. */
export function wordsOfText(text: string): Uint32Array {
  const bytes = Buffer.from(text)
  const padded = new Uint8Array(4 * Math.ceil(bytes.length / 4)).fill(0x20)
  padded.set(bytes)
  return new Uint32Array(padded.buffer)
}

export const textOfWords = (words: Uint32Array): string => bufferOf(words).toString('utf8').trimEnd()

/** What an operation gave, by rank, in one array; no copy where it is one already. */
export function joinedParts(parts: readonly Uint32Array[]): Uint32Array {
  const buffer = parts[0]?.buffer
  let total = 0
  let isOne = buffer !== undefined
  for (const part of parts) {
    isOne &&= part.length === 0 || (part.buffer === buffer && part.byteOffset === 4 * total)
    total += part.length
  }
  if (isOne && buffer!.byteLength === 4 * total) return new Uint32Array(buffer!)
  const all = new Uint32Array(total)
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

/** The result of an operation; the time until then is that of waiting. */
export async function waitFor<T>(exchange: Exchange, operation: Operation<T>, trace: Trace): Promise<T> {
  const startMs = performance.now()
  const result = await trace.span('wait', 'for other ranks', () => operation.result())
  exchange.figures.waitMs += performance.now() - startMs
  return result
}

/** All-gather of values that JSON holds. */
export async function gatherValues<T>(exchange: Exchange, value: T): Promise<T[]> {
  const all = await exchange.gather(wordsOfText(JSON.stringify(value))).result()
  return all.map((words) => JSON.parse(textOfWords(words)) as T)
}

/** The words of rank 0, everywhere. @param words ignored elsewhere */
export async function broadcast(exchange: Exchange, words: Uint32Array | undefined): Promise<Uint32Array> {
  const own = exchange.rank === 0 && words !== undefined ? words : new Uint32Array(0)
  return (await exchange.gather(own).result())[0]!
}
