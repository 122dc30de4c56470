const FIRST = 1 << 12

/** Numbers that come one by one, as many as the file really holds: what a header promises is never allocated. */
export class NumberList {
  length = 0
  #values = new Float64Array(FIRST)

  push(value: number): void {
    if (this.length === this.#values.length) {
      const larger = new Float64Array(2 * this.length)
      larger.set(this.#values)
      this.#values = larger
    }
    this.#values[this.length++] = value
  }

  at(index: number): number {
    return this.#values[index]!
  }
}
