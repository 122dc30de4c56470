import type { SectionReader } from '../graph/section-file.ts'
import { damagedFile } from '../graph/section-file.ts'
import { IN, OUT, UNDECIDED, setState, stateOf } from '../graph/vertex-states.ts'
import type { ShareTally } from './share-walk.ts'

/** Words before the entries of a record: the vertex, how many entries, and the places in the tails that were not looked at yet. */
const FIXED = 4
const FIRST_WORDS = 1 << 12
/** Words of the tails that are read at a time, for vertices that need more than was read ahead. */
const READ_WORDS = 1 << 10

/**
 * Vertices that wait for entries which other threads have still to decide, each with those entries. As entries point backwards, the
 * first of all undecided vertices waits for nobody; so whoever tries again and again is done in the end.
 */
export class LeftOver {
  readonly #states: Uint32Array
  readonly #readTails: SectionReader
  readonly #path: string
  readonly #read = new Uint32Array(READ_WORDS)
  #words = new Uint32Array(FIRST_WORDS)
  #end = 0
  /** Of the record that is being added. */
  #start = 0

  /** @param path of the view */
  constructor(states: Uint32Array, readTails: SectionReader, path: string) {
    this.#states = states
    this.#readTails = readTails
    this.#path = path
  }

  get isEmpty(): boolean {
    return this.#end === 0
  }

  /** Begins the record of a vertex. @param at @param end places in the tails that are not looked at yet */
  begin(p: number, at: number, end: number): void {
    this.#start = this.#end
    this.#room(FIXED)
    this.#words[this.#end++] = p
    this.#words[this.#end++] = 0
    this.#words[this.#end++] = at
    this.#words[this.#end++] = end
  }

  /** Adds an undecided entry. @throws Failure (input) where nobody would ever decide it */
  wait(entry: number): void {
    if (entry >= this.#words[this.#start]!) throw damagedFile(this.#path)
    this.#room(1)
    this.#words[this.#end++] = entry
    this.#words[this.#start + 1]!++
  }

  /** Takes back the record that was begun last. */
  drop(): void {
    this.#end = this.#start
  }

  /** Decides whatever can be decided by now, in order. */
  retry(tally: ShareTally): void {
    const old = this.#words.slice(0, this.#end)
    this.#end = 0
    for (let at = 0; at < old.length;) {
      const [p, count] = [old[at]!, old[at + 1]!]
      const state = this.#look(old, at)
      if (state !== UNDECIDED) {
        this.drop()
        setState(this.#states, p, state)
        tally.decided(p)
      }
      at += FIXED + count
    }
  }

  /** Makes a new record of what is left of one; its vertex's state by now. */
  #look(old: Uint32Array, from: number): number {
    const states = this.#states
    const entries = from + FIXED
    const last = entries + old[from + 1]!
    this.begin(old[from]!, old[from + 2]!, old[from + 3]!)
    for (let at = entries; at < last; at++) {
      const state = stateOf(states, old[at]!)
      if (state === IN) return OUT
      if (state === UNDECIDED) this.wait(old[at]!)
    }
    return this.#words[this.#start + 1]! > 0 ? UNDECIDED : this.#lookFurther()
  }

  /** Nothing that was seen decides the vertex: the rest of its tail does. */
  #lookFurther(): number {
    const end = this.#words[this.#start + 3]!
    for (let first = this.#words[this.#start + 2]!; first < end; first += READ_WORDS) {
      const words = this.#read.subarray(0, Math.min(READ_WORDS, end - first))
      this.#readTails(4 * first, new Uint8Array(words.buffer, 0, words.byteLength))
      this.#words[this.#start + 2] = first + words.length
      for (const entry of words) {
        const state = stateOf(this.#states, entry)
        if (state === IN) return OUT
        if (state === UNDECIDED) this.wait(entry)
      }
      if (this.#words[this.#start + 1]! > 0) return UNDECIDED
    }
    return IN
  }

  #room(words: number): void {
    if (this.#end + words <= this.#words.length) return
    const more = new Uint32Array(2 * this.#words.length)
    more.set(this.#words)
    this.#words = more
  }
}
