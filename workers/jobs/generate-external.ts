import { randomBytes } from 'node:crypto'
import { mkdirSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { asFailure } from '../base/failure.ts'
import type { JobContext } from '../base/job.ts'
import type { DatasetFacts, GenerateArgs } from '../contract/jobs.ts'
import { countedReport, factsOf, type ReportSource } from '../import/import-report.ts'
import { finishDataset } from '../import/write-dataset.ts'
import { buildExternal, DATASET_FOLDER } from '../import/external/build-external.ts'
import { ThreadPool } from '../import/external/thread-pool.ts'
import { diskNeed, type MemoryShares, requireDisk } from '../import/external/memory-shares.ts'
import type { GraphModel } from '../generate/graph-model.ts'

/** Threads that generate, where the arguments name no number. */
export const generatorThreads = ({ threads }: GenerateArgs): number => Math.max(1, threads ?? availableParallelism())

/**
 * Generates a graph that memory does not hold: threads make tuples straight into buckets on the disk, each slice from its own
 * counters, so the graph is the same for any number of them. A generator that was interrupted starts anew: its folder has no name yet,
 * and is swept with the next start of the program.
 * @throws Failure (storage); (cancelled). Nothing stays behind.
 */
export async function generateExternal(
  args: GenerateArgs,
  model: GraphModel,
  shares: MemoryShares,
  from: Omit<ReportSource, 'entries'>,
  job: JobContext,
): Promise<DatasetFacts> {
  const folder = `${args.folder}.partial-${process.pid}-${randomBytes(4).toString('hex')}`
  const pool = new ThreadPool(generatorThreads(args))
  try {
    const expected = model.expectedEntries ?? model.tuples
    // Nothing is stored before the buckets.
    const { peakBytes } = diskNeed(expected, false, model.vertices)
    mkdirSync(folder, { recursive: true })
    requireDisk(dirname(folder), peakBytes, expected)
    const unlogged = { stage: <T>(_name: string, work: () => Promise<T>): Promise<T> => work() }
    const elsewhere = { kind: 'model', args } as const
    const entries = { recordWords: 2, segments: [], bitmapPath: null, bitmapWords: 0, direct: 0, elsewhere } as const
    const space = { kind: 'counted', vertices: model.vertices, base: 0 } as const
    const graph = { entries, space, weighted: false, merge: { rule: 'max', scale: 1, offset: 0 } } as const
    const built = await buildExternal(graph, { folder, shares, pool }, unlogged, job)
    const report = countedReport({ ...from, entries: built.entries }, built.counted)
    await finishDataset(join(folder, DATASET_FOLDER), args.folder, report)
    return factsOf(report, built.maxDegree, built.checksum, built.bytes)
  } catch (error) {
    throw asFailure(error, args.folder)
  } finally {
    await pool.end()
    rmSync(folder, { recursive: true, force: true })
  }
}
