import type { AnyOptions } from './catalogue.ts'
import type { DeviceFacts } from './devices.ts'
import type { AcrossArgs } from './ranks.ts'
import type { OptionValues, RunResult } from './result.ts'
import type { Verdict } from './verify.ts'

export interface RunArgs extends AnyOptions {
  readonly folder: string
  readonly checksum: string
  /**
   * Job `link` makes it the dataset `folder` meanwhile. The run has no result before, and then only of bytes that
   * were checked.
   */
  readonly unchecked?: { readonly source: string } | undefined
  readonly algorithm: string
  /** Ids with commas, or "auto"; a worker for each. */
  readonly device: string
  readonly seed: number
  readonly verify: boolean
  /** A bit vector, or the mate or value of every vertex as u32; written aside first. */
  readonly resultFile: string
  /** While the run computes. */
  readonly checkpointFile?: string | undefined
  /** Within a pass; absent: 30 s. */
  readonly checkpointEveryMs?: number | undefined
  readonly resume?: boolean | undefined
  /** Absent: in this process alone. */
  readonly across?: AcrossArgs | undefined
  readonly traceFile?: string | undefined
  /** With the longest spans only. */
  readonly timelineFile?: string | undefined
}

/** Such an algorithm indexes with nothing that it did not look at, and always ends. */
export function computesUnchecked(request: Pick<RunArgs, 'algorithm' | 'exchange' | 'method'>): boolean {
  const { algorithm, exchange, method } = request
  return algorithm !== 'tc-mis' && exchange !== 'paper' && method !== 'rescan'
}

export interface RunTimes {
  /** Reading the index; for TC-MIS cutting tiles, 0 where they were there. */
  readonly prepareMs: number
  /** Until every vertex is decided. */
  readonly computeMs: number
  /** GPU timestamps where the adapter has them, else computeMs. */
  readonly kernelMs: number
  readonly exchangeMs: number
  readonly readMs: number
  readonly totalMs: number
}

export interface RunBytes {
  readonly read: number
  readonly toDevice: number
  readonly fromDevice: number
  readonly exchanged: number
}

/** After a sweep over all of them. */
export interface RoundCount {
  readonly round: number
  readonly undecided: number
}

/** In order, by `of`. */
export interface Series {
  readonly name: string
  /** Absent: rounds. */
  readonly of?: 'round' | 'pass' | 'worker' | 'seed' | 'value' | undefined
  /** "bytes", "ms", "" for plain counts. */
  readonly unit: string
  readonly values: readonly number[]
  /** Where each value was measured; absent: 1, 2, ... of what `of` says. */
  readonly at?: { readonly name: string; readonly values: readonly number[] } | undefined
  /** The standard error of each value. */
  readonly errors?: readonly number[] | undefined
}

export interface RunOutcome {
  readonly algorithm: string
  readonly devices: readonly DeviceFacts[]
  readonly options: OptionValues
  readonly result: RunResult
  readonly rounds: number
  readonly roundCounts: readonly RoundCount[]
  readonly counters: Readonly<Record<string, number>>
  readonly series: readonly Series[]
  readonly time: RunTimes
  readonly bytes: RunBytes
  readonly passes: number
  /** Before the run. */
  readonly plan: RunPlan
  /** null when not asked for. */
  readonly verification: Verdict | null
  /** In words. Times and bytes are of the last attempt. */
  readonly resumed?: string | undefined
}

export interface RunPlan {
  readonly vertices: number
  readonly arcs: number
  readonly batches: number
  readonly hostBytes: number
  readonly deviceBytes: number
  readonly tileBytes?: number | undefined
}
