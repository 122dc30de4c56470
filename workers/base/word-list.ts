const FIRST_WORDS = 64

/** Words that are appended: four bytes each, where an array of numbers takes eight. */
export class WordList {
  length = 0
  #words = new Uint32Array(FIRST_WORDS)

  push(word: number): void {
    if (this.length === this.#words.length) {
      const grown = new Uint32Array(2 * this.length)
      grown.set(this.#words)
      this.#words = grown
    }
    this.#words[this.length++] = word
  }

  /** Valid until the next one is appended. */
  get words(): Uint32Array<ArrayBuffer> {
    return this.#words.subarray(0, this.length)
  }

  /** What it had; it is empty then. */
  take(): Uint32Array<ArrayBuffer> {
    const taken = this.words
    this.#words = new Uint32Array(FIRST_WORDS)
    this.length = 0
    return taken
  }
}
