import { closeSync } from 'node:fs'
import { openFile, writeFully } from '../../base/file-bytes.ts'
import { PIECE_BYTES, pieceBytes, SumsBuilder } from '../../base/sums.ts'
import { GR_HEADER_BYTES, type GrLayout, grHeader, grLayout } from '../../graph/graph-file.ts'
import { bytesOf } from '../external/scratch-file.ts'
import type { Range } from '../../base/ranges.ts'
import { exactTargets, itemsWithin, numbers } from '../formats/csr.ts'
import { StoredFile } from '../formats/stored-file.ts'
import { ArcCheck } from './arc-check.ts'
import { type CheckReport, type CheckTask, takePieces } from './check-pieces.ts'

export interface CopyTask extends CheckTask {
  readonly source: string
  readonly name: string
  readonly weighted: boolean
  /** graph.gr. */
  readonly graphPath: string
}

/** Makes, checks, sums and writes pieces of graph.gr, while they are in the cache. */
export const copyTask = async (task: CopyTask): Promise<CheckReport> => {
  const copier = new PieceCopier(task)
  try {
    const fits = takePieces(task, (piece) => copier.copy(piece))
    return { fits, ...copier.report }
  } finally {
    copier.close()
  }
}

class PieceCopier {
  readonly #task: CopyTask
  readonly #file: StoredFile
  readonly #graph: number
  readonly #layout: GrLayout
  readonly #check: ArcCheck
  readonly #sums = new SumsBuilder()

  constructor(task: CopyTask) {
    const { vertices, arcs } = task.layout
    this.#task = task
    this.#layout = grLayout(vertices, arcs, task.weighted)
    this.#file = StoredFile.open(task.source, task.name)
    this.#graph = openFile(task.graphPath, 'r+')
    this.#check = new ArcCheck(this.#file, task.layout, task.keys, task.weighted)
  }

  get report(): Omit<CheckReport, 'fits'> {
    return { pieces: this.#sums.pieces, ...this.#check.report }
  }

  copy(piece: number): boolean {
    const { layout, weighted, fileBytes, graphPath } = this.#task
    const { vertices, arcs } = layout
    const { targetsAt, weightsAt } = this.#layout
    const at = piece * PIECE_BYTES
    const bytes = this.#check.room.subarray(0, pieceBytes(fileBytes, piece))
    const within = (sectionAt: number, each: number, count: number): Range =>
      itemsWithin(sectionAt, each, count, at, bytes.length)
    if (piece === 0) bytes.set(grHeader(vertices, arcs, weighted))
    const ends = within(GR_HEADER_BYTES, 8, vertices)
    if (ends.first < ends.last && !this.#ends(ends, GR_HEADER_BYTES + 8 * ends.first - at)) return false
    const targets = within(targetsAt, 4, arcs)
    if (targets.first < targets.last && !this.#targets(targets, targetsAt + 4 * targets.first - at)) return false
    const paddingAt = targetsAt + 4 * arcs - at
    bytes.fill(0, Math.max(0, paddingAt), Math.max(0, Math.min(bytes.length, weightsAt - at)))
    const weights = within(weightsAt, 4, weighted ? arcs : 0)
    if (weights.first < weights.last) bytes.set(this.#weights(weights), weightsAt + 4 * weights.first - at)
    this.#sums.addPiece(piece, bytes)
    writeFully(this.#graph, bytes, at, graphPath)
    return true
  }

  close(): void {
    this.#file.close()
    closeSync(this.#graph)
  }

  #ends({ first, last }: Range, at: number): boolean {
    const { offsets } = this.#task.layout
    const from = offsets.at + offsets.stride * (first + (offsets.leading ? 1 : 0))
    const bytes = this.#check.room.subarray(at, at + 8 * (last - first))
    if (offsets.stride === 8) this.#file.fill(bytes, from)
    else bytes.set(wideEnds(this.#file.read(from, 4 * (last - first))))
    return this.#check.endsFit(first, last, at, 8)
  }

  #targets(range: Range, at: number): boolean {
    const { layout, weighted } = this.#task
    const { first, last } = range
    const { targets } = layout
    const bytes = this.#check.room.subarray(at, at + 4 * (last - first))
    if (targets.stride === 4) this.#file.fill(bytes, targets.at + 4 * first)
    else {
      const exact = exactTargets(this.#file, layout, first, last - first)
      if (exact === null) return false
      bytes.set(bytesOf(exact))
    }
    return this.#check.arcsFit(first, last, at, weighted ? { bytes: this.#weights(range), floats: true } : undefined)
  }

  #weights({ first, last }: Range): Uint8Array {
    return bytesOf(new Float32Array(numbers(this.#file, this.#task.layout.weights!, first, last - first)))
  }
}

function wideEnds(narrow: Uint8Array<ArrayBuffer>): Uint8Array {
  const words = new Uint32Array(narrow.buffer)
  const wide = new Uint32Array(2 * words.length)
  for (let i = 0; i < words.length; i++) wide[2 * i] = words[i]!
  return bytesOf(wide)
}
