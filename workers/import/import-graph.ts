import { asFailure } from '../base/failure.ts'
import { type JobContext, throwIfCancelled } from '../base/job.ts'
import type { DatasetFacts, ImportArgs } from '../contract/jobs.ts'
import { refuseTakenName, writeDataset } from './write-dataset.ts'
import { continueCopy, COPY_STAGE, importCopy } from './canonical/import-copy.ts'
import { importExternal, listsAsEntries, parsedEntries } from './external/import-external.ts'
import { ImportSink } from './external/import-sink.ts'
import { COPIED_FROM_ARCS } from './canonical/linkable-file.ts'
import { isAbandoned, ScratchWork } from './external/scratch-work.ts'
import { IrregularEntries } from './external/source-slices.ts'
import { type OpenedFile, openWholeFile } from './formats/whole-file.ts'
import { csrLayout } from './formats/detect.ts'
import { importReport, reportSource } from './import-report.ts'
import { importLines } from './lines/import-lines.ts'
import { YieldScheduler } from '../threads/yield-scheduler.ts'
import type { ImportTuning } from './import-tuning.ts'
import { readGraphFile, severalFiles } from './read-graph-file.ts'

/**
 * Imports a graph file into a new dataset folder: graph.gr, labels where ids are not 0 to n - 1, report.json. What does not
 * fit in `memoryBytes` goes through a scratch folder beside it, with the same result. After a crash that folder stays, and
 * `resume` continues from its last completed stage.
 * @throws Failure (input) at file:line; (storage); (usage) when memory is too small;
 * (cancelled). Nothing stays behind.
 */
export async function importGraph(args: ImportArgs, job: JobContext, tuning: ImportTuning = {}): Promise<DatasetFacts> {
  const startedMs = performance.now()
  throwIfCancelled(job.signal)
  const work = new ScratchWork(args, job)
  let keepsWork = false
  try {
    const earlier = args.resume === true ? work.continue() : null
    if (earlier === null) refuseTakenName(args.folder)
    else if (earlier.has(COPY_STAGE)) return await continueCopy(args, work)
    else {
      // The scratch folder stays for a resume with more room.
      keepsWork = true
      tuning.requireRoom?.(false)
      keepsWork = false
    }
    try {
      if (earlier !== null) return await importExternal(args, work, startedMs, null)
      return await importAnew(args, work, startedMs, tuning)
    } catch (error) {
      if (!(error instanceof IrregularEntries)) throw error
      // The reader of the format decides on such entries or reports them.
      await work.giveUp()
      return await importAnew(args, work, startedMs, { ...tuning, copiedFromArcs: Infinity, readsLists: true })
    }
  } catch (error) {
    if (!keepsWork && !isAbandoned(error, job)) await work.giveUp()
    throw asFailure(error, args.folder)
  } finally {
    await work.end()
  }
}

async function importAnew(
  args: ImportArgs,
  work: ScratchWork,
  startedMs: number,
  tuning: ImportTuning,
): Promise<DatasetFacts> {
  const opened = await openWholeFile(args, work.job)
  try {
    if (opened !== null) tuning.requireRoom?.(true)
    const layout = opened === null || severalFiles(args) ? null : csrLayout(opened.format.name, opened.file)
    if (opened !== null && layout !== null && layout.arcs >= (tuning.copiedFromArcs ?? COPIED_FROM_ARCS)) {
      const copied = await importCopy(args, opened, layout, work, startedMs)
      if (copied !== null) return copied
      tuning.requireRoom?.(false)
    }
    if (opened !== null && layout !== null && tuning.readsLists !== true) {
      const parsed = await listsAsEntries(args, opened, layout, work)
      if (parsed !== null) return await importExternal(args, work, startedMs, parsed)
    }
    return await importEntries(args, work, startedMs, tuning, opened)
  } finally {
    opened?.close()
  }
}

async function importEntries(
  args: ImportArgs,
  work: ScratchWork,
  startedMs: number,
  tuning: ImportTuning,
  opened: OpenedFile | null,
): Promise<DatasetFacts> {
  const { job } = work
  if (opened === null) {
    const facts = await importLines(args, job, startedMs, tuning)
    if (facts !== null) return facts
    tuning.requireRoom?.(true)
  }
  const sink = new ImportSink({
    inMemoryBytes: work.shares.inMemoryBytes,
    openScratch: (entries, weighted, textBytes, vertices) => work.open(entries, weighted, textBytes, vertices),
    closeScratch: () => work.giveUp(),
    spreads: !measuresWeights(args),
  })
  try {
    const read = await readGraphFile(args, sink, job, { lineBytes: work.shares.lineBytes, ...tuning }, opened)
    const from = reportSource(args, read)
    if (read.vertices.kind === 'counted') sink.spillFor(read.vertices.vertices, read.weighted)
    if (sink.spilled !== null) {
      const parsed = await parsedEntries(sink, read, from)
      return await importExternal(args, work, startedMs, parsed)
    }
    const how = { map: read.weightMap, merge: args.merge }
    const collected = await sink.collector.finish(read.vertices, read.weighted, new YieldScheduler(job), how)
    return await writeDataset(args.folder, collected, importReport({ ...from, startedMs }, collected), job)
  } finally {
    sink.close()
  }
}

/** Whether the range of all weights must be known, which one thread measures in the order of the file. */
function measuresWeights(args: ImportArgs): boolean {
  return args.weightRule === 'shift' || args.invertWeights === true
}
