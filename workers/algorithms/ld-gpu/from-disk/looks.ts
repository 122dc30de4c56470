/** How far a thread's open vertices have looked in their lists, and in which rounds of the paper they did. */
export class Looks {
  /** By place: entries that the vertex has looked at. */
  cursors: Uint32Array
  /** Entries looked at in each round, as the paper's algorithm looks at them. */
  readonly arcs: number[]

  /**
   * @param cursors zeros
   * @param arcs of rounds that were before
   */
  constructor(cursors: Uint32Array, arcs: readonly number[]) {
    this.cursors = cursors
    this.arcs = [...arcs]
  }

  release(): void {
    this.cursors = new Uint32Array(0)
  }

  /** Notes that the entries before `place` are looked at: in the round after `stamp`, the last one in which one before was matched. */
  note(i: number, stamp: number, place: number): void {
    if (place <= this.cursors[i]!) return
    while (this.arcs.length <= stamp) this.arcs.push(0)
    this.arcs[stamp]! += place - this.cursors[i]!
    this.cursors[i] = place
  }
}
