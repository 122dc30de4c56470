/** A set: its members, their share of all vertices, and the hash of the ascending ids. */
export interface SetResult {
  readonly kind: 'independent-set'
  readonly size: number
  readonly fraction: number
  readonly hash: string
}

/** A matching: every edge counts once; the hash is that of the pairs u < v, ascending by u. */
export interface MatchingResult {
  readonly kind: 'matching'
  readonly pairs: number
  readonly weight: number
  readonly hash: string
}

/** A u32 for each vertex, which the algorithm's entry explains; the hash is that of the values in the order of the vertices. */
export interface ValuesResult {
  readonly kind: 'values'
  /** The first of the figures. */
  readonly size: number
  /** By the names of the entry's figures. */
  readonly figures: Readonly<Record<string, number>>
  readonly hash: string
}

export type RunResult = SetResult | MatchingResult | ValuesResult

/** Members of a set, pairs of a matching, or the first figure of values. */
export function sizeOf(result: RunResult): number {
  return result.kind === 'matching' ? result.pairs : result.size
}

/** What was chosen, by the names of the options; null where the program chose. */
export type OptionValues = Readonly<Record<string, string | number | boolean | null>>

/** The result of a run, as its record tells it. */
export interface ResultClaim {
  readonly algorithm: string
  readonly file: string
  readonly result: RunResult
  readonly options: OptionValues
}
