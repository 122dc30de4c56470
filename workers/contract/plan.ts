import type { FailureValue } from '../base/failure.ts'
import type { FormatName } from './graph-formats.ts'
import type { RunArgs } from './run.ts'

/** Fields of a run that say where its files lie and how it is watched: its plan is the same for all of them. */
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

/** What is asked of a run, before there is one. `device` may be `auto`. */
export type PlannedOptions = Omit<RunArgs, RunPlace> & { readonly verify?: boolean | undefined }

export interface PlanArgs extends PlannedOptions {
  readonly target:
    | { readonly kind: 'file'; readonly source: string; readonly format?: FormatName | undefined }
    | { readonly kind: 'dataset'; readonly folder: string; readonly checksum: string }
  /** Of a file: nothing behind its import; the plan refuses what the import does. */
  readonly importOnly?: boolean | undefined
  /** Of the host, for importing and preparing; absent: a quarter of the machine's. */
  readonly hostBytes?: number | undefined
  /** On whose disk everything will lie. */
  readonly folder: string
}

/** What one step takes at most. */
export interface PlanStep {
  readonly name: 'import' | 'tiles' | 'run' | 'improve' | 'verify'
  readonly hostBytes: number
  readonly deviceBytes: number
  /** Gone when the step ends. */
  readonly scratchBytes: number
  /** Stays. */
  readonly diskBytes: number
  /** Times that what the step works on is read from end to end. */
  readonly passes: number
}

/** What one worker of a run holds on its device. */
export interface PlanLane {
  readonly device: string
  /** Of the graph. */
  readonly shareBytes: number
  /** What of its share stays there; the rest is read as it is needed. */
  readonly holds: 'share' | 'nothing'
  readonly deviceBytes: number
  /** That it may use; null where it is not known. */
  readonly availableBytes: number | null
}

/** What importing, preparing and computing would take. Every figure is an upper bound. */
export interface ResourcePlan {
  readonly vertices: number
  readonly arcs: number
  /** Whether vertices and arcs are known, and not estimated from a sample. */
  readonly exact: boolean
  readonly basis: string
  /** The devices that it computes on, with commas where there are several. */
  readonly device: string
  /** One for each worker. */
  readonly lanes: readonly PlanLane[]
  /** Why these devices; absent where they are those that the user named. */
  readonly deviceAdvice?: string | undefined
  readonly batches: number
  /** Whether batches, and the memory that computing takes, are those that the run will report, and not bounds. */
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
  /** Why it cannot be done here; null when it fits. */
  readonly refusal: FailureValue | null
}
