import { type Failure, inputFailure } from '../base/failure.ts'
import { readMates } from '../graph/matching.ts'
import { RESULT_DAMAGE } from '../graph/result-file.ts'
import { SideFile } from '../graph/side-file.ts'
import type { NeighbourhoodArgs } from '../contract/jobs.ts'
import { readBits } from '../graph/vertex-set.ts'

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

/** null where no run was named. @throws Failure (input) when the result is damaged, of another graph, or gone */
export function openResultMarks(result: NeighbourhoodArgs['result'], vertices: number): ResultMarks | null {
  if (result === undefined) return null
  const isMatching = result.kind === 'matching'
  const isRecorded = (): boolean => hashOf(result, vertices) === result.hash
  const file = SideFile.open(result.file, RESULT_DAMAGE, isRecorded)
  if (file === null) throw missing(result.file)
  if (file.bytes !== (isMatching ? WORD_BYTES * vertices : Math.ceil(vertices / 8)))
    throw file.damaged('it is of another graph')
  const mateOf = (v: number): number | null => {
    const mate = isMatching ? file.word(WORD_BYTES * v) : NO_MATE
    return mate === NO_MATE ? null : mate
  }
  const bit = (v: number): boolean => ((file.read(v >>> 3, 1)[0]! >>> (v & 7)) & 1) === 1
  return { isMember: (v) => (isMatching ? mateOf(v) !== null : bit(v)), mateOf, close: () => file.close() }
}

function hashOf({ kind, file }: NonNullable<NeighbourhoodArgs['result']>, vertices: number): string {
  return (kind === 'matching' ? readMates(file, vertices) : readBits(file, vertices)).summary().hash
}

function missing(path: string): Failure {
  return inputFailure(path, 'the result of this run is not there any more', 'Repeat the run.')
}
