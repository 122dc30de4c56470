import type { JobContext } from '../../base/job.ts'
import { rangesOf } from '../../base/ranges.ts'
import type { GraphExportArgs } from '../../contract/jobs.ts'
import { type GaloisGr, openGraph } from '../../graph/galois-gr.ts'
import { type Labels, openLabels } from '../../graph/labels.ts'

const STEP_VERTICES = 1 << 16
const STEP_ARCS = 1 << 18

interface ArcPiece {
  readonly sources: Uint32Array
  readonly targets: Uint32Array
  readonly weights: Float32Array | null
}

/** The canonical graph in pieces whose size does not depend on the graph. */
export class ExportedGraph {
  readonly vertices: number
  readonly arcs: number
  readonly weighted: boolean
  readonly labels: Labels
  readonly #graph: GaloisGr

  constructor({ folder, checksum }: Pick<GraphExportArgs, 'folder' | 'checksum'>, job: JobContext) {
    this.#graph = openGraph(folder, checksum, job)
    this.vertices = this.#graph.vertices
    this.arcs = this.#graph.arcs
    this.weighted = this.#graph.weighted
    this.labels = openLabels(folder, this.vertices)
  }

  *ends(): Generator<Float64Array> {
    for (const { first, end } of rangesOf(this.vertices, STEP_VERTICES))
      yield this.#graph.readOffsets(first, end).subarray(1)
  }

  /** A list longer than a piece is cut. */
  *pieces(): Generator<ArcPiece> {
    for (const { first, end: limit } of rangesOf(this.vertices, STEP_VERTICES)) {
      const offsets = this.#graph.readOffsets(first, limit)
      let u = first
      for (let start = offsets[0]!; start < offsets[limit - first]!; start += STEP_ARCS) {
        const end = Math.min(offsets[limit - first]!, start + STEP_ARCS)
        const sources = new Uint32Array(end - start)
        for (let arc = start; arc < end; arc++) {
          while (offsets[u - first + 1]! <= arc) u++
          sources[arc - start] = u
        }
        const weights = this.weighted ? this.#graph.readWeights(start, end) : null
        yield { sources, targets: this.#graph.readTargets(start, end), weights }
      }
    }
  }

  hasWholeWeights(): boolean {
    for (const { weights } of this.pieces())
      if (weights?.some((weight) => !Number.isInteger(weight) || weight >= 2 ** 23)) return false
    return this.weighted
  }

  close(): void {
    this.#graph.close()
  }
}
