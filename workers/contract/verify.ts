import type { EdgeTies, EdgeWeights } from './catalogue.ts'
import type { ResultClaim } from './result.ts'

export interface VerifyArgs {
  readonly folder: string
  readonly checksum: string
  /** By any program; or bits of a run. */
  readonly set: { readonly kind: 'bits'; readonly file: string } | { readonly kind: 'ids'; readonly file: string }
  readonly excludeFile?: string | undefined
  /** A condition on attributes. */
  readonly excludeWhere?: string | undefined
  /** Mates of a run, or pairs "u,v" by any program. */
  readonly matching?: MatchingSource | undefined
  /** Of an algorithm with a verifier of its own. */
  readonly claim?: ResultClaim | undefined
}

/** With what it claims. */
export interface MatchingSource {
  readonly kind: 'mates' | 'pairs'
  readonly file: string
  readonly weights: EdgeWeights
  readonly ties: EdgeTies
  readonly seed: number
  readonly threshold?: number | undefined
  readonly dominant: boolean
}

/** A failure carries its witness, in the user's ids. */
export type Verdict = {
  readonly size: number
  readonly hash: string
  /**
   * n - |M| for a maximal matching M: no independent set is larger. For a matching: no matching weighs more. null:
   * unknown.
   */
  readonly upperBound: number | null
  /** By the names of the entry's figures. */
  readonly figures?: Readonly<Record<string, number>> | undefined
  readonly weight?: number | undefined
  readonly elapsedMs: number
} & (
  | { readonly verified: true }
  | {
      readonly verified: false
      readonly law: 'valid' | 'maximal-matching' | 'locally-dominant'
      readonly edge: readonly [string, string]
      readonly sentence: string
    }
  | {
      readonly verified: false
      readonly law: 'independent'
      readonly edge: readonly [string, string]
      readonly sentence: string
    }
  | { readonly verified: false; readonly law: 'maximal'; readonly vertex: string; readonly sentence: string }
  | {
      readonly verified: false
      readonly law: 'as claimed'
      /** None where a figure is wrong. */
      readonly vertices: readonly string[]
      readonly sentence: string
    }
)
