import { z } from 'zod'
import { edgeTies, edgeWeights, exportFormats, graphExportFormats } from '../../workers/contract/jobs.ts'
import type { ExportOutcome, GraphExportOutcome } from '../../workers/contract/jobs.ts'
import { algorithmEntrySchema } from './algorithms.ts'
import { datasetSchema, tagsSchema } from './dataset.ts'
import { degreesSchema } from './degrees.ts'
import { deviceMemorySchema, devicesSchema } from './device.ts'
import { downloadRequestSchema, downloadSchema } from './download.ts'
import { neighbourhoodSchema, resultRowsSchema, vertexSearchSchema } from './explore.ts'
import { fileListSchema } from './files.ts'
import { generateRequestSchema } from './generators.ts'
import { importOptions } from './import-options.ts'
import { libraryStatusSchema } from './library.ts'
import { planSchema } from './plan.ts'
import { previewSchema } from './preview.ts'
import { remainderSchema } from './remainder.ts'
import {
  acrossSchema,
  planRequestSchema,
  queuePrioritySchema,
  retriesSchema,
  runRecordSchema,
  runRequestSchema,
  runSchema,
} from './run.ts'
import { settingsSchema } from './settings.ts'
import { progressSampleSchema, timelineLaneSchema } from './run-history.ts'
import { verdictSchema } from './verdict.ts'
import { workSchema } from './work.ts'

/**
 * Everything that a host can ask of the service: the window through its bridge, the command line in process. Arguments and
 * results are checked where they cross a boundary; a call that cannot be done fails with a `FailureValue`.
 */
const nothing = z.object({})
const name = z.object({ name: z.string() })
/** Checked against `datasetNameSchema` by the service, which says in words what a name may be. */
const newName = z.string()
const runId = z.object({ run: z.string() })
const oneDataset = z.object({ dataset: datasetSchema })
const oneRun = z.object({ run: runSchema })
const names = z.array(z.string()).min(1).max(10_000)
/** Until when `datasets.restore` brings it back; ISO 8601, UTC. */
const restorableUntil = z.string()
const size = z.number().int().positive()
/** Of CSV: no cell begins as a formula does. */
const spreadsheetSafe = z.boolean().optional()

const exportOutcomeSchema: z.ZodType<ExportOutcome> = z.object({
  files: z.array(z.string()),
  bytes: z.number(),
  members: z.number(),
})

const graphExportOutcomeSchema: z.ZodType<GraphExportOutcome> = z.object({
  files: z.array(z.string()),
  bytes: z.number(),
  vertices: z.number(),
  arcs: z.number(),
  notes: z.array(z.string()),
})

