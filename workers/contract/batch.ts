import type { FailureValue } from '../base/failure.ts'
import type { ImportArgs } from './dataset.ts'
import type { RunArgs, RunOutcome } from './run.ts'

/** A graph of a batch: by its edges, in a file of any format, or of the library. */
export type BatchGraph =
  | {
      readonly kind: 'edges'
      readonly vertices: number
      /** Two for each edge, from 0. */
      readonly ends: Uint32Array
      readonly weights?: Float64Array | undefined
    }
  | {
      readonly kind: 'file'
      readonly source: string
      readonly options?: Omit<ImportArgs, 'source' | 'folder'> | undefined
    }
  | { readonly kind: 'dataset'; readonly folder: string; readonly checksum: string }

export interface BatchItem {
  readonly graph: BatchGraph
  readonly options: Omit<RunArgs, 'folder' | 'checksum' | 'resultFile' | 'checkpointFile' | 'timelineFile'>
  /** Texts of the files that options name, such as `keepFile`. */
  readonly lists?: Readonly<Record<string, string>> | undefined
}

/** @property scratch a folder that is made for it, and removed */
export interface BatchArgs {
  readonly scratch: string
  readonly items: readonly BatchItem[]
}

/** Members of a set, pairs of a matching, or a value for each vertex. */
export type BatchMembers = readonly (number | string | null | readonly (number | string)[])[]

export type BatchAnswer =
  | { readonly failure: FailureValue }
  | {
      readonly vertices: number
      readonly edges: number
      readonly outcome: RunOutcome
      readonly members: BatchMembers
    }

/** Jobs of many graphs. */
export interface BatchJobs {
  batch: { args: BatchArgs; result: { readonly answers: readonly BatchAnswer[] } }
}
