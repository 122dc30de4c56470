import { HEAD_WIDTH, NO_ENTRY } from '../../../graph/oriented-view.ts'
import { damagedFile } from '../../../graph/section-file.ts'
import { levelAt, levelStart } from '../../../graph/view-levels.ts'
import { EntryPool } from './entry-pool.ts'
import { EntryRounds } from './entry-rounds.ts'
import type { ThreadBoard } from './host-state.ts'
import { NO_BOARD, isSet, roundOf } from './host-state.ts'
import type { LevelTails } from './level-tails.ts'
import { OpenPlaces } from './open-places.ts'
import type { OpenRoom } from './open-room.ts'
import type { OpenStart } from './open-start.ts'
import { Looks } from './looks.ts'
import { Pairing } from './pairing.ts'
import { PointingVertices } from './pointing-vertices.ts'
import { ENDED } from '../match-state.ts'

/** The level that a list has not read when there is none. */
const NO_LEVEL = 255
/** Entries that are kept for each own vertex before only those are read that somebody waits for. */
const ROOM_OF_VERTEX = 2
const LEAST_ROOM = 1 << 16

/**
 * A worker's own vertices that are neither matched nor known to be left, and of the lists of these what is read and may still be needed:
 * the entries after the one that they point at. Entries that were matched before are not kept, unless they tell in which round the
 * paper's algorithm would have come past them. It never takes many: who is open after a level of the lists is one of few.
 */
export class OpenLists {
  #board: ThreadBoard
  readonly #pairing: Pairing
  readonly #tails: LevelTails
  readonly #path: string
  readonly #own: { readonly first: number; readonly count: number }
  readonly #room: number
  #open: OpenPlaces
  readonly #looks: Looks
  #count = 0
  #pointing: PointingVertices
  #pool: EntryPool
  /** The pool that is written while a level is read. */
  #kept = new EntryPool(0)
  readonly #entryRounds = new EntryRounds()

  /**
   * @param path of the view, for messages
   * @param room for all own vertices
   */
  constructor(board: ThreadBoard, start: OpenStart, tails: LevelTails, path: string, room: OpenRoom) {
    const { own, cursors } = start
    this.#board = board
    this.#pairing = new Pairing(board)
    this.#tails = tails
    this.#path = path
    this.#own = own
    this.#room = Math.max(LEAST_ROOM, ROOM_OF_VERTEX * own.count)
    this.#open = room.places
    this.#looks = new Looks(room.cursors, start.arcs)
    this.#pointing = room.pointing
    this.#pool = room.pool
    for (let v = own.first; v < own.first + own.count; v++)
      if (!isSet(board.matched, v) && cursors[v - own.first] !== ENDED)
        this.#begin(v, cursors[v - own.first]!, start.seconds[v - own.first]!, start.resumes)
  }

  /** Lets go of what takes memory, at the end. */
  release(): void {
    this.#board = NO_BOARD
    this.#open = new OpenPlaces(0)
    this.#looks.release()
    this.#pairing.release()
    this.#tails.release()
    this.#pointing = new PointingVertices(0)
    this.#pool.release()
    this.#kept.release()
    this.#entryRounds.release()
  }

  /** Own vertices that are open, or were when lists were closed last. */
  get count(): number {
    return this.#count
  }

