/** The hash is of the ascending ids. */
export interface SetResult {
  readonly kind: 'independent-set'
  readonly size: number
  readonly fraction: number
  /** Where vertices have weights. */
  readonly weight?: number | undefined
  readonly hash: string
}

/** Every edge counts once; the hash is of the pairs u < v, ascending by u. */
export interface MatchingResult {
  readonly kind: 'matching'
  readonly pairs: number
  readonly weight: number
  readonly hash: string
}

/** The hash is of the values by vertex. */
export interface ValuesResult {
  readonly kind: 'values'
  readonly size: number
  readonly figures: Readonly<Record<string, number>>
  readonly hash: string
}

export type RunResult = SetResult | MatchingResult | ValuesResult

export function sizeOf(result: RunResult): number {
  return result.kind === 'matching' ? result.pairs : result.size
}

/** null where the program chose. */
export type OptionValues = Readonly<Record<string, string | number | boolean | null>>

export interface ResultClaim {
  readonly algorithm: string
  readonly file: string
  readonly result: RunResult
  readonly options: OptionValues
}
