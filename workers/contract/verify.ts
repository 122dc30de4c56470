import type { EdgeTies, EdgeWeights } from './catalogue.ts'
import type { ResultClaim } from './result.ts'

export interface VerifyArgs {
  readonly folder: string
  readonly checksum: string
  /** A bit vector written by a run, or a list of ids, one a line, by any program. */
  readonly set: { readonly kind: 'bits'; readonly file: string } | { readonly kind: 'ids'; readonly file: string }
  readonly excludeFile?: string | undefined
  /** Check a matching instead: the mates of a run, or a list of pairs "u,v" by any program. */
  readonly matching?: MatchingSource | undefined
  /** Check the result of a run whose algorithm has a verifier of its own instead. */
  readonly claim?: ResultClaim | undefined
}

/** A matching in a file, and what it claims: its weights and ties, the least weight of an edge, whether it is locally dominant. */
export interface MatchingSource {
  readonly kind: 'mates' | 'pairs'
  readonly file: string
  readonly weights: EdgeWeights
  readonly ties: EdgeTies
  readonly seed: number
  readonly threshold?: number | undefined
  readonly dominant: boolean
}

/** The verifier's word. A failure carries its witness, in the user's ids. */
export type Verdict = {
  /** Members of a set, pairs of a matching, or the first figure of values. */
  readonly size: number
  readonly hash: string
  /**
   * n - |M| for a maximal matching M found on the way: no independent set is larger. For a matching: no matching weighs more. null where
   * the verifier knows none.
   */
  readonly upperBound: number | null
  /** Of values: figures that the verifier found by itself, by the names of the entry's figures. */
  readonly figures?: Readonly<Record<string, number>> | undefined
  /** Of a matching; absent for sets. */
  readonly weight?: number | undefined
  readonly elapsedMs: number
} & (
  | { readonly verified: true }
  | {
      readonly verified: false
      /** The laws of a matching. */
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
      /** What its algorithm asks of the values of vertices. */
      readonly law: 'as claimed'
      /** Those that prove that it is broken; none where a figure is wrong. */
      readonly vertices: readonly string[]
      readonly sentence: string
    }
)
