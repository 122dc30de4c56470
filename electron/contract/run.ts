import { z } from 'zod'
import { countings, edgeTies, edgeWeights, heuristics, priorities } from '../../workers/contract/jobs.ts'
import { algorithmNames } from '../../workers/contract/catalogue.ts'
import type { RunOutcome, RunPlan } from '../../workers/contract/jobs.ts'
import { deviceSchema } from './device.ts'
import { failureSchema } from './failure.ts'
import { verdictSchema } from './verdict.ts'

/** The states of a run, in the order in which a run without trouble passes them; the last three are other ends. */
export const runStates = [
  'queued',
  'planning',
  'running',
  'verifying',
  'done',
  'failed',
  'cancelled',
  'interrupted',
] as const
export type RunState = (typeof runStates)[number]

/** "cpu:0", "gpu:0" or "auto". */
export const deviceIdSchema = z.string().regex(/^(auto|(cpu|gpu):\d+)$/)
/** One device, or several with commas: "cpu:0,cpu:1". */
export const deviceListSchema = z.string().regex(/^(auto|(cpu|gpu):\d+(,(cpu|gpu):\d+)*)$/)
export const MAX_PARTITIONS = 64

export const MAX_SEED = 2 ** 32 - 1

/** A priority, or a heuristic of TC-MIS. */
export const prioritySchema = z.enum([...priorities, ...heuristics])

/** What a person asks for; together with the dataset's checksum it repeats the run. */
export const runRequestSchema = z.object({
  /** Name of the dataset. */
  dataset: z.string(),
  algorithm: z.enum(algorithmNames),
  device: deviceListSchema,
  /** Workers; they take the devices in turn. Absent: one for each device. */
  partitions: z.number().int().min(1).max(MAX_PARTITIONS).optional(),
  priority: prioritySchema,
  seed: z.number().int().min(0).max(MAX_SEED),
  batches: z.number().int().positive().optional(),
  memoryBytes: z.number().int().positive().optional(),
  exchange: z.enum(['replicated', 'paper']).optional(),
  bufferWords: z.number().int().min(1).optional(),
  quality: z.string().optional(),
  seeds: z.number().int().min(1).max(16).optional(),
  counting: z.enum(countings).optional(),
  method: z.enum(['ordered', 'rescan']).optional(),
  ties: z.enum(edgeTies).optional(),
  weights: z.enum(edgeWeights).optional(),
  threshold: z.number().optional(),
  columnFile: z.string().optional(),
  keepFile: z.string().optional(),
  excludeFile: z.string().optional(),
  verify: z.boolean(),
  /** Chrome trace events of the run are written here. */
  traceFile: z.string().optional(),
  /** Milliseconds between two checkpoints. */
  checkpointEveryMs: z.number().int().min(0).optional(),
})
export type RunRequest = z.infer<typeof runRequestSchema>

const runPlanSchema: z.ZodType<RunPlan> = z.object({
  vertices: z.number(),
  arcs: z.number(),
  batches: z.number(),
  hostBytes: z.number(),
  deviceBytes: z.number(),
  tileBytes: z.number().optional(),
})

export const runOutcomeSchema: z.ZodType<RunOutcome> = z.object({
  algorithm: z.enum(algorithmNames),
  devices: z.array(deviceSchema),
  options: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  result: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('independent-set'), size: z.number(), fraction: z.number(), hash: z.string() }),
    z.object({ kind: z.literal('matching'), pairs: z.number(), weight: z.number(), hash: z.string() }),
  ]),
  rounds: z.number(),
  roundCounts: z.array(z.object({ round: z.number(), undecided: z.number() })),
  // Records of earlier versions have neither.
  counters: z.record(z.string(), z.number()).default({}),
  series: z
    .array(
      z.object({
        name: z.string(),
        of: z.enum(['round', 'pass', 'worker', 'seed']).optional(),
        unit: z.string(),
        values: z.array(z.number()),
      }),
    )
    .default([]),
  time: z.object({
    prepareMs: z.number(),
    computeMs: z.number(),
    kernelMs: z.number(),
    exchangeMs: z.number(),
    readMs: z.number(),
    totalMs: z.number(),
  }),
  bytes: z.object({ read: z.number(), toDevice: z.number(), fromDevice: z.number(), exchanged: z.number() }),
  passes: z.number(),
  plan: runPlanSchema,
  verification: verdictSchema.nullable(),
  resumed: z.string().optional(),
})

/** The record of a finished run: enough to cite it, to check it and to repeat it. Saved beside the result and exports. */
export const runRecordSchema = z.object({
  record: z.literal(1),
  run: z.string(),
  name: z.string().nullable(),
  dataset: z.object({
    name: z.string(),
    checksum: z.string(),
    vertices: z.number(),
    arcs: z.number(),
    maxDegree: z.number(),
    source: z.string(),
    sourceSha256: z.string().nullable(),
  }),
  request: runRequestSchema,
  outcome: runOutcomeSchema,
  hash: z.string(),
  versions: z.object({ anticlique: z.string(), node: z.string(), webgpu: z.string() }),
  startedAt: z.string(),
  finishedAt: z.string(),
})
export type RunRecord = z.infer<typeof runRecordSchema>

export const MAX_QUEUE_PRIORITY = 9
/** Where nobody says: in the middle, with room on both sides. */
export const DEFAULT_QUEUE_PRIORITY = 5
export const MAX_RETRIES = 100
/** 0 to 9: of the runs that wait the highest goes first, of equal ones the oldest. */
export const queuePrioritySchema = z.number().int().min(0).max(MAX_QUEUE_PRIORITY)
/** How often a run that was interrupted (its engine died, its device was lost) is queued again by itself. */
export const retriesSchema = z.number().int().min(0).max(MAX_RETRIES)

/** A run's place among those that wait, and what became of it there. */
const queueSchema = z.object({
  priority: queuePrioritySchema,
  retries: retriesSchema,
  /** Times that it was started since somebody asked for it. */
  attempts: z.number().int(),
  /** The devices that it has, or had last, to itself: `auto` resolved. null until it is started. */
  devices: z.array(z.string()).nullable(),
})

/** A row of the library. Times are ISO 8601 in UTC. */
export const runSchema = z.object({
  id: z.string(),
  /** null once the dataset was removed. */
  datasetId: z.number().nullable(),
  /** The dataset's present name; the name at the time of the run once it was removed. */
  dataset: z.string(),
  name: z.string().nullable(),
  state: z.enum(runStates),
  algorithm: z.string(),
  request: runRequestSchema,
  queue: queueSchema,
  record: runRecordSchema.nullable(),
  failure: failureSchema.nullable(),
  /** Vertices in the set, or pairs of the matching. */
  size: z.number().nullable(),
  hash: z.string().nullable(),
  createdAt: z.string(),
  startedAt: z.string().nullable(),
  finishedAt: z.string().nullable(),
})
export type Run = z.infer<typeof runSchema>

/** Whether a run in this state will change no more. */
export function isFinal(state: RunState): boolean {
  return state === 'done' || state === 'failed' || state === 'cancelled' || state === 'interrupted'
}
