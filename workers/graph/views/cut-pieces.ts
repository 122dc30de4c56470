import type { JobContext } from '../../job.ts'
import { throwIfCancelled } from '../../job.ts'
import type { GaloisGr } from '../galois-gr.ts'

export interface PieceLimits {
  readonly arcs: number
  readonly vertices: number
}

/** A graph's vertices cut into ranges that can be worked on at once, and what a walk over its offsets tells. */
export interface GraphPieces {
  /** Piece i is the vertices [bounds[i], bounds[i + 1]); no piece is empty. Shared memory. */
  readonly bounds: Uint32Array
  readonly maxDegree: number
  readonly degrees: Uint32Array
}

const OFFSETS_PER_READ = 1 << 16

/**
 * Walks over the offsets of the graph. A piece has at most `limits.arcs` arcs, or one vertex.
 * @param degrees filled where there is room for all vertices; may be empty
 */
export function cutPieces(graph: GaloisGr, limits: PieceLimits, degrees: Uint32Array, job: JobContext): GraphPieces {
  const bounds = [0]
  let pieceFirst = 0
  let pieceStart = 0
  let maxDegree = 0
  for (let first = 0; first < graph.vertices; first += OFFSETS_PER_READ) {
    throwIfCancelled(job.signal)
    const last = Math.min(graph.vertices, first + OFFSETS_PER_READ)
    const offsets = graph.readOffsets(first, last)
    for (let v = first; v < last; v++) {
      const start = offsets[v - first]!
      const end = offsets[v - first + 1]!
      if (v > pieceFirst && (end - pieceStart > limits.arcs || v - pieceFirst >= limits.vertices)) {
        bounds.push(v)
        pieceFirst = v
        pieceStart = start
      }
      if (end - start > maxDegree) maxDegree = end - start
      if (degrees.length > 0) degrees[v] = end - start
    }
  }
  if (graph.vertices > 0) bounds.push(graph.vertices)
  return { bounds: sharedWords(bounds), maxDegree, degrees }
}

/** Numbers in memory that threads share. */
export function sharedWords(numbers: readonly number[]): Uint32Array {
  const words = new Uint32Array(new SharedArrayBuffer(4 * numbers.length))
  words.set(numbers)
  return words
}
