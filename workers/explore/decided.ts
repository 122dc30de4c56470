import type { ResultPlace } from '../contract/jobs.ts'
import { NO_MATE, readMates } from '../graph/matching.ts'
import { otherResult } from '../graph/result-file.ts'
import { readBits } from '../graph/vertex-set.ts'
import { NO_VALUE, readValues } from '../graph/vertex-values.ts'

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
    const { values } = readValues(file, vertices, hash)
    return { mates: null, values, isIn: (v) => values[v] !== NO_VALUE }
  }
  const set = readBits(file, vertices)
  const own = set.summary().hash
  if (own !== hash) throw otherResult(file, own, hash)
  return { mates: null, values: null, isIn: (v) => set.has(v) }
}
