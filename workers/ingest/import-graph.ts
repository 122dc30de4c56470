import { asFailure } from '../failure.ts'
import { type JobContext, throwIfCancelled } from '../job.ts'
import type { DatasetFacts, ImportArgs } from '../jobs.ts'
import { copyCanonical } from './canonical/copy-canonical.ts'
import { refuseTakenName, writeDataset } from './write-dataset.ts'
import { importOutside, parsedOutside } from './external/import-outside.ts'
import { ImportSink } from './external/import-sink.ts'
import { isAbandoned, OutsideWork } from './external/outside-work.ts'
import { importReport, type ReportSource } from './import-report.ts'
import { Pace } from './pace.ts'
import { type ImportTuning, type ReadFile, readGraphFile } from './read-graph-file.ts'

export type { ImportTuning }

/**
 * Imports a graph file into a new dataset folder: graph.gr, labels where ids are not 0 to n - 1, report.json. What does not
 * fit in the memory allowed (`memoryBytes`) goes through a scratch folder beside it, with the same result. That folder outlives
 * a crash, and nothing else; `resume` continues from its last completed stage.
 * @throws Failure (input) for files that are not what they should be, at file:line; (storage); (engine) when memory is too
 *   small; (cancelled). Nothing stays behind.
 */
export async function importGraph(args: ImportArgs, job: JobContext, tuning: ImportTuning = {}): Promise<DatasetFacts> {
  const startedMs = performance.now()
  throwIfCancelled(job.signal)
  const work = new OutsideWork(args, job)
  try {
    const earlier = args.resume === true ? work.continue() : null
    if (earlier === null) refuseTakenName(args.folder)
    else return await importOutside(args, work, startedMs, null)
    return await importAnew(args, work, startedMs, tuning)
  } catch (error) {
    if (!isAbandoned(error, job)) await work.giveUp()
    throw asFailure(error, args.folder)
  } finally {
    await work.end()
  }
}

async function importAnew(
  args: ImportArgs,
  work: OutsideWork,
  startedMs: number,
  tuning: ImportTuning,
): Promise<DatasetFacts> {
  const { job } = work
  if (tuning.copiesCanonical !== false) {
    const copied = await copyCanonical(args, startedMs, job)
    if (copied !== null) return copied
  }
  const sink = new ImportSink({
    inMemoryBytes: work.shares.inMemoryBytes,
    openWorkshop: (entries, weighted) => work.open(entries, weighted),
    closeWorkshop: () => work.giveUp(),
    spreads: !measuresWeights(args),
  })
  try {
    const read = await readGraphFile(args, sink, job, tuning)
    const from = reportSource(args, read)
    if (sink.spilled !== null) {
      const parsed = await parsedOutside(sink, read, from)
      return await importOutside(args, work, startedMs, parsed)
    }
    const how = { map: read.weightMap, merge: args.merge }
    const collected = await sink.collector.finish(read.vertices, read.weighted, new Pace(job), how)
    return await writeDataset(args.folder, collected, importReport({ ...from, startedMs }, collected), job)
  } finally {
    sink.close()
  }
}

/** Whether the range of all weights must be known, which whoever reads them measures in their order. */
function measuresWeights(args: ImportArgs): boolean {
  return args.weightRule === 'shift' || args.invertWeights === true
}

function reportSource(args: ImportArgs, read: ReadFile): Omit<ReportSource, 'startedMs'> {
  const { compression, storedBytes } = read.source
  const { format, lines, entries, policy, sides, filtered, weightMap } = read
  return {
    format,
    lines,
    entries,
    weightMap,
    ...(sides === undefined ? {} : { sides }),
    ...(filtered === undefined ? {} : { filtered }),
    policy: { rule: policy.rule, absolute: policy.absolute, dropped: policy.dropped },
    warnings: [...read.warnings, ...policy.warnings()],
    merge: args.merge,
    source: args.sourceName ?? args.source,
    compression,
    sourceBytes: storedBytes,
    sourceSha256: read.sha256,
  }
}
