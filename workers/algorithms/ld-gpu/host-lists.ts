/**
 * Lists for one processor of a matching: units from the board, read by pieces that stay in the cache, or from memory where all lists are there;
 * and the free neighbours of waiting vertices, collected as match-collect.wgsl writes them (the length of a list, its neighbours, their
 * weights). A list that reaches behind its piece is read in parts. match-workers.ts points and matches with them.
 */

import { NONE, isMatched, counter } from '../../../kernels/matching/match-state.ts'
import { matchEnds } from '../../../kernels/matching/match-ends.ts'
import type { NeighbourPlace } from '../../../kernels/parts/best-scanner.ts'
import { PIECE_BYTES } from '../../base/sums.ts'
import { type Range, within } from '../../base/ranges.ts'
import { type PieceScan, unitsFrom } from '../../streaming/piece-scan.ts'
import { type FreeLists, type ListWords, type MatchSetup, originsFrom, residentOrigins } from './match-setup.ts'
import { WordList } from '../../base/words.ts'

/** Arcs of a long list in a piece of which other lists have too little to be sure that they have some of each piece of weights. */
const ALONE = PIECE_BYTES / 8

/** Vertices whose lists begin in a unit of the file, and its piece. */
interface Unit {
  readonly vertices: Range
  readonly piece: number
}

/** Lists of some vertices, from a piece or where they stay in memory; and a vertex whose list reaches behind the piece. */
export interface ReadLists extends ListWords {
  readonly within: Range
  readonly behind: number | undefined
}

/** Reads adjacency lists for one processor, by pieces and units from the board. */
export class HostLists {
  readonly scan: PieceScan
  readonly #setup: MatchSetup
  readonly #damage = new Uint32Array(counter.COUNT)
  /** Room for whole pieces, allocated on demand: most phases read none. The weights of a piece's arcs are in at most two. */
  readonly #rooms = { words: new Uint32Array(0), weights: new Uint32Array(0) }

  constructor(setup: MatchSetup, scan: PieceScan) {
    this.#setup = setup
    this.scan = scan
  }

  /** Pieces from the board: ends, and lists where they stay in memory. @throws Failure (input) where ends descend */
  load(): void {
    const { graph, readsWeights, memory } = this.#setup
    const { indexEnd, lists } = this.scan.pieces
    const listsEnd = readsWeights ? Math.ceil(graph.bytes / PIECE_BYTES) : lists.end
    const index = this.#indexed
    const end = memory.lists === undefined ? index.end : Math.max(indexEnd, listsEnd)
    const take = (): number => index.first + this.scan.board.take('index', 1)
    for (let piece = take(); piece < end; piece = take()) {
      this.scan.checkStop()
      const held = piece < lists.first ? undefined : memory.lists?.subarray(((piece - lists.first) * PIECE_BYTES) / 4)
      const { at, bytes } = this.scan.pieces.bytesOf({ first: piece, end: piece + 1 })
      const isPlace = held !== undefined && 4 * held.length >= bytes
      if (isPlace) this.#read(held, at, bytes)
      const words = isPlace ? held : this.#readPieces('words', { first: piece, end: piece + 1 })
      if (piece < indexEnd) this.#index(piece, words)
      // Behind the last list it may have what is not held.
      if (!isPlace) held?.set(words.subarray(0, held.length))
    }
  }