  /** @param into cursors by own vertex, as in OpenStart */
  copyCursors(into: Uint32Array): void {
    into.fill(ENDED)
    for (let i = 0; i < this.#count; i++) into[this.#open.vertices[i]! - this.#own.first] = this.#looks.cursors[i]!
  }

  /** Entries looked at in each round, as the paper's algorithm looks at them. */
  get arcs(): readonly number[] {
    return this.#looks.arcs
  }

  /** Pointers that would be new in each round of the paper, the second at 1. */
  get moves(): readonly number[] {
    return this.#pairing.moves
  }

  /**
   * Goes once over those who point at somebody: who points at a vertex that is matched to another goes on in what is known of its list, and
   * waits where that ends. Others do the same meanwhile.
   * @returns how many pointers are new since it was called last; where these are none of all threads, nobody moves any more
   */
  point(): number {
    this.#pointing.pass(this.#board, (i, stamp) => this.#goOn(i, stamp))
    return this.#pairing.takeNews()
  }

  /** Vertices that the next pass goes over. */
  get pointing(): number {
    return this.#pointing.count
  }

  /** Lets go of those who are matched, or left for good. @returns the lowest level that somebody waits for; undefined where nobody waits */
  close(): number | undefined {
    const { pointers, matched } = this.#board
    let [kept, lowest] = [0, NO_LEVEL]
    this.#pointing.clear()
    for (let i = 0; i < this.#count; i++) {
      const v = this.#open.vertices[i]!
      if (isSet(matched, v)) continue
      const target = pointers[v]!
      if (target !== NO_ENTRY) this.#pointing.add(kept, target)
      else if (this.#tails.hasMore(v, this.#open.levels[i]!)) lowest = Math.min(lowest, this.#open.levels[i]!)
      else continue
      if (kept < i) {
        this.#open.move(i, kept)
        this.#looks.cursors[kept] = this.#looks.cursors[i]!
      }
      kept++
    }
    this.#count = kept
    return lowest === NO_LEVEL ? undefined : lowest
  }

  /**
   * Reads a level of the lists: for all whom it is the next of, or, where much is kept already, for those who wait. To be called after
   * {@link close}, once what is settled is noted; others may point meanwhile.
   */
  readLevel(level: number): void {
    const { pointers } = this.#board
    const isRoomy = (): boolean => Math.max(this.#pool.used, this.#kept.used) < this.#room
    const wants = (i: number): boolean =>
      this.#open.levels[i] === level && (pointers[this.#open.vertices[i]!] === NO_ENTRY || isRoomy())
    this.#kept.used = 0
    this.#kept.reserve(this.#pool.used)
    const first = HEAD_WIDTH + levelStart(level)
    let [next, peak, place] = [0, 0, 0]
    const wishes = { vertices: this.#open.vertices, count: this.#count, wants }
    const { rounds } = this.#board
    const look = (words: Uint32Array, from: number, to: number): void => this.#entryRounds.look(rounds, words, from, to)
    this.#tails.read(level, wishes, look, (i, words, from, to) => {
      while (next <= i) {
        peak = this.#keep(next)
        place = first
        if (next++ === i) this.#open.levels[i] = level + 1
      }
      this.#kept.reserve(to - from)
      peak = this.#take(i, words, from, to, place, peak)
      place += to - from
    })
    while (next < this.#count) this.#keep(next++)
    ;[this.#pool, this.#kept] = [this.#kept, this.#pool]
  }

  /** @param cursor entries that the vertex has looked at */
  #begin(v: number, cursor: number, second: number, resumes: boolean): void {
    const i = this.#count++
    const target = this.#board.pointers[v]!
    if (target !== NO_ENTRY) {
      this.#pointing.add(i, target)
      // Whoever goes on from another attempt tells the others anew.
      if (resumes) this.#pairing.count(this.#board.stamps[v]!, 1)
    }
    this.#open.vertices[i] = v
    this.#open.stamps[i] = this.#board.stamps[v]!
    this.#looks.cursors[i] = cursor
    this.#open.levels[i] = cursor <= HEAD_WIDTH ? 0 : levelAt(cursor - HEAD_WIDTH)
    this.#open.starts[i] = this.#pool.used
    if (second === NO_ENTRY) this.#open.levels[i] = NO_LEVEL
    else if (cursor < HEAD_WIDTH) this.#pool.push(second, HEAD_WIDTH - 1)
    this.#open.ends[i] = this.#pool.used
  }

  /** The i-th vertex points at one that was matched in a round. @returns at whom it points now; NO_ENTRY: that is its mate, or it waits */
  #goOn(i: number, round: number): number {
    const v = this.#open.vertices[i]!
    return this.#pairing.isMatched(v) ? NO_ENTRY : this.#advance(i, v, round)
  }

  /** @param round in which the one was matched that it points at @returns the new pointer */
  #advance(i: number, v: number, round: number): number {
    const { pointers, stamps } = this.#board
    const { entries, places } = this.#pool
    const pairing = this.#pairing
    const end = this.#open.ends[i]!
    let stamp = this.#open.stamps[i]!
    // In the rounds of the paper it would have gone past that one before it pointed at anybody.
    if (round <= stamp) pairing.count(stamp, -1)
    else stamp = round
    let at = this.#open.starts[i]!
    let next = NO_ENTRY
    for (; at < end && next === NO_ENTRY; at++) {
      const entry = entries[at]!
      // What is not kept was matched in no later round: it is looked at together with what follows.
      this.#looks.note(i, stamp, places[at]! + (entry === NO_ENTRY ? 0 : 1))
      if (entry === NO_ENTRY) this.#open.levels[i] = NO_LEVEL
      else if (!pairing.isMatched(entry)) next = entry
      else if (stamps[entry]! > stamp) {
        pairing.count(stamp, 1)
        stamp = stamps[entry]!
      }
    }
    this.#open.starts[i] = at
    this.#open.stamps[i] = stamp
    if (next !== NO_ENTRY) pairing.point(v, next, stamp)
    else {
      stamps[v] = stamp
      pointers[v] = NO_ENTRY
      if (this.#open.levels[i] !== NO_LEVEL) this.#looks.note(i, stamp, this.#knownOf(i, v))
    }
    return next
  }

  /** Entries of a list that have been read. */
  #knownOf(i: number, v: number): number {
    return HEAD_WIDTH + Math.min(this.#tails.tailOf(v), levelStart(this.#open.levels[i]!))
  }

  /** Carries over what is kept of the i-th list. @returns the last round in which any entry of it was matched, as far as is known */
  #keep(i: number): number {
    const { entries, places } = this.#pool
    const kept = this.#kept
    const [start, end] = [this.#open.starts[i]!, this.#open.ends[i]!]
    let peak = this.#open.stamps[i]!
    kept.reserve(end - start)
    this.#open.starts[i] = kept.used
    for (let at = start; at < end; at++) {
      const entry = entries[at]!
      const round = entry === NO_ENTRY ? 0 : roundOf(this.#board, entry)
      if (round > 0) {
        if (round <= peak) continue
        peak = round
      }
      kept.push(entry, places[at]!)
    }
    this.#open.ends[i] = kept.used
    return peak
  }

  /**
   * Adds entries to the i-th list, which is the last that was kept.
   * @param place of the first of them, words[from]
   * @param before the last round in which an entry of the list was matched, as far as is known; returned is that with these
   */
  #take(i: number, words: Uint32Array, from: number, to: number, place: number, before: number): number {
    const { pointers, stamps } = this.#board
    const [v, seen, shift] = [this.#open.vertices[i]!, this.#looks.cursors[i]!, place - from]
    const { found } = this.#entryRounds
    const { entries, places } = this.#kept
    let [isWaiting, peak, used] = [pointers[v] === NO_ENTRY, before, this.#kept.used]
    const end = this.#open.levels[i] === NO_LEVEL ? from : to
    for (let at = from; at < end; at++) {
      const entry = words[at]!
      if (entry === NO_ENTRY) {
        // The rest is left out by the order.
        this.#open.levels[i] = NO_LEVEL
        entries[used] = entry
        places[used++] = at + shift
        break
      }
      // What a vertex has looked at before it was interrupted is read again.
      if (at + shift < seen) continue
      if (entry >= pointers.length) throw damagedFile(this.#path)
      const round = roundOf(this.#board, entry, found[at]!)
      if (isWaiting) {
        this.#looks.note(i, peak, at + shift + 1)
        if (round === 0) {
          isWaiting = false
          this.#open.stamps[i] = peak
          this.#pointing.add(i, entry)
          this.#pairing.point(v, entry, peak)
        } else if (round > peak) {
          this.#pairing.count(peak, 1)
          peak = round
        }
      } else if (round === 0 || round > peak) {
        if (round > 0) peak = round
        entries[used] = entry
        places[used++] = at + shift
      }
    }
    if (isWaiting) this.#open.stamps[i] = stamps[v] = peak
    this.#open.ends[i] = this.#kept.used = used
    return peak
  }
}
