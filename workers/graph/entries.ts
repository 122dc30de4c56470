/**
 * What readers and generators hand on: blocks of directed entries, in any order, loops and duplicates included. A block
 * belongs to the taker that accepted it. Readers know nothing about what becomes of the blocks.
 */
export interface EntryBlock {
  /** Entries in use. */
  count: number
  /** Source ids; the low halves where ids have 64 bits. */
  readonly from: Uint32Array
  readonly to: Uint32Array
  /** High halves of 64-bit ids; null where all of them are zero. */
  fromHigh: Uint32Array | null
  toHigh: Uint32Array | null
  /** null for graphs without weights. */
  readonly weights: Float32Array | null
}

/** Takes blocks one after another; a promise holds the reader back until the block has found its place. */
export interface EntrySink {
  accept(block: EntryBlock): void | Promise<void>
}

const BLOCK_ENTRIES = 1 << 18

/** Where a reader writes: it fills `block`, calls `next` when the block is full, and its caller drains what is full. */
export class EntryOutput {
  /** Set by the reader before its first entry. */
  weighted = false
  entries = 0
  block: EntryBlock
  #full: EntryBlock[] = []
  readonly #capacity: number

  constructor(capacity: number = BLOCK_ENTRIES) {
    this.#capacity = capacity
    this.block = { count: 0, from: EMPTY, to: EMPTY, fromHigh: null, toHigh: null, weights: null }
  }

  /** Puts the current block aside and starts an empty one. */
  next(): EntryBlock {
    if (this.block.count > 0) {
      this.entries += this.block.count
      this.#full.push(this.block)
    }
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

  /** One entry with ids below 2^32; for paths that need not be the fastest. */
  add(from: number, to: number, weight: number): void {
    const block = this.block.count === this.block.from.length ? this.next() : this.block
    const i = block.count++
    block.from[i] = from
    block.to[i] = to
    if (block.weights !== null) block.weights[i] = weight
  }

  /** One entry with 64-bit ids, as halves. */
  addWide(from: number, fromHigh: number, to: number, toHigh: number, weight: number): void {
    this.add(from, to, weight)
    if (fromHigh === 0 && toHigh === 0) return
    const block = this.block
    block.fromHigh ??= new Uint32Array(this.#capacity)
    block.toHigh ??= new Uint32Array(this.#capacity)
    block.fromHigh[block.count - 1] = fromHigh
    block.toHigh[block.count - 1] = toHigh
  }

  /** Entries so far, the block being filled included. */
  get total(): number {
    return this.entries + this.block.count
  }

  /** Hands the full blocks on; with `all` the last one too. */
  async drain(sink: EntrySink, all = false): Promise<void> {
    if (all && this.block.count > 0) {
      this.entries += this.block.count
      this.#full.push(this.block)
      this.block = { count: 0, from: EMPTY, to: EMPTY, fromHigh: null, toHigh: null, weights: null }
    }
    const full = this.#full
    this.#full = []
    for (const block of full) await sink.accept(block)
  }
}

const EMPTY = new Uint32Array(0)
