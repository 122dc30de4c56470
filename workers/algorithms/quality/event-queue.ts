/** A binary heap of events, each a key and two numbers. The same calls give the same order. */
export class EventQueue {
  #size = 0
  #keys = new Float64Array(64)
  #firsts = new Int32Array(64)
  #seconds = new Int32Array(64)

  get size(): number {
    return this.#size
  }

  /** The least key; Infinity where there is none. */
  get key(): number {
    return this.#size === 0 ? Infinity : this.#keys[0]!
  }

  /** The first number of the event with the least key. */
  get first(): number {
    return this.#firsts[0]!
  }

  get second(): number {
    return this.#seconds[0]!
  }

  clear(): void {
    this.#size = 0
  }

  push(key: number, first: number, second: number): void {
    if (this.#size === this.#keys.length) this.#grow()
    const keys = this.#keys
    let at = this.#size++
    while (at > 0) {
      const above = (at - 1) >>> 1
      if (keys[above]! <= key) break
      this.#move(above, at)
      at = above
    }
    this.#set(at, key, first, second)
  }

  /** Removes the event with the least key. */
  pop(): void {
    const size = --this.#size
    const keys = this.#keys
    const key = keys[size]!
    let at = 0
    for (let below = 1; below < size; below = 2 * at + 1) {
      if (below + 1 < size && keys[below + 1]! < keys[below]!) below++
      if (keys[below]! >= key) break
      this.#move(below, at)
      at = below
    }
    if (size > 0) this.#set(at, key, this.#firsts[size]!, this.#seconds[size]!)
  }

  #move(from: number, to: number): void {
    this.#set(to, this.#keys[from]!, this.#firsts[from]!, this.#seconds[from]!)
  }

  #set(at: number, key: number, first: number, second: number): void {
    this.#keys[at] = key
    this.#firsts[at] = first
    this.#seconds[at] = second
  }

  #grow(): void {
    const [keys, firsts, seconds] = [this.#keys, this.#firsts, this.#seconds]
    const length = 2 * keys.length
    this.#keys = new Float64Array(length)
    this.#firsts = new Int32Array(length)
    this.#seconds = new Int32Array(length)
    this.#keys.set(keys)
    this.#firsts.set(firsts)
    this.#seconds.set(seconds)
  }
}
