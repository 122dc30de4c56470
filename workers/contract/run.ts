import type { AnyOptions } from './catalogue.ts'
import type { DeviceFacts } from './devices.ts'
import type { AcrossArgs } from './ranks.ts'
import type { OptionValues, RunResult } from './result.ts'
import type { Verdict } from './verify.ts'

/** Whatever is computed; what an algorithm takes of it is a branch of `AlgorithmRequest`. */
export interface RunArgs extends AnyOptions {
  readonly folder: string
  readonly checksum: string
  /**
   * A canonical file that job `link` makes the dataset `folder` of meanwhile; its checksum is not known yet. The run has no result before
   * the folder is there, and then only of bytes that were checked.
   */
  readonly unchecked?: { readonly source: string } | undefined
  readonly algorithm: string
  /** "cpu:0", "gpu:0", "auto", or several with commas: one worker for each. */
  readonly device: string
  readonly seed: number
  readonly verify: boolean
  /** The set as a bit vector, or the mate or value of every vertex as u32, is written here (aside first, then renamed). */
  readonly resultFile: string
  /** Vertex states are kept here now and then while the run computes, and removed at its end. */
  readonly checkpointFile?: string | undefined
  /** Milliseconds between two checkpoints within a pass; absent: 30 s. */
  readonly checkpointEveryMs?: number | undefined
  /** Resume from the checkpoint file where there is one. */
  readonly resume?: boolean | undefined
  /** With other processes, which a launcher of MPI started; absent: in this one alone. */
  readonly across?: AcrossArgs | undefined
  /** Chrome trace events are written here. */
  readonly traceFile?: string | undefined
  /** The same, but only the longest spans, so many that a page can show them. */
  readonly timelineFile?: string | undefined
}

/** Whether the algorithm can go through a file that is checked meanwhile: it indexes with nothing that it did not look at, and always ends. */
export function computesUnchecked(request: Pick<RunArgs, 'algorithm' | 'exchange' | 'method'>): boolean {
  const { algorithm, exchange, method } = request
  return algorithm !== 'tc-mis' && exchange !== 'paper' && method !== 'rescan'
}

export interface RunTimes {
  /** Reading the graph's index; for TC-MIS cutting tiles, 0 where they were there. */
  readonly prepareMs: number
  /** Initialisation of the vertex states and all sweeps, until the host knows that every vertex is decided. */
  readonly computeMs: number
  /** The part of computeMs in which kernels ran: GPU timestamps where the adapter has them, else computeMs. */
  readonly kernelMs: number
  readonly exchangeMs: number
  /** Reading from disk and moving to the device. */
  readonly readMs: number
  readonly totalMs: number
}

export interface RunBytes {
  readonly read: number
  readonly toDevice: number
  readonly fromDevice: number
  readonly exchanged: number
}

/** Vertices undecided after a sweep over all of them; for charts. */
export interface RoundCount {
  readonly round: number
  readonly undecided: number
}

/** A figure for each round, pass over the batches, worker, seed, or value of the result from 0 on, in order; for charts. */
export interface Series {
  readonly name: string
  /** What the values are of; absent: rounds. */
  readonly of?: 'round' | 'pass' | 'worker' | 'seed' | 'value' | undefined
  /** "bytes", "ms", "" for plain counts. */
  readonly unit: string
  readonly values: readonly number[]
}

export interface RunOutcome {
  readonly algorithm: string
  readonly devices: readonly DeviceFacts[]
  /** What was chosen, by the names of the options (workers/contract/catalogue.ts); null where the program chose. */
  readonly options: OptionValues
  readonly result: RunResult
  readonly rounds: number
  readonly roundCounts: readonly RoundCount[]
  /** By the names of the algorithm's counters. */
  readonly counters: Readonly<Record<string, number>>
  readonly series: readonly Series[]
  readonly time: RunTimes
  readonly bytes: RunBytes
  readonly passes: number
  /** The plan as it was before the run started. */
  readonly plan: RunPlan
  /** null when verification was not asked for. */
  readonly verification: Verdict | null
  /** Of a run that was resumed, in words: what it went on from, or why it started anew. Times and bytes are those of its last attempt. */
  readonly resumed?: string | undefined
}

/** What a run needs, computed before it starts. */
export interface RunPlan {
  readonly vertices: number
  readonly arcs: number
  readonly batches: number
  readonly hostBytes: number
  readonly deviceBytes: number
  /** Disk that the tiles of TC-MIS take. */
  readonly tileBytes?: number | undefined
}
