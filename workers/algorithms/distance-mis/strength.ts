import type { JobContext } from '../../base/job.ts'
import type { GaloisGr } from '../../graph/galois-gr.ts'
import { scanLists } from '../../graph/scan-lists.ts'
import type { ArcBatch } from '../arc-store.ts'

/**
 * An edge counts where |w(u, v)| >= threshold sqrt(d(u) d(v)), d being the sum of the absolute weights at a vertex: what stands on the diagonal of
 * a matrix whose rows add up to zero (Vanek, Mandel, Brezina, Computing 56, 1996, section 5).
 */
export interface Strength {
  readonly threshold: number
  /** By vertex, in shared memory. */
  readonly diagonal: Float64Array
}

export const strengthBytes = (vertices: number): number => 8 * vertices

/** The sums of the absolute weights at all vertices, in the order of their lists. */
export function strengthOf(graph: GaloisGr, threshold: number, job: JobContext): Strength {
  const diagonal = new Float64Array(new SharedArrayBuffer(strengthBytes(graph.vertices)))
  scanLists(graph, job, 'scan', ({ first, offsets, firstArc }) => {
    const weights = graph.readWeights(firstArc, firstArc + offsets.at(-1)!)
    for (let row = 0; row + 1 < offsets.length; row++)
      for (let at = offsets[row]!; at < offsets[row + 1]!; at++) diagonal[first + row]! += Math.abs(weights[at]!)
  })
  return { threshold, diagonal }
}

/** The strong arcs of a batch. */
export function strongArcs(graph: GaloisGr, { threshold, diagonal }: Strength) {
  const square = threshold * threshold
  return (offsets: Uint32Array, targets: Uint32Array, { first, firstArc }: Pick<ArcBatch, 'first' | 'firstArc'>) => {
    const weights = graph.readWeights(firstArc, firstArc + targets.length)
    const kept = new Uint32Array(offsets.length)
    let count = 0
    for (let i = 0; i + 1 < offsets.length; i++) {
      const own = diagonal[first + i]!
      for (let at = offsets[i]!; at < offsets[i + 1]!; at++) {
        const [u, w] = [targets[at]!, weights[at]!]
        // The product of both ends first: the same for either arc of an edge.
        if (w * w >= square * (own * diagonal[u]!)) targets[count++] = u
      }
      kept[i + 1] = count
    }
    return { offsets: kept, targets: targets.subarray(0, count) }
  }
}
