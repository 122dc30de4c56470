import { NO_ENTRY } from '../../../graph/oriented-view.ts'
import type { ThreadBoard } from './host-state.ts'
import { isMatched } from './host-state.ts'

/** Vertices that are looked at together. */
const BLOCK = 256

/** Places of a thread's open vertices that point at somebody, and at whom; the others wait for a level of their lists. */
export class PointingVertices {
  readonly #places: Uint32Array
  readonly #targets: Uint32Array
  /** Of a block, targets that are matched, and then their stamps. */
  readonly #met = new Uint32Array(BLOCK)
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
   * Goes once over all, in order: whom a vertex before has just been matched to is seen.
   * @param goOn told of a place whose target is matched, and in which round; returns the next target, NO_ENTRY where there is none
   */
  pass(board: ThreadBoard, goOn: (place: number, round: number) => number): void {
    const [places, targets] = [this.#places, this.#targets]
    const { stamps } = board
    let kept = 0
    for (let from = 0; from < this.#count; from += BLOCK) {
      const to = Math.min(this.#count, from + BLOCK)
      this.#bringNear(board, from, to)
      for (let at = from; at < to; at++) {
        const place = places[at]!
        let target = targets[at]!
        if (isMatched(board, target)) {
          target = goOn(place, stamps[target]!)
          if (target === NO_ENTRY) continue
        }
        places[kept] = place
        targets[kept++] = target
      }
    }
    this.#count = kept
  }

  /**
   * Looks at what is asked for next of some vertices. Nothing hangs on what is found here, so that the memory has many accesses to do at once;
   * by itself each would be waited for.
   */
  #bringNear({ matched, stamps }: ThreadBoard, from: number, to: number): void {
    const [targets, met] = [this.#targets, this.#met]
    let hits = 0
    for (let at = from; at < to; at++) {
      const target = targets[at]!
      met[hits] = target
      hits += (matched[target >>> 5]! >>> (target & 31)) & 1
    }
    for (let hit = 0; hit < hits; hit++) met[hit] = stamps[met[hit]!]!
  }
}
