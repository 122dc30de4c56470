/**
 * Runs as hosts and service speak of them: requests (a union by algorithm, made from the catalogue), plans, states with their legal transitions,
 * records, queue priorities and retries. Whatever a request may say is checked here; what it means for a graph is checked by the plan.
 * workers/contract/run.ts has arguments and outcome of the engine's job, and library/run-table.ts keeps the rows.
 */

import { z } from 'zod'
import {
  algorithmEntries,
  type AlgorithmRequest,
  type AnyOptions,
  type OptionEntry,
} from '../../workers/contract/catalogue.ts'
import { failureSchema } from '../../workers/contract/schema.ts'
import { acrossWays, graphFormats, type AcrossArgs, type Verdict } from '../../workers/contract/jobs.ts'
import { plannedReadingSchema, recipeSchema } from '../../workers/contract/dataset.ts'
import { type RunOutcome, runOutcomeSchema } from '../../workers/contract/run.ts'

export { isOfPairs } from '../../workers/contract/result.ts'

/** The states of a run in order; the last three are other ends. */
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

/** All others are bugs. Those that ended without a result are resumed. */
export const legalTransitions: Readonly<Record<RunState, readonly RunState[]>> = {
  queued: ['planning', 'failed', 'cancelled', 'interrupted'],
  planning: ['running', 'failed', 'cancelled', 'interrupted'],
  running: ['verifying', 'done', 'failed', 'cancelled', 'interrupted'],
  verifying: ['done', 'failed', 'cancelled', 'interrupted'],
  done: [],
  failed: ['queued'],
  cancelled: ['queued'],
  interrupted: ['queued'],
}

export const deviceIdSchema = z.string().regex(/^(auto|(cpu|gpu):\d+)$/)
export const deviceListSchema = z.string().regex(/^(auto|(cpu|gpu):\d+(,(cpu|gpu):\d+)*)$/)
function valueSchema({ kind, choices = [], min = -Infinity, max = Infinity }: OptionEntry): z.ZodType {
  switch (kind) {
    case 'choice':
      return z.enum(choices.map(({ value }) => value))
    case 'integer':
    case 'bytes':
      return z.int().gte(min).lte(max)
    case 'seconds':
    case 'number':
      return z.number().gte(min).lte(max)
    case 'switch':
      return z.boolean()
    case 'file':
    case 'text':
      return z.string()
  }
}

const optionSchema = (option: OptionEntry): z.ZodType =>
  option.recorded === true ? valueSchema(option).default(option.default) : valueSchema(option).optional()

/** A union by algorithm, of which a branch is built when it is first asked for. Options that an algorithm lacks are left out. */
function requestSchema<S extends z.ZodRawShape>(fields: S): z.ZodType<AlgorithmRequest & z.infer<z.ZodObject<S>>> {
  const branches = algorithmEntries.map(({ name, options }) => {
    const branch = z.lazy(() => {
      const own = Object.fromEntries(options.map((option) => [option.name, optionSchema(option)]))
      return z.object({ ...own, ...fields, algorithm: z.literal(name) })
    })
    // What the union asks of all branches, so that it builds none to know.
    Object.assign(branch._zod, { propValues: { algorithm: new Set([name]) }, optin: undefined, optout: undefined })
    return branch
  })
  const [first, ...others] = branches
  return z.discriminatedUnion('algorithm', [first!, ...others]) as unknown as ReturnType<typeof requestSchema<S>>
}

/** A request; with the dataset's checksum it repeats the run. */
export const runRequestSchema = requestSchema({
  dataset: z.string(),
  device: deviceListSchema,
  traceFile: z.string().optional(),
  /** Milliseconds. */
  checkpointEveryMs: z.int().min(0).optional(),
})
export type RunRequest = z.infer<typeof runRequestSchema>

/** Whether what is computed depends on attributes of the vertices, which the checksum of a graph does not cover. */
export const usesAttributes = ({ keepWhere, excludeWhere, columnName }: AnyOptions): boolean =>
  [keepWhere, excludeWhere, columnName].some((option) => option !== undefined)

/** Absent where the algorithm lacks them. */
export const optionsOf = (request: AlgorithmRequest): AnyOptions => request

/** `target`: a dataset, or a file. */
export const planRequestSchema = z.lazy(() =>
  requestSchema({
    target: z.string(),
    device: deviceListSchema,
    ranks: z
      .int()
      .min(1)
      .max(1 << 20)
      .optional(),
    networkBytesPerSecond: z.number().positive().optional(),
    format: z.enum(graphFormats).optional(),
    member: z.string().optional(),
    hostBytes: z.int().positive().optional(),
    importOnly: z.boolean().optional(),
    /** How an import would read the file. */
    reading: plannedReadingSchema.optional(),
  }),
)

