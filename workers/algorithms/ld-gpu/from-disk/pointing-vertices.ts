import { NO_ENTRY } from '../../../graph/oriented-view.ts'
import type { ThreadBoard } from './host-state.ts'

/** Vertices that are looked at together. */
const BLOCK = 1024

/** Places of a thread's open vertices that point at somebody, and at whom; the others wait for a level of their lists. */
export class PointingVertices {
  readonly #places: Uint32Array
  readonly #targets: Uint32Array
  /** Of a block, those whose target is matched, and the rounds in which these targets were. */
  readonly #met = new Uint32Array(BLOCK)
  readonly #rounds = new Uint32Array(BLOCK)
  #count = 0

  /** @param most places at a time */
  constructor(most: number) {
    this.#places = new Uint32Array(most)
    this.#targets = new Uint32Array(most)
  }

  get arrays(): readonly Uint32Array[] {
    return [this.#places, this.#targets]
  }

  get count(): number {
    return this.#count
  }

  clear(): void {
    this.#count = 0
  }

  add(place: number, target: number): void {
    this.#places[this.#count] = place
    this.#targets[this.#count++] = target
  }

  /**
   * Goes once over all.
   * @param goOn told of a place whose target is matched, and in which round; returns the next target, NO_ENTRY where there is none
   */
  pass(board: ThreadBoard, goOn: (place: number, round: number) => number): void {
    const [places, targets, met, rounds] = [this.#places, this.#targets, this.#met, this.#rounds]
    let kept = 0
    for (let from = 0; from < this.#count; from += BLOCK) {
      const to = Math.min(this.#count, from + BLOCK)
      const hits = this.#findMet(board, from, to)
      for (let hit = 0; hit < hits; hit++) {
        const at = met[hit]!
        targets[at] = goOn(places[at]!, rounds[hit]!)
      }
      for (let at = from; at < to; at++) {
        const target = targets[at]!
        places[kept] = places[at]!
        targets[kept] = target
        kept += Number(target !== NO_ENTRY)
      }
    }
    this.#count = kept
  }

  /** Notes whose target is matched, of some. Nothing hangs on what is found, so that the memory has many accesses to do at once. */
  #findMet({ matched, signedMatched, stamps }: ThreadBoard, from: number, to: number): number {
    const [targets, met, rounds] = [this.#targets, this.#met, this.#rounds]
    let hits = 0
    for (let at = from; at < to; at++) {
      const target = targets[at]!
      met[hits] = at
      hits += (matched[target >>> 5]! >>> (target & 31)) & 1
    }
    for (let hit = 0; hit < hits; hit++) {
      const target = targets[met[hit]!]!
      // What was written before it showed as matched is seen from here on.
      Atomics.load(signedMatched, target >>> 5)
      rounds[hit] = stamps[target]!
    }
    return hits
  }
}
