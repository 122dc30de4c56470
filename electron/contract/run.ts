import { z } from 'zod'
import { algorithmEntries, algorithmNames } from '../../workers/contract/catalogue.ts'
import type { AlgorithmRequest, AnyOptions, OptionEntry } from '../../workers/contract/catalogue.ts'
import { acrossWays, graphFormats } from '../../workers/contract/jobs.ts'
import type { AcrossArgs, RunOutcome, RunPlan } from '../../workers/contract/jobs.ts'
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
/** The values that an option of the catalogue takes. */
function valueSchema({ kind, choices = [], min, max }: OptionEntry): z.ZodType {
  switch (kind) {
    case 'choice':
      return z.enum(choices.map(({ value }) => value))
    case 'integer':
    case 'bytes':
      return z
        .int()
        .min(min ?? Number.MIN_SAFE_INTEGER)
        .max(max ?? Number.MAX_SAFE_INTEGER)
    case 'seconds':
    case 'number':
      return z
        .number()
        .min(min ?? -Infinity)
        .max(max ?? Infinity)
    case 'switch':
      return z.boolean()
    case 'file':
    case 'text':
      return z.string()
  }
}

const optionSchema = (option: OptionEntry): z.ZodType =>
  option.recorded === true ? valueSchema(option).default(option.default) : valueSchema(option).optional()

/** What an algorithm is asked for, with these fields: a union by algorithm. Options that an algorithm does not have are left out. */
function requestSchema<S extends z.ZodRawShape>(fields: S): z.ZodType<AlgorithmRequest & z.infer<z.ZodObject<S>>> {
  const branches = algorithmEntries.map(({ name, options }) => {
    const own = Object.fromEntries(options.map((option) => [option.name, optionSchema(option)]))
    return z.object({ ...own, ...fields, algorithm: z.literal(name) })
  })
  const [first, ...others] = branches
  return z.discriminatedUnion('algorithm', [first!, ...others]) as unknown as ReturnType<typeof requestSchema<S>>
}

/** What a person asks for; together with the dataset's checksum it repeats the run. */
export const runRequestSchema = requestSchema({
  /** Name of the dataset. */
  dataset: z.string(),
  device: deviceListSchema,
  /** Chrome trace events of the run are written here. */
  traceFile: z.string().optional(),
  /** Milliseconds between two checkpoints. */
  checkpointEveryMs: z.int().min(0).optional(),
})
export type RunRequest = z.infer<typeof runRequestSchema>

/** The options of a request, whatever the algorithm; those that it does not have are absent. */
export const optionsOf = (request: AlgorithmRequest): AnyOptions => request

/** What a plan is asked for: a run before there is one. `target` is a dataset, or else a file. */
export const planRequestSchema = requestSchema({
  target: z.string(),
  device: deviceListSchema,
  format: z.enum(graphFormats).optional(),
  hostBytes: z.int().positive().optional(),
  /** Of a file: the import, and nothing behind it. */
  importOnly: z.boolean().optional(),
})

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
    z.object({
      kind: z.literal('values'),
      size: z.number(),
      figures: z.record(z.string(), z.number()),
      hash: z.string(),
    }),
  ]),
  rounds: z.number(),
  roundCounts: z.array(z.object({ round: z.number(), undecided: z.number() })),
  // Records of earlier versions have neither.
  counters: z.record(z.string(), z.number()).default({}),
  series: z
    .array(
      z.object({
        name: z.string(),
        of: z.enum(['round', 'pass', 'worker', 'seed', 'value']).optional(),
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

/** Of a program that a launcher of MPI started: with the other processes, by the command line alone. */
export const acrossSchema: z.ZodType<AcrossArgs> = z.object({
  by: z.enum(acrossWays),
  version: z.string(),
  graphPath: z.string().optional(),
})

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
  /** What a person wrote beside it. */
  note: z.string(),
  starred: z.boolean(),
  state: z.enum(runStates),
  algorithm: z.string(),
  request: runRequestSchema,
  queue: queueSchema,
  record: runRecordSchema.nullable(),
  failure: failureSchema.nullable(),
  /** Vertices in the set, pairs of the matching, or the first figure of values. */
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
