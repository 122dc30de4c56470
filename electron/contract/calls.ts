/**
 * What a host may ask of the service: every call with the schemas of its arguments and of its result, which are checked where they cross a
 * boundary. A call that cannot be done fails with a `FailureValue`. Both hosts, the command line and the window's client take their types and
 * names from this table alone; the service has a handler for each. events.ts is the other direction.
 */

import { z } from 'zod'
import type { JobContext } from '../../workers/base/job.ts'
import { algorithmEntrySchema, lazily } from '../../workers/contract/schema.ts'
import {
  importOptions,
  contentsArgsSchema,
  contentsSchema,
  previewArgsSchema,
  packOutcomeSchema,
  previewSchema,
  sampleOptions,
  graphExportOptions,
  graphExportOutcomeSchema,
} from '../../workers/contract/dataset.ts'
import { deviceMemorySchema, devicesSchema } from '../../workers/contract/devices.ts'
import {
  degreesSchema,
  graphFactsSchema,
  layoutArgsSchema,
  layoutSchema,
  neighbourhoodPart,
  neighbourhoodSchema,
  openedPart,
  openedSchema,
  overviewPart,
  overviewSchema,
  resultRowsSchema,
  searchPart,
  shownRows,
  tablePart,
  valueCountsSchema,
  vertexSearchSchema,
} from '../../workers/contract/explore.ts'
import {
  archiveOutcomeSchema,
  exportOptions,
  exportOutcomeSchema,
  setForms,
  verdictSchema,
} from '../../workers/contract/result.ts'
import { edgeTies, edgeWeights } from '../../workers/contract/jobs.ts'
import { planSchema } from '../../workers/contract/run.ts'
import { datasetSchema, generateRequestSchema, remainderSchema, removedDatasetSchema, tagsSchema } from './dataset.ts'
import { downloadRequestSchema, downloadSchema, fileListSchema } from './files.ts'
import { libraryStatusSchema, settingsSchema } from './settings.ts'
import {
  acrossSchema,
  planRequestSchema,
  queuePrioritySchema,
  retriesSchema,
  runRecordSchema,
  runRequestSchema,
  runSchema,
} from './run.ts'
import { progressSampleSchema, timelineLaneSchema, workSchema } from './work.ts'

export { MOST_OPENED } from '../../workers/contract/drawings.ts'
export { failureSchema } from '../../workers/contract/schema.ts'

const dataset = z.string()
/** `against`: a second run of the same dataset, to compare with. */
const marked = { dataset, run: z.string().optional(), against: z.string().optional() }

const nothing = z.object({})
const name = z.object({ name: z.string() })
/** Checked by the service, which says in words what a name may be. */
const newName = z.string()
const runId = z.object({ run: z.string() })
const oneDataset = z.object({ dataset: datasetSchema })
const oneRun = z.object({ run: runSchema })
const names = z.array(z.string()).min(1).max(10_000)
/** ISO 8601, UTC. */
const restorableUntil = z.string()
const size = z.number().int().positive()

