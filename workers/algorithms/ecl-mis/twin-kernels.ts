import { misIndex } from '../../../kernels/mis/mis-index.ts'
import { misSweep } from '../../../kernels/mis/mis-sweep.ts'
import { COUNTERS, DAMAGE, POOL } from '../../../kernels/mis/priority-codes.ts'
import { RECORD_WORDS, visitLists } from '../../../kernels/mis/visit-lists.ts'
import type { Range } from '../../graph/graph-pieces.ts'
import type { SetOrder } from '../../graph/set-order.ts'
import { type EndOffsets, type Residual, type ResidualLimits, HostKernels } from './host-kernels.ts'
import type { HostMemory } from './scan-setup.ts'

const FIRST_RECORDS = 1 << 12
const FIRST_WORDS = 1 << 14

/** The kernels of a processor in JavaScript, for orders and sizes that the module does not know; tests compare the two. */
export class TwinKernels extends HostKernels {
  readonly bytes: Uint8Array
  readonly #order: SetOrder
  readonly #memory: HostMemory
  readonly #limits: ResidualLimits
  protected readonly counters = new Uint32Array(COUNTERS)
  readonly #words: Uint32Array
  #records: Uint32Array
  #pool: Uint32Array

  constructor(order: SetOrder, memory: HostMemory, limits: ResidualLimits, bytes: number) {
    super()
    this.#order = order
    this.#memory = memory
    this.#limits = limits
    this.#words = new Uint32Array(Math.ceil(bytes / 4))
    this.bytes = new Uint8Array(this.#words.buffer)
    this.#records = new Uint32Array(RECORD_WORDS * Math.min(limits.records, FIRST_RECORDS))
    this.#pool = new Uint32Array(Math.min(limits.poolWords, FIRST_WORDS))
  }

  /** Keeps all ends. */
  index({ first, end }: Range, { at, bytesEach, before }: EndOffsets): boolean {
    const { params, codes, column } = this.#order
    const { ends, states } = this.#memory
    const counters = this.counters
    misIndex.twin(
      { first, count: end - first, begin: at / 4, before, words: bytesEach / 4, ...params },
      { raw: this.#words, codes, column, counters, ends, states },
    )
    return counters[DAMAGE] === 0
  }

  visit({ first, end }: Range, origin: number, bytes: number): void {
    const limits = this.#limits
    const records = RECORD_WORDS * (this.count + end - first)
    this.#records = grown(this.#records, records, RECORD_WORDS * limits.records)
    this.#pool = grown(this.#pool, this.words + bytes / 4, limits.poolWords)
    const { params, column } = this.#order
    const { ends, states } = this.#memory
    const targets = this.#words.subarray(0, Math.ceil(bytes / 4))
    visitLists(
      { first, count: end - first, origin, ...params },
      { targets, column, counters: this.counters, ends, states },
      { list: 0, records: this.#records, pool: this.#pool },
    )
  }

  sweep(): void {
    const [records, pool, counters] = [this.#records, this.#pool, this.counters]
    const { states } = this.#memory
    misSweep.twin({ listIn: 0, listOut: 0 }, { recordsIn: records, pool, states, recordsOut: records, counters })
    let next = 0
    for (let at = 0; at < RECORD_WORDS * this.count; at += RECORD_WORDS) {
      const [start, end] = [records[at + 1]!, records[at + 2]!]
      if (start !== next) pool.copyWithin(next, start, end)
      records[at + 1] = next
      next += end - start
      records[at + 2] = next
    }
    counters[POOL] = next
  }

  take(): Residual {
    return { records: this.#records.subarray(0, RECORD_WORDS * this.count), pool: this.#pool.subarray(0, this.words) }
  }
}

function grown(words: Uint32Array, wanted: number, most: number): Uint32Array {
  if (wanted <= words.length || words.length >= most) return words
  const larger = new Uint32Array(Math.min(most, Math.max(wanted, 2 * words.length)))
  larger.set(words)
  return larger
}
