export interface ViewsArgs {
  readonly folder: string
  readonly checksum: string
  /** A view's name as it is listed, or `all`. */
  readonly drop?: string | undefined
  /** "oriented:degree", "weight-ordered:column-hash-7", "weight-levels:random3-hash", "tiles:rcm"; see workers/graph/views/view-name.ts. */
  readonly build?: string | undefined
  /** Host memory that building may take; absent: a quarter of the machine's. */
  readonly budgetBytes?: number | undefined
  /** Read every view and compare its checksums. */
  readonly check?: boolean | undefined
}

export const viewStates = ['valid', 'stale', 'damaged'] as const

/** A prepared view on disk. stale: of another graph than the dataset's; damaged: not what its header or checksums say. */
export interface ViewFacts {
  readonly name: string
  readonly kind: 'oriented' | 'weight-ordered' | 'weight-levels' | 'tiles' | null
  readonly order: string | null
  readonly bytes: number
  /** ISO 8601, UTC. */
  readonly builtAt: string
  readonly state: (typeof viewStates)[number]
}

export interface ViewsOutcome {
  readonly dropped: readonly string[]
  /** 0 where the view was there already; null where none was asked for. */
  readonly buildMs: number | null
  readonly views: readonly ViewFacts[]
}
