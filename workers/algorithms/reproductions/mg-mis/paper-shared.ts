import { stateWords, VERTICES_PER_WORD } from '../../../graph/vertex-states.ts'

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

/** Of a worker: whether it is done, its undecided vertices, and the largest need in a buffer. */
export const FIGURES = 3

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
  readonly need: number
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

  publish({ done, undecided, need }: RoundFigures): void {
    const at = FIGURES * this.#worker
    const own = [done ? 1 : 0, undecided, need]
    for (const [i, figure] of own.entries()) Atomics.store(this.#shared.figures, at + i, figure)
  }

  /** Whether all are done, the sum of the undecided, the largest need. */
  allReduce(): RoundFigures {
    const { figures, workers } = this.#shared
    let [done, undecided, need] = [true, 0, 0]
    for (let at = 0; at < FIGURES * workers; at += FIGURES) {
      done &&= Atomics.load(figures, at) === 1
      undecided += Atomics.load(figures, at + 1) >>> 0
      need = Math.max(need, Atomics.load(figures, at + 2) >>> 0)
    }
    return { done, undecided, need }
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

  /** That of worker w and of the next are the ends of its range. */
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
