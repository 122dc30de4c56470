import type { Batch } from '../graph/batches.ts'
import { stateWords, VERTICES_PER_WORD } from '../graph/vertex-states.ts'

/** Words of the states that a worker owns: a stretch for each of its batches. */
export interface OwnedWords {
  readonly first: number
  readonly words: number
}

/**
 * What the workers of a run share. Everything stands there twice, for odd and even passes: a worker that is a pass ahead writes
 * where nobody reads, so what anyone reads does not depend on timing.
 */
export interface SharedStates {
  readonly workers: number
  /** Undecided vertices, of all workers together, that are not worth another pass. */
  readonly residual: number
  /** Words of the states of all vertices, 2 bits each, by position. */
  readonly words: number
  /** States to start from; absent: all undecided. */
  readonly initial: Uint32Array | undefined
  /** What each worker owns, in order. */
  readonly owned: readonly (readonly OwnedWords[])[]
  /** Where each worker's mail begins, of 2 * words words: as many words as it owns. The second half is for odd passes. */
  readonly mailAt: readonly number[]
  readonly mail: Uint32Array
  /** [0] stop, [1] arrived, [2] generation, then for even and odd passes two words a worker: undecided vertices, changes. */
  readonly control: Int32Array
}

/**
 * The leading worker decides so many vertices alone in about 2 ms, reading a page of the view for each (docs/decisions/0009-residual.md);
 * another pass of all workers takes two round trips through a driver, a millisecond each, and the exchange.
 */
const RESIDUAL = 1000

export const CONTROL_HEAD = 3
/** In place of a number of changes: the mail holds all words that the worker owns. */
export const WHOLE = -1

/** @param batches of the whole run; they go to the workers in turn */
export function shareStates(
  vertices: number,
  workers: number,
  batches: readonly Batch[],
  initial: Uint32Array | undefined,
  residual = RESIDUAL,
): SharedStates {
  const owned = Array.from({ length: workers }, (_, worker) => ownedWords(batches, worker, workers))
  const mailAt: number[] = []
  let end = 0
  for (const stretches of owned) {
    mailAt.push(end)
    for (const { words } of stretches) end += words
  }
  const words = stateWords(vertices)
  return {
    workers,
    residual,
    words,
    initial: initial === undefined ? undefined : sharedCopy(initial),
    owned,
    mailAt,
    mail: new Uint32Array(new SharedArrayBuffer(4 * Math.max(1, 2 * words))),
    control: new Int32Array(new SharedArrayBuffer(4 * (CONTROL_HEAD + 4 * workers))),
  }
}

/** Host memory of {@link shareStates} and of each worker's copy of the states. */
export function exchangeHostBytes(vertices: number, workers: number): number {
  return workers === 1 ? 0 : 4 * stateWords(vertices) * (2 + workers)
}

function ownedWords(batches: readonly Batch[], worker: number, workers: number): OwnedWords[] {
  return batches
    .filter(({ index }) => index % workers === worker)
    .map(({ first, count }) => ({ first: first / VERTICES_PER_WORD, words: stateWords(count) }))
}

function sharedCopy(words: Uint32Array): Uint32Array {
  const copy = new Uint32Array(new SharedArrayBuffer(words.byteLength))
  copy.set(words)
  return copy
}
