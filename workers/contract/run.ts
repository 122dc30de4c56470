/**
 * A run as the service and the engine speak of it: its arguments (the options of an algorithm, and the files that it reads and writes), its
 * outcome with times, counters and series, and its plan, before it and with what it will hold. Schemas check what crosses a process or the
 * network. The options of each algorithm come from catalogue.ts; results and verdicts are in result.ts.
 */

import { z } from 'zod'
import { algorithmNames, type AnyOptions } from './catalogue.ts'
import { deviceSchema } from './devices.ts'
import type { PlannedReading } from './dataset.ts'
import type { FormatName } from './graph-formats.ts'
import type { AcrossArgs } from './ranks.ts'
import { optionValuesSchema, resultSchema, verdictSchema } from './result.ts'
import { failureSchema, type GraphPlace, list, numbers } from './schema.ts'

/** The files that a run reads and writes, and how it is kept; its plan does not depend on these. */
interface RunPlace extends GraphPlace {
  /** A bit vector, or the mate or value of every vertex as u32; written aside first. */
  readonly resultFile: string
  /** While the run computes. */
  readonly checkpointFile?: string | undefined
  /** The time between checkpoints within a pass; absent: 30 s. */
  readonly checkpointEveryMs?: number | undefined
  readonly resume?: boolean | undefined
  /** Absent: in this process alone. */
  readonly across?: AcrossArgs | undefined
  readonly traceFile?: string | undefined
  /** The file of a timeline with the longest spans only. */
  readonly timelineFile?: string | undefined
}

export interface RunArgs extends AnyOptions, RunPlace {
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
}

/** Such an algorithm indexes with nothing that it did not look at, and always ends. */
export function computesUnchecked(request: Pick<RunArgs, 'algorithm' | 'exchange' | 'method'>): boolean {
  const { algorithm, exchange, method } = request
  return algorithm !== 'tc-mis' && exchange !== 'paper' && method !== 'rescan'
}

/** The count after a sweep over all of them. */
const roundCountSchema = z.object({ round: z.number(), undecided: z.number() })

/** Values in order, by `of`. */
const seriesSchema = z.object({
  name: z.string(),
  /** Absent: rounds. */
  of: z.enum(['round', 'pass', 'worker', 'seed', 'value']).optional(),
  /** "bytes", "ms", "" for plain counts. */
  unit: z.string(),
  values: numbers,
  /** The places at which values were measured; absent: 1, 2, ... of what `of` says. */
  at: z.object({ name: z.string(), values: numbers }).optional(),
  /** The standard error of each value. */
  errors: numbers.optional(),
})
export type Series = z.infer<typeof seriesSchema>

const timesSchema = z.object({
  /** Reading the index; for TC-MIS cutting tiles, 0 where they were there. */
  prepareMs: z.number(),
  /** The time until every vertex is decided. */
  computeMs: z.number(),
  /** GPU timestamps where the adapter has them, else computeMs. */
  kernelMs: z.number(),
  exchangeMs: z.number(),
  readMs: z.number(),
  totalMs: z.number(),
})
export type RunTimes = z.infer<typeof timesSchema>

const bytesSchema = z.object({
  read: z.number(),
  toDevice: z.number(),
  fromDevice: z.number(),
  exchanged: z.number(),
})

const runPlanSchema = z.object({
  vertices: z.number(),
  arcs: z.number(),
  batches: z.number(),
  hostBytes: z.number(),
  deviceBytes: z.number(),
  tileBytes: z.number().optional(),
})
export type RunPlan = z.infer<typeof runPlanSchema>

/** What a person waited for a resumed run in all of its attempts, by what it went into; pauses between them are none of it. */
const waitedSchema = z.object({
  attempts: z.number().int(),
  /** The first result. */
  setMs: z.number(),
  /** Making it better. */
  searchMs: z.number(),
  verifyMs: z.number(),
  /** Starts of engines. */
  restMs: z.number(),
})
export type WaitedTimes = z.infer<typeof waitedSchema>

