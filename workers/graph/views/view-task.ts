import type { BucketTables } from './bucket-tables.ts'
import type { EdgeOrder } from './edge-order.ts'
import type { GraphHandle } from '../galois-gr.ts'

/** A step of building a view out of core. Files are descriptors, which threads of a process share; arrays are shared memory. */
export type ViewTask = RouteTask | LayTask | FillTask | FirstTask | OrderTask

/** Streams the graph once and sends every vertex's higher neighbours, as ranks, to the bucket of its own rank. */
export interface RouteTask {
  readonly step: 'route'
  readonly graph: GraphHandle
  /** Piece i is the vertices [pieces[i], pieces[i + 1]). */
  readonly pieces: Uint32Array
  /** The place of each vertex in the order of priority, 0 for the highest. */
  readonly ranks: Uint32Array
  /** By rank: FRONT is written for vertices without higher neighbours. */
  readonly marks: Uint8Array
  readonly buckets: BucketTables
}

/** Places the vertices of one bucket after another that are not at the front. */
export interface LayTask {
  readonly step: 'lay'
  readonly buckets: BucketTables
  /** Chunk i is the ranks [chunks[i], chunks[i + 1]); buckets are cut between chunks. */
  readonly chunks: Uint32Array
  readonly marks: Uint8Array
  /** By rank: the position. */
  readonly places: Uint32Array
  /** The position of the first vertex of a bucket, and at the end n. */
  readonly firsts: Uint32Array
  /** Of each bucket: entries past the heads in lists that do not begin with a vertex of the front. */
  readonly openTails: Float64Array
}

/** Sorts one bucket after another into the slabs of the oriented view. */
export interface FillTask {
  readonly step: 'fill'
  readonly buckets: BucketTables
  readonly places: Uint32Array
  readonly firsts: Uint32Array
  readonly output: SlabOutput
  /** Where the tail of a bucket's first position begins. */
  readonly tailFirst: Float64Array
  readonly outputWords: number
}

/** Streams the graph once and finds the neighbour of every vertex that comes first in the order of edges. */
export interface FirstTask extends ListTask {
  readonly step: 'first'
  /** By vertex; NO_ENTRY where there is none. */
  readonly firsts: Uint32Array
}

/** What ordering the lists of a graph takes. */
export interface ListTask {
  readonly graph: GraphHandle
  readonly pieces: Uint32Array
  readonly order: EdgeOrder
  /** Degrees of all vertices where the order asks for them, else empty. */
  readonly degrees: Uint32Array
}

/** Streams the graph once, orders every vertex's list by the order of edges, and writes it where it belongs. */
export interface OrderTask extends ListTask {
  readonly step: 'order'
  readonly output: SlabOutput
  /** Where the tail of a piece's first vertex begins. */
  readonly tailFirst: Float64Array
  readonly outputWords: number
  /** Of a view in levels alone. */
  readonly levels: LevelOutput | undefined
}

/** Where the tails of pieces go in a view in levels: for each piece one region a level, and one for closed lists. */
export interface LevelOutput {
  readonly regions: number
  /** By piece, then region: entries, where they begin in the tails, and their CRC-32. */
  readonly sizes: Float64Array
  readonly starts: Float64Array
  readonly checksums: Uint32Array
  /** By vertex: its first entry. */
  readonly firsts: Uint32Array
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
