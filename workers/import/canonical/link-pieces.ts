import { PIECE_BYTES, pieceBytes, SumsBuilder } from '../../base/sums.ts'
import { type CsrLayout, itemsWithin } from '../formats/csr.ts'
import { StoredFile } from '../formats/stored-file.ts'
import { ArcCheck } from './arc-check.ts'
import { type CheckReport, type CheckTask, takePieces } from './check-pieces.ts'

export interface LinkTask extends CheckTask {
  readonly path: string
}

/** Checks and sums pieces of a file that stays where it is. */
export const linkTask = async (task: LinkTask): Promise<CheckReport> => {
  const { path, layout, fileBytes, keys } = task
  const file = StoredFile.open(path)
  try {
    const check = new ArcCheck(file, layout, keys, layout.weights !== null)
    const sums = new SumsBuilder()
    const fits = takePieces(task, (piece) => {
      const at = PIECE_BYTES * piece
      const bytes = check.room.subarray(0, pieceBytes(fileBytes, piece))
      file.fill(bytes, at)
      sums.addPiece(piece, bytes)
      return pieceFits(check, file, layout, at, bytes.length)
    })
    return { fits, pieces: sums.pieces, ...check.report }
  } finally {
    file.close()
  }
}

function pieceFits(check: ArcCheck, file: StoredFile, layout: CsrLayout, at: number, bytes: number): boolean {
  const { vertices, arcs, offsets, targets, weights } = layout
  const firstEnd = offsets.at + (offsets.leading ? offsets.stride : 0)
  const ends = itemsWithin(firstEnd, offsets.stride, vertices, at, bytes)
  if (ends.first < ends.last && !check.endsFit(ends.first, ends.last, firstEnd + offsets.stride * ends.first - at))
    return false
  const { first, last } = itemsWithin(targets.at, targets.stride, arcs, at, bytes)
  if (first === last) return true
  const beside =
    weights === null
      ? undefined
      : { bytes: file.read(weights.at + 4 * first, 4 * (last - first)), floats: weights.kind === 'f32' }
  return check.arcsFit(first, last, targets.at + 4 * first - at, beside)
}
