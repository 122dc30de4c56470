import { LEFT, POOL } from '../../../kernels/mis/priority-codes.ts'
import type { Range } from '../../graph/graph-pieces.ts'

/** The residual graph: waiting vertices with their undecided neighbours of higher priority. */
export interface Residual {
  /** As in visit-lists.ts. */
  readonly records: Uint32Array
  readonly pool: Uint32Array
}

/** Of a worker. */
export interface ResidualLimits {
  readonly records: number
  readonly poolWords: number
}

/** Where the end offsets of some vertices are among the bytes that were read. */
export interface EndOffsets {
  readonly at: number
  readonly bytesEach: number
  /** The end of the vertex before. */
  readonly before: number
}

/** The kernels of a processor and its part of the residual graph. */
export abstract class HostKernels {
  /** Where pieces are read to; another array after a visit. */
  abstract readonly bytes: Uint8Array
  /** As priority-codes.ts has them. */
  protected abstract readonly counters: Uint32Array

  /** Records of the residual graph. */
  get count(): number {
    return this.counters[0]!
  }

  /** Of its pool. */
  get words(): number {
    return this.counters[POOL]!
  }

  /** Deferred vertices. */
  get left(): number {
    return this.counters[LEFT]!
  }

  /** Ends, unless threads have windows of them, and priority codes. @returns false where offsets descend */
  abstract index(vertices: Range, offsets: EndOffsets): boolean
  /**
   * Visits lists. @param origin arc of the first word, modulo 2^32. @param bytes that were read @param ends of these lists behind that of the one
   * before, in the shared memory; undefined: those of all vertices are there
   */
  abstract visit(vertices: Range, origin: number, bytes: number, ends?: Uint32Array): void
  /** One pass over the residual graph, which closes its gaps. */
  abstract sweep(): void
  /** Where it is: nothing else is done afterwards. */
  abstract take(): Residual
}
