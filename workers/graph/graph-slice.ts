import { lowerBound } from '../base/lower-bound.ts'
import { PIECE_BYTES } from '../base/sums.ts'
import type { GraphPieces, Range } from './graph-pieces.ts'

/** Vertices, and units of the file that hold their lists. */
export interface GraphSlice {
  readonly vertices: Range
  readonly units: Range
}

interface RankPlace {
  readonly rank: number
  readonly ranks: number
}

/** Whole words of states and of bits. */
const STEP = 32
/** An offset; what is held of a vertex counts besides. */
const BYTES_A_VERTEX = 8
const BYTES_AN_ARC = 4

/**
 * Equal bytes of offsets and lists, and of what a rank holds for each vertex; the first unit may be the last of the slice before.
 * @param heldBytes of a vertex
 */
export function sliceOf(pieces: GraphPieces, place: RankPlace | undefined, heldBytes = 0): GraphSlice {
  const { vertices } = pieces.graph
  if (place === undefined) return { vertices: { first: 0, end: vertices }, units: { first: 0, end: pieces.units } }
  const [first, end] = [place.rank, place.rank + 1].map((rank) =>
    boundary(pieces, rank / place.ranks, BYTES_A_VERTEX + heldBytes),
  ) as [number, number]
  if (first >= end) return { vertices: { first: 0, end: 0 }, units: { first: 0, end: 0 } }
  const units = { first: unitAt(pieces, pieces.endOf(first - 1)), end: 1 + unitAt(pieces, pieces.endOf(end - 1)) }
  return { vertices: { first, end }, units }
}

export const slicesOf = (pieces: GraphPieces, ranks: number, heldBytes = 0): GraphSlice[] =>
  Array.from({ length: ranks }, (_, rank) => sliceOf(pieces, { rank, ranks }, heldBytes))

export const within = ({ first, end }: Range, limits: Range): Range => {
  const from = Math.min(Math.max(first, limits.first), limits.end)
  return { first: from, end: Math.max(from, Math.min(end, limits.end)) }
}

function boundary(pieces: GraphPieces, share: number, vertexBytes: number): number {
  const { vertices, arcs } = pieces.graph
  if (share === 0 || share === 1) return share * vertices
  const wanted = share * (vertexBytes * vertices + BYTES_AN_ARC * arcs)
  const found = lowerBound(0, vertices, (v) => vertexBytes * v + BYTES_AN_ARC * pieces.endOf(v - 1) < wanted)
  return Math.min(vertices, STEP * Math.round(found / STEP))
}

function unitAt({ graph, lists, units }: GraphPieces, arc: number): number {
  const unitBytes = ((lists.end - lists.first) * PIECE_BYTES) / Math.max(1, units)
  const at = graph.targetsAt + 4 * arc - lists.first * PIECE_BYTES
  return Math.max(0, Math.min(units - 1, Math.floor(at / unitBytes)))
}
