/** Entries of lists, with their places in these, one list after another. */
export class EntryPool {
  entries: Uint32Array
  places: Uint32Array
  used = 0

  constructor(room: number) {
    this.entries = new Uint32Array(room)
    this.places = new Uint32Array(room)
  }

  get arrays(): readonly Uint32Array[] {
    return [this.entries, this.places]
  }

  release(): void {
    this.entries = this.places = new Uint32Array(0)
  }

  /** There must be room. */
  push(entry: number, place: number): void {
    this.entries[this.used] = entry
    this.places[this.used++] = place
  }

  reserve(more: number): void {
    if (this.used + more > this.entries.length) this.#widen(Math.ceil(1.5 * (this.used + more)))
  }

  #widen(room: number): void {
    const wider = (words: Uint32Array): Uint32Array => {
      const copy = new Uint32Array(room)
      copy.set(words.subarray(0, this.used))
      return copy
    }
    this.entries = wider(this.entries)
    this.places = wider(this.places)
  }
}
