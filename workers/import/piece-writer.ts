import { closeSync } from 'node:fs'
import { openFile, writeFully } from '../base/file-bytes.ts'
import { PIECE_BYTES, pieceBytes, type SummedPieces, SumsBuilder } from '../base/sums.ts'
import { LatticeLists, type LatticeShape } from '../generate/lattice-lists.ts'
import { GR_HEADER_BYTES, grLayout } from '../graph/graph-file.ts'
import { bytesOf } from '../base/words.ts'
import type { Range } from '../base/ranges.ts'
import type { ArcReport } from './canonical/arc-check.ts'

export interface PieceFile {
  readonly path: string
  readonly vertices: number
  readonly arcs: number
  readonly weighted: boolean
}

/** What a thread does with pieces of a file. */
export interface PieceTaker {
  /** @returns false where one does not fit, and the others do not matter @throws Failure (storage) */
  take(pieces: Range): boolean
  finish(): PiecesReport
  close(): void
}

export interface PiecesReport {
  readonly pieces: SummedPieces
  /** Where they were checked. */
  readonly arcs?: ArcReport
}

/** Makes items [first, last) of a section. */
type MakeItems = (first: number, last: number, into: Uint32Array) => void

/** What graph.gr has behind its header, by ranges. */
interface GraphSections {
  /** Two words each. */
  readonly ends: MakeItems
  readonly targets: MakeItems
  readonly weights?: MakeItems
}

/** Writes and sums pieces of graph.gr as they are made. */
export class PieceWriter implements PieceTaker {
  readonly #file: PieceFile
  readonly #sections: GraphSections
  readonly #sums = new SumsBuilder()
  readonly #open: number
  readonly #words: Uint32Array<ArrayBuffer>

  /** @param words where pieces are made */
  constructor(file: PieceFile, sections: GraphSections, words = new Uint32Array(PIECE_BYTES / 4)) {
    this.#file = file
    this.#sections = sections
    this.#words = words
    this.#open = openFile(file.path, 'r+')
  }

  take({ first, end }: Range): true {
    for (let piece = first; piece < end; piece++) this.#write(piece)
    return true
  }

  #write(piece: number): void {
    const { vertices, arcs, weighted, path } = this.#file
    const { targetsAt, weightsAt, fileBytes } = grLayout(vertices, arcs, weighted)
    const at = piece * PIECE_BYTES
    const end = at + pieceBytes(fileBytes, piece)
    const words = this.#words.subarray(0, (end - at) / 4)
    const make = (sectionAt: number, bytesEach: number, count: number, items: MakeItems): void => {
      const first = Math.max(0, (at - sectionAt) / bytesEach)
      const last = Math.min(count, (end - sectionAt) / bytesEach)
      if (first >= last) return
      const from = (sectionAt + first * bytesEach - at) / 4
      items(first, last, words.subarray(from, from + ((last - first) * bytesEach) / 4))
    }
    const { ends, targets, weights } = this.#sections
    if (piece === 0) words.set([1, 0, weighted ? 4 : 0, 0, vertices, 0, arcs, Math.floor(arcs / 2 ** 32)])
    make(GR_HEADER_BYTES, 8, vertices, ends)
    make(targetsAt, 4, arcs, targets)
    if (arcs % 2 === 1 && at < weightsAt && weightsAt <= end) words[(weightsAt - at) / 4 - 1] = 0
    if (weights !== undefined) make(weightsAt, 4, arcs, weights)
    const bytes = bytesOf(words)
    this.#sums.addPiece(piece, bytes)
    writeFully(this.#open, bytes, at, path)
  }

  finish(): PiecesReport {
    return { pieces: this.#sums.pieces }
  }

  close(): void {
    closeSync(this.#open)
  }
}

interface LatticeTask {
  readonly path: string
  readonly shape: LatticeShape
}

export function latticePieces({ path, shape }: LatticeTask): PieceWriter {
  const lists = new LatticeLists(shape)
  const { vertices, arcs } = lists
  const sections = { ends: lists.ends.bind(lists), targets: lists.targets.bind(lists) }
  return new PieceWriter({ path, vertices, arcs, weighted: false }, sections)
}
