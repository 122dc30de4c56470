import type { SharedMeeting } from '../../../exchange/meeting.ts'
import { shareMeeting } from '../../../exchange/meeting.ts'
import { NO_MATE } from '../../../graph/matching.ts'
import { HEAD_WIDTH, NO_ENTRY } from '../../../graph/oriented-view.ts'
import { ENDED } from '../match-state.ts'
import type { MatchState } from '../match-state.ts'

/** What the hosts know of every vertex while they go on with a matching after its first round. */
export interface HostState {
  /** Whom each vertex points at; NO_ENTRY: at nobody. */
  readonly pointers: Uint32Array
  /**
   * Of a matched vertex, the round in which it was matched. Of another, the last round in which an entry was matched that it has gone
   * past: in the next one it points at what it points at. 0: it has gone past none.
   */
  readonly stamps: Uint32Array
  /** A bit for each vertex. */
  readonly matched: Uint32Array
}

/** Rounds from this one on are not told apart in a byte. */
const LATE = 255

/** The same in shared memory, and where all threads of all workers meet. */
export interface HostBoard extends HostState {
  /** A bit for each pair, at its lower vertex: set by whoever finds it first, who makes it. */
  readonly claimed: Uint32Array
  /** `matched` as it was when nobody moved any more: whose rounds are noted. */
  readonly settled: Uint32Array
  /**
   * A byte for each vertex: 0 where it is not settled that it is matched, else the round in which it was, or LATE. What is kept of the next level follows from
   * this, and not from who is quick. The stamps have the same in four bytes, of which a processor has fewer at hand.
   */
  readonly rounds: Uint8Array
  /** Entries that each vertex has looked at, for a checkpoint. */
  readonly cursors: Uint32Array
  readonly meeting: SharedMeeting
  /** Threads of each worker. */
  readonly threads: number
}

/** A board as a thread has it: always of one shape, so that code which was compiled for it goes on being of use. */
export class ThreadBoard implements HostBoard {
  readonly pointers: Uint32Array
  readonly stamps: Uint32Array
  readonly matched: Uint32Array
  readonly claimed: Uint32Array
  readonly settled: Uint32Array
  readonly rounds: Uint8Array
  readonly cursors: Uint32Array
  readonly meeting: SharedMeeting
  readonly threads: number
  /** Pointers and bits as signed words: what Atomics reads of unsigned ones may need memory of its own, which is then collected again. */
  readonly signedPointers: Int32Array
  readonly signedMatched: Int32Array

  constructor(board: HostBoard) {
    this.pointers = board.pointers
    this.stamps = board.stamps
    this.matched = board.matched
    this.claimed = board.claimed
    this.settled = board.settled
    this.rounds = board.rounds
    this.cursors = board.cursors
    this.meeting = board.meeting
    this.threads = board.threads
    this.signedPointers = signed(board.pointers)
    this.signedMatched = signed(board.matched)
  }
}

const signed = ({ buffer, byteOffset, length }: Uint32Array): Int32Array => new Int32Array(buffer, byteOffset, length)

export const sharedWords = (words: number): Uint32Array =>
  new Uint32Array(new SharedArrayBuffer(4 * Math.max(1, words))).subarray(0, words)

/**
 * @param start where another attempt stood
 * @param pointers and stamps of all vertices, where they have a place in shared memory; filled with what `start` has
 */
export function boardOf(
  vertices: number,
  { workers, threads }: { readonly workers: number; readonly threads: number },
  start?: MatchState,
  pointers = sharedWords(vertices),
  stamps = sharedWords(vertices),
): HostBoard {
  const bits = (): Uint32Array => sharedWords(Math.ceil(vertices / 32))
  const matched = bits()
  const cursors = sharedWords(vertices)
  if (start !== undefined) {
    pointers.set(start.pointers)
    stamps.set(start.stamps ?? [])
    cursors.set(start.cursors)
    markMatched(start.pointers, matched)
  }
  const meeting = shareMeeting(workers * threads)
  const rounds = new Uint8Array(new SharedArrayBuffer(Math.max(1, vertices)))
  return { pointers, stamps, matched, claimed: bits(), settled: bits(), rounds, cursors, meeting, threads }
}

export const isSet = (bits: Uint32Array, at: number): boolean => ((bits[at >>> 5]! >>> (at & 31)) & 1) === 1

/**
 * Whether a vertex is matched, while threads make pairs; if so, all that was written before shows. It is tested what was loaded, as nobody could
 * leave that out then.
 */
export const isMatched = ({ matched, signedMatched }: ThreadBoard, v: number): boolean =>
  isSet(matched, v) && ((Atomics.load(signedMatched, v >>> 5) >>> (v & 31)) & 1) === 1

