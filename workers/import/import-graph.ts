import { asFailure } from '../base/failure.ts'
import { type JobContext, throwIfCancelled } from '../base/job.ts'
import type { DatasetFacts, ImportArgs, ImportReport } from '../contract/jobs.ts'
import { attachAttributes } from './attributes/attach-attributes.ts'
import { refuseTakenName } from './write-dataset.ts'
import { continueCopy, COPY_STAGE, importCopy } from './canonical/import-copy.ts'
import { buildExternal } from './external/build-external.ts'
import { buildAside, graphOf, importExternal, listsAsEntries } from './external/import-external.ts'
import { unlogged, isAbandoned, ScratchWork } from './external/scratch-work.ts'
import { diskNeed } from './external/memory-shares.ts'
import { ImportSink } from './external/import-sink.ts'
import { COPIED_FROM_ARCS } from './canonical/linkable-file.ts'
import { IrregularEntries } from './external/source-slices.ts'
import { type OpenedFile, openWholeFile } from './formats/whole-file.ts'
import { csrLayout } from './formats/detect.ts'
import { reportSource } from './import-report.ts'
import { importLines } from './lines/import-lines.ts'
import { YieldScheduler } from '../threads/yield-scheduler.ts'
import type { ImportTuning } from './import-tuning.ts'
import { readGraphFile, severalFiles } from './read-graph-file.ts'

/**
 * Imports a graph file into a new dataset folder: graph.gr, labels where ids are not 0 to n - 1, report.json. What does
 * not fit in `memoryBytes` goes through a scratch folder beside it, which a crash leaves for `resume`.
 * @throws Failure (input) at file:line; (storage); (usage) when memory is too small; (cancelled). Nothing stays behind.
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
  const { shares } = work
  const sink = new ImportSink({
    inMemoryBytes: shares.inMemoryBytes,
    openScratch: (entries, weighted, textBytes, vertices) => work.open(entries, weighted, textBytes, vertices),
    closeScratch: () => work.giveUp(),
    spreads: !measuresWeights(args),
  })
  try {
    const read = await readGraphFile(args, sink, job, { lineBytes: shares.lineBytes, ...tuning }, opened)
    const { vertices, weighted } = read
    const from = reportSource(args, read)
    if (vertices.kind === 'counted') sink.spillFor(vertices.vertices, weighted)
    const space = vertices.kind === 'text' ? ({ kind: 'text' } as const) : vertices
    const scheduler = new YieldScheduler(job)
    const spilled = await sink.finish(scheduler)
    if (spilled !== null)
      return await importExternal(args, work, startedMs, { entries: spilled, space, weighted, from })
    const known = vertices.kind === 'counted' ? vertices.vertices : 0
    const { datasetBytes } = diskNeed(read.entries, weighted, known)
    const complete = (dataset: string, report: ImportReport) => attachAttributes(args, dataset, report, job)
    const aside = {
      folder: args.folder,
      shares,
      threads: null,
      diskBytes: datasetBytes,
      entries: read.entries,
      complete,
    }
    return await buildAside(aside, job, async (scratch) => {
      const entries = await sink.keep(scratch, weighted, scheduler)
      const graph = graphOf({ entries, space, weighted, from })
      const built = await buildExternal(graph, scratch, unlogged, job)
      job.progress({ phase: 'write', done: built.bytes, total: built.bytes, unit: 'bytes' })
      return { built, from: { ...from, startedMs } }
    })
  } finally {
    sink.close()
  }
}

/** One thread measures the range of all weights, in the order of the file. */
function measuresWeights(args: ImportArgs): boolean {
  return args.weightRule === 'shift' || args.invertWeights === true
}
