import { NO_ENTRY } from '../../../graph/oriented-view.ts'
import { isSet } from './host-state.ts'

/** Places of a thread's open vertices that point at somebody, and at whom; the others wait for a level of their lists. */
export class PointingVertices {
  readonly #places: Uint32Array
  readonly #targets: Uint32Array
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
   * @param matched a bit for each vertex
   * @param goOn told of a place whose target is matched; returns its next target, NO_ENTRY where it has none
   */
  pass(matched: Uint32Array, goOn: (place: number, target: number) => number): void {
    const [places, targets] = [this.#places, this.#targets]
    let kept = 0
    for (let at = 0; at < this.#count; at++) {
      const place = places[at]!
      let target = targets[at]!
      if (isSet(matched, target)) {
        target = goOn(place, target)
        if (target === NO_ENTRY) continue
      }
      places[kept] = place
      targets[kept++] = target
    }
    this.#count = kept
  }
}
