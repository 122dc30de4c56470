import { type StopSignal, stopWord, throwIfCancelled } from '../base/job.ts'

/** The task board of a scan, in shared memory. */
export class ScanBoard {
  readonly words: Int32Array

  constructor(words: Int32Array = new Int32Array(new SharedArrayBuffer(4 * WORDS))) {
    this.words = words
  }

  /** @returns the first */
  take(of: 'index' | 'lists', count: number): number {
    return Atomics.add(this.words, of === 'index' ? INDEX : LISTS, count)
  }

  get taken(): number {
    return Atomics.load(this.words, LISTS)
  }

  begin(workers: number, firstUnit = 0): void {
    for (const word of [INDEX, INDEXED_PIECES, READY]) Atomics.store(this.words, word, 0)
    Atomics.store(this.words, LISTS, firstUnit)
    Atomics.store(this.words, WORKERS, workers)
  }

  /** @returns whether it is the last */
  countIndexed(pieces: number): boolean {
    return Atomics.add(this.words, INDEXED_PIECES, 1) + 1 === pieces
  }

  setReady(): void {
    Atomics.store(this.words, READY, 1)
    Atomics.notify(this.words, READY)
  }

  /** No worker reads or writes what others share before. */
  get isReady(): boolean {
    return Atomics.load(this.words, READY) !== 0
  }

  arrive(): void {
    Atomics.sub(this.words, WORKERS, 1)
    Atomics.notify(this.words, WORKERS)
  }

  /** @throws Failure (cancelled) */
  untilAll(signal: StopSignal): Promise<void> {
    return this.#until(WORKERS, (left) => left <= 0, signal)
  }

  /** @throws Failure (cancelled) */
  untilReady(signal: StopSignal): Promise<void> {
    return this.#until(READY, (ready) => ready !== 0, signal)
  }

  stop(): void {
    Atomics.store(this.words, STOP, 1)
    Atomics.notify(this.words, WORKERS)
    Atomics.notify(this.words, READY)
  }

  get isStopped(): boolean {
    return Atomics.load(this.words, STOP) !== 0
  }

  get signal(): StopSignal {
    return stopWord(this.words, STOP)
  }

  async #until(word: number, isSo: (value: number) => boolean, signal: StopSignal): Promise<void> {
    for (let value = Atomics.load(this.words, word); !isSo(value); value = Atomics.load(this.words, word)) {
      throwIfCancelled(signal)
      throwIfCancelled(this.signal)
      const waiting = Atomics.waitAsync(this.words, word, value, LOOK_MS)
      if (waiting.async) await waiting.value
    }
  }
}

const INDEX = 0
const LISTS = 1
const STOP = 2
const WORKERS = 3
const READY = 4
const INDEXED_PIECES = 5
const WORDS = 6
const LOOK_MS = 20
