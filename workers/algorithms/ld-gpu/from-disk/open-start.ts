/** What a worker's open lists begin with. */
export interface OpenStart {
  readonly own: { readonly first: number; readonly count: number }
  /** The second entries of the own vertices. */
  readonly seconds: Uint32Array
  /** How many entries each own vertex has looked at, ENDED where these are all; of those who are not matched. */
  readonly cursors: Uint32Array
  /** Whether the others of this attempt do not know the pointers yet. */
  readonly resumes: boolean
  /** Entries looked at in each round so far, for the first worker. */
  readonly arcs: readonly number[]
}
