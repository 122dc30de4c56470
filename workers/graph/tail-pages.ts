import type { SectionReader } from './section-file.ts'

const PAGE_BYTES = 4096
/** A gap that is read through: that takes less than asking once more. */
const GAP_BYTES = 4 * PAGE_BYTES
const BUFFER_BYTES = 1 << 20

/** Whole pages around the stretches of the tails that a thread needs next, in a buffer of its own. */
export class TailPages {
  readonly #readTails: SectionReader
  readonly #allBytes: number
  #bytes: Uint8Array
  /** The tails as far as they are in the buffer: place `at` stands at `at - base`, from one stretch to the next. */
  words: Uint32Array
  /** Where each run of pages starts, in bytes of the tails, and where it lies in the buffer; ascending. */
  readonly #starts: number[] = []
  readonly #into: number[] = []
  /** End of the last run, in bytes of the tails. */
  #end = 0
  #used = 0
  #run = 0
  /** The page that was read last, which what comes next often begins in; where it starts. */
  readonly #kept = new Uint8Array(PAGE_BYTES)
  #keptAt = -1

  /** @param allBytes of all tails */
  constructor(readTails: SectionReader, allBytes: number, bufferBytes = BUFFER_BYTES) {
    this.#readTails = readTails
    this.#allBytes = allBytes
    this.words = new Uint32Array(bufferBytes / 4)
    this.#bytes = new Uint8Array(this.words.buffer)
  }

  /** Lets go of the buffer, at the end. */
  release(): void {
    this.words = new Uint32Array(0)
    this.#bytes = new Uint8Array(0)
  }

  clear(): void {
    this.#starts.length = 0
    this.#into.length = 0
    this.#end = 0
    this.#used = 0
    this.#run = 0
  }

  /** Adds what takes places [first, end), in ascending order. @returns false when the buffer is full; then nothing was added */
  add(first: number, end: number): boolean {
    const from = PAGE_BYTES * Math.floor((4 * first) / PAGE_BYTES)
    const to = Math.min(this.#allBytes, PAGE_BYTES * Math.ceil((4 * end) / PAGE_BYTES))
    const isNew = this.#starts.length === 0 || from > this.#end + GAP_BYTES
    const more = to - (isNew ? from : this.#end)
    if (more <= 0) return true
    if (this.#used + more > this.#bytes.length) return false
    if (isNew) {
      this.#starts.push(from)
      this.#into.push(this.#used)
    }
    this.#used += more
    this.#end = to
    return true
  }

  read(): void {
    for (let run = 0; run < this.#starts.length; run++) {
      const bytes = this.#bytes.subarray(this.#into[run]!, this.#into[run + 1] ?? this.#used)
      const start = this.#starts[run]!
      const known = start === this.#keptAt ? Math.min(PAGE_BYTES, bytes.length) : 0
      bytes.set(this.#kept.subarray(0, known))
      if (known < bytes.length) this.#readTails(start + known, bytes.subarray(known))
    }
    this.#keep()
    this.#run = 0
  }

  /** Where in `words` a place stands; asked for in ascending order of what was added. */
  find(place: number): number {
    while (this.#run + 1 < this.#starts.length && this.#starts[this.#run + 1]! <= 4 * place) this.#run++
    return place + (this.#into[this.#run]! - this.#starts[this.#run]!) / 4
  }

  /**
   * The same for `count` stretches at once, from places firsts[i] to ends[i] - 1. All of it in arrays: a place has more than 32 bits, and would
   * go to the heap on every call.
   */
  findAll(firsts: Float64Array, ends: Float64Array, count: number, froms: Uint32Array, tos: Uint32Array): void {
    const [starts, into] = [this.#starts, this.#into]
    let run = this.#run
    for (let i = 0; i < count; i++) {
      const first = firsts[i]!
      while (run + 1 < starts.length && starts[run + 1]! <= 4 * first) run++
      const from = first + (into[run]! - starts[run]!) / 4
      froms[i] = from
      tos[i] = from + (ends[i]! - first)
    }
    this.#run = run
  }

  /** Where in `words` the pages end that follow on the place that was found last. */
  get limit(): number {
    return (this.#into[this.#run + 1] ?? this.#used) / 4
  }

  #keep(): void {
    if (this.#used === 0) return
    this.#keptAt = PAGE_BYTES * Math.floor((this.#end - 1) / PAGE_BYTES)
    this.#kept.set(this.#bytes.subarray(this.#used - (this.#end - this.#keptAt), this.#used))
  }
}
