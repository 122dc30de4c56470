/** The exact sum of doubles in any order, rounded once at the end (Shewchuk 1997, as in Python's fsum). */
export class ExactSum {
  readonly #partials: number[] = []

  start(term: number): void {
    this.#partials.length = 1
    this.#partials[0] = term
  }

  add(term: number): void {
    const partials = this.#partials
    let x = term
    let kept = 0
    for (let i = 0; i < partials.length; i++) {
      let y = partials[i]!
      if (Math.abs(x) < Math.abs(y)) [x, y] = [y, x]
      const high = x + y
      const low = y - (high - x)
      if (low !== 0) partials[kept++] = low
      x = high
    }
    partials.length = kept
    partials.push(x)
  }

  /** Doubles with the same sum. */
  get terms(): readonly number[] {
    return this.#partials
  }

  /** The nearest double. Partial sums do not overlap and ascend. */
  get value(): number {
    const partials = this.#partials
    let i = partials.length - 1
    if (i < 0) return 0
    let sum = partials[i]!
    let rest = 0
    while (i > 0 && rest === 0) {
      const x = sum
      const y = partials[--i]!
      sum = x + y
      rest = y - (sum - x)
    }
    // Halfway between two doubles: the partials below decide.
    if (i > 0 && rest !== 0 && Math.sign(rest) === Math.sign(partials[i - 1]!)) {
      const twice = 2 * rest
      const rounded = sum + twice
      if (twice === rounded - sum) sum = rounded
    }
    return sum
  }
}
