import { z } from 'zod'
import { failureSchema, type GraphPlace, list } from './schema.ts'
import type { FormatName } from './graph-formats.ts'
import type { RunArgs, RunPlace } from './run.ts'

/** `device` may be `auto`. */
export type PlannedOptions = Omit<RunArgs, keyof RunPlace | 'verify'> & { readonly verify?: boolean | undefined }

export interface PlanArgs extends PlannedOptions {
  readonly target:
    | { readonly kind: 'file'; readonly source: string; readonly format?: FormatName | undefined }
    | ({ readonly kind: 'dataset' } & GraphPlace)
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

const bytes = z.number().nonnegative()

const stepSchema = z.object({
  name: z.enum(['import', 'tiles', 'run', 'improve', 'verify']),
  hostBytes: bytes,
  deviceBytes: bytes,
  /** Gone when the step ends. */
  scratchBytes: bytes,
  /** Stays. */
  diskBytes: bytes,
  /** Over its input. */
  passes: z.number(),
})
export type PlanStep = z.infer<typeof stepSchema>

const laneSchema = z.object({
  device: z.string(),
  shareBytes: bytes,
  /** The rest is read as it is needed. */
  holds: z.enum(['share', 'nothing']),
  deviceBytes: bytes,
  /** null where it is not known. */
  availableBytes: bytes.nullable(),
})
export type PlanLane = z.infer<typeof laneSchema>

/** What one of several ranks does; bytes are bounds. */
const rankSchema = z.object({
  ranks: z.number(),
  /** That it reads of the graph. */
  sliceBytes: bytes,
  /** That every rank holds of all vertices. */
  replicatedBytes: bytes,
  /** That it receives in a round in which everything changed, and how long the network takes for them. */
  roundBytes: bytes,
  roundMs: z.number(),
})
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
  /** Of a run across ranks; the steps are those of one rank then. */
  across: rankSchema.optional(),
  /** null when it fits. */
  refusal: failureSchema.nullable(),
})
export type ResourcePlan = z.infer<typeof planSchema>
