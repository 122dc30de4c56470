import { COUNTERS, DAMAGE, LEFT } from '../../../kernels/mis/priority-codes.ts'
import { misIndex } from '../../../kernels/mis/mis-index.ts'
import { misSweep } from '../../../kernels/mis/mis-sweep.ts'
import { visitLists } from '../../../kernels/mis/visit-lists.ts'
import type { Range } from '../../graph/graph-pieces.ts'
import type { SetOrder } from '../../graph/set-order.ts'
import { type HostKernels, type Residual, type ResidualLimits, HostResidual } from './host-kernels.ts'
import type { HostMemory } from './scan-setup.ts'

/** The kernels of a processor in JavaScript: for orders and sizes that the module does not know, and what it is compared with. */
export class TwinKernels implements HostKernels {
  readonly bytes: Uint8Array
  readonly #order: SetOrder
  readonly #memory: HostMemory
  readonly #residual: HostResidual
  readonly #words: Uint32Array

  constructor(order: SetOrder, memory: HostMemory, limits: ResidualLimits, bytes: number) {
    this.#order = order
    this.#memory = memory
    this.#residual = new HostResidual(new Uint32Array(COUNTERS), limits)
    this.#words = new Uint32Array(Math.ceil(bytes / 4))
    this.bytes = new Uint8Array(this.#words.buffer)
  }

  get count(): number {
    return this.#residual.count
  }

  get words(): number {
    return this.#residual.words
  }

  get left(): number {
    return this.#residual.counters[LEFT]!
  }

  index({ first, end }: Range, { at, bytesEach, before }: Parameters<HostKernels['index']>[1]): boolean {
    const { params, codes, column } = this.#order
    const { ends, states } = this.#memory
    const { counters } = this.#residual
    misIndex.twin(
      { first, count: end - first, begin: at / 4, before, words: bytesEach / 4, ...params },
      { raw: this.#words, codes, column, counters, ends, states },
    )
    return counters[DAMAGE] === 0
  }

  visit({ first, end }: Range, origin: number, bytes: number): void {
    this.#residual.makeRoom(end - first, bytes / 4)
    const { params, column } = this.#order
    const { ends, states } = this.#memory
    const { records, pool, counters } = this.#residual
    visitLists(
      { first, count: end - first, origin, ...params },
      { targets: this.#words.subarray(0, Math.ceil(bytes / 4)), column, counters, ends, states },
      { list: 0, records, pool },
    )
  }

  sweep(): void {
    const { counters, records, pool } = this.#residual
    const { states } = this.#memory
    misSweep.twin({ listIn: 0, listOut: 0 }, { recordsIn: records, pool, states, recordsOut: records, counters })
    this.#residual.compact()
  }

  take(): Residual {
    return this.#residual.take()
  }
}
