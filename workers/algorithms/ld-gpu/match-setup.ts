/**
 * What all workers of a matching have in common: the order of edges, the memory of the state (ends of lists, candidates, pointers, matched
 * bits), the task board, and how the place of a list is found in it. Processors have all of it in one WebAssembly memory, so that kernels see
 * everything; beside a GPU that keeps the state only what it publishes is shared. Sizes are those of plan-match.ts.
 */

import { type EdgeOrderParams, tieRules, edgeWeightRules } from '../../../kernels/parts/edge-order.ts'
import type { NeighbourPlace } from '../../../kernels/parts/best-scanner.ts'
import { MatchRounds } from '../../../kernels/matching/match-rounds.ts'
import { keptWords } from '../../../kernels/matching/match-state.ts'
import { PIECE_BYTES } from '../../base/sums.ts'
import type { Device } from '../../device/device.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import { type EdgeOrder, leastKey } from '../../graph/edge-order.ts'
import type { GaloisGr } from '../../graph/galois-gr.ts'
import type { GraphFile } from '../../graph/graph-file.ts'
import { sharedMemory, sharedWords } from '../../base/words.ts'
import { GraphPieces, type GraphSlice, sliceOf } from '../../graph/graph-pieces.ts'
import { ScanBoard, type ScanPlace } from '../../streaming/piece-scan.ts'
import type { KeptRounds } from '../computed-matching.ts'
import { type MatchPlan, chunksOf, matchMemoryBytes } from './plan-match.ts'

/** A matching to compute, planned and with its graph open. */
export interface MatchRequest extends KeptRounds {
  readonly graph: GaloisGr
  readonly order: EdgeOrder
  readonly plan: MatchPlan
  /** The first worker's device, open; unused where that is a processor. */
  readonly lead: Device
  readonly traced: boolean
  /** The exchange with other ranks; undefined: there are none. */
  readonly exchange?: Exchange | undefined
}

/** Common to all workers of a matching. */
export interface MatchSetup extends ScanPlace {
  readonly order: EdgeOrderParams
  /** Neighbours that a vertex keeps. */
  readonly candidates: number
  readonly memory: MatchMemory
}

export interface MatchMemory {
  /** The memory that all of it is in, for {@link MatchRounds}; undefined where that cannot be. */
  readonly memory: WebAssembly.Memory | undefined
  /** Ends of the adjacency lists modulo 2^32. */
  readonly ends: Uint32Array
  /** The candidates of each vertex (kernels/matching/match-state.ts). */
  readonly kept: Uint32Array
  /** Mutual pointers are matched for good. */
  readonly pointers: Uint32Array
  /** A bit for each vertex that has a mate. */
  readonly matched: Uint32Array
  /** Active vertices with a pointer, those of each chunk at its beginning; and how many. */
  readonly open: Uint32Array
  readonly openOfChunks: Uint32Array
  /** Places of collected lists: one more than the word where the list of a vertex begins; 0 for a vertex without one. */
  readonly places: Uint32Array
  /** The file from its first piece with targets on, where lists stay in memory. */
  readonly lists: Uint32Array | undefined
}

/** Whether weights of the file are compared. */
export const readsWeights = ({ weights }: EdgeOrderParams): boolean =>
  weights === edgeWeightRules.column || weights === edgeWeightRules.integers

export function orderParams(order: EdgeOrder, { weights }: GraphFile): EdgeOrderParams {
  const stored = weights?.kind === 'i32' ? edgeWeightRules.integers : edgeWeightRules.column
  return {
    weights: order.weights === 'column' ? stored : edgeWeightRules[order.weights],
    ties: tieRules[order.ties],
    seedLow: order.seed >>> 0,
    seedHigh: Math.floor(order.seed / 2 ** 32),
    least: leastKey(order),
  }
}

/** Bytes of the lists, with their weights. */
function listBytes(graph: GraphFile, order: EdgeOrderParams): number {
  const { weights, targetsAt, arcs } = graph
  const end = (weights !== null && readsWeights(order) ? weights.at : targetsAt) + 4 * arcs
  return end - firstListPiece(graph) * PIECE_BYTES
}

const firstListPiece = (graph: GraphFile): number => new GraphPieces(graph, undefined).lists.first

/** Processors that do the rounds have all in one memory, for {@link MatchRounds}; beside a GPU that keeps the lists they have mates alone. */
function shareMatchMemory(
  graph: GraphFile,
  order: EdgeOrderParams,
  { candidates, keepsLists, workers }: MatchPlan,
): MatchMemory {
  const { vertices } = graph
  const doRounds = workers[0]!.gpu !== 'rounds'
  const held = doRounds || !keepsLists ? vertices : 0
  const listWords = doRounds && keepsLists ? Math.ceil(listBytes(graph, order) / 4) : 0
  const bytes = matchMemoryBytes(vertices, candidates) + 4 * listWords + MATCH_ARRAYS * LINE_BYTES
  const { memory, shared } = wordSource(bytes, doRounds && MatchRounds.knows(order, candidates))
  return {
    memory,
    ends: shared(held),
    kept: shared(keptWords(candidates) * held),
    pointers: shared(vertices),
    matched: shared(Math.ceil(vertices / 32)),
    open: shared(held),
    openOfChunks: shared(chunksOf(held)),
    places: shared(held),
    lists: doRounds && keepsLists ? shared(listWords) : undefined,
  }
}

