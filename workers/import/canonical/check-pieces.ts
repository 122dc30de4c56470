import { PIECE_BYTES, type SummedPieces, SumsBuilder } from '../../base/sums.ts'
import type { CsrLayout, Section } from '../formats/csr.ts'
import { StoredFile } from '../formats/stored-file.ts'
import { ArcCheck, type ArcReport, type FingerprintKeys, ROOM_BYTES } from './arc-check.ts'

/** A check of a file's graph that several threads share. */
export interface CheckTask {
  readonly path: string
  readonly layout: CsrLayout
  readonly keys: FingerprintKeys
  /** Shared: the next stretch to take, and whether to stop. */
  readonly board: Int32Array
}

/** Words of {@link CheckTask.board}. */
export const NEXT = 0
export const STOP = 1
export const BOARD_WORDS = 2

/** What a thread saw of the file. */
export interface CheckReport extends ArcReport {
  /** Whether it can be a canonical graph. */
  readonly fits: boolean
  readonly pieces: SummedPieces
}

/** Whole pieces. */
export const STRETCH_BYTES = ROOM_BYTES

/** A thread's part of a check: stretches of the file, as the board gives them out, are read once, summed, and looked through. */
export const checkTask = (task: CheckTask): Promise<CheckReport> => {
  const file = StoredFile.open(task.path)
  try {
    return Promise.resolve(checkStretches(task, file))
  } finally {
    file.close()
  }
}

function checkStretches({ layout, keys, board }: CheckTask, file: StoredFile): CheckReport {
  const check = new ArcCheck(file, layout, keys, layout.weights !== null)
  const sums = new SumsBuilder()
  let fits = true
  for (;;) {
    const at = STRETCH_BYTES * Atomics.add(board, NEXT, 1)
    if (at >= file.bytes || Atomics.load(board, STOP) !== 0) break
    const bytes = check.room.subarray(0, Math.min(STRETCH_BYTES, file.bytes - at))
    file.fill(bytes, at)
    fits = stretchFits(check, file, layout, at, bytes.length)
    // The sums of a file that is not canonical are not used.
    if (!fits) Atomics.store(board, STOP, 1)
    else
      for (let from = 0; from < bytes.length; from += PIECE_BYTES)
        sums.addPiece((at + from) / PIECE_BYTES, bytes.subarray(from, from + PIECE_BYTES))
  }
  return { fits, pieces: sums.pieces, ...check.report }
}

/** Looks at the ends and at the arcs in a stretch of the file, which is in the room of the check. */
function stretchFits(check: ArcCheck, file: StoredFile, layout: CsrLayout, at: number, bytes: number): boolean {
  const { vertices, arcs, offsets, targets, weights } = layout
  const firstEnd = offsets.at + (offsets.leading ? offsets.stride : 0)
  const ends = within({ ...offsets, at: firstEnd }, vertices, at, bytes)
  if (ends.first < ends.last && !check.endsFit(ends.first, ends.last, firstEnd + offsets.stride * ends.first - at))
    return false
  const { first, last } = within(targets, arcs, at, bytes)
  if (first === last) return true
  const beside =
    weights === null
      ? undefined
      : { bytes: file.read(weights.at + 4 * first, 4 * (last - first)), floats: weights.kind === 'f32' }
  return check.arcsFit(first, last, targets.at + 4 * first - at, beside)
}

/** The numbers of a section, of so many, that are whole in [at, at + bytes); one that is not belongs to where it begins. */
function within(section: Section, count: number, at: number, bytes: number): { first: number; last: number } {
  const before = (end: number): number => Math.min(count, Math.max(0, Math.ceil((end - section.at) / section.stride)))
  return { first: before(at), last: before(at + bytes) }
}
