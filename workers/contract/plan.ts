import type { FailureValue } from '../base/failure.ts'
import type { FormatName } from './graph-formats.ts'
import type { RunArgs } from './run.ts'

/** The plan does not depend on these. */
type RunPlace =
  | 'across'
  | 'folder'
  | 'checksum'
  | 'resultFile'
  | 'checkpointFile'
  | 'checkpointEveryMs'
  | 'resume'
  | 'traceFile'
  | 'timelineFile'
  | 'verify'

/** `device` may be `auto`. */
export type PlannedOptions = Omit<RunArgs, RunPlace> & { readonly verify?: boolean | undefined }

export interface PlanArgs extends PlannedOptions {
  readonly target:
    | { readonly kind: 'file'; readonly source: string; readonly format?: FormatName | undefined }
    | { readonly kind: 'dataset'; readonly folder: string; readonly checksum: string }
  /** Of a file: nothing behind its import. */
  readonly importOnly?: boolean | undefined
  /** Absent: a quarter of the machine's. */
  readonly hostBytes?: number | undefined
  /** Of a run across ranks; absent: one process. */
  readonly ranks?: number | undefined
  /** Of the network between them, each way; absent: 10 Gbit/s. */
  readonly networkBytesPerSecond?: number | undefined
  /** Whose disk it takes. */
  readonly folder: string
}

export interface PlanStep {
  readonly name: 'import' | 'tiles' | 'run' | 'improve' | 'verify'
  readonly hostBytes: number
  readonly deviceBytes: number
  /** Gone when the step ends. */
  readonly scratchBytes: number
  /** Stays. */
  readonly diskBytes: number
  /** Over its input. */
  readonly passes: number
}

export interface PlanLane {
  readonly device: string
  readonly shareBytes: number
  /** The rest is read as it is needed. */
  readonly holds: 'share' | 'nothing'
  readonly deviceBytes: number
  /** null where it is not known. */
  readonly availableBytes: number | null
}

/** Upper bounds. */
export interface ResourcePlan {
  readonly vertices: number
  readonly arcs: number
  /** Else from a sample. */
  readonly exact: boolean
  readonly basis: string
  readonly device: string
  readonly lanes: readonly PlanLane[]
  /** Absent where the user named them. */
  readonly deviceAdvice?: string | undefined
  readonly batches: number
  /** Batches and memory are those of the run, not bounds. */
  readonly runIsExact?: boolean | undefined
  readonly steps: readonly PlanStep[]
  readonly passes: number
  readonly needed: {
    readonly hostBytes: number
    readonly deviceBytes: number
    readonly scratchBytes: number
    /** Stays. */
    readonly diskBytes: number
    readonly peakDiskBytes: number
  }
  readonly available: {
    readonly hostBytes: number
    /** null where it is not known. */
    readonly deviceBytes: number | null
    readonly diskBytes: number
  }
  /** Of a run across ranks; the steps are those of one rank then. */
  readonly across?: RankPlan | undefined
  /** null when it fits. */
  readonly refusal: FailureValue | null
}

/** What one of several ranks does; bytes are bounds. */
export interface RankPlan {
  readonly ranks: number
  /** That it reads of the graph. */
  readonly sliceBytes: number
  /** That every rank holds of all vertices. */
  readonly replicatedBytes: number
  /** That it receives in a round in which everything changed, and how long the network takes for them. */
  readonly roundBytes: number
  readonly roundMs: number
}
