import { BARRIER_WORDS } from '../../../threads/barrier.ts'

/** What the workers of a run with the exchange of the MG-MIS paper share; all of it in shared memory. */
export interface PaperShared {
  readonly workers: number
  /** Words of one buffer. */
  readonly bufferWords: number
  /** workers x workers buffers; that of sender s and receiver r at (s * workers + r) * bufferWords. */
  readonly mail: Uint32Array
  /** Words in each of them. */
  readonly lengths: Int32Array
  /** The barrier's words, then one done flag, undecided count and largest need for each worker, then whether to keep states. */
  readonly control: Int32Array
  /** 2 bits a vertex in the graph's own order: where the workers put what they decided when they are asked to. */
  readonly states: Uint32Array
}

const FIGURES = 3
const DONE = 0
const UNDECIDED = 1
const NEED = 2

/** Buffers of all pairs take at most this much unless more is asked for. */
const MAIL_BYTES = 256 << 20
const LEAST_WORDS = 64

/**
 * Words of a buffer by default: room for two words of each own vertex, which all questions of a round take at most,
 * within a bound on all buffers together. The paper gives the buffers whatever memory the graph leaves.
 */
export function defaultBufferWords(vertices: number, workers: number): number {
  const wanted = Math.max(LEAST_WORDS, 2 * Math.ceil(vertices / workers))
  return Math.min(wanted, Math.floor(MAIL_BYTES / 4 / workers ** 2))
}

const sharedWords = (words: number): SharedArrayBuffer => new SharedArrayBuffer(4 * Math.max(1, words))

export function sharePaperMail(vertices: number, workers: number, bufferWords: number): PaperShared {
  return {
    workers,
    bufferWords,
    mail: new Uint32Array(sharedWords(workers ** 2 * bufferWords)),
    lengths: new Int32Array(sharedWords(workers ** 2)),
    control: new Int32Array(sharedWords(BARRIER_WORDS + FIGURES * workers + 1)),
    states: new Uint32Array(sharedWords(Math.ceil(vertices / 16))),
  }
}

/** One worker's view of the buffers and flags. Barriers between writing and reading are the caller's. */
export class PaperMail {
  readonly #shared: PaperShared
  readonly #worker: number
  /** Bulk transfers that this worker sent, empty ones not counted, and their words. */
  transfers = 0
  words = 0

  constructor(shared: PaperShared, worker: number) {
    this.#shared = shared
    this.#worker = worker
  }

  /** Words that each other worker sent here, in the order of the workers; nothing from this one. */
  lengths(): number[] {
    const { workers, lengths } = this.#shared
    return Array.from({ length: workers }, (_, from) =>
      from === this.#worker ? 0 : Atomics.load(lengths, from * workers + this.#worker),
    )
  }

  received(from: number, length: number): Uint32Array {
    const { workers, bufferWords, mail } = this.#shared
    const at = (from * workers + this.#worker) * bufferWords
    return mail.subarray(at, at + length)
  }

  send(to: number, words: Uint32Array): void {
    const { workers, bufferWords, mail, lengths } = this.#shared
    const pair = this.#worker * workers + to
    mail.set(words, pair * bufferWords)
    Atomics.store(lengths, pair, words.length)
    if (words.length === 0) return
    this.transfers++
    this.words += words.length
  }

  /** Says whether this worker is done, how many vertices it has undecided, and the most words it needed in one buffer. */
  tell(done: boolean, undecided: number, need: number): void {
    const at = BARRIER_WORDS + FIGURES * this.#worker
    const { control } = this.#shared
    Atomics.store(control, at + DONE, done ? 1 : 0)
    Atomics.store(control, at + UNDECIDED, undecided)
    Atomics.store(control, at + NEED, need)
  }

  /** What all workers told: whether all are done, all undecided vertices, the largest need. */
  heard(): { done: boolean; undecided: number; need: number } {
    const { control, workers } = this.#shared
    const told = Array.from({ length: workers }, (_, worker) => {
      const at = BARRIER_WORDS + FIGURES * worker
      return [DONE, UNDECIDED, NEED].map((figure) => Atomics.load(control, at + figure) >>> 0) as [
        number,
        number,
        number,
      ]
    })
    return {
      done: told.every(([done]) => done === 1),
      undecided: told.reduce((sum, [, undecided]) => sum + undecided, 0),
      need: Math.max(...told.map(([, , need]) => need)),
    }
  }

  /** The leader asks every worker to put its states into shared memory at the end of the round. */
  set keepsStates(keeps: boolean) {
    const { control } = this.#shared
    Atomics.store(control, control.length - 1, keeps ? 1 : 0)
  }

  get keepsStates(): boolean {
    const { control } = this.#shared
    return Atomics.load(control, control.length - 1) === 1
  }
}
