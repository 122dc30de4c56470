import { closeSync, openSync } from 'node:fs'
import { asFailure } from '../../base/failure.ts'
import { GR_HEADER_BYTES, grLayout } from '../../graph/graph-file.ts'
import { bytesOf } from '../external/scratch-file.ts'
import { type CsrLayout, endOf, endsOf, exactTargets, ListWalk, numbers } from '../formats/csr.ts'
import { StoredFile } from '../formats/stored-file.ts'
import { ArcFingerprint, type FingerprintKeys } from './arc-fingerprint.ts'
import { writeFully } from '../../base/file-bytes.ts'

export interface CopyPlan {
  readonly source: string
  /** The file as the user named it, for messages. */
  readonly name: string
  readonly layout: CsrLayout
  /** Whether the weights go along. */
  readonly weighted: boolean
  /** graph.gr: everything but header and padding is written in place. */
  readonly graphPath: string
  readonly keys: FingerprintKeys
}

/** What was seen in a range of lists. */
export interface CopiedEnds {
  /** Whether the lists are those of a canonical file. */
  readonly fits: boolean
  readonly maxDegree: number
  readonly isolated: number
}

/** What was seen in a range of arcs. */
export interface CopiedArcs {
  /** Whether these arcs can be those of a canonical file. */
  readonly fits: boolean
  /** As in {@link ArcFingerprint}. */
  readonly sums: Int32Array
  readonly counts: Float64Array
  readonly smallestWeight: number
  readonly largestWeight: number
}

const END_STEP = 1 << 16
const ARC_STEP = 1 << 18

/** Copies parts of a binary adjacency file into a graph.gr and looks whether they can be those of a canonical graph. */
export class SliceCopier {
  readonly #plan: CopyPlan
  readonly #file: StoredFile
  readonly #graph: number
  readonly #weightsAt: number
  readonly #targetsAt: number
  #smallest = Infinity
  #largest = 0

  constructor(plan: CopyPlan) {
    const { vertices, arcs } = plan.layout
    const layout = grLayout(vertices, arcs, plan.weighted)
    this.#plan = plan
    this.#targetsAt = layout.targetsAt
    this.#weightsAt = layout.weightsAt
    this.#file = StoredFile.open(plan.source, plan.name)
    try {
      this.#graph = openSync(plan.graphPath, 'r+')
    } catch (error) {
      this.#file.close()
      throw asFailure(error, plan.graphPath)
    }
  }

  /** The ends of the lists [first, last). */
  ends(first: number, last: number): CopiedEnds {
    const { layout, graphPath } = this.#plan
    const { arcs } = layout
    let before = first === 0 ? 0 : endOf(this.#file, layout, first - 1)
    let [maxDegree, isolated] = [0, 0]
    for (let from = first; from < last; from += END_STEP) {
      const count = Math.min(END_STEP, last - from)
      const ends = endsOf(this.#file, layout, from, count)
      const words = new Uint32Array(2 * count)
      for (let i = 0; i < count; i++) {
        const end = ends[i]!
        if (!(end >= before && end <= arcs)) return { fits: false, maxDegree, isolated }
        if (end - before > maxDegree) maxDegree = end - before
        if (end === before) isolated++
        words[2 * i] = end
        words[2 * i + 1] = end / 2 ** 32
        before = end
      }
      writeFully(this.#graph, bytesOf(words), GR_HEADER_BYTES + 8 * from, graphPath)
    }
    const startsAtZero = first > 0 || !layout.offsets.leading || numbers(this.#file, layout.offsets, 0, 1)[0] === 0
    return { fits: startsAtZero && (last < layout.vertices || before === arcs), maxDegree, isolated }
  }

  /** The arcs [first, last): targets and, where they go along, weights. */
  arcs(first: number, last: number): CopiedArcs {
    const fingerprint = new ArcFingerprint(this.#plan.keys)
    const lists = new ListWalk(this.#file, this.#plan.layout, first)
    this.#smallest = Infinity
    this.#largest = 0
    let fits = true
    for (let from = first; fits && from < last; from += ARC_STEP)
      fits = this.#copy(from, Math.min(last, from + ARC_STEP), lists, fingerprint)
    const { sums, counts } = fingerprint
    return { fits, sums, counts, smallestWeight: this.#smallest, largestWeight: this.#largest }
  }

  /** Needed in every case. */
  close(): void {
    this.#file.close()
    closeSync(this.#graph)
  }

  #copy(first: number, last: number, lists: ListWalk, fingerprint: ArcFingerprint): boolean {
    const { layout, weighted, graphPath } = this.#plan
    const targets = exactTargets(this.#file, layout, first, last - first)
    const weights = weighted ? this.#weights(first, last - first) : null
    if (targets === null || (weighted && weights === null)) return false
    const bits = weights === null ? null : new Int32Array(weights.buffer)
    for (let at = first; at < last;) {
      const list = lists.at(at)
      if (list === null) return false
      const end = Math.min(last, list.end)
      // Within the list, but before this piece: the walk read it in its last piece, or must look.
      const before = list.start < at ? (at > first ? targets[at - first - 1]! : this.#target(at - 1)) : -1
      if (!fingerprint.addList(list.vertex, targets, at - first, end - first, before, bits)) return false
      if (targets[end - first - 1]! >= layout.vertices) return false
      at = end
    }
    if (!fingerprint.settle()) return false
    writeFully(this.#graph, bytesOf(targets), this.#targetsAt + 4 * first, graphPath)
    if (weights !== null) writeFully(this.#graph, bytesOf(weights), this.#weightsAt + 4 * first, graphPath)
    return true
  }

  #target(arc: number): number {
    return numbers(this.#file, this.#plan.layout.targets, arc, 1)[0]!
  }

  /** The weights as they are stored; null where one of them is for the weight policy to decide on. */
  #weights(first: number, count: number): Float32Array | null {
    const weights = new Float32Array(numbers(this.#file, this.#plan.layout.weights!, first, count))
    for (let i = 0; i < count; i++) {
      const weight = weights[i]!
      if (!(weight > 0 && weight < Infinity)) return null
      if (weight < this.#smallest) this.#smallest = weight
      if (weight > this.#largest) this.#largest = weight
    }
    return weights
  }
}
