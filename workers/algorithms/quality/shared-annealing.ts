import { annealPropose } from '../../../kernels/annealing/anneal-propose.ts'
import { annealSettle } from '../../../kernels/annealing/anneal-settle.ts'
import { bitWords, sharedWords } from '../../base/words.ts'
import { WorkBoard, followBoard, takeChunk } from '../../threads/work-board.ts'
import { threadsOf } from '../plan-request.ts'
import type { Chances, Sweeps } from './annealing.ts'
import type { Adjacency } from './in-memory-graph.ts'

/** Pieces of a sweep, one after another: with fewer, more proposals are adjacent. */
export const PIECES = 8
/** Words of bits that a thread takes at a time. */
const CHUNK_WORDS = 1 << 6

/** What threads share. */
interface AnnealingTask {
  readonly adjacency: Adjacency
  readonly members: Uint32Array
  /** Vertices that propose to join; a bit each. */
  readonly proposing: Uint32Array
  readonly board: Int32Array
  /** The piece: its first word and the one behind its last, the threshold, and what its draws follow from; whether it is settled. */
  readonly piece: Uint32Array
}

const [LOW, PAST, THRESHOLD, DRAWS, SETTLES] = [0, 1, 2, 3, 4]
const PIECE_NOTES = 5

/** A thread's part in a piece: takes chunks until none is left. All proposals are made before the first is settled. */
function takePart({ adjacency, members, proposing, board, piece }: AnnealingTask): void {
  const { starts, targets, vertices } = adjacency
  const buffers = { starts, targets, members, proposing }
  const [low, end, threshold, draws] = [piece[LOW]!, piece[PAST]!, piece[THRESHOLD]!, piece[DRAWS]!]
  const next = (): number => low + CHUNK_WORDS * takeChunk(board)
  for (let first = next(); first < end; first = next()) {
    const past = Math.min(end, first + CHUNK_WORDS)
    if (piece[SETTLES] === 1) annealSettle.twin({ first, past, low }, buffers)
    else annealPropose.twin({ first, past, vertices, threshold, draws }, buffers)
  }
}

/** Takes part, in a thread of its own, until the search ends. */
export function annealTask(task: AnnealingTask): Promise<void> {
  followBoard(task.board, () => takePart(task))
  return Promise.resolve()
}

/**
 * Annealing by all threads. In each part of a sweep vertices propose to join by the set as it is; then those do that no adjacent one with a lower id
 * proposes beside. What is drawn follows from the place in the sweep: the set is the same with any number of threads.
 */
export class SharedAnnealing implements Sweeps {
  readonly #task: AnnealingTask
  readonly #board = new WorkBoard()
  #isStarted = false

  /** @param adjacency in memory that threads share; its lists come into another order */
  constructor(adjacency: Adjacency) {
    if (!(adjacency.targets.buffer instanceof SharedArrayBuffer)) throw new Error('the lists are not in shared memory')
    const words = bitWords(adjacency.vertices)
    const bits = { members: sharedWords(words), proposing: sharedWords(words) }
    this.#task = { adjacency, ...bits, board: this.#board.board, piece: sharedWords(PIECE_NOTES) }
  }

  get pieces(): number {
    return PIECES
  }

  members(): Promise<Uint32Array> {
    return Promise.resolve(this.#task.members.slice())
  }

  replace(members: Uint32Array): void {
    this.#task.members.set(members)
  }

  sweep(index: number, { threshold, draws }: Chances): undefined {
    this.#start()
    const { piece, members } = this.#task
    const [low, past] = pieceOf(members.length, index)
    piece.set([low, past, threshold, draws, 0])
    this.#board.turn(() => takePart(this.#task))
    piece[SETTLES] = 1
    this.#board.turn(() => takePart(this.#task))
  }

  end(): void {
    this.#board.close()
  }

  #start(): void {
    if (this.#isStarted) return
    this.#isStarted = true
    const threads = threadsOf({ arcs: this.#task.adjacency.targets.length }, 1)
    for (let i = 1; i < threads; i++) this.#board.start('anneal-set', this.#task)
  }
}

/** The first of so many words that is in a piece, and the one behind its last. */
export function pieceOf(words: number, index: number): readonly [number, number] {
  const each = CHUNK_WORDS * Math.ceil(words / PIECES / CHUNK_WORDS)
  return [Math.min(words, index * each), Math.min(words, (index + 1) * each)]
}
