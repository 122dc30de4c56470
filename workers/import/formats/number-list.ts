const CHUNK = 1 << 16

/** Numbers that come one by one, as many as the file really holds: what a header promises is never allocated. */
export class NumberList {
  length = 0
  readonly #chunks: Float64Array[] = []
  readonly #beforeGrowth: () => void

  /** @param beforeGrowth called before the list takes more memory */
  constructor(beforeGrowth: () => void) {
    this.#beforeGrowth = beforeGrowth
  }

  /** Memory with one chunk more. */
  get grownBytes(): number {
    return 8 * CHUNK * (this.#chunks.length + 1)
  }

  push(value: number): void {
    const place = this.length % CHUNK
    if (place === 0) {
      this.#beforeGrowth()
      this.#chunks.push(new Float64Array(CHUNK))
    }
    this.#chunks.at(-1)![place] = value
    this.length++
  }

  at(index: number): number {
    return this.#chunks[Math.floor(index / CHUNK)]![index % CHUNK]!
  }
}
