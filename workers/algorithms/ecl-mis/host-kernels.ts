import type { Range } from '../../graph/graph-pieces.ts'
import type { Residual } from './residual.ts'

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
