import { UNCOLOURED } from '../../../kernels/parts/colour-order.ts'
import { sharedWords } from '../../base/words.ts'
import type { RangeWorker } from '../range-task.ts'
import { type ColourBands, bandsOf } from './colour-bands.ts'

/** What the workers share: every word is in shared memory. */
export interface SharedColouring {
  /** The vertex of the larger key is coloured first, of equal ones that of the larger hash. */
  readonly keys: Uint32Array
  /** To begin with, and the result. */
  readonly colours: Uint32Array
  /** Added to an id before it is hashed. */
  readonly shift: number
  /** Where all workers are processors that hold every list. */
  readonly lists?: SharedLists | undefined
}

/** Vertices without a colour after each round. */
export type Lefts = readonly number[]
export type ColouringWorker = RangeWorker<SharedColouring, Lefts>

/** The predecessors of each vertex, from starts [v] to ends [v], and the order of the vertices. */
export interface SharedLists {
  readonly predecessors: Uint32Array
  readonly starts: Uint32Array
  readonly ends: Uint32Array
  readonly order: Uint32Array
  readonly bands: ColourBands
  /** Of each worker, its vertices in each band. */
  readonly bandCounts: Uint32Array
  /** How many of the order were claimed. */
  readonly claimed: Int32Array
}

export const shareColouring = (vertices: number, shift: number): SharedColouring => ({
  keys: sharedWords(vertices),
  colours: sharedWords(vertices).fill(UNCOLOURED),
  shift,
})

export function shareLists({ keys }: SharedColouring, arcs: number, workers: number): SharedLists {
  const bands = bandsOf(keys)
  const vertices = keys.length
  return {
    predecessors: sharedWords(arcs),
    starts: sharedWords(vertices),
    ends: sharedWords(vertices),
    order: sharedWords(vertices),
    bands,
    bandCounts: sharedWords(workers * bands.bands),
    claimed: new Int32Array(new SharedArrayBuffer(4)),
  }
}
