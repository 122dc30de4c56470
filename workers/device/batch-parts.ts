import type { Batch } from '../graph/batches.ts'
import { HEAD_WIDTH } from '../graph/oriented-view.ts'
import type { ReadPart, Wanted } from './read-ahead.ts'

const HEAD_BYTES = 4 * HEAD_WIDTH

/** Vertices of a batch that stand at the front of the view, without entries; they are nowhere in its slabs. */
function frontOf({ first, count }: Pick<Batch, 'first' | 'count'>, front: number): number {
  return Math.min(count, Math.max(0, front - first))
}

/** The parts of a batch in its view; one behind the other where they are read into one region, with room for the heads of all. */
export function partsOf(batch: Batch, front: number): { heads: ReadPart; tails: ReadPart } {
  const { first, count, tailFirst, tailCount } = batch
  const skipped = frontOf(batch, front)
  const at = HEAD_BYTES * (first + skipped - front)
  return {
    heads: { section: 'heads', at, bytes: HEAD_BYTES * (count - skipped), into: HEAD_BYTES * skipped },
    tails: { section: 'tails', at: 4 * tailFirst, bytes: 4 * tailCount, into: HEAD_BYTES * count },
  }
}

/** A part in pieces, each in a region of its own. */
export function piecesOf({ section, at, bytes }: ReadPart, name: string, pieceBytes: number): Wanted[] {
  const pieces: Wanted[] = []
  for (let done = 0; done < bytes; done += pieceBytes) {
    const length = Math.min(pieceBytes, bytes - done)
    pieces.push({ name, bytes: length, parts: [{ section, at: at + done, bytes: length, into: 0 }] })
  }
  return pieces
}
