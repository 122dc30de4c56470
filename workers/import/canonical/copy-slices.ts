import { closeSync } from 'node:fs'
import { GR_HEADER_BYTES, grLayout } from '../../graph/graph-file.ts'
import { bytesOf } from '../external/scratch-file.ts'
import { type CsrLayout, exactTargets, numbers } from '../formats/csr.ts'
import { StoredFile } from '../formats/stored-file.ts'
import type { Range } from '../external/entry-ids.ts'
import { ArcCheck, type ArcReport, type CheckReport, type CheckTask, takeParts } from './arc-check.ts'
import { openFile, writeFully } from '../../base/file-bytes.ts'

export interface CopyTask extends CheckTask {
  readonly source: string
  readonly name: string
  readonly weighted: boolean
  /** graph.gr: all but header and padding is written in place. */
  readonly graphPath: string
}

export const copyTask = async (task: CopyTask): Promise<CheckReport> => {
  const copier = new SliceCopier(task)
  try {
    const slices = slicesOf(task.layout)
    const fits = takeParts(task.board, slices.length, (part) => copier.copy(slices[part]!))
    return { fits, ...copier.report }
  } finally {
    copier.close()
  }
}

interface Slice extends Range {
  readonly kind: 'ends' | 'arcs'
}

const END_SLICE = 1 << 18
const ARC_SLICE = 1 << 20

function slicesOf({ vertices, arcs }: CsrLayout): Slice[] {
  const cut = (kind: Slice['kind'], total: number, size: number): Slice[] =>
    Array.from({ length: Math.ceil(total / size) }, (_, i) => {
      return { kind, first: i * size, last: Math.min(total, (i + 1) * size) }
    })
  return [...cut('ends', vertices, END_SLICE), ...cut('arcs', arcs, ARC_SLICE)]
}

/** In the first slices, at most. */
export const arcsIn = ({ vertices, arcs }: CsrLayout, slices: number): number =>
  Math.min(arcs, ARC_SLICE * Math.max(0, slices - Math.ceil(vertices / END_SLICE)))

const END_STEP = 1 << 16

class SliceCopier {
  readonly #plan: CopyTask
  readonly #file: StoredFile
  readonly #graph: number
  readonly #weightsAt: number
  readonly #targetsAt: number
  readonly #check: ArcCheck

  constructor(plan: CopyTask) {
    const { vertices, arcs } = plan.layout
    const layout = grLayout(vertices, arcs, plan.weighted)
    this.#plan = plan
    this.#targetsAt = layout.targetsAt
    this.#weightsAt = layout.weightsAt
    this.#file = StoredFile.open(plan.source, plan.name)
    this.#graph = openFile(plan.graphPath, 'r+')
    this.#check = new ArcCheck(this.#file, plan.layout, plan.keys, plan.weighted)
  }

  get report(): ArcReport {
    return this.#check.report
  }

  copy({ kind, first, last }: Slice): boolean {
    return kind === 'ends' ? this.#ends(first, last) : this.#arcs(first, last)
  }

  #ends(first: number, last: number): boolean {
    const { offsets } = this.#plan.layout
    for (let from = first; from < last; from += END_STEP) {
      const end = Math.min(last, from + END_STEP)
      const raw = this.#check.room.subarray(0, offsets.stride * (end - from))
      this.#file.fill(raw, offsets.at + offsets.stride * (from + (offsets.leading ? 1 : 0)))
      if (!this.#check.endsFit(from, end, 0)) return false
      writeFully(this.#graph, wideEnds(raw, offsets.stride), GR_HEADER_BYTES + 8 * from, this.#plan.graphPath)
    }
    return true
  }

  close(): void {
    this.#file.close()
    closeSync(this.#graph)
  }

  #arcs(first: number, last: number): boolean {
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

function wideEnds(raw: Uint8Array<ArrayBuffer>, stride: number): Uint8Array {
  if (stride === 8) return raw
  const narrow = new Uint32Array(raw.buffer, raw.byteOffset, raw.length / 4)
  const words = new Uint32Array(2 * narrow.length)
  for (let i = 0; i < narrow.length; i++) words[2 * i] = narrow[i]!
  return bytesOf(words)
}
