/**
 * Plain lines "u v [w]" and lists of neighbours, with ids below 2^31, in memory: threads parse pieces into buckets of sources, sort each into
 * lists, and write these. The dataset is that of the general import. Time is about that of reading; memory holds all records once.
 * parse-lines.ts and parse-lists.ts parse, bucket-lists.ts sorts; external/ is the general way.
 */

import { join } from 'node:path'
import { Failure } from '../../base/failure.ts'
import { collectGarbage } from '../../base/host-resources.ts'
import type { JobContext } from '../../base/job.ts'
import type { DatasetFacts, ImportArgs } from '../../contract/jobs.ts'
import { GRAPH_FILE, grLayout } from '../../graph/graph-file.ts'
import { countedGraph } from '../build/merged-arcs.ts'
import { importBytes } from '../reader/text-source.ts'
import { filesOf, importThreads, type ImportTuning } from '../reader/import-resources.ts'
import { ThreadPool } from '../build/import-threads.ts'
import { hashFiles, writtenSince } from '../formats/stored-file.ts'
import { policyOf } from '../reader/policies.ts'
import { attachAttributes } from '../attributes/attach-attributes.ts'
import { countedReport, factsOf, reportSource } from '../reading/import-report.ts'
import { joined, storedAsOf, withDeclared } from '../reading/read-graph-file.ts'
import { behindGraph } from '../../graph/weight-values.ts'
import { ReaderWeights } from '../reader/exact-weights.ts'
import { WIDE_WEIGHTS } from '../reader/weight-codes.ts'
import type { OtherReading } from '../reader/graph-reader.ts'
import type { KnownFiles, KnownLines } from '../reading/known-file.ts'
import { labelFacts, labelsBytes, makeDatasetFolder, appended, writeReport } from '../build/write-dataset.ts'
import { labelsOf, makeLists, writeLists } from './bucket-lists.ts'
import { type ParsedFiles, parseLines } from './parse-lines.ts'
import { parseLists } from './parse-lists.ts'
import { type LinesPlan, planLines } from './plan-lines.ts'

/** Starting threads takes longer. */
const FROM_BYTES = 1 << 20
const COLLECTED_BYTES = 16 << 20
/** What a sample finds. */
const SAMPLED: OtherReading = { other: 'weights' }

/**
 * Imports plain lines in memory.
 * @returns how they have to be read instead; null for other lines, or too little memory
 * @throws Failure (storage); (cancelled); (input) when the name is taken, or attributes have a fault
 */
export async function importLines(
  args: ImportArgs,
  known: KnownLines,
  later: KnownFiles,
  job: JobContext,
  startedMs: number,
  { lines = {} }: ImportTuning,
): Promise<DatasetFacts | OtherReading | null> {
  const isPlain =
    args.labels === undefined && args.merge !== 'first' && args.merge !== 'count' && !policyOf(args).needsRange
  const bytes = importBytes(args)
  if (!isPlain || bytes < (lines.fromBytes ?? FROM_BYTES)) return null
  const requireUnwritten = writtenSince(filesOf(args))
  const threads = importThreads(args, bytes)
  const made = async (codes?: ReaderWeights): Promise<DatasetFacts | OtherReading | null> => {
    const plan = await faultless(planLines(args, known, later, threads, job, lines, codes))
    if (plan?.isWide === true) return SAMPLED
    return plan && importPlanned(args, plan, threads, job, startedMs, requireUnwritten)
  }
  const first = await made()
  if (first === null || !('other' in first) || first.other !== 'weights') return first
  const exact = await made(new ReaderWeights())
  if (exact !== null) job.log(WIDE_WEIGHTS)
  // A sample does not say whether a fault is before it.
  return exact ?? (first === SAMPLED ? null : first)
}

/** What a reading gives; null for a fault in the files: threads may meet a later one first, and the general import finds the first. */
function faultless<T>(reading: Promise<T>): Promise<T | null> {
  return reading.catch((error: unknown) => {
    if (error instanceof Failure && (error.code === 'input' || error.code === 'usage')) return null
    throw error
  })
}

async function importPlanned(
  args: ImportArgs,
  plan: LinesPlan,
  count: number,
  job: JobContext,
  startedMs: number,
  requireUnwritten: () => void,
): Promise<DatasetFacts | OtherReading | null> {
  const threads = new ThreadPool(count, job)
  const hashes = hashFiles(
    plan.files.map(({ path }) => path),
    job,
  )
  try {
    const reading = plan.listed === null ? parseLines(args, plan, threads, job) : parseLists(plan, threads, job)
    const parsed = await faultless(reading)
    if (parsed === null || 'other' in parsed) return parsed
    const { weighted } = plan.shape
    const policy = plan.files[0]!.reading.context.weights
    const { coded } = parsed
    const areDecimals = weighted && (coded?.areDecimals ?? storedAsOf(args, { policy }) === 'decimals')
    const form = { table: coded?.table ?? null, areDecimals }
    const merge = { rule: args.merge ?? 'max', scale: 1, offset: 0 } as const
    const lists = await makeLists(parsed, plan, merge, threads, job)
    if (lists === null) return null
    const { vertices, counts } = lists
    const labels = labelsOf(lists)
    const { fileBytes } = grLayout(vertices, counts.arcs, weighted)
    const behind = behindGraph(form, fileBytes)
    const graphBytes = fileBytes + behind.length
    const bytes = graphBytes + labelsBytes(labels)
    return await makeDatasetFolder(args.folder, bytes, async (aside) => {
      const written = await writeLists(aside, lists, labels, { buckets: parsed.buckets, weighted }, threads, job)
      const sums = behind.length === 0 ? written : appended(join(aside, GRAPH_FILE), written, behind)
      const digests = await hashes.digests
      requireUnwritten()
      const of = {
        entries: parsed.entries,
        form: weighted ? form : null,
        vertices,
        labels: labelFacts(labels, vertices),
      }
      const source = { ...reportOf(args, plan, parsed, digests), startedMs }
      const report = countedReport(source, countedGraph(counts, of))
      job.progress({ phase: 'write', done: bytes, total: bytes, unit: 'bytes' })
      const whole = await attachAttributes(args, aside, report, threads, job)
      // A second pass over the file attached them.
      if (whole.attributes !== undefined) requireUnwritten()
      await writeReport(aside, whole)
      return factsOf(whole, counts.maxDegree, sums.root, bytes)
    })
  } finally {
    hashes.stop()
    await threads.end()
    // Nothing holds shared memory now.
    if (plan.fileBytes > COLLECTED_BYTES) setImmediate(collectGarbage)
  }
}

function reportOf(args: ImportArgs, { shape }: LinesPlan, { files, table }: ParsedFiles, digests: readonly string[]) {
  const reads = files.map(({ outcome, compression, fileBytes: sourceBytes, reading, entries }, i) =>
    reading.read(outcome, shape.weighted, { compression, sourceBytes, sourceSha256: digests[i]!, entries }),
  )
  const all = reads.reduce(joined)
  return reportSource(args, { ...all, ...withDeclared(all, table), weightMap: null })
}
