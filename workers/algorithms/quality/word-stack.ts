/** Unsigned words, as many as are pushed. */
export class WordStack {
  length = 0
  /** `length` of them count. */
  values: Uint32Array

  constructor(capacity = 1 << 10) {
    this.values = new Uint32Array(Math.max(1, capacity))
  }

  push(value: number): void {
    if (this.length === this.values.length) {
      const larger = new Uint32Array(2 * this.length)
      larger.set(this.values)
      this.values = larger
    }
    this.values[this.length++] = value
  }

  pop(): number | undefined {
    return this.length === 0 ? undefined : this.values[--this.length]
  }

  append({ values, length }: WordStack): void {
    // Most are short: a view for `set` would cost more.
    for (let i = 0; i < length; i++) this.push(values[i]!)
  }
}
