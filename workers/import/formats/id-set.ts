const EMPTY = -1
const FIRST_SLOTS = 1 << 10
/** The fractional part of the golden ratio: consecutive ids spread. */
const GOLDEN = 0x9e3779b1

/** Whole numbers from 0 to 2^53, each once: open hashing, 16 to 32 bytes a number. */
export class IdSet {
  size = 0
  #slots = new Float64Array(FIRST_SLOTS).fill(EMPTY)

  /** Bytes it has once one more number is added. */
  get nextBytes(): number {
    return this.#slots.byteLength * (2 * (this.size + 1) > this.#slots.length ? 3 : 1)
  }

  has(id: number): boolean {
    return this.#slots[this.#slotOf(id)] === id
  }

  add(id: number): void {
    if (2 * (this.size + 1) > this.#slots.length) this.#grow()
    const slot = this.#slotOf(id)
    if (this.#slots[slot] === id) return
    this.#slots[slot] = id
    this.size++
  }

  #grow(): void {
    const before = this.#slots
    this.#slots = new Float64Array(2 * before.length).fill(EMPTY)
    for (const id of before) if (id !== EMPTY) this.#slots[this.#slotOf(id)] = id
  }

  #slotOf(id: number): number {
    const mask = this.#slots.length - 1
    const mixed = Math.imul((id >>> 0) ^ Math.floor(id / 2 ** 32), GOLDEN)
    let slot = (mixed ^ (mixed >>> 15)) & mask
    while (this.#slots[slot] !== EMPTY && this.#slots[slot] !== id) slot = (slot + 1) & mask
    return slot
  }
}
