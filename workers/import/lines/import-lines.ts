import { collectGarbage } from '../../base/host-resources.ts'
import { Failure } from '../../base/failure.ts'
import type { JobContext } from '../../base/job.ts'
import type { DatasetFacts, ImportArgs } from '../../contract/jobs.ts'
import { grLayout } from '../../graph/graph-file.ts'
import { TextIdsFound } from '../graph-reader.ts'
import { countedReport, factsOf, reportSource } from '../import-report.ts'
import type { ImportTuning } from '../import-tuning.ts'
import { joined } from '../read-graph-file.ts'
import { makeDatasetFolder, writeReport } from '../write-dataset.ts'
import { labelFacts, labelsBytes } from '../write-labels.ts'
import { importBytes, importThreads } from '../external/memory-shares.ts'
import { ThreadPool } from '../external/thread-pool.ts'
import { FileHashes } from '../formats/stored-file.ts'
import type { FileRead } from '../formats/whole-file.ts'
import { labelsOf, makeLists, writeLists } from './write-lists.ts'
import { OtherLines } from './text-parts.ts'
import { type ParsedFiles, parseLines } from './parse-lines.ts'
import { type LinesPlan, planLines } from './plan-lines.ts'

/** Starting threads takes longer. */
const FROM_BYTES = 1 << 20
const COLLECTED_BYTES = 16 << 20

/**
 * Plain lines "u v [w]" with ids below 2^31, in memory: threads parse pieces into buckets of sources, sort each into
 * lists, and write these. The dataset is that of the general import. @returns null for other lines, or too little
 * memory @throws Failure (storage); (cancelled); (input) when the name is taken
 */
export async function importLines(
  args: ImportArgs,
  job: JobContext,
  startedMs: number,
  { lines = {} }: ImportTuning,
): Promise<DatasetFacts | null> {
  const isPlain =
    args.vertices === undefined && args.merge !== 'first' && args.weightRule !== 'shift' && args.invertWeights !== true
  if (!isPlain) return null
  const logged: string[] = []
  const quiet: JobContext = { ...job, log: (message) => void logged.push(message) }
  try {
    const bytes = importBytes(args)
    if (bytes < (lines.fromBytes ?? FROM_BYTES)) return null
    const threads = importThreads(args, bytes)
    const plan = await planLines(args, threads, quiet, lines)
    if (plan === null) return null
    const facts = await importPlanned(args, plan, threads, job, startedMs)
    for (const message of logged) job.log(message)
    return facts
  } catch (error) {
    // It reports the fault.
    const isForOthers = error instanceof OtherLines || error instanceof TextIdsFound
    if (isForOthers || (error instanceof Failure && !isFinal(error))) return null
    throw error
  }
}

const isFinal = ({ code }: Failure): boolean => code === 'cancelled' || code === 'storage'

async function importPlanned(
  args: ImportArgs,
  plan: LinesPlan,
  count: number,
  job: JobContext,
  startedMs: number,
): Promise<DatasetFacts> {
  const threads = new ThreadPool(count, job)
  const hashes = new FileHashes(
    plan.files.map(({ path }) => path),
    job,
  )
  try {
    const parsed = await parseLines(plan, threads, job)
    const { weighted } = plan.shape
    const merge = { rule: args.merge ?? 'max', scale: 1, offset: 0 } as const
    const lists = await makeLists(parsed, plan, merge, threads, job)
    const { vertices, arcs, counts } = lists
    const labels = labelsOf(lists)
    const graphBytes = grLayout(vertices, arcs, weighted).fileBytes
    const bytes = graphBytes + labelsBytes(labels)
    return await makeDatasetFolder(args.folder, bytes, async (aside) => {
      const sums = await writeLists(aside, lists, labels, { buckets: parsed.buckets, weighted }, threads, job)
      const report = countedReport(
        { ...reportOf(args, plan, parsed, await hashes.digests), startedMs },
        {
          vertices,
          arcs,
          loopsRemoved: counts.loops,
          duplicatesMerged: parsed.entries - counts.loops - counts.given,
          reverseArcsAdded: arcs - counts.given,
          isolatedVertices: counts.isolated,
          labels: labelFacts(labels, vertices),
          weights: weighted
            ? { smallest: arcs === 0 ? 0 : counts.smallestWeight, largest: counts.largestWeight }
            : null,
        },
      )
      await writeReport(aside, report)
      job.progress({ phase: 'write', done: bytes, total: bytes, unit: 'bytes' })
      return factsOf(report, counts.maxDegree, sums.root, bytes)
    })
  } finally {
    hashes.stop()
    await threads.end()
    // Nothing holds shared memory now.
    if (plan.fileBytes > COLLECTED_BYTES) setImmediate(collectGarbage)
  }
}

function reportOf(args: ImportArgs, { shape }: LinesPlan, { files }: ParsedFiles, digests: readonly string[]) {
  const reads = files.map(({ outcome, compression, fileBytes, reading, entries }, i): FileRead => {
    const { reader, context, format } = reading
    return {
      ...outcome,
      format,
      source: { compression, storedBytes: fileBytes },
      sha256: digests[i]!,
      lines: reader.line,
      entries,
      weighted: shape.weighted,
      policy: context.weights,
    }
  })
  return reportSource(args, { ...reads.reduce(joined), weightMap: null })
}
