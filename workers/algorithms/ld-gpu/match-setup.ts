/**
 * What all workers of a matching have in common: the order of edges, the memory of the state (ends of lists, candidates, pointers, matched
 * bits), the task board, and how the place of a list is found in it. Processors have all of it in one WebAssembly memory, so that kernels see
 * everything; beside a GPU that keeps the state only what it publishes is shared. Sizes are those of plan-match.ts.
 */

import type { EdgeOrderParams } from '../../../kernels/parts/edge-order.ts'
import type { NeighbourPlace } from '../../../kernels/parts/best-scanner.ts'
import { MatchRounds } from '../../../kernels/matching/match-rounds.ts'
import { keptWords, counter } from '../../../kernels/matching/match-state.ts'
import { PIECE_BYTES } from '../../base/sums.ts'
import type { Device } from '../../device/device.ts'
import { type EdgeOrder, orderParams } from '../../graph/edge-order.ts'
import type { Run } from '../algorithm.ts'
import type { GraphFile } from '../../graph/graph-file.ts'
import { sharedMemory, sharedWords } from '../../base/words.ts'
import type { GraphSlice } from '../../graph/graph-pieces.ts'
import type { ScanSetup } from '../../streaming/piece-scan.ts'
import { shareScan } from '../../streaming/scan-worker.ts'
import type { KeptRounds } from '../computed-matching.ts'

/** Neighbours that a vertex keeps. With four, a tenth of the vertices of real graphs is scanned again; eight cost more than they save. */
export const CANDIDATES = 4
/** A longer list takes a thread group, and the longest a workgroup. */
export const LONGER = 32
export const LONGEST_OF_A_GROUP = 256
/** Pieces of a batch: more gain nothing, and each is waited for. */
export const BATCH_PIECES = 64
export const BATCH_BUFFERS = 3
/** Vertices of a launch of a GPU that streams. */
export const SCAN_VERTICES = 1 << 18

/** Vertices of a task of a round. */
export const CHUNK = 1 << 14

export const chunksOf = (vertices: number): number => Math.ceil(vertices / CHUNK)

/** Pieces with the rest of the last list of a batch, at most: the host reads longer ones. */
const tailPieces = (batchPieces: number): number => Math.max(1, Math.floor(batchPieces / 8))

export const longLists = (vertices: number, arcs: number): number => Math.min(vertices, Math.ceil(arcs / LONGER)) + 1

export interface MatchPlan {
  readonly units: number
  /** Units that a piece of the file is cut into. */
  readonly unitsAPiece: number
  /** Neighbours that a vertex keeps. */
  readonly candidates: number
  /** Whether the lists stay in memory. */
  readonly keepsLists: boolean
  /** Threads of all processors together. */
  readonly threads: number
  /** What may be collected of streamed lists, where the rounds are. */
  readonly roomBytes: number
  readonly workers: readonly MatchWorker[]
  readonly hostBytes: number
}

export interface MatchWorker {
  readonly device: string
  /** What a GPU is used for; undefined for processors. The first one alone does rounds. */
  readonly gpu: 'rounds' | 'scan' | undefined
  /** Pieces of a batch of a GPU that streams lists. */
  readonly batchPieces?: number
  /** Words of a buffer of a GPU for packed blocks; 0: processors unpack. */
  readonly packedWords?: number
  readonly deviceBytes: number
}

/** A matching to compute, planned and with its graph open. */
export interface MatchRequest extends KeptRounds, Pick<Run, 'graph'>, Partial<Pick<Run, 'exchange'>> {
  readonly order: EdgeOrder
  readonly plan: MatchPlan
  /** The first worker's device, open; unused where that is a processor. */
  readonly lead: Device
  readonly traced: boolean
}