  /** Pieces with the ends that are used: of all vertices where degrees break ties, else of its own and of the one before. */
  get #indexed(): Range {
    const { own, comparesDegrees, graph } = this.#setup
    const { first, end } = own.vertices
    const { indexEnd } = this.scan.pieces
    if (comparesDegrees || end - first === graph.vertices) return { first: 0, end: indexEnd }
    const pieceOf = (v: number): number => Math.floor(this.scan.pieces.endOffsetAt(v) / PIECE_BYTES)
    return first === end ? { first: 0, end: 0 } : { first: pieceOf(Math.max(0, first - 1)), end: 1 + pieceOf(end - 1) }
  }

  *units(): Generator<Unit> {
    for (const unit of unitsFrom(this.scan, this.#setup, this.#setup.memory.ends))
      if (unit.vertices.first < unit.vertices.end) yield unit
  }

  /** Reads what these lists have in the piece, unless they are in memory. @returns the complete ones, and one that reaches behind it */
  readLists({ piece, vertices }: Unit): ReadLists {
    const { graph, memory, readsWeights } = this.#setup
    const { ends, lists } = memory
    if (lists !== undefined)
      return { within: vertices, behind: undefined, ...residentOrigins(graph), targets: lists, weightBits: lists }
    const { first, end } = vertices
    const { bytes } = this.scan.pieces.bytesOf({ first: piece, end: piece + 1 })
    const targets = this.#readPieces('words', { first: piece, end: piece + 1 })
    const { origin } = originsFrom(graph, piece)
    // Only the last list can reach so far.
    const isLong = (ends[end - 1]! - origin) >>> 0 > bytes / 4
    const last = isLong ? end - 1 : end
    const read = { within: { first, end: last }, behind: isLong ? last : undefined, origin, targets }
    const begin = first === 0 ? 0 : ends[first - 1]!
    const count = last === first ? 0 : (ends[last - 1]! - begin) >>> 0
    if (!readsWeights || count === 0) return { ...read, weightsAt: 0, weightBits: this.#rooms.weights }
    const arc = (piece * PIECE_BYTES - graph.targetsAt) / 4 + ((begin - origin) >>> 0)
    const weightsFrom = graph.weights!.at + 4 * arc
    const pieces = this.scan.pieces.covering(weightsFrom, weightsFrom + 4 * count)
    const { weightsAt } = originsFrom(graph, pieces.first)
    return { ...read, weightsAt, weightBits: this.#readPieces('weights', pieces) }
  }

  /** Reads a list in parts. Pieces that no other list is in are verified here; of others nothing is read but the list. */
  readLong(v: number, take: (part: NeighbourPlace) => void): void {
    const { graph, readsWeights } = this.#setup
    const end = this.scan.pieces.endOf(v)
    for (let arc = this.scan.pieces.endOf(v - 1), next = 0; arc < end; arc = next) {
      this.scan.checkStop()
      const piece = Math.floor((graph.targetsAt + 4 * arc) / PIECE_BYTES)
      next = Math.min(end, ((piece + 1) * PIECE_BYTES - graph.targetsAt) / 4)
      const count = next - arc
      const isAlone = count >= ALONE || end === graph.arcs
      const [targets, start] = this.#readWords('words', graph.targetsAt + 4 * arc, count, isAlone)
      const [weights, weightsStart] = readsWeights
        ? this.#readWords('weights', graph.weights!.at + 4 * arc, count, isAlone)
        : [new Uint32Array(0), 0]
      take({ targets, weights, start, weightsStart, count })
    }
  }

  /** Reads words from byte `from` on. @param inPieces whether all of the pieces that they are in is read, and verified @returns also where they begin */
  #readWords(
    into: 'words' | 'weights',
    from: number,
    count: number,
    inPieces: boolean,
  ): [words: Uint32Array, start: number] {
    if (inPieces) {
      const pieces = this.scan.pieces.covering(from, from + 4 * count)
      return [this.#readPieces(into, pieces), (from - pieces.first * PIECE_BYTES) / 4]
    }
    const words = new Uint32Array(count)
    this.#read(words, from, words.byteLength)
    return [words, 0]
  }

  #readPieces(into: 'words' | 'weights', pieces: Range): Uint32Array {
    const { at, bytes } = this.scan.pieces.bytesOf(pieces)
    if (4 * this.#rooms[into].length < bytes) this.#rooms[into] = new Uint32Array(Math.ceil(bytes / 4))
    this.#read(this.#rooms[into], at, bytes)
    return this.#rooms[into]
  }

  #index(piece: number, raw: Uint32Array): void {
    const { first, end } = this.scan.pieces.verticesIndexedIn({ first: piece, end: piece + 1 })
    if (first === end) return
    const params = { first, count: end - first, ...this.scan.pieces.endsFrom(first, piece * PIECE_BYTES) }
    const buffers = { raw, ends: this.#setup.memory.ends, counters: this.#damage }
    this.scan.compute('offsets', () => matchEnds.twin(params, buffers))
    const own = within({ first, end }, this.#setup.own.vertices)
    this.#setup.memory.pointers.fill(NONE, own.first, own.end)
    this.scan.requireAscending(this.#damage[counter.DAMAGE] === 0)
  }

  #read(words: Uint32Array, at: number, bytes: number): void {
    this.scan.read(new Uint8Array(words.buffer, words.byteOffset, bytes), at)
  }
}

/** Free neighbours of some vertices, as match-collect.wgsl writes them: the length of a list, its neighbours, their weights of the file. */
export interface CollectedLists {
  readonly words: Uint32Array
  /** Vertices, and where their neighbours begin in the words. */
  readonly entries: Uint32Array
}

/** Collects lists, each given in parts. */
export class FreeListsWriter {
  readonly #matched: Uint32Array
  readonly #isWeighted: boolean
  readonly #words = new WordList()
  readonly #entries = new WordList()
  /** The current list: where its neighbours begin, and their weights. */
  #place = 0
  readonly #weights = new WordList()

  constructor({ memory, readsWeights }: MatchSetup) {
    this.#matched = memory.matched
    this.#isWeighted = readsWeights
  }

  get length(): number {
    return this.#words.length
  }

  begin(v: number): void {
    this.#words.push(0)
    this.#place = this.#words.length
    this.#entries.push(v)
    this.#entries.push(this.#place)
  }

  /** Adds the free ones of some neighbours to the list begun last. */
  add({ targets, weights, start, weightsStart, count }: NeighbourPlace): void {
    for (let i = 0; i < count; i++) {
      const u = targets[start + i]!
      if (isMatched(this.#matched, u)) continue
      this.#words.push(u)
      if (this.#isWeighted) this.#weights.push(weights[weightsStart + i]!)
    }
  }

  end(): void {
    this.#words.values[this.#place - 1] = this.#words.length - this.#place
    this.#words.append(this.#weights)
    this.#weights.length = 0
  }

  /** The free neighbours of a vertex whose list reaches behind its piece, or is longer than a batch. */
  addLong(v: number, lists: HostLists): void {
    this.begin(v)
    lists.readLong(v, (part) => this.add(part))
    this.end()
  }

  /** All lists; it has none then. */
  take(): CollectedLists {
    return { words: this.#words.take(), entries: this.#entries.take() }
  }
}

/**
 * Adds lists of one thread, as far as there is room: all together, as 32 threads that took room for each took 6 microseconds a list; else one by
 * one.
 */
export function addLists(free: FreeLists, places: Uint32Array, { words, entries }: CollectedLists): void {
  if (isAdded(free, places, { words, entries })) return
  for (let i = 0; i < entries.length; i += 2) {
    const list = words.subarray(entries[i + 1]! - 1, i + 2 < entries.length ? entries[i + 3]! - 1 : words.length)
    isAdded(free, places, { words: list, entries: Uint32Array.of(entries[i]!, 1) })
  }
}

/** Whether there was room. */
function isAdded({ words: all, taken }: FreeLists, places: Uint32Array, { words, entries }: CollectedLists): boolean {
  let at = Atomics.load(taken, 0)
  for (let seen = -1; seen !== at;) {
    if (at + words.length > all.length) return false
    seen = at
    at = Atomics.compareExchange(taken, 0, seen, seen + words.length)
  }
  all.set(words, at)
  for (let i = 0; i < entries.length; i += 2) places[entries[i]!] = at + entries[i + 1]!
  return true
}
