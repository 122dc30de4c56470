import type { SectionReader } from '../graph/section-file.ts'
import { HEAD_WIDTH, NO_ENTRY } from '../graph/oriented-view.ts'
import { IN, OUT, UNDECIDED, VERTICES_PER_WORD, isDecidedWord, setState } from '../graph/vertex-states.ts'
import { LeftOver } from './left-over.ts'
import { TailPages } from '../graph/tail-pages.ts'
import type { Range } from './walk-plan.ts'

/** Of a tail so many entries are read ahead; hardly a vertex needs more. */
const LOOK_AHEAD = 256
const WORDS_A_LOOK = 256
/**
 * Of the tails, so much is read together for vertices that need theirs, and no less. What is decided then may spare those that follow
 * theirs, so of a small view it is little.
 */
const LOT_SHARE = 1 / 256
const LEAST_LOT_BYTES = 1 << 12
const MOST_LOT_BYTES = 1 << 19

/** Told of vertices that are decided later than their share was walked. */
export interface ShareTally {
  /** One more vertex of its share is left over. */
  waits(p: number): void
  decided(p: number): void
}

export interface WalkInput {
  /** Of all vertices, shared with other threads; this one writes those of its shares only. */
  readonly states: Uint32Array
  readonly tailOffsets: Uint32Array
  readonly readTails: SectionReader
  readonly tailBytes: number
  /** Of the view, for whoever finds it damaged. */
  readonly path: string
  readonly tally: ShareTally
  /** Looked at now and then; true ends the walk. */
  readonly isOver: () => boolean
}

/**
 * Decides what a device left undecided after the heads, a share of the vertices at a time, in order. Whoever finds an entry undecided that
 * another thread has still to decide puts the vertex aside and goes on; a member among its other entries decides it all the same.
 * States only ever gain bits, and a vertex is decided by decided entries alone: the set does not depend on who is first.
 */
export class ShareWalk {
  readonly #input: WalkInput
  readonly #pages: TailPages
  readonly leftOver: LeftOver
  /** Vertices of the share that need their tails. */
  #needy = new Uint32Array(0)
  /** Of the share, vertices before this one were looked at. */
  #next = 0
  /** Entries of tails that are read together. */
  readonly #lotEntries: number

  constructor(input: WalkInput, bufferBytes?: number) {
    this.#input = input
    this.#lotEntries = Math.min(MOST_LOT_BYTES, Math.max(LEAST_LOT_BYTES, LOT_SHARE * input.tailBytes)) / 4
    this.#pages = new TailPages(input.readTails, input.tailBytes, bufferBytes)
    this.leftOver = new LeftOver(input.states, input.readTails, input.path)
  }