const MATCH_ARRAYS = 8
const LINE_BYTES = 64

/** Arrays side by side in one memory of so many bytes, where that is asked for and can be; else each has its own. */
function wordSource(bytes: number, isTogether: boolean) {
  const memory = isTogether ? sharedMemory(bytes) : undefined
  if (memory === undefined) return { memory, shared: sharedWords }
  let at = 0
  const shared = (words: number): Uint32Array => {
    const array = new Uint32Array(memory.buffer, at, words)
    at += LINE_BYTES * Math.ceil((4 * words) / LINE_BYTES)
    return array
  }
  return { memory, shared }
}

/** The arcs of the first word, modulo 2^32, of words that hold the file from a piece on. */
export function originsFrom(graph: GraphFile, piece: number): { readonly origin: number; readonly weightsAt: number } {
  const from = piece * PIECE_BYTES
  const { targetsAt, weights } = graph
  return { origin: ((from - targetsAt) / 4) >>> 0, weightsAt: ((from - (weights?.at ?? 0)) / 4) >>> 0 }
}

/** Words that hold lists, and the arcs of the first ones, modulo 2^32. */
export interface ListWords {
  readonly targets: Uint32Array
  readonly weightBits: Uint32Array
  readonly origin: number
  readonly weightsAt: number
}

/** The place of the list of v among words that hold lists. */
export function listPlace(ends: Uint32Array, v: number, lists: ListWords): NeighbourPlace {
  const { targets, weightBits: weights, origin, weightsAt } = lists
  const begin = v === 0 ? 0 : ends[v - 1]!
  const [start, weightsStart] = [(begin - origin) >>> 0, (begin - weightsAt) >>> 0]
  return { targets, weights, start, weightsStart, count: (ends[v]! - begin) >>> 0 }
}

/** The first arcs of lists that stay in memory. */
export const residentOrigins = (graph: GraphFile) => originsFrom(graph, firstListPiece(graph))

/** The residual graph of a matching, in memory that processors share; the places of its lists are in {@link MatchMemory}. */
export interface FreeLists {
  readonly words: Uint32Array
  /** Words in use. */
  readonly taken: Int32Array
}

/** @param bytes for the lists */
export const shareFreeLists = (bytes: number): FreeLists => ({
  words: sharedWords(Math.min(2 ** 31 - 1, Math.floor(bytes / 4))),
  taken: new Int32Array(new SharedArrayBuffer(4)),
})

/** undefined: the list is not in memory */
export type FindList = (v: number) => NeighbourPlace | undefined

/** Finds lists in the processors' memory: all are there, or those that were collected. */
export function listFinder({ graph, memory, order }: MatchSetup, free: FreeLists | undefined): FindList {
  const { ends, lists, places } = memory
  const all = lists ?? free?.words
  if (all === undefined) return () => undefined
  const found = { targets: all, weights: readsWeights(order) ? all : new Uint32Array(0) }
  if (lists === undefined)
    return (v) => {
      const start = places[v]!
      if (start === 0) return undefined
      const count = all[start - 1]!
      return { ...found, start, weightsStart: start + count, count }
    }
  const held = { ...residentOrigins(graph), targets: all, weightBits: found.weights }
  return (v) => listPlace(ends, v, held)
}

/** Degrees from the ends of the adjacency lists. */
export const degreesFromEnds = (ends: Uint32Array): Uint32Array =>
  ends.map((end, v) => (v === 0 ? end : (end - ends[v - 1]!) >>> 0))

/**
 * What all workers of a matching share, here.
 * @param cut the file for several ranks
 * @returns the slices of all ranks, too
 */
export function setupOf(
  { graph: { file, checked }, order, plan, traced, exchange }: MatchRequest,
  cut: (pieces: GraphPieces, ranks: number) => GraphSlice[],
): { readonly setup: MatchSetup; readonly slices: readonly GraphSlice[] } {
  const { candidates, unitsAPiece } = plan
  const pieces = new GraphPieces(file, checked.source, unitsAPiece)
  const slices = exchange === undefined ? [sliceOf(pieces, undefined)] : cut(pieces, exchange.ranks)
  const params = orderParams(order, file)
  const setup = {
    graph: file,
    crcs: checked.handle.crcs,
    order: params,
    candidates,
    unitsAPiece,
    own: slices[exchange?.rank ?? 0]!,
    board: new ScanBoard().words,
    traced,
    memory: shareMatchMemory(file, params, plan),
  }
  return { setup, slices }
}