export const runOutcomeSchema = z.object({
  algorithm: z.enum(algorithmNames) as z.ZodType<string>,
  devices: list(deviceSchema),
  options: optionValuesSchema,
  result: resultSchema,
  rounds: z.number(),
  roundCounts: list(roundCountSchema),
  // Absent in records of earlier versions.
  counters: z.record(z.string(), z.number()).default({}),
  series: list(seriesSchema).default([]),
  time: timesSchema,
  bytes: bytesSchema,
  passes: z.number(),
  /** The plan before the run. */
  plan: runPlanSchema,
  /** null when not asked for. */
  verification: verdictSchema.nullable(),
  /** Words for what the run was resumed from. `time` and `bytes` are of the last attempt. */
  resumed: z.string().optional(),
  /** Absent: not resumed, or by an earlier version. */
  waited: waitedSchema.optional(),
})
export type RunOutcome = z.infer<typeof runOutcomeSchema>

/** `device` may be `auto`. */
export type PlannedOptions = Omit<RunArgs, keyof RunPlace | 'verify'> & { readonly verify?: boolean | undefined }

export interface PlanArgs extends PlannedOptions {
  readonly target:
    | {
        readonly kind: 'file'
        readonly source: string
        readonly format?: FormatName | undefined
        /** The file within an archive, as an import names it. */
        readonly member?: string | undefined
        /** How the import would read it. */
        readonly reading?: PlannedReading | undefined
      }
    | ({ readonly kind: 'dataset' } & GraphPlace)
  /** Whether a file is only imported. */
  readonly importOnly?: boolean | undefined
  /** Absent: a quarter of the machine's. */
  readonly hostBytes?: number | undefined
  /** Ranks of a run across ranks; absent: one process. */
  readonly ranks?: number | undefined
  /** The speed of the network between them, each way; absent: 10 Gbit/s. */
  readonly networkBytesPerSecond?: number | undefined
  /** Whose disk it takes. */
  readonly folder: string
}

const bytes = z.number().nonnegative()

const stepSchema = z.lazy(() =>
  z.object({
    name: z.enum(['import', 'tiles', 'run', 'improve', 'verify']),
    hostBytes: bytes,
    deviceBytes: bytes,
    /** Gone when the step ends. */
    scratchBytes: bytes,
    /** Stays. */
    diskBytes: bytes,
    /** Passes over its input. */
    passes: z.number(),
  }),
)
export type PlanStep = z.infer<typeof stepSchema>

const laneSchema = z.lazy(() =>
  z.object({
    device: z.string(),
    shareBytes: bytes,
    /** The rest is read as it is needed. */
    holds: z.enum(['share', 'nothing']),
    deviceBytes: bytes,
    /** null where it is not known. */
    availableBytes: bytes.nullable(),
  }),
)
export type PlanLane = z.infer<typeof laneSchema>

/** What one of several ranks does; bytes are bounds. */
const rankSchema = z.lazy(() =>
  z.object({
    ranks: z.number(),
    /** Bytes that it reads of the graph. */
    sliceBytes: bytes,
    /** Bytes that every rank holds of all vertices. */
    replicatedBytes: bytes,
    /** The most bytes that a rank receives in a round in which everything changed, and how long the network takes for them. */
    roundBytes: bytes,
    roundMs: z.number(),
  }),
)
export type RankPlan = z.infer<typeof rankSchema>

/** Upper bounds. */
export const planSchema = z.object({
  vertices: z.number(),
  arcs: z.number(),
  /** Else from a sample. */
  exact: z.boolean(),
  basis: z.string(),
  device: z.string(),
  lanes: list(laneSchema),
  /** Absent where the user named them. */
  deviceAdvice: z.string().optional(),
  batches: z.number(),
  /** Batches and memory are those of the run, not bounds. */
  runIsExact: z.boolean().optional(),
  steps: list(stepSchema),
  passes: z.number(),
  /** `diskBytes` stays. */
  needed: z.object({
    hostBytes: bytes,
    deviceBytes: bytes,
    scratchBytes: bytes,
    diskBytes: bytes,
    peakDiskBytes: bytes,
  }),
  /** null where it is not known. */
  available: z.object({ hostBytes: bytes, deviceBytes: bytes.nullable(), diskBytes: bytes }),
  /** What each rank takes in a run across ranks; the steps are those of one rank then. */
  across: rankSchema.optional(),
  /** null when it fits. */
  refusal: failureSchema.nullable(),
})
export type ResourcePlan = z.infer<typeof planSchema>