/** Common to all workers of a matching. */
export interface MatchSetup extends ScanSetup {
  readonly order: EdgeOrderParams
  /** Whether weights of the file are compared. */
  readonly readsWeights: boolean
  /** Whether degrees break ties. */
  readonly comparesDegrees: boolean
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

/** Bytes of the file from its first piece with lists on, with their weights. */
function residentBytes(graph: GraphFile, readsWeights: boolean): number {
  const { weights, targetsAt, arcs } = graph
  const end = (weights !== null && readsWeights ? weights.at : targetsAt) + 4 * arcs
  return end - firstListPiece(graph) * PIECE_BYTES
}

const firstListPiece = (graph: GraphFile): number => Math.floor(graph.targetsAt / PIECE_BYTES)

/** Bytes of the memory that processors share, but for the lists. */
export const matchMemoryBytes = (vertices: number, candidates: number): number =>
  4 * (vertices * (2 + keptWords(candidates) + 2) + Math.ceil(vertices / 32) + chunksOf(vertices))

/**
 * Words of the state of all vertices on the device that does the rounds; active vertices are listed in turns.
 * @param longs long lists of a scan, at most
 * @param collects whether the places of collected lists follow the ends, and bits of waiting vertices those of matched ones
 */
export function roundsSpace(vertices: number, candidates: number, longs: number, collects: boolean) {
  const each = collects ? 2 : 1
  return {
    ends: each * vertices,
    kept: keptWords(candidates) * vertices,
    matched: each * Math.ceil(vertices / 32),
    pointers: vertices,
    open: vertices,
    otherOpen: vertices,
    again: vertices,
    longs,
    counters: counter.COUNT,
  }
}

/** Words on a device that scans for others, beside its batches of so many words. @param wholeVertices those of all ranks */
export function launchSpace(vertices: number, candidates: number, batchWords: number, wholeVertices = vertices) {
  const most = Math.min(vertices, SCAN_VERTICES)
  return {
    ends: wholeVertices,
    matched: Math.ceil(wholeVertices / 32),
    kept: keptWords(candidates) * most,
    longs: longLists(most, batchWords),
    counters: counter.COUNT,
  }
}

/** Words of a batch with the rest of its last list, of a file of so many bytes. */
export const batchWordsOf = (fileBytes: number, pieces: number, tail = tailPieces(pieces)): number =>
  Math.ceil(Math.min(fileBytes, (pieces + tail) * PIECE_BYTES) / 4)

/** Words of the weights of a batch, which may share a piece with others at both ends. */
export const weightWordsOf = (batchWords: number): number => batchWords + PIECE_BYTES / 2

/** Processors that do the rounds have all in one memory, for {@link MatchRounds}; beside a GPU that keeps the lists they have mates alone. */
function shareMatchMemory(
  graph: GraphFile,
  order: EdgeOrderParams,
  readsWeights: boolean,
  { candidates, keepsLists, workers }: MatchPlan,
): MatchMemory {
  const { vertices } = graph
  const doRounds = workers[0]!.gpu !== 'rounds'
  const held = doRounds || !keepsLists ? vertices : 0
  const listWords = doRounds && keepsLists ? Math.ceil(residentBytes(graph, readsWeights) / 4) : 0
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
export function listFinder({ graph, memory, readsWeights }: MatchSetup, free: FreeLists | undefined): FindList {
  const { ends, lists, places } = memory
  const all = lists ?? free?.words
  if (all === undefined) return () => undefined
  const found = { targets: all, weights: readsWeights ? all : new Uint32Array(0) }
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
 * @param heldBytes of a vertex, by which the file is cut for several ranks @param isReversed whether the last vertices are those of the first rank
 * @returns the slices of all ranks, too
 */
export function setupOf(
  { graph, order, plan, traced, exchange }: MatchRequest,
  heldBytes: number,
  isReversed = false,
): { readonly setup: MatchSetup; readonly slices: readonly GraphSlice[] } {
  const { candidates, unitsAPiece } = plan
  const { setup: scan, slices } = shareScan(graph, unitsAPiece, traced, exchange, { heldBytes, isReversed })
  const params = orderParams(order, graph.file)
  const readsWeights = order.weights === 'column'
  const memory = shareMatchMemory(graph.file, params, readsWeights, plan)
  const setup = { ...scan, order: params, readsWeights, comparesDegrees: order.ties === 'degree', candidates, memory }
  return { setup, slices }
}
