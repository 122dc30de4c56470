import { type JobContext, throwIfCancelled } from '../job.ts'
import type { DatasetFacts, ImportArgs } from '../jobs.ts'
import { EntryCollector } from './entry-collector.ts'
import { importReport } from './import-report.ts'
import { Pace } from './pace.ts'
import { type ImportTuning, readGraphFile } from './read-graph-file.ts'
import { refuseTakenName, writeDataset } from './write-dataset.ts'

export type { ImportTuning }

/**
 * Imports a graph file into a new dataset folder: graph.gr, labels where ids are not 0 to n - 1, report.json.
 * @throws Failure (input) for files that are not what they should be, at file:line; (storage); (engine) when memory is too
 *   small; (cancelled). Nothing stays behind.
 */
export async function importGraph(args: ImportArgs, job: JobContext, tuning: ImportTuning = {}): Promise<DatasetFacts> {
  const startedMs = performance.now()
  throwIfCancelled(job.signal)
  refuseTakenName(args.folder)
  const collector = new EntryCollector()
  const read = await readGraphFile(args, collector, job, tuning)
  const collected = await collector.finish(read.vertices, read.weighted, new Pace(job), {
    map: read.weightMap,
    merge: args.merge,
  })
  const { compression, storedBytes } = read.source
  const warnings = [...read.warnings, ...read.policy.warnings()]
  const from = {
    ...read,
    merge: args.merge,
    source: args.sourceName ?? args.source,
    compression,
    sourceBytes: storedBytes,
    sourceSha256: read.sha256,
  }
  return writeDataset(args.folder, collected, importReport({ ...from, startedMs, warnings }, collected), job)
}
