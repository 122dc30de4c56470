import { inputFailure } from '../base/failure.ts'
import { algorithmEntry } from '../contract/catalogue.ts'
import type { ResultPlace } from '../contract/jobs.ts'
import { NO_MATE, readMates } from '../graph/matching.ts'
import { NO_VALUE, otherResult, readValues, RESULT_DAMAGE, valueWords } from '../graph/result-file.ts'
import { openSideFile } from '../base/checked-file.ts'
import { readBits } from '../graph/vertex-set.ts'

/** All of a result. */
export interface Decided {
  readonly mates: Uint32Array | null
  readonly values: Uint32Array | null
  isIn(v: number): boolean
}

/** @throws Failure (input) when it is gone, damaged, or not the one that its record names */
export function decidedIn({ kind, file, hash }: ResultPlace, vertices: number): Decided {
  if (kind === 'matching') {
    const matching = readMates(file, vertices)
    const own = matching.summary().hash
    if (own !== hash || !matching.isMutual) throw otherResult(file, own, hash)
    const { mates } = matching
    return { mates, values: null, isIn: (v) => mates[v] !== NO_MATE }
  }
  if (kind === 'values') {
    const values = readValues(file, vertices, hash)
    return { mates: null, values, isIn: (v) => values[v] !== NO_VALUE }
  }
  const set = readBits(file, vertices)
  const own = set.summary().hash
  if (own !== hash) throw otherResult(file, own, hash)
  return { mates: null, values: null, isIn: (v) => set.has(v) }
}

/** Of a result, read one vertex at a time; null where it has no such thing, or the vertex none. */
export interface ResultMarks {
  isMember(v: number): boolean | null
  readonly mateOf: (v: number) => number | null
  valueOf(v: number): number | null
  close(): void
}

/** null where no run was named. @throws Failure (input) */
export function openResultMarks(result: ResultPlace | undefined, vertices: number): ResultMarks | null {
  if (result === undefined) return null
  const isMatching = result.kind === 'matching'
  const isSet = result.kind === 'independent-set'
  /** Else it throws. */
  const isRecorded = (): boolean => Boolean(decidedIn(result, vertices))
  const file = openSideFile(result.file, RESULT_DAMAGE, isRecorded)
  if (file === null) throw inputFailure(result.file, 'the result of this run is not there any more', 'Repeat the run.')
  if (file.bytes !== (isSet ? Math.ceil(vertices / 8) : 4 * vertices)) {
    file.close()
    throw file.damaged('it is of another graph')
  }
  const mateOf: ResultMarks['mateOf'] = (v) => {
    const mate = isMatching ? file.word(4 * v) : NO_MATE
    return mate === NO_MATE ? null : mate
  }
  const bit = (v: number): boolean => ((file.read(v >>> 3, 1)[0]! >>> (v & 7)) & 1) === 1
  const valueOf = (v: number): number | null => {
    const value = isSet || isMatching ? NO_VALUE : file.word(4 * v)
    return value === NO_VALUE ? null : value
  }
  const isMember = (v: number): boolean | null => (isSet ? bit(v) : isMatching ? mateOf(v) !== null : null)
  return { isMember, mateOf, valueOf, close: () => file.close() }
}

/** Words for the values of a result. */
export function valuesOf(result: ResultPlace | undefined, labelOf: (v: number) => string): (value: number) => string {
  const entry = result && algorithmEntry(result.algorithm)?.values
  return entry === undefined ? String : valueWords(entry, labelOf)
}
