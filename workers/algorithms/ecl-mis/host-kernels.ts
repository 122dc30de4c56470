import type { Range } from '../../graph/graph-pieces.ts'
import { POOL } from '../../../kernels/mis/priority-codes.ts'
import { RECORD_WORDS } from '../../../kernels/mis/visit-lists.ts'

/** What a processor runs on the pieces that it reads, and its part of the residual graph. */
export interface HostKernels {
  /** Where pieces are read to; another array after a visit. */
  readonly bytes: Uint8Array
  /** Records of the residual graph, and words of its pool. */
  readonly count: number
  readonly words: number
  /** Vertices that found no room in it. */
  readonly left: number
  /**
   * Ends and codes of some vertices, from their end offsets.
   * @param offsets where the first of them is among the bytes, how many bytes each has, and that of the vertex before
   * @returns false where they descend
   */
  index(vertices: Range, offsets: { readonly at: number; readonly bytesEach: number; readonly before: number }): boolean
  /**
   * Visits the lists of some vertices, which are among the bytes.
   * @param origin the arc that the first word is, modulo 2^32
   * @param bytes that were read
   */
  visit(vertices: Range, origin: number, bytes: number): void
  /** Goes over the residual graph once, and moves together what is left. */
  sweep(): void
  /** What is left, in arrays of its size. */
  take(): Residual
}

/** Vertices that wait, and their undecided neighbours of higher priority: what a scan leaves. Plain arrays, to be sent. */
export interface Residual {
  /** Records as mis-scan.ts lays them out. */
  readonly records: Uint32Array
  readonly pool: Uint32Array
}

/** How much a worker may keep. */
export interface ResidualLimits {
  readonly records: number
  readonly poolWords: number
}

/** The residual graph of a processor: grows as it is needed, and closes gaps that decided vertices leave. */
export class HostResidual {
  readonly counters: Uint32Array
  records: Uint32Array
  pool: Uint32Array
  readonly #limits: ResidualLimits

  constructor(counters: Uint32Array, limits: ResidualLimits) {
    this.counters = counters
    this.#limits = limits
    this.records = new Uint32Array(RECORD_WORDS * Math.min(limits.records, FIRST_RECORDS))
    this.pool = new Uint32Array(Math.min(limits.poolWords, FIRST_WORDS))
  }

  get count(): number {
    return this.counters[0]!
  }

  get words(): number {
    return this.counters[POOL]!
  }

  /** Makes room for so many more, as far as the limits allow; a kernel leaves what finds none. */
  makeRoom(records: number, words: number): void {
    this.records = grown(this.records, RECORD_WORDS * (this.count + records), RECORD_WORDS * this.#limits.records)
    this.pool = grown(this.pool, this.words + words, this.#limits.poolWords)
  }

  /** Moves the entries of the records together; both ascend. */
  compact(): void {
    const { records, pool } = this
    let next = 0
    for (let at = 0; at < RECORD_WORDS * this.count; at += RECORD_WORDS) {
      const [start, end] = [records[at + 1]!, records[at + 2]!]
      if (start !== next) pool.copyWithin(next, start, end)
      records[at + 1] = next
      next += end - start
      records[at + 2] = next
    }
    this.counters[POOL] = next
  }

  /** What is left, in arrays of its size. */
  take(): Residual {
    return { records: this.records.slice(0, RECORD_WORDS * this.count), pool: this.pool.slice(0, this.words) }
  }
}

const FIRST_RECORDS = 1 << 12
const FIRST_WORDS = 1 << 14

function grown(words: Uint32Array, wanted: number, most: number): Uint32Array {
  if (wanted <= words.length || words.length >= most) return words
  const larger = new Uint32Array(Math.min(most, Math.max(wanted, 2 * words.length)))
  larger.set(words)
  return larger
}
