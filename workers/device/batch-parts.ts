import type { Batch } from '../graph/batches.ts'
import { HEAD_WIDTH } from '../graph/oriented-view.ts'
import type { ReadPart, Wanted } from './read-ahead.ts'

/** The parts of a batch in its view; one behind the other where they are read into one region. */
export function partsOf({ first, count, tailFirst, tailCount }: Batch): { heads: ReadPart; tails: ReadPart } {
  const bytes = 4 * HEAD_WIDTH * count
  return {
    heads: { section: 'heads', at: 4 * HEAD_WIDTH * first, bytes, into: 0 },
    tails: { section: 'tails', at: 4 * tailFirst, bytes: 4 * tailCount, into: bytes },
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
