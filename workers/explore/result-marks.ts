import { type Failure, inputFailure } from '../failure.ts'
import type { NeighbourhoodArgs } from '../jobs.ts'
import { SideFile } from './side-file.ts'

/** Stands for the mate of a vertex that has none. */
const NO_MATE = 0xffffffff
const WORD_BYTES = 4

/** What a run decided about single vertices, read from its result file. */
export interface ResultMarks {
  /** In the set; an end of a matched edge. */
  isMember(v: number): boolean
  /** The other end of the vertex's matched edge; null for none. */
  mateOf(v: number): number | null
  close(): void
}

/** null where no run was named. @throws Failure (input) when the result is of another graph, or is gone */
export function openResultMarks(result: NeighbourhoodArgs['result'], vertices: number): ResultMarks | null {
  if (result === undefined) return null
  const file = SideFile.open(result.file)
  if (file === null) throw missing(result.file)
  const isMatching = result.kind === 'matching'
  if (file.bytes !== (isMatching ? WORD_BYTES * vertices : Math.ceil(vertices / 8)))
    throw file.damaged('Repeat the run.')
  const mateOf = (v: number): number | null => {
    const mate = isMatching ? file.word(WORD_BYTES * v) : NO_MATE
    return mate === NO_MATE ? null : mate
  }
  const bit = (v: number): boolean => ((file.read(v >>> 3, 1)[0]! >>> (v & 7)) & 1) === 1
  return { isMember: (v) => (isMatching ? mateOf(v) !== null : bit(v)), mateOf, close: () => file.close() }
}

function missing(path: string): Failure {
  return inputFailure(path, 'the result of this run is not there any more', 'Repeat the run.')
}