/** Of no vertices. */
export const NO_BOARD = new ThreadBoard(boardOf(0, { workers: 1, threads: 1 }))

/** Marks the vertices that point at each other. */
function markMatched(pointers: Uint32Array, matched: Uint32Array): void {
  for (let v = 0; v < pointers.length; v++) if (pointers[pointers[v]!] === v) matched[v >>> 5]! |= 1 << (v & 31)
}

/** One thread's part of noting who is matched now, and since when. */
export function noteSettled({ matched, settled, rounds, stamps, meeting }: HostBoard, member: number): void {
  const bound = (each: number): number => Math.floor((matched.length * each) / meeting.members)
  for (let word = bound(member); word < bound(member + 1); word++) {
    const now = matched[word]!
    for (let left = now & ~settled[word]!; left !== 0; left &= left - 1) {
      const v = 32 * word + 31 - Math.clz32(left & -left)
      rounds[v] = Math.min(LATE, stamps[v]!)
    }
    settled[word] = now
  }
}

/** When a vertex was matched, as far as that is settled; 0 where it is free. @param round what `rounds` has of it */
export const roundOf = ({ rounds, stamps }: HostBoard, v: number, round = rounds[v]!): number =>
  round === LATE ? stamps[v]! : round

interface Range {
  readonly first: number
  readonly count: number
}

/** Of the smallest page that a machine has. */
const PAGE_BYTES = 4096

/**
 * Has the memory of some vertices made: the system does that at the first touch, which takes longer than what is written there. Nothing
 * changes, also where others write at the same time.
 */
export function touchPages({ pointers, stamps, cursors, rounds }: HostBoard, { first, count }: Range): void {
  for (const values of [pointers, stamps, cursors, rounds])
    for (let at = first; at < first + count; at += PAGE_BYTES / values.BYTES_PER_ELEMENT) Atomics.or(values, at, 0)
}

/**
 * Prepares the stamps of some vertices after the rounds of the devices, which leave there the round in which each pointer was given up last, 0 for one
 * that is the first still: of pairs, the round in which the later of the two came to point at the other. Both may be told of it at the same
 * time, by whoever has them, and see the other's either before or after: it comes to the same.
 */
export function stampRounds({ pointers, stamps, matched }: HostState, { first, count }: Range): void {
  for (let v = first; v < first + count; v++) {
    const moved = stamps[v]!
    if (isSet(matched, v)) stamps[v] = Math.max(1, moved, stamps[pointers[v]!]!)
    else if (moved > 0) stamps[v] = moved - 1
  }
}

/** How many entries some vertices have looked at in the rounds of the devices; stamps are prepared. @param seconds their second entries */
export function findCursors(
  { pointers, stamps, matched, cursors }: HostBoard,
  { first, count }: Range,
  seconds: Uint32Array,
): void {
  for (let i = 0, v = first; i < count; i++, v++) {
    if (isSet(matched, v)) continue
    const isFirst = stamps[v] === 0
    const isEnded = isFirst ? pointers[v] === NO_ENTRY : seconds[i] === NO_ENTRY
    cursors[v] = isEnded ? ENDED : isFirst ? 1 : HEAD_WIDTH
  }
}

/** A bit for each of some vertices, from the first of them on: whether it was matched in the first round. */
export function matchedFirst({ stamps, matched }: HostState, { first, count }: Range): Uint32Array {
  const bits = new Uint32Array(Math.ceil(count / 32))
  for (let i = 0; i < count; i++)
    if (stamps[first + i] === 1 && isSet(matched, first + i)) bits[i >>> 5]! |= 1 << (i & 31)
  return bits
}

/** Takes the pointers of some vertices that were left: no others are looked at. */
export function keepMates({ pointers, matched }: HostState, { first, count }: Range): void {
  for (let v = first; v < first + count; v++) if (!isSet(matched, v)) pointers[v] = NO_MATE
}

/**
 * Of some vertices, how many were open for the last time when each round of the paper began, from the end of a matching: one that was
 * matched in a round was open until then, and one that is left until the round after its last neighbour was matched, in which it saw that.
 */
export function lastOpen({ stamps, matched }: HostState, { first, count }: Range): number[] {
  const ended: number[] = []
  for (let v = first; v < first + count; v++) {
    const stamp = stamps[v]!
    if (stamp === 0) continue
    const last = isSet(matched, v) ? stamp : stamp + 1
    while (ended.length < last) ended.push(0)
    ended[last - 1]!++
  }
  return ended
}

/** Vertices that were open when each round began. @param ended of all vertices, see {@link lastOpen} */
export function openInRounds(ended: readonly number[]): number[] {
  const open = [...ended]
  for (let round = open.length - 1; round > 0; round--) open[round - 1]! += open[round]!
  return open
}
