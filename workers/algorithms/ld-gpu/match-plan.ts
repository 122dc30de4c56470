import { PIECE_BYTES } from '../../base/sums.ts'
import type { DeviceFacts } from '../../contract/jobs.ts'
import { grLayout } from '../../graph/graph-file.ts'

export interface MatchSize {
  readonly vertices: number
  readonly arcs: number
  /** Whether weights of the file are compared. */
  readonly readsWeights: boolean
  /** Of a slice: vertices of the whole graph, whose ends a GPU has room for. */
  readonly wholeVertices?: number
}

export interface MatchPlan {
  readonly units: number
  /** Units that a piece of the file is cut into. */
  readonly unitsAPiece: number
  /** Neighbours that a vertex keeps. */
  readonly candidates: number
  /** Whether the lists stay in memory. */
  readonly keepsLists: boolean
  /** Of all processors. */
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
  /** Of a GPU that streams lists. */
  readonly batchPieces?: number
  readonly deviceBytes: number
  /** Infinity where it is not known. */
  readonly budgetBytes: number
}

export interface MatchWishes {
  readonly batches?: number | undefined
  readonly memoryBytes?: number | undefined
  /** Lists are streamed whatever there is room for. */
  readonly streams?: boolean | undefined
}

/** Neighbours that a vertex keeps. With four, a tenth of the vertices of real graphs is scanned again; eight cost more than they save. */
export const CANDIDATES = 4
export const MOST_THREADS = 64
/** A longer list takes a thread group, and the longest a workgroup. */
export const LONGER = 32
export const LONGEST_OF_A_GROUP = 256
/** For counters, tables and the driver. */
export const FIXED_BYTES = 1 << 16
/** Pieces of a batch: more gain nothing, and each is waited for. */
export const BATCH_PIECES = 64
export const BATCH_BUFFERS = 3
/** Pieces of a batch of a GPU that streams, at least; and batches, where the budget allows. */
export const LEAST_PIECES = 4
const BATCHES_OF_A_WORKER = 8
/** Vertices of a launch of a GPU that streams. */
export const SCAN_VERTICES = 1 << 18

/** The largest buffer that a kernel sees. */
export const largestOn = ({ maxBindingBytes, maxBufferBytes }: DeviceFacts): number =>
  Math.min(maxBindingBytes ?? Infinity, maxBufferBytes ?? Infinity)

export const longLists = (vertices: number, arcs: number): number => Math.min(vertices, Math.ceil(arcs / LONGER)) + 1

export const listsBytes = ({ arcs, readsWeights }: MatchSize): number => (readsWeights ? 8 : 4) * arcs

export const fileBytes = ({ vertices, arcs, readsWeights }: MatchSize): number =>
  grLayout(vertices, arcs, readsWeights).fileBytes

/** Of a batch: no worker waits long for the last one of another. */
export function mostPieces(size: MatchSize, workers: number): number {
  const shared = Math.ceil(fileBytes(size) / PIECE_BYTES / (BATCHES_OF_A_WORKER * workers))
  return Math.max(LEAST_PIECES, Math.min(BATCH_PIECES, shared))
}

/** Pieces with the rest of the last list of a batch, at most: the host reads longer ones. */
export const tailPieces = (batchPieces: number): number => Math.max(1, Math.floor(batchPieces / 8))

/** Of batches on their way and their weights, counters and tables. */
export function batchBytes(size: MatchSize, pieces: number): number {
  const batch = Math.min(fileBytes(size), (pieces + tailPieces(pieces)) * PIECE_BYTES)
  return BATCH_BUFFERS * batch + (size.readsWeights ? batch + 2 * PIECE_BYTES : 0) + FIXED_BYTES
}
