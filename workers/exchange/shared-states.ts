import type { Batch } from '../graph/batches.ts'
import { stateWords, VERTICES_PER_WORD } from '../graph/vertex-states.ts'
import { BARRIER_WORDS } from './barrier.ts'

/** Words of the states. */
export interface Stretch {
  readonly first: number
  readonly words: number
}

/**
 * What the workers of a run share. What they tell stands there twice, for odd and even passes: a worker that is a pass ahead writes
 * where nobody reads, so what anyone reads does not depend on timing.
 */
export interface SharedStates {
  readonly workers: number
  /** Undecided vertices, of all workers together, that are not worth another pass. */
  readonly residual: number
  /**
   * Whether each worker takes before a batch what the others decided in theirs, up to the step before the last one; else it takes
   * all of it at the end of a pass.
   */
  readonly inStep: boolean
  /** Words of the states of all vertices, 2 bits each, by position. */
  readonly words: number
  /** States to start from; absent: all undecided. */
  readonly initial: Uint32Array | undefined
  /** Words at the front whose vertices have no entries, so that everybody knows them to be in; 0 where there are states to start from. */
  readonly knownWords: number
  /** The words of each batch that are not known anyway; batches go to the workers in turn. */
  readonly stretches: readonly Stretch[]
  /** What is told of each batch, at its own words; the second half is for odd passes. */
  readonly mail: Uint32Array
  /** The words of the barrier, then those of {@link Figures}. */
  readonly control: Int32Array
}

/**
 * The leading worker decides so many vertices alone in about 2 ms, reading a page of the view for each (docs/decisions/0009-residual.md);
 * another pass of all workers takes two round trips through a driver, a millisecond each, and the exchange.
 */
const RESIDUAL = 1000

/** In place of a number of changes: the mail holds all words of the batch. */
export const WHOLE = -1

export interface SharingOptions {
  readonly residual?: number
  readonly inStep?: boolean
  /** Vertices at the front of the view, which have no entries. */
  readonly front?: number
}

/** @param batches of the whole run; they go to the workers in turn */
export function shareStates(
  vertices: number,
  workers: number,
  batches: readonly Batch[],
  initial: Uint32Array | undefined,
  { residual = RESIDUAL, inStep = false, front = 0 }: SharingOptions = {},
): SharedStates {
  const words = stateWords(vertices)
  const knownWords = initial === undefined ? Math.floor(front / VERTICES_PER_WORD) : 0
  const stretches = batches.map(({ first, count }) => {
    const begin = first / VERTICES_PER_WORD
    const end = begin + stateWords(count)
    return { first: Math.min(end, Math.max(begin, knownWords)), words: Math.max(0, end - Math.max(begin, knownWords)) }
  })
  return {
    workers,
    residual,
    inStep,
    words,
    initial: initial === undefined ? undefined : sharedCopy(initial),
    knownWords,
    stretches,
    mail: new Uint32Array(new SharedArrayBuffer(4 * Math.max(1, 2 * words))),
    control: new Int32Array(new SharedArrayBuffer(4 * (BARRIER_WORDS + 3 * (workers + batches.length)))),
  }
}

/**
 * The figures that go with the mail: for each worker and each batch the last pass in which it told, and for even and odd passes what:
 * undecided vertices of a worker, changes of a batch.
 */
export class Figures {
  readonly #control: Int32Array
  readonly #workers: number

  constructor({ control, workers }: SharedStates) {
    this.#control = control
    this.#workers = workers
  }

  tellUndecided(worker: number, pass: number, undecided: number): void {
    this.#tell(worker, pass, undecided)
  }

  /** Of a worker that told in this pass. */
  undecided(worker: number, pass: number): number {
    return this.#told(worker, pass) >>> 0
  }

  hasEnded(worker: number, pass: number): boolean {
    return this.#hasTold(worker, pass)
  }

  tellChanges(batch: number, pass: number, changes: number): void {
    this.#tell(this.#workers + batch, pass, changes)
  }

  /** Of a batch that was told of in this pass. */
  changes(batch: number, pass: number): number {
    return this.#told(this.#workers + batch, pass)
  }

  isTold(batch: number, pass: number): boolean {
    return this.#hasTold(this.#workers + batch, pass)
  }

  #tell(of: number, pass: number, figure: number): void {
    const at = BARRIER_WORDS + 3 * of
    Atomics.store(this.#control, at + 1 + (pass & 1), figure)
    Atomics.store(this.#control, at, pass + 1)
  }

  #hasTold(of: number, pass: number): boolean {
    return Atomics.load(this.#control, BARRIER_WORDS + 3 * of) > pass
  }

  #told(of: number, pass: number): number {
    return Atomics.load(this.#control, BARRIER_WORDS + 3 * of + 1 + (pass & 1))
  }
}

/** Host memory of {@link shareStates} and of each worker's copy of the states, and of what it gives. */
export function exchangeHostBytes(vertices: number, workers: number): number {
  return workers === 1 ? 0 : 4 * stateWords(vertices) * (2 + 2 * workers)
}

function sharedCopy(words: Uint32Array): Uint32Array {
  const copy = new Uint32Array(new SharedArrayBuffer(words.byteLength))
  copy.set(words)
  return copy
}
