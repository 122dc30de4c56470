/** Entries in any order, with loops and duplicates. A block belongs to the sink that accepted it. */
export interface EntryBlock {
  count: number
  /** Low halves of 64-bit ids. */
  readonly from: Uint32Array
  readonly to: Uint32Array
  /** null where all are zero. */
  fromHigh: Uint32Array | null
  toHigh: Uint32Array | null
  readonly weights: Float32Array | null
}

/** A promise holds the reader back. */
export interface EntrySink {
  accept(block: EntryBlock): void | Promise<void>
}

const BLOCK_ENTRIES = 1 << 18
const EMPTY = new Uint32Array(0)
const EMPTY_BLOCK: EntryBlock = { count: 0, from: EMPTY, to: EMPTY, fromHigh: null, toHigh: null, weights: null }

/** A reader fills `block` and calls `next`; its caller drains full blocks. */
export class EntryOutput {
  weighted = false
  entries = 0
  block: EntryBlock = EMPTY_BLOCK
  #full: EntryBlock[] = []
  readonly #capacity: number

  constructor(capacity: number = BLOCK_ENTRIES) {
    this.#capacity = capacity
  }

  next(): EntryBlock {
    this.#setAside()
    const capacity = this.#capacity
    this.block = {
      count: 0,
      from: new Uint32Array(capacity),
      to: new Uint32Array(capacity),
      fromHigh: null,
      toHigh: null,
      weights: this.weighted ? new Float32Array(capacity) : null,
    }
    return this.block
  }

  /** Adds an entry of ids below 2^32, if speed does not matter. */
  add(from: number, to: number, weight: number): void {
    const block = this.block.count === this.block.from.length ? this.next() : this.block
    const i = block.count++
    block.from[i] = from
    block.to[i] = to
    if (block.weights !== null) block.weights[i] = weight
  }

  addWide(from: number, fromHigh: number, to: number, toHigh: number, weight: number): void {
    this.add(from, to, weight)
    if (fromHigh === 0 && toHigh === 0) return
    const block = this.block
    block.fromHigh ??= new Uint32Array(this.#capacity)
    block.toHigh ??= new Uint32Array(this.#capacity)
    block.fromHigh[block.count - 1] = fromHigh
    block.toHigh[block.count - 1] = toHigh
  }

  /** Adds an entry of whole numbers below 2^53. */
  addNumbers(from: number, to: number, weight: number): void {
    this.addWide(from, Math.floor(from / 2 ** 32), to, Math.floor(to / 2 ** 32), weight)
  }

  /** Entries so far, with the current block. */
  get total(): number {
    return this.entries + this.block.count
  }

  /** Gives full blocks to a sink; with `all` the last one too. */
  async drain(sink: EntrySink, all = false): Promise<void> {
    if (all) this.#setAside()
    const full = this.#full
    this.#full = []
    for (const block of full) await sink.accept(block)
  }

  #setAside(): void {
    if (this.block.count === 0) return
    this.entries += this.block.count
    this.#full.push(this.block)
    this.block = EMPTY_BLOCK
  }
}

/** Fills the same block again once it was taken. */
export class TakenOutput extends EntryOutput {
  readonly #take: (block: EntryBlock) => void

  constructor(capacity: number, weighted: boolean, take: (block: EntryBlock) => void) {
    super(capacity)
    this.#take = take
    this.weighted = weighted
    super.next()
  }

  override next(): EntryBlock {
    const { block } = this
    this.entries += block.count
    this.#take(block)
    block.count = 0
    block.fromHigh = block.toHigh = null
    return block
  }
}
