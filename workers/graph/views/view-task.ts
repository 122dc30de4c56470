import type { BucketTables } from './bucket-tables.ts'
import type { EdgeOrder } from './edge-order.ts'

/** A step of building a view out of core. Files are descriptors, which threads of a process share; arrays are shared memory. */
export type ViewTask = RouteTask | FillTask | OrderTask

/** Streams the graph once and sends every vertex's higher neighbours to the bucket of its position. */
export interface RouteTask {
  readonly step: 'route'
  readonly graph: string
  /** Piece i is the vertices [pieces[i], pieces[i + 1]). */
  readonly pieces: Uint32Array
  readonly positions: Uint32Array
  readonly buckets: BucketTables
}

/** Sorts one bucket after another into the slabs of the oriented view. */
export interface FillTask {
  readonly step: 'fill'
  readonly buckets: BucketTables
  readonly output: SlabOutput
  /** Where the tail of a bucket's first position begins. */
  readonly tailFirst: Float64Array
  readonly outputWords: number
}

/** Streams the graph once, orders every vertex's list by the order of edges, and writes it in place. */
export interface OrderTask {
  readonly step: 'order'
  readonly graph: string
  readonly pieces: Uint32Array
  readonly output: SlabOutput
  /** Where the tail of a piece's first vertex begins. */
  readonly tailFirst: Float64Array
  readonly order: EdgeOrder
  /** Degrees of all vertices where the order asks for them, else empty. */
  readonly degrees: Uint32Array
  readonly outputWords: number
}

/** Where the slabs of a view go, and the CRC-32 of what each piece wrote (3 a piece: heads, tail offsets, tails). */
export interface SlabOutput {
  readonly path: string
  readonly file: number
  readonly headsAt: number
  readonly tailOffsetsAt: number
  readonly tailsAt: number
  readonly checksums: Uint32Array
}
