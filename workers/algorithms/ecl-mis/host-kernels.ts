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

/** The kernels of a processor and its part of the residual graph. */
export interface HostKernels {
  /** Where pieces are read to; another array after a visit. */
  readonly bytes: Uint8Array
  /** Records of the residual graph, and words of its pool. */
  readonly count: number
  readonly words: number
  /** Deferred vertices. */
  readonly left: number
  /**
   * Ends and priority codes.
   * @param offsets `at`: the first end offset among the bytes; `before`: that of the vertex before; `isKept`: whether the ends are kept
   * @returns false where offsets descend
   */
  index(
    vertices: Range,
    offsets: { readonly at: number; readonly bytesEach: number; readonly before: number; readonly isKept: boolean },
  ): boolean
  /**
   * Visits lists. @param origin arc of the first word, modulo 2^32. @param bytes that were read @param ends of these lists behind that of the one
   * before, in the shared memory; undefined: those of all vertices are there
   */
  visit(vertices: Range, origin: number, bytes: number, ends?: Uint32Array): void
  /** One pass over the residual graph, which closes its gaps. */
  sweep(): void
  /** Where it is: nothing else is done afterwards. */
  take(): Residual
}
