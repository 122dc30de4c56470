import { bitWords, sharedWords } from '../../base/words.ts'
import { CounterHash, Xorshift } from '../../generate/random.ts'
import { WorkBoard, followBoard, takeChunk } from '../../threads/work-board.ts'
import { threadsOf } from '../plan-request.ts'
import { type Sweeps, Annealing, Visits, hasBit } from './annealing.ts'
import type { Adjacency } from './held-graph.ts'

/** Of fewer vertices a sweep is over before threads have met. */
export const LEAST_SHARED = 1 << 18
/** Pieces of a sweep, one after another: with fewer, more proposals are adjacent. */
const PIECES = 16
/** Words of bits that a thread takes at a time, and vertices of them. */
const CHUNK_WORDS = 1 << 6
const CHUNK_VERTICES = 32 * CHUNK_WORDS
/** Of a proposal: its vertex within the chunk, and behind it how many members it takes the place of. */
const PLACE_BITS = 11
const PLACE_MASK = (1 << PLACE_BITS) - 1

/** What threads share. */
interface AnnealingTask {
  readonly adjacency: Adjacency
  readonly members: Uint32Array
  /** Vertices that propose to join in this piece; a bit each. */
  readonly proposing: Uint32Array
  /** Of each chunk of a piece, as they were made, and their number. */
  readonly proposals: Uint16Array
  readonly counts: Uint32Array
  readonly board: Int32Array
  /** Of the piece: its first word and the one behind its last, the temperature, and what its draws follow from; whether it is settled. */
  readonly piece: Float64Array
  /** Members more. */
  readonly gain: Int32Array
}

const [FROM, PAST, TEMPERATURE, DRAWS, SETTLES] = [0, 1, 2, 3, 4]

/** A thread's part in a piece. */
class SharedVisits extends Visits {
  readonly #task: AnnealingTask
  #chunk = 0
  /** Proposals of it. */
  #count = 0

  constructor(task: AnnealingTask) {
    super(task.adjacency, task.members)
    this.#task = task
  }

  /** Takes chunks until none is left: all proposals are made before the first is settled. */
  work(): void {
    const { board, piece } = this.#task
    const [from, past] = [piece[FROM]!, piece[PAST]!]
    for (let chunk = takeChunk(board); from + chunk * CHUNK_WORDS < past; chunk = takeChunk(board)) {
      this.#chunk = chunk
      const first = from + chunk * CHUNK_WORDS
      if (piece[SETTLES] === 1) this.#settle(first)
      else this.#propose(first, Math.min(past, first + CHUNK_WORDS))
    }
  }

  #propose(first: number, past: number): void {
    const { piece, counts } = this.#task
    this.#count = 0
    const hash = new CounterHash(piece[DRAWS]!)
    hash.item(first)
    this.random = new Xorshift(hash.word(0))
    this.visitWords(first, past, piece[TEMPERATURE]!)
    counts[this.#chunk] = this.#count
  }

  protected accept(v: number, _start: number, count: number): void {
    const { proposing, proposals } = this.#task
    proposing[v >>> 5]! |= 1 << (v & 31)
    proposals[this.#chunk * CHUNK_VERTICES + this.#count++] = (v & PLACE_MASK) | (count << PLACE_BITS)
  }

  /** Of two that are adjacent the one with the lower id may join; members of others leave. No change depends on the order of the chunks. */
  #settle(first: number): void {
    const { adjacency, members, proposing, proposals, counts, gain } = this.#task
    const { starts, targets } = adjacency
    let gained = 0
    const begin = this.#chunk * CHUNK_VERTICES
    for (let p = begin; p < begin + counts[this.#chunk]!; p++) {
      const v = first * 32 + (proposals[p]! & PLACE_MASK)
      const behind = starts[v]! + (proposals[p]! >>> PLACE_BITS)
      const end = starts[v + 1]!
      let i = behind
      while (i < end && (targets[i]! > v || !hasBit(proposing, targets[i]!))) i++
      if (i < end) continue
      for (i = starts[v]!; i < behind; i++) {
        const bit = 1 << (targets[i]! & 31)
        if ((Atomics.and(members, targets[i]! >>> 5, ~bit) & bit) !== 0) gained--
      }
      Atomics.or(members, v >>> 5, 1 << (v & 31))
      gained++
    }
    Atomics.add(gain, 0, gained)
  }
}

/** In a thread of its own, until the search ends. */
export function annealTask(task: AnnealingTask): Promise<void> {
  const visits = new SharedVisits(task)
  followBoard(task.board, () => visits.work())
  return Promise.resolve()
}

/**
 * Annealing by all threads. In each part of a sweep vertices propose to join by the set as it is; then those do that no adjacent one with a lower id
 * proposes beside. What is drawn follows from the place in the sweep: the set is the same with any number of threads.
 */
class SharedAnnealing implements Sweeps {
  size = 0
  readonly #task: AnnealingTask
  readonly #visits: SharedVisits
  readonly #board = new WorkBoard()
  readonly #pieceWords: number
  #hash = new CounterHash(0)
  #swept = 0
  #isStarted = false

  /** @param adjacency in memory that threads share: a proposal is settled by the order that its list had */
  constructor(adjacency: Adjacency) {
    if (!(adjacency.targets.buffer instanceof SharedArrayBuffer)) throw new Error('the lists are not in shared memory')
    const words = bitWords(adjacency.vertices)
    this.#pieceWords = CHUNK_WORDS * Math.ceil(words / PIECES / CHUNK_WORDS)
    const chunks = this.#pieceWords / CHUNK_WORDS
    this.#task = {
      ...{ adjacency, members: sharedWords(words), proposing: sharedWords(words), board: this.#board.board },
      proposals: new Uint16Array(new SharedArrayBuffer(2 * CHUNK_VERTICES * chunks)),
      counts: sharedWords(chunks),
      piece: new Float64Array(new SharedArrayBuffer(8 * 8)),
      gain: new Int32Array(new SharedArrayBuffer(4)),
    }
    this.#visits = new SharedVisits(this.#task)
  }

  get members(): Uint32Array {
    return this.#task.members
  }

  get pieces(): number {
    return Math.ceil(this.members.length / this.#pieceWords)
  }

  seed(seed: number): void {
    this.#hash = new CounterHash(seed)
    this.#swept = 0
  }

  sweep(index: number, temperature: number): void {
    this.#start()
    const { piece, gain, proposing } = this.#task
    const from = index * this.#pieceWords
    const past = Math.min(this.members.length, from + this.#pieceWords)
    this.#hash.item(this.#swept++)
    piece.set([from, past, temperature, this.#hash.word(0), 0])
    this.#board.turn(() => this.#visits.work())
    piece[SETTLES] = 1
    gain[0] = 0
    this.#board.turn(() => this.#visits.work())
    this.size += gain[0]
    proposing.fill(0, from, past)
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

export const sweepsOf = (adjacency: Adjacency): Sweeps =>
  adjacency.vertices < LEAST_SHARED ? new Annealing(adjacency) : new SharedAnnealing(adjacency)