export const calls = {
  algorithms: { args: nothing, result: z.object({ algorithms: z.array(algorithmEntrySchema) }) },
  'library.status': { args: nothing, result: libraryStatusSchema },
  'settings.get': { args: nothing, result: z.object({ settings: settingsSchema }) },
  /** Changes those that are given. */
  'settings.set': {
    args: z.object({ settings: settingsSchema.partial() }),
    result: z.object({ settings: settingsSchema }),
  },
  devices: { args: nothing, result: devicesSchema },
  /** Cheap enough for every second: no device is opened for it. */
  'devices.memory': { args: nothing, result: deviceMemorySchema },
  /** Measures copies to and from each device, its memory, and the library's disk: some seconds. */
  'devices.benchmark': { args: nothing, result: devicesSchema },
  'datasets.list': { args: nothing, result: z.object({ datasets: z.array(datasetSchema) }) },
  'datasets.get': { args: name, result: oneDataset },
  'datasets.import': {
    args: z.object({
      /** A path, or the "upload:..." that the host gave for a file which a browser sent. */
      source: z.string(),
      /** Absent: the file's base name without its extensions. */
      name: newName.optional(),
      ...importOptions,
      /** Leave a canonical binary file where it is: `always` refuses others, `possible` imports them. Absent: a copy is stored. */
      link: z.enum(['always', 'possible']).optional(),
      /** Take the dataset of this name when it was made from the very same file, instead of refusing. */
      reuse: z.boolean().optional(),
    }),
    result: z.object({ dataset: datasetSchema, reused: z.boolean() }),
  },
  /** Goes on with an import whose program was killed; `which` is its file or the dataset's name, absent where there is only one. */
  'datasets.resume': {
    args: z.object({
      which: z.string().optional(),
      memoryBytes: size.optional(),
      threads: size.optional(),
      /** What the import is taken to have been asked for: refused where it was asked for otherwise. */
      asked: z
        .object(importOptions)
        .omit({ memoryBytes: true, threads: true, sources: true, sourceName: true })
        .optional(),
    }),
    /** null where there is none to go on with. */
    result: z.object({ dataset: datasetSchema.nullable() }),
  },
  /** Copies the file that a dataset is linked to into the library; 0 bytes where it was there already. */
  'datasets.store': { args: name, result: z.object({ dataset: datasetSchema, bytes: z.number() }) },
  'datasets.remainders': { args: nothing, result: z.object({ remainders: z.array(remainderSchema) }) },
  /** Removes all remainders; what is still at work is none. */
  'datasets.clean': { args: nothing, result: z.object({ removed: z.array(remainderSchema) }) },
  'datasets.generate': { args: generateRequestSchema, result: oneDataset },
  'datasets.sample': {
    args: z.object({
      sample: z.literal('cities'),
      radiusKm: z.number().positive().max(20_000),
      name: newName.optional(),
    }),
    result: oneDataset,
  },
  'datasets.rename': { args: z.object({ name: z.string(), to: newName }), result: oneDataset },
  'datasets.remove': { args: name, result: oneDataset.extend({ restorableUntil }) },
  'datasets.removeMany': {
    args: z.object({ names }),
    result: z.object({ datasets: z.array(datasetSchema), restorableUntil }),
  },
  /** Brings back a dataset that was removed in this session, with its runs. `name`: another one, where its own is taken now. */
  'datasets.restore': { args: z.object({ id: z.number().int(), name: newName.optional() }), result: oneDataset },
  /** Gives a dataset these tags in place of those it has. */
  'datasets.tag': { args: z.object({ name: z.string(), tags: tagsSchema }), result: oneDataset },
  /** Adds tags to several datasets and takes others away. */
  'datasets.tagMany': {
    args: z.object({ names, add: tagsSchema.optional(), remove: tagsSchema.optional() }),
    result: z.object({ datasets: z.array(datasetSchema) }),
  },
  'datasets.degrees': { args: name, result: degreesSchema },
  /** Reads only the beginning of the file. */
  'datasets.preview': {
    args: z.object({
      source: z.string(),
      format: importOptions.format,
      table: importOptions.table,
      ignoreWeights: importOptions.ignoreWeights,
      weightRule: importOptions.weightRule,
    }),
    result: previewSchema,
  },
  /** Writes a dataset's graph to a file of its own. */
  'datasets.export': {
    args: z.object({
      name: z.string(),
      format: z.enum(graphExportFormats),
      output: z.string(),
      gzip: z.boolean().optional(),
      spreadsheetSafe,
    }),
    result: graphExportOutcomeSchema,
  },
  /** Settles as soon as the run is queued; `runs.wait` settles with its end. */
  'runs.start': {
    args: z.object({
      request: runRequestSchema,
      /** A canonical .gr or .egr file, which becomes the dataset `request.dataset` and is checked while the run computes. */
      source: z.string().optional(),
      name: z.string().optional(),
      /** Of the queue; absent: 5. */
      priority: queuePrioritySchema.optional(),
      /** Absent: 0. */
      retries: retriesSchema.optional(),
      across: acrossSchema.optional(),
    }),
    result: oneRun,
  },
  /** Goes on with a run that ended without a result, from its last checkpoint. Settles as soon as it is queued again. */
  'runs.resume': { args: runId.extend({ across: acrossSchema.optional() }), result: oneRun },
  /** Gives a run that waits another place in the queue. */
  'runs.prioritise': { args: z.object({ run: z.string(), priority: queuePrioritySchema }), result: oneRun },
  /** Where a run stood when, for charts. */
  'runs.progress': { args: runId, result: z.object({ samples: z.array(progressSampleSchema) }) },
  /** What each worker of a run did when; no lanes before it has computed. */
  'runs.trace': { args: runId, result: z.object({ lanes: z.array(timelineLaneSchema) }) },
  'runs.wait': { args: runId, result: oneRun },
  'runs.list': { args: nothing, result: z.object({ runs: z.array(runSchema) }) },
  /** `run` is an id, the unique beginning of one, a run's name, or "latest". */
  'runs.get': { args: runId, result: oneRun },
  /** Changes what is given of a run's name, note and star, in whatever state it is; an empty name is none. Its record stays. */
  'runs.annotate': {
    args: z.object({
      run: z.string(),
      name: z.string().trim().max(100).optional(),
      note: z.string().max(10_000).optional(),
      starred: z.boolean().optional(),
    }),
    result: oneRun,
  },
  'runs.cancel': { args: runId, result: oneRun },
  'runs.remove': { args: runId, result: oneRun },
  /** All that repeats and cites a finished run. */
  'runs.record': { args: runId, result: z.object({ record: runRecordSchema }) },
  'work.list': { args: nothing, result: z.object({ work: z.array(workSchema) }) },
  /** Asks it to stop; its end comes as an event. */
  'work.cancel': { args: z.object({ id: z.string() }), result: z.object({ work: workSchema }) },
  /** Takes the card of something that has ended away. */
  'work.dismiss': { args: z.object({ id: z.string() }), result: z.object({ id: z.string() }) },
  /** Folders and files of the program's machine, for pages that choose one under `anticlique serve`. */
  'files.list': { args: z.object({ folder: z.string().optional() }), result: fileListSchema },
  /** The system's own dialog; only the window has one (`library.status` tells the host). null: cancelled. */
  'files.choose': {
    args: z.object({ title: z.string().optional(), several: z.boolean().optional(), folder: z.boolean().optional() }),
    result: z.object({ paths: z.array(z.string()).nullable() }),
  },
  /** Keeps labels of vertices as a file, one a line, for options of runs that name such files. */
  'lists.write': {
    args: z.object({ labels: z.array(z.string().regex(/^[^\r\n]+$/)).min(1) }),
    result: z.object({ path: z.string() }),
  },
  'explore.search': {
    args: z.object({ dataset: z.string(), text: z.string().max(200), limit: z.number().int().min(1).max(100) }),
    result: vertexSearchSchema,
  },
  'explore.neighbourhood': {
    args: z.object({
      dataset: z.string(),
      run: z.string().optional(),
      /** Its label; null for a sensible start. */
      vertex: z.string().nullable(),
      hops: z.number().int().min(1).max(4),
      limit: z.number().int().min(1).max(2000),
    }),
    result: neighbourhoodSchema,
  },
  /** A part of the table of a run's result: its members or pairs, or the vertices that are left. */
  'explore.result': {
    args: z.object({
      run: z.string(),
      show: z.enum(['in', 'out']),
      /** Vertices whose label or name begins with it; empty: all. */
      text: z.string().max(200),
      sort: z.enum(['id', 'degree', 'value']),
      down: z.boolean(),
      offset: z.number().int().nonnegative(),
      limit: z.number().int().min(1).max(1000),
    }),
    result: resultRowsSchema,
  },
  /** What a run of these options would take; nothing is written. */
  plan: {
    args: planRequestSchema,
    result: z.object({ target: z.string(), dataset: z.string().nullable(), plan: planSchema }),
  },
  verify: {
    /** `of` is a run, or a dataset together with a file of ids, one a line, or of pairs that make a matching. */
    args: z.object({
      of: z.string(),
      set: z.string().optional(),
      exclude: z.string().optional(),
      pairs: z.string().optional(),
      weights: z.enum(edgeWeights).optional(),
      /** Named: the matching must be locally dominant under this rule, not only maximal. */
      ties: z.enum(edgeTies).optional(),
      seed: z.number().int().min(0).optional(),
    }),
    result: z.object({ dataset: z.string(), run: z.string().nullable(), set: z.string(), verdict: verdictSchema }),
  },
  export: {
    args: z.object({ run: z.string(), format: z.enum(exportFormats), output: z.string(), spreadsheetSafe }),
    /** `recordFile`: null where the output is a pipe or a device, which has nothing beside it. */
    result: z.object({ run: z.string(), outcome: exportOutcomeSchema, recordFile: z.string().nullable() }),
  },
  /** Takes something out to where the person is: through a save dialog in the window, as a download in a browser. */
  'export.download': { args: z.object({ request: downloadRequestSchema }), result: downloadSchema },
} as const satisfies Record<string, { readonly args: z.ZodType; readonly result: z.ZodType }>

export type Calls = typeof calls
export type CallName = keyof Calls
export type CallArgs<N extends CallName> = z.infer<Calls[N]['args']>
export type CallResult<N extends CallName> = z.infer<Calls[N]['result']>

/** Whether text from the other side of a boundary is the name of a call. */
export function isCallName(text: string): text is CallName {
  return Object.hasOwn(calls, text)
}
