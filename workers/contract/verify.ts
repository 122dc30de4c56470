import type { EdgeTies, EdgeWeights } from './catalogue.ts'
import type { ResultClaim } from './result.ts'

/**
 * How other programs write a set: `ids` of the graph, one a line; `from-1`, numbers of vertices from 1 on, in the order of their ids; `0-1`,
 * a line for each vertex in that order. `auto`: as many lines of 0 and 1 as there are vertices are `0-1`, all else are ids.
 */
export const setForms = ['auto', 'ids', 'from-1', '0-1'] as const
export type SetForm = (typeof setForms)[number]

export interface VerifyArgs {
  readonly folder: string
  readonly checksum: string
  /** By any program; or bits of a run. */
  readonly set:
    | { readonly kind: 'bits'; readonly file: string }
    | { readonly kind: 'ids'; readonly file: string; readonly form?: SetForm | undefined }
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
