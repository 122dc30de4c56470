import { ARC_SUMS } from './modules.ts'

/** Lists and targets that are looked at together: they stay in the processor's cache. */
const BLOCK_LISTS = 1 << 14
const BLOCK_ARCS = 1 << 16
const HEAD_WORDS = 3
/** Words of the module's memory; see arc-sums.wat. */
const SUMS_AT = 16
const COUNTS_AT = 24
const HEADS_AT = 32
const TARGETS_AT = HEADS_AT + HEAD_WORDS * BLOCK_LISTS
const PAGE_WORDS = 1 << 14

interface Module {
  readonly memory: WebAssembly.Memory
  add(lists: number, heads: number, at: number): number
}

let compiled: WebAssembly.Module | undefined

/** Sums adjacency lists that follow one another, many at a time, in WebAssembly: the fingerprints of arc-fingerprint.ts without weights. */
export class ArcBlock {
  readonly #module: Module
  readonly #words: Int32Array
  #source: Uint32Array = new Uint32Array(0)
  /** The part of the source that waits, and its lists. */
  #from = 0
  #to = 0
  #lists = 0

  /** @param keys four vectors: two for smaller ends, two for larger ones */
  constructor(keys: Int32Array) {
    compiled ??= new WebAssembly.Module(Buffer.from(ARC_SUMS, 'base64'))
    const instance = new WebAssembly.Instance(compiled)
    this.#module = instance.exports as unknown as Module
    this.#module.memory.grow(Math.ceil((TARGETS_AT + BLOCK_ARCS) / PAGE_WORDS) - 1)
    this.#words = new Int32Array(this.#module.memory.buffer)
    this.#words.set(keys)
  }

  /** A copy of the sums: those of the half u < v first. */
  get sums(): Int32Array {
    return this.#words.slice(SUMS_AT, COUNTS_AT)
  }

  /**
   * Takes targets [from, to) of the list of u; they are looked at now or when `settle` is called.
   * @param before the target before the part in the same list, or -1
   * @param counts to which the arcs of both halves are added
   * @returns whether what was looked at ascends, and has not its own vertex
   */
  add(u: number, targets: Uint32Array, from: number, to: number, before: number, counts: Float64Array): boolean {
    let [start, last] = [from, before]
    while (start < to) {
      if (!this.#goesOn(targets, start)) {
        if (!this.settle(counts)) return false
        this.#goesOn(targets, start)
      }
      const end = Math.min(to, this.#from + BLOCK_ARCS)
      const head = HEADS_AT + HEAD_WORDS * this.#lists++
      this.#words[head] = u
      this.#words[head + 1] = last + 1
      this.#words[head + 2] = 4 * (TARGETS_AT + end - this.#from)
      this.#to = end
      last = targets[end - 1]!
      start = end
    }
    return true
  }

  /** Looks at what was taken. */
  settle(counts: Float64Array): boolean {
    if (this.#lists > 0) {
      this.#words.set(this.#source.subarray(this.#from, this.#to), TARGETS_AT)
      if (this.#module.add(this.#lists, 4 * HEADS_AT, 4 * TARGETS_AT) === 0) return false
      counts[0]! += this.#words[COUNTS_AT]!
      counts[1]! += this.#words[COUNTS_AT + 1]!
    }
    this.#lists = 0
    this.#from = this.#to
    return true
  }

  /** Whether a list that begins there has room behind those that wait. An empty block begins anywhere. */
  #goesOn(targets: Uint32Array, start: number): boolean {
    if (this.#lists === 0) {
      this.#source = targets
      this.#from = start
      return true
    }
    const hasRoom = this.#lists < BLOCK_LISTS && start < this.#from + BLOCK_ARCS
    return hasRoom && targets === this.#source && start === this.#to
  }
}
