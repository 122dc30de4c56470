import { closeSync, openSync } from 'node:fs'
import { asFailure } from '../../base/failure.ts'
import { GR_HEADER_BYTES, grLayout } from '../../graph/graph-file.ts'
import { bytesOf } from '../external/scratch-file.ts'
import { type CsrLayout, exactTargets, numbers } from '../formats/csr.ts'
import { StoredFile } from '../formats/stored-file.ts'
import { ArcCheck, type ArcReport, type FingerprintKeys, ROOM_BYTES } from './arc-check.ts'
import { writeFully } from '../../base/file-bytes.ts'

export interface CopyPlan {
  readonly source: string
  /** As the user named it. */
  readonly name: string
  readonly layout: CsrLayout
  /** Whether weights are copied. */
  readonly weighted: boolean
  /** graph.gr: all but header and padding is written in place. */
  readonly graphPath: string
  readonly keys: FingerprintKeys
}

export interface CopyReport extends ArcReport {
  readonly fits: boolean
}

const END_STEP = 1 << 16
const ARC_STEP = ROOM_BYTES / 4

/** Copies parts of a binary adjacency file into graph.gr and checks that they can be canonical. */
export class SliceCopier {
  readonly #plan: CopyPlan
  readonly #file: StoredFile
  readonly #graph: number
  readonly #weightsAt: number
  readonly #targetsAt: number
  readonly #check: ArcCheck
  #fits = true

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
    this.#check = new ArcCheck(this.#file, plan.layout, plan.keys, plan.weighted)
  }

  get report(): CopyReport {
    return { fits: this.#fits, ...this.#check.report }
  }

  /** @returns whether the ends [first, last) fit */
  ends(first: number, last: number): boolean {
    const { offsets } = this.#plan.layout
    for (let from = first; this.#fits && from < last; from += END_STEP) {
      const end = Math.min(last, from + END_STEP)
      const raw = this.#check.room.subarray(0, offsets.stride * (end - from))
      this.#file.fill(raw, offsets.at + offsets.stride * (from + (offsets.leading ? 1 : 0)))
      this.#fits = this.#check.endsFit(from, end, 0)
      if (this.#fits)
        writeFully(this.#graph, wideEnds(raw, offsets.stride), GR_HEADER_BYTES + 8 * from, this.#plan.graphPath)
    }
    return this.#fits
  }

  /** @returns whether the arcs [first, last) fit */
  arcs(first: number, last: number): boolean {
    for (let from = first; this.#fits && from < last; from += ARC_STEP)
      this.#fits = this.#copy(from, Math.min(last, from + ARC_STEP))
    return this.#fits
  }

  /** Needed in every case. */
  close(): void {
    this.#file.close()
    closeSync(this.#graph)
  }

  #copy(first: number, last: number): boolean {
    const { layout, weighted, graphPath } = this.#plan
    const targets = exactTargets(this.#file, layout, first, last - first)
    if (targets === null) return false
    const count = last - first
    const weights = weighted ? bytesOf(new Float32Array(numbers(this.#file, layout.weights!, first, count))) : undefined
    this.#check.room.set(bytesOf(targets))
    if (!this.#check.arcsFit(first, last, 0, weights && { bytes: weights, floats: true })) return false
    writeFully(this.#graph, bytesOf(targets), this.#targetsAt + 4 * first, graphPath)
    if (weights !== undefined) writeFully(this.#graph, weights, this.#weightsAt + 4 * first, graphPath)
    return true
  }
}

/** As u64. */
function wideEnds(raw: Uint8Array<ArrayBuffer>, stride: number): Uint8Array {
  if (stride === 8) return raw
  const narrow = new Uint32Array(raw.buffer, raw.byteOffset, raw.length / 4)
  const words = new Uint32Array(2 * narrow.length)
  for (let i = 0; i < narrow.length; i++) words[2 * i] = narrow[i]!
  return bytesOf(words)
}
