import type { VertexSet } from '../../graph/vertex-set.ts'
import type { LocalSearch } from './local-search.ts'
import type { Adjacency, Fits } from './residual-graph.ts'

export interface SearchQuality {
  /** Steps of local search; undefined: one for each vertex of the kernel, but one epoch at most. */
  readonly steps: number | undefined
  /** The search ends after so many milliseconds, of which reductions are a part. */
  readonly limitMs: number
}

/** How far a search has come; with the best set, all that the rest of it follows from. For a heavy set weights stand in place of members. */
export interface SearchSoFar {
  /** Members before the first attempt. */
  readonly before: number
  readonly steps: number
  /** Of the best set after each epoch. */
  readonly sizes: readonly number[]
  readonly elapsedMs: number
}

export interface SearchInput {
  /** A maximal set, which is replaced by a larger one. */
  readonly set: VertexSet
  /** One byte a vertex: in or out where lists of the user's decide. */
  readonly states: Uint8Array
  /** Of the vertices, none negative: the set is to be heavy; undefined: it is to be large. */
  readonly weights?: Float64Array | undefined
  readonly quality: SearchQuality
  readonly seed: number
  readonly fits: Fits
  /** Where another attempt left the set. */
  readonly from: SearchSoFar | undefined
}

export interface SearchOutcome extends SearchSoFar {
  /** Members more than before. */
  readonly gain: number
  /** No set has more members, by reductions and peeling; undefined where vertices were decided without proof, or there was no time. */
  readonly bound: number | undefined
  readonly kernelVertices: number
  readonly kernelEdges: number
  readonly passes: number
}

/** What a search begins from. */
export interface Beginning extends Pick<SearchOutcome, 'before' | 'bound' | 'passes'> {
  /** Of the kernel. */
  readonly adjacency: Adjacency
  readonly search: Pick<LocalSearch, 'run' | 'best'>
  /** Of the kernel; one byte a vertex. */
  readonly members: Uint8Array
  /** Size or weight of members of the kernel. */
  readonly valueOf: (members: Uint8Array) => number
  /** Of the members besides. */
  readonly fixed: number
  /** Of the set that is there before the search. */
  readonly least: number
  /** Makes the set the one that follows from a set of the kernel. */
  readonly expand: (members: Uint8Array) => void
}