/** Files are read by pieces of 1 MiB: of a graph of few pieces the share that is read says nothing. */
const PIECES_BYTES = 8 << 20

/** The counters of a run that say something. */
export const tellingCounters = ({ counters, bytes }: RunOutcome): Readonly<Record<string, number>> =>
  Object.fromEntries(Object.entries(counters).filter(([name]) => name !== 'readPercent' || bytes.read >= PIECES_BYTES))

/** Enough to cite, check and repeat a run. */
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
    recipe: recipeSchema.optional(),
  }),
  /** The list of each option that names one: its SHA-256, and its text if that is short. */
  lists: z.record(z.string(), z.object({ sha256: z.string(), text: z.string().optional() })).optional(),
  request: runRequestSchema,
  outcome: runOutcomeSchema,
  hash: z.string(),
  versions: z.object({
    anticlique: z.string(),
    /** The commit of the source that was built; null or absent: not known. */
    commit: z.string().nullable().optional(),
    node: z.string(),
    webgpu: z.string(),
  }),
  startedAt: z.string(),
  finishedAt: z.string(),
})
export type RunRecord = z.infer<typeof runRecordSchema>

/** The graph of which the run's graph is the complement, so that an independent set is a clique of it; null: it is none. */
export function complementedBy({ dataset }: Pick<RunRecord, 'dataset'>): ComplementedGraph | null {
  const { call, args = {} } = dataset.recipe ?? {}
  return call === 'datasets.complement' ? complementedGraphSchema.parse(args['of']) : null
}

/** What a complement keeps of its graph, by which that is found or made again. */
const complementedGraphSchema = z.object({
  name: z.string(),
  checksum: z.string(),
  source: z.string(),
  recipe: recipeSchema.optional(),
})
type ComplementedGraph = z.infer<typeof complementedGraphSchema>

/** A program that a launcher of MPI started: with the other processes, by the command line alone. */
export const acrossSchema: z.ZodType<AcrossArgs> = z.object({
  by: z.enum(acrossWays),
  version: z.string(),
  graphPath: z.string().optional(),
})

export const MAX_QUEUE_PRIORITY = 9
export const DEFAULT_QUEUE_PRIORITY = 5
export const MAX_RETRIES = 100
/** The highest first, of equal ones the oldest. */
export const queuePrioritySchema = z.number().int().min(0).max(MAX_QUEUE_PRIORITY)
/** How often an interrupted run is queued again by itself. */
export const retriesSchema = z.number().int().min(0).max(MAX_RETRIES)

const queueSchema = z.object({
  priority: queuePrioritySchema,
  retries: retriesSchema,
  /** Attempts since it was asked for. */
  attempts: z.number().int(),
  /** `auto` resolved. null until it is started. */
  devices: z.array(z.string()).nullable(),
})

/** Times are ISO 8601 in UTC. */
export const runSchema = z.object({
  id: z.string(),
  /** null once the dataset was removed. */
  datasetId: z.number().nullable(),
  /** Its present name, or its last. */
  dataset: z.string(),
  name: z.string().nullable(),
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

export function isFinal(state: RunState): boolean {
  return state === 'done' || state === 'failed' || state === 'cancelled' || state === 'interrupted'
}

/** Whether lists of vertices say what must be in the set, or must not: its bound is that of the sets that keep to them. */
export const keepsToLists = (request: AlgorithmRequest): boolean =>
  (['keepFile', 'keepWhere', 'excludeFile', 'excludeWhere'] as const).some(
    (name) => optionsOf(request)[name] !== undefined,
  )

const listFiles: ReadonlySet<string> = new Set(['columnFile', 'keepFile', 'excludeFile'])

/** Options with the names of their lists, for what leaves this machine: no folder of it goes along. */
export function withoutFolders<T extends object>(options: T): T {
  const named = Object.entries(options).flatMap(([name, file]) =>
    listFiles.has(name) && typeof file === 'string' ? [[name, file.replace(/^.*[\\/]/, '')]] : [],
  )
  return { ...options, ...Object.fromEntries(named) }
}

/** The time until the result was there, of all attempts; null where those before were not counted. */
export function totalMsOf({ time, resumed, waited }: RunOutcome): number | null {
  if (resumed === undefined) return time.totalMs
  return waited === undefined ? null : waited.setMs + waited.searchMs
}

/** 0 to 1; null without a bound. */
export function shareOfBound({ size, weight, upperBound }: Verdict): number | null {
  return upperBound !== null && upperBound > 0 ? (weight ?? size) / upperBound : null
}