export const calls = lazily({
  algorithms: () => ({ args: nothing, result: z.object({ algorithms: z.array(algorithmEntrySchema) }) }),
  'library.status': () => ({ args: nothing, result: libraryStatusSchema }),
  'settings.get': () => ({ args: nothing, result: z.object({ settings: settingsSchema }) }),
  'settings.set': () => ({
    args: z.object({ settings: settingsSchema.partial() }),
    result: z.object({ settings: settingsSchema }),
  }),
  devices: () => ({ args: nothing, result: devicesSchema }),
  'devices.memory': () => ({ args: nothing, result: deviceMemorySchema }),
  'devices.benchmark': () => ({ args: nothing, result: devicesSchema }),
  'datasets.list': () => ({ args: nothing, result: z.object({ datasets: z.array(datasetSchema) }) }),
  'datasets.get': () => ({ args: name, result: oneDataset }),
  'datasets.import': () => ({
    args: z.object({
      /** A path, or the "upload:..." that the host gave for a file which a browser sent. */
      source: z.string(),
      /** Absent: the file's base name. */
      name: newName.optional(),
      ...importOptions,
      /**
       * Leave a canonical binary file where it is: `always` refuses others, `possible` imports them. Absent: a copy
       * is stored.
       */
      link: z.enum(['always', 'possible']).optional(),
      /** Absent: where the machine's memory would not hold the graph twice. A graph that would hardly be smaller stays as it is. */
      pack: z.boolean().optional(),
      /** Take the dataset of this name when it was made from the same file. */
      reuse: z.boolean().optional(),
    }),
    result: z.object({ dataset: datasetSchema, reused: z.boolean() }),
  }),
  /** `which` is the file or the dataset's name, absent where there is only one. */
  'datasets.resume': () => ({
    args: z.object({
      which: z.string().optional(),
      memoryBytes: size.optional(),
      threads: size.optional(),
      pack: z.boolean().optional(),
      /** Refused where the import was asked for otherwise. */
      asked: z
        .object(importOptions)
        .omit({ memoryBytes: true, threads: true, sources: true, sourceName: true })
        .optional(),
    }),
    result: z.object({ dataset: datasetSchema.nullable() }),
  }),
  /** 0 bytes where it was there already. */
  'datasets.store': () => ({ args: name, result: z.object({ dataset: datasetSchema, bytes: z.number() }) }),
  /** `packedBytes` is null where the graph would hardly be smaller, and stays as it is. */
  'datasets.pack': () => ({ args: name, result: packOutcomeSchema.extend({ dataset: datasetSchema }) }),
  'datasets.unpack': () => ({ args: name, result: packOutcomeSchema.extend({ dataset: datasetSchema }) }),
  'datasets.remainders': () => ({ args: nothing, result: z.object({ remainders: z.array(remainderSchema) }) }),
  'datasets.clean': () => ({ args: nothing, result: z.object({ removed: z.array(remainderSchema) }) }),
  'datasets.generate': () => ({ args: generateRequestSchema, result: oneDataset }),
  'datasets.sample': () => ({
    args: z.object({ ...sampleOptions, name: newName.optional() }),
    result: oneDataset,
  }),
  /** The pairs of vertices that a graph has not joined, as a graph: its independent sets are the cliques of the other. `as` absent: the name with "-complement". */
  'datasets.complement': () => ({ args: name.extend({ as: newName.optional() }), result: oneDataset }),
  'datasets.rename': () => ({ args: z.object({ name: z.string(), to: newName }), result: oneDataset }),
  /** `forGood`: it cannot be brought back. */
  'datasets.remove': () => ({
    args: name.extend({ forGood: z.boolean().optional() }),
    result: oneDataset.extend({ restorableUntil }),
  }),
  'datasets.removeMany': () => ({
    args: z.object({ names }),
    result: z.object({ datasets: z.array(datasetSchema), restorableUntil }),
  }),
  /** Deleted ones that can be brought back, the newest first. */
  'datasets.removed': () => ({ args: nothing, result: z.object({ removed: z.array(removedDatasetSchema) }) }),
  /** Deletes what was deleted for good. `ids` absent: all of it. */
  'datasets.discard': () => ({
    args: z.object({ ids: z.array(z.number().int()).optional() }),
    result: z.object({ removed: z.array(removedDatasetSchema) }),
  }),
  /** `name`: another one, where its own is taken. */
  'datasets.restore': () => ({
    args: z.object({ id: z.number().int(), name: newName.optional() }),
    result: oneDataset,
  }),
  'datasets.tag': () => ({ args: z.object({ name: z.string(), tags: tagsSchema }), result: oneDataset }),
  'datasets.tagMany': () => ({
    args: z.object({ names, add: tagsSchema.optional(), remove: tagsSchema.optional() }),
    result: z.object({ datasets: z.array(datasetSchema) }),
  }),
  'datasets.degrees': () => ({ args: name, result: degreesSchema }),
  'datasets.contents': () => ({ args: contentsArgsSchema, result: contentsSchema }),
  'datasets.preview': () => ({ args: previewArgsSchema, result: previewSchema }),
  'datasets.export': () => ({ args: name.extend(graphExportOptions), result: graphExportOutcomeSchema }),
  /** Settles once the run is queued; `runs.wait` with its end. */
  'runs.start': () => ({
    args: z.object({
      request: runRequestSchema,
      /** A canonical .gr or .egr file, checked while the run computes, which becomes the dataset. */
      source: z.string().optional(),
      name: z.string().optional(),
      /** The rank in the queue; absent: 5. */
      priority: queuePrioritySchema.optional(),
      /** Absent: 0. */
      retries: retriesSchema.optional(),
      across: acrossSchema.optional(),
    }),
    result: oneRun,
  }),
  /** Resumes a run from its last checkpoint, if it has one. Settles once it is queued again. `finish`: what was found so far is its result. */
  'runs.resume': () => ({
    args: runId.extend({ across: acrossSchema.optional(), finish: z.boolean().optional() }),
    result: oneRun,
  }),
  /** The time of a run's last checkpoint (ISO 8601, UTC); null: it has none, and would start anew. */
  'runs.checkpoint': () => ({ args: runId, result: z.object({ writtenAt: z.string().nullable() }) }),
  'runs.prioritise': () => ({ args: z.object({ run: z.string(), priority: queuePrioritySchema }), result: oneRun }),
  'runs.progress': () => ({ args: runId, result: z.object({ samples: z.array(progressSampleSchema) }) }),
  /** No lanes before it has computed. */
  'runs.trace': () => ({ args: runId, result: z.object({ lanes: z.array(timelineLaneSchema) }) }),
  'runs.wait': () => ({ args: runId, result: oneRun }),
  'runs.list': () => ({ args: nothing, result: z.object({ runs: z.array(runSchema) }) }),
  /** `run` is an id, the unique beginning of one, a run's name, or "latest". */
  'runs.get': () => ({ args: runId, result: oneRun }),
  'runs.annotate': () => ({
    args: z.object({
      run: z.string(),
      name: z.string().trim().max(100).optional(),
      note: z.string().max(10_000).optional(),
      starred: z.boolean().optional(),
    }),
    result: oneRun,
  }),
  /** Ends the improvement of its result, which is kept. */
  'runs.finish': () => ({ args: runId, result: oneRun }),
  'runs.cancel': () => ({ args: runId, result: oneRun }),
  'runs.remove': () => ({ args: runId, result: oneRun }),
  /** One file by which others check and repeat a run. `withGraph` absent: with it. */
  archive: () => ({
    args: runId.extend({ output: z.string(), withGraph: z.boolean().optional() }),
    result: runId.extend(archiveOutcomeSchema.shape),
  }),
  /** Takes out of an archive what repeats its run, into a folder that is made. */
  'archive.unpack': () => ({
    args: z.object({ archive: z.string(), folder: z.string() }),
    result: z.object({ names: z.array(z.string()) }),
  }),
  'runs.record': () => ({ args: runId, result: z.object({ record: runRecordSchema }) }),
  'work.list': () => ({ args: nothing, result: z.object({ work: z.array(workSchema) }) }),
  /** Its end comes as an event. */
  'work.cancel': () => ({ args: z.object({ id: z.string() }), result: z.object({ work: workSchema }) }),
  'work.dismiss': () => ({ args: z.object({ id: z.string() }), result: z.object({ id: z.string() }) }),
  /** The files of a folder, for `anticlique serve`. */
  'files.list': () => ({ args: z.object({ folder: z.string().optional() }), result: fileListSchema }),
  /** A dialog of the window only. null: cancelled. */
  'files.choose': () => ({
    args: z.object({ title: z.string().optional(), several: z.boolean().optional(), folder: z.boolean().optional() }),
    result: z.object({ paths: z.array(z.string()).nullable() }),
  }),
  /** One label a line; returns its path. */
  'lists.write': () => ({
    args: z.object({ labels: z.array(z.string().regex(/^[^\r\n]+$/)).min(1) }),
    result: z.object({ path: z.string() }),
  }),
  'explore.search': () => ({ args: z.object({ dataset, ...searchPart }), result: vertexSearchSchema }),
  /** Facts of the whole graph, in one pass. `onlyKept`: what was counted before, else null. */
  'explore.facts': () => ({
    args: z.object({ dataset, onlyKept: z.boolean() }),
    result: z.object({ facts: graphFactsSchema.nullable() }),
  }),
  'explore.neighbourhood': () => ({ args: z.object({ ...marked, ...neighbourhoodPart }), result: neighbourhoodSchema }),
  /** The whole graph, or what one node of such a drawing stands for. */
  'explore.overview': () => ({ args: z.object({ ...marked, ...overviewPart }), result: overviewSchema }),
  /** The vertices of some nodes of such a drawing, in their place. */
  'explore.open': () => ({ args: z.object({ ...marked, ...openedPart }), result: openedSchema }),
  /** Places for a graph of the page's own. */
  'explore.layout': () => ({ args: layoutArgsSchema, result: layoutSchema }),
  /** A part of the table of a run's result: its members or pairs, the vertices that are left, or what it has in common with another's. */
  'explore.result': () => ({
    args: z.object({ run: z.string(), against: z.string().optional(), show: shownRows, ...tablePart }),
    result: resultRowsSchema,
  }),
  /** How the values of a run's result are spread. */
  'explore.values': () => ({ args: runId, result: valueCountsSchema }),
  /** A part of the table of all vertices. */
  'explore.vertices': () => ({ args: z.object({ dataset, ...tablePart }), result: resultRowsSchema }),
  plan: () => ({
    args: planRequestSchema,
    result: z.object({ target: z.string(), dataset: z.string().nullable(), plan: planSchema }),
  }),
  verify: () => ({
    /** `of` is a run, or a dataset with a file of ids, one a line, or of pairs. */
    args: z.object({
      of: z.string(),
      set: z.string().optional(),
      /** How the set is written. */
      setForm: z.enum(setForms).optional(),
      exclude: z.string().optional(),
      pairs: z.string().optional(),
      weights: z.enum(edgeWeights).optional(),
      /** The matching must be locally dominant under this rule, not only maximal. */
      ties: z.enum(edgeTies).optional(),
      seed: z.number().int().min(0).optional(),
    }),
    result: z.object({ dataset: z.string(), run: z.string().nullable(), set: z.string(), verdict: verdictSchema }),
  }),
  export: () => ({
    args: runId.extend(exportOptions),
    /** `recordFile`: null where the output is a pipe or a device. */
    result: z.object({ run: z.string(), outcome: exportOutcomeSchema, recordFile: z.string().nullable() }),
  }),
  /** Exports by a save dialog, or a download of the browser. */
  'export.download': () => ({ args: z.object({ request: downloadRequestSchema }), result: downloadSchema }),
} as const satisfies Record<string, () => { readonly args: z.ZodType; readonly result: z.ZodType }>)

type Calls = typeof calls
export type CallName = keyof Calls
export type CallArgs<N extends CallName> = z.infer<Calls[N]['args']>
export type CallResult<N extends CallName> = z.infer<Calls[N]['result']>

/** What does each call, of all calls or of those whose names begin alike. */
export type Handlers<Begin extends string = ''> = {
  readonly [N in Extract<CallName, `${Begin}${string}`>]: (args: CallArgs<N>, job: JobContext) => Promise<CallResult<N>>
}

export function isCallName(text: string): text is CallName {
  return Object.hasOwn(calls, text)
}
