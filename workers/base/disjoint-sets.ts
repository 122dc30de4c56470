/** Sets of 0 to n - 1, of which any two can be joined: each is named by its least member. */
export class DisjointSets {
  readonly #up: Uint32Array

  constructor(count: number) {
    this.#up = Uint32Array.from({ length: count }, (_, v) => v)
  }

  /** The least member of the set of v. */
  of(v: number): number {
    const up = this.#up
    let at = v
    while (up[at] !== at) at = up[at] = up[up[at]!]!
    return at
  }

  /** Whether they were apart. */
  join(a: number, b: number): boolean {
    const [first, second] = [this.of(a), this.of(b)]
    this.#up[Math.max(first, second)] = Math.min(first, second)
    return first !== second
  }

  /** The size of each set at its least member; 0 at all others. */
  sizes(): Uint32Array {
    const sizes = new Uint32Array(this.#up.length)
    for (let v = 0; v < sizes.length; v++) sizes[this.of(v)]!++
    return sizes
  }
}