  /** @param heads HEAD_WIDTH words a vertex from `base` on */
  walk({ first, end }: Range, heads: Uint32Array, base: number): void {
    if (this.#needy.length < end - first) this.#needy = new Uint32Array(end - first)
    for (this.#next = first; this.#next < end && !this.#input.isOver();) {
      const count = this.#byHeads(this.#next, end, heads, base)
      for (let from = 0; from < count && !this.#input.isOver();) from = this.#byTails(from, count, heads, base)
    }
    this.retry()
  }

  retry(): void {
    if (!this.leftOver.isEmpty) this.leftOver.retry(this.#input.tally)
  }

  /** Goes on until there is a lot to be read. @returns how many vertices need their tails */
  #byHeads(first: number, end: number, heads: Uint32Array, base: number): number {
    const { states, tailOffsets } = this.#input
    const needy = this.#needy
    let count = 0
    let word = first / VERTICES_PER_WORD
    for (let left = this.#lotEntries; left > 0 && VERTICES_PER_WORD * word < end; word++) {
      let bits = states[word]!
      if (isDecidedWord(bits)) continue
      const last = Math.min(end, VERTICES_PER_WORD * (word + 1))
      for (let p = VERTICES_PER_WORD * word, shift = 0; p < last; p++, shift += 2) {
        if (((bits >>> shift) & 3) !== UNDECIDED) continue
        const highest = heads[HEAD_WIDTH * (p - base)]!
        const second = heads[HEAD_WIDTH * (p - base) + 1]!
        const seen = highest === NO_ENTRY ? OUT : (states[highest >>> 4]! >>> ((highest & 15) << 1)) & 3
        const other = second === NO_ENTRY ? OUT : (states[second >>> 4]! >>> ((second & 15) << 1)) & 3
        if (seen === IN || other === IN) bits = states[word]! |= OUT << shift
        else if (tailOffsets[p + 1]! !== tailOffsets[p]!) {
          needy[count++] = p
          left -= Math.min(LOOK_AHEAD, tailOffsets[p + 1]! - tailOffsets[p]!)
        } else if (seen === OUT && other === OUT) bits = states[word]! |= IN << shift
        else this.#putAside(p, heads, base)
      }
    }
    this.#next = Math.min(end, VERTICES_PER_WORD * word)
    return count
  }

  /** Reads tails for as many vertices as the buffer holds, and decides these. @returns the next one */
  #byTails(from: number, count: number, heads: Uint32Array, base: number): number {
    const { states, tailOffsets, isOver } = this.#input
    const pages = this.#pages
    const needy = this.#needy
    pages.clear()
    let to = from
    for (; to < count; to++) {
      const tail = tailOffsets[needy[to]!]!
      if (!pages.add(tail, Math.min(tailOffsets[needy[to]! + 1]!, tail + LOOK_AHEAD))) break
    }
    pages.read()
    const { words } = pages
    for (let i = from; i < to; i++) {
      if (i % WORDS_A_LOOK === 0 && isOver()) return count
      const p = needy[i]!
      const tail = tailOffsets[p]!
      const end = tailOffsets[p + 1]!
      const place = pages.find(tail)
      const stop = Math.min(place + (end - tail), pages.limit)
      let at = place
      let state = this.#headsSay(p, heads, base)
      for (; state === OUT && at < stop; at++) {
        const entry = words[at]!
        state = (states[entry >>> 4]! >>> ((entry & 15) << 1)) & 3
      }
      // OUT: all entries so far are out. A member puts the vertex out; where some wait, a member may still follow.
      if (state === IN) setState(states, p, OUT)
      else if (state === OUT && stop - place === end - tail) setState(states, p, IN)
      else this.#waitOrLeave(p, heads, base, place, stop)
    }
    return to
  }

  /** IN where a head is in, else UNDECIDED where one is, else OUT. */
  #headsSay(p: number, heads: Uint32Array, base: number): number {
    const { states } = this.#input
    const highest = heads[HEAD_WIDTH * (p - base)]!
    const second = heads[HEAD_WIDTH * (p - base) + 1]!
    const seen = highest === NO_ENTRY ? OUT : (states[highest >>> 4]! >>> ((highest & 15) << 1)) & 3
    const other = second === NO_ENTRY ? OUT : (states[second >>> 4]! >>> ((second & 15) << 1)) & 3
    if (seen === IN || other === IN) return IN
    return seen === OUT && other === OUT ? OUT : UNDECIDED
  }

  /** Looks for a member among all entries that were read; where there is none, the vertex waits for those that are undecided. */
  #waitOrLeave(p: number, heads: Uint32Array, base: number, from: number, stop: number): void {
    const { states, tailOffsets, tally } = this.#input
    const { words } = this.#pages
    const { leftOver } = this
    const tail = tailOffsets[p]!
    leftOver.begin(p, Math.min(tailOffsets[p + 1]!, tail + (stop - from)), tailOffsets[p + 1]!)
    for (let slot = 0; slot < HEAD_WIDTH; slot++) this.#note(heads[HEAD_WIDTH * (p - base) + slot]!)
    for (let at = from; at < stop; at++) {
      const entry = words[at]!
      const state = (states[entry >>> 4]! >>> ((entry & 15) << 1)) & 3
      if (state === IN) {
        leftOver.drop()
        setState(states, p, OUT)
        return
      }
      if (state === UNDECIDED) leftOver.wait(entry)
    }
    tally.waits(p)
  }

  #putAside(p: number, heads: Uint32Array, base: number): void {
    const { tailOffsets, tally } = this.#input
    this.leftOver.begin(p, tailOffsets[p]!, tailOffsets[p + 1]!)
    for (let slot = 0; slot < HEAD_WIDTH; slot++) this.#note(heads[HEAD_WIDTH * (p - base) + slot]!)
    tally.waits(p)
  }

  /** An entry that may have been decided meanwhile: whoever tries again sees. */
  #note(entry: number): void {
    if (entry !== NO_ENTRY) this.leftOver.wait(entry)
  }
}
