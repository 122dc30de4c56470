import type { ThreadBoard } from './host-state.ts'
import { NO_BOARD, isMatched } from './host-state.ts'

/**
 * How a thread points, and makes pairs, while others do the same. Nobody waits for anybody: of two that point at each other at the same
 * time at least one sees it, and who claims the pair first makes it. Stamps of a pair are there before it shows as matched, and who sees that
 * the one it points at is matched sees of itself whether that is its mate.
 */
export class Pairing {
  #board: ThreadBoard
  /**
   * Pointers that would be new in each round of the paper, the second at 1: an entry that was matched too early for a vertex to point at
   * it in rounds does not count.
   */
  readonly moves: number[] = []
  #news = 0

  constructor(board: ThreadBoard) {
    this.#board = board
  }

  release(): void {
    this.#board = NO_BOARD
  }

  isMatched(v: number): boolean {
    return isMatched(this.#board, v)
  }

  /** @param stamp of v, the last round in which an entry was matched that it has gone past */
  point(v: number, entry: number, stamp: number): void {
    this.count(stamp, 1)
    this.#news++
    const { stamps, signedPointers } = this.#board
    stamps[v] = stamp
    Atomics.store(signedPointers, v, entry | 0)
    if (Atomics.load(signedPointers, entry) === (v | 0)) this.#pair(v, entry)
  }

  /** Notes pointers that are new in the round after `stamp`. */
  count(stamp: number, more: number): void {
    while (this.moves.length <= stamp) this.moves.push(0)
    this.moves[stamp]! += more
  }

  /** Pointers that are new since this was asked last. */
  takeNews(): number {
    const news = this.#news
    this.#news = 0
    return news
  }

  /** @param v an own vertex of this thread */
  #pair(v: number, mate: number): void {
    const { stamps, matched, claimed } = this.#board
    const lower = Math.min(v, mate)
    const bit = 1 << (lower & 31)
    if ((Atomics.or(claimed, lower >>> 5, bit) & bit) !== 0) return
    stamps[v] = stamps[mate] = 1 + Math.max(stamps[v]!, stamps[mate]!)
    // The mate's thread sees that it is matched before it sees that v is.
    Atomics.or(matched, mate >>> 5, 1 << (mate & 31))
    Atomics.or(matched, v >>> 5, 1 << (v & 31))
  }
}
