/**
 * The ways of an import, the cheapest first: a canonical file is copied (canonical/), plain lines that fit in memory go through buckets of threads
 * (lines/), all others through a scratch folder beside the dataset (external/), which a kill leaves for a resume. What a way cannot do it leaves to
 * the next one. A file is read again where an id is a text among numbers, where all values are zero, and for weights that 32-bit floats
 * do not hold (weight-codes.ts).
 */

import { asFailure } from '../base/failure.ts'
import { type JobContext, throwIfCancelled } from '../base/job.ts'
import type { DatasetFacts, ImportArgs } from '../contract/jobs.ts'
import { refuseTakenName } from './build/write-dataset.ts'
import { continueCopy, COPY_STAGE, importCopy } from './canonical/import-canonical.ts'
import { importExternal, listsAsEntries, type ParsedFile } from './external/import-external.ts'
import { isAbandoned, ScratchWork } from './external/scratch-work.ts'
import { SpilledEntries } from './external/spilled-entries.ts'
import { writeKeptTable } from './external/kept-table.ts'
import { preparingBytes } from '../base/host-resources.ts'
import { type OpenedFile, openWholeFile } from './reading/reading.ts'
import { csrLayout } from './formats/detect.ts'
import { READER_SHARE, type Sides, SidesFound, TextIdsFound } from './reader/graph-reader.ts'
import { OtherReading } from './reader/other-reading.ts'
import { reportSource } from './reading/import-report.ts'
import { addsDirections } from '../contract/graph-formats.ts'
import { importLines } from './lines/import-lines.ts'
import { AllZeros, policyOf } from './reader/policies.ts'
import { COPIED_FROM_ARCS, type ImportTuning } from './reader/import-resources.ts'
import { readGraphFile, readWeights, severalFiles, storedAsOf } from './reading/read-graph-file.ts'
import { WeightCodes, WideWeights } from './reader/weight-codes.ts'

/**
 * Imports a graph file into a new dataset folder: graph.gr, labels where ids are not 0 to n - 1, report.json. All but
 * plain lines that fit in `memoryBytes` goes through a scratch folder beside it, which a crash leaves for `resume`.
 * @throws Failure (input) at file:line; (storage); (usage) when memory is too small; (cancelled). Nothing stays behind.
 */
export async function importGraph(args: ImportArgs, job: JobContext, tuning: ImportTuning = {}): Promise<DatasetFacts> {
  const startedMs = performance.now()
  throwIfCancelled(job.signal)
  const work = new ScratchWork(args, job)
  let keepsWork = false
  try {
    const resumes = args.resume === true && work.continue()
    if (!resumes) refuseTakenName(args.folder)
    else if (work.has(COPY_STAGE)) return await continueCopy(args, work)
    else {
      // The scratch folder stays for a resume with more room.
      keepsWork = true
      tuning.requireRoom?.(false)
      keepsWork = false
    }
    const resumed = resumes ? await importExternal(args, work, startedMs, null) : null
    if (resumes && resumed === null) await work.giveUp()
    return resumed ?? (await importAnew(args, work, startedMs, tuning))
  } catch (error) {
    if (!keepsWork && !isAbandoned(error, job)) await work.giveUp()
    throw asFailure(error, args.folder)
  } finally {
    await work.end()
  }
}

/** Imports from the start. Weights that 32-bit floats do not hold are read once more, for their keys. */
async function importAnew(
  args: ImportArgs,
  work: ScratchWork,
  startedMs: number,
  tuning: ImportTuning,
): Promise<DatasetFacts> {
  try {
    return await importOnce(args, work, startedMs, tuning)
  } catch (error) {
    if (!(error instanceof WideWeights)) throw error
    await work.giveUp()
    work.job.log('weights have more digits than 32-bit floats: their order and their values are kept beside these')
    const codes = await codesOf(args, work.job, tuning)
    return importOnce(args, work, startedMs, { ...tuning, codes, copiedFromArcs: Infinity, readsLists: true })
  }
}

async function codesOf(args: ImportArgs, job: JobContext, tuning: ImportTuning): Promise<WeightCodes> {
  const mostBytes = READER_SHARE * (args.memoryBytes ?? preparingBytes())
  let way = firstWay(args)
  for (;;) {
    const codes = new WeightCodes(args.source, mostBytes)
    try {
      const { asked, text, joins, sides } = way
      await readWeights(asked, codes, job, tuning, { text, joins, sides })
      return codes
    } catch (error) {
      const next = otherWay(way, error, job)
      if (next === null) throw error
      way = next
    }
  }
}

async function importOnce(
  args: ImportArgs,
  work: ScratchWork,
  startedMs: number,
  tuning: ImportTuning,
): Promise<DatasetFacts> {
  const opened = await openWholeFile(args, work.job)
  try {
    if (opened !== null) tuning.requireRoom?.(true)
    // Lists of both directions are no copy where these are added.
    const isWhole = !severalFiles(args) && !addsDirections(args.merge)
    const layout = opened !== null && isWhole ? csrLayout(opened.format.name, opened.file) : null
    if (opened !== null && layout !== null && layout.arcs >= (tuning.copiedFromArcs ?? COPIED_FROM_ARCS)) {
      const copied = await importCopy(args, opened, layout, work, startedMs)
      if (copied !== null) return copied
      tuning.requireRoom?.(false)
    }
    if (opened !== null && layout !== null && tuning.readsLists !== true) {
      const parsed = await listsAsEntries(args, opened, layout, work)
      const facts = parsed && (await importExternal(args, work, startedMs, parsed))
      if (facts !== null) return facts
      // The reader of the format decides on such entries or reports them.
      if (parsed !== null) await work.giveUp()
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
  if (opened === null) {
    const facts = tuning.codes === undefined ? await importLines(args, work.job, startedMs, tuning) : null
    if (facts !== null) return facts
    work.requireUnwritten()
    tuning.requireRoom?.(true)
  }
  let way = firstWay(args.merge === 'count' ? { ...args, ignoreWeights: true } : args)
  let parsed: ParsedFile | null = null
  while (parsed === null)
    try {
      parsed = await spill(way, work, tuning, opened)
    } catch (error) {
      const next = otherWay(way, error, work.job)
      if (next === null) throw error
      await work.giveUp()
      way = next
    }
  const { from } = parsed
  const said = { ...from, warnings: [...from.warnings, ...way.said] }
  const facts = await importExternal(way.asked, work, startedMs, { ...parsed, from: said })
  if (facts === null) throw new Error('entries that a reader gave need a reader')
  return facts
}

/** How a file is read, which its reader may find to be another one. */
interface Way {
  readonly asked: ImportArgs
  /** What stopped an earlier reading: all ids are texts. */
  readonly text: TextIdsFound | null
  /** Rows go over several lines. */
  readonly joins: boolean
  /** Sizes that an earlier reading of a bipartite graph found. */
  readonly sides: Sides | undefined
  /** Warnings about the way, for the report. */
  readonly said: readonly string[]
}

const firstWay = (asked: ImportArgs): Way => ({ asked, text: null, joins: false, sides: undefined, said: [] })

/** The way of which a reading that stopped tells; null for failures. */
function otherWay(way: Way, stop: unknown, job: JobContext): Way | null {
  if (!(stop instanceof OtherReading)) return null
  const next = { ...way, said: stop.said === null ? way.said : [...way.said, stop.said] }
  if (stop instanceof SidesFound) return { ...next, sides: stop.sides }
  if (stop instanceof AllZeros) return { ...next, asked: { ...way.asked, ignoreWeights: true } }
  if (stop instanceof TextIdsFound) {
    job.log(`line ${stop.line}: "${stop.id}" is not an integer, so all ids are read as texts`)
    return { ...next, text: stop }
  }
  job.log('quotes continue in the next line, so rows are joined before they are read')
  return { ...next, joins: true }
}

/** @throws what {@link otherWay} takes; Failure as {@link importGraph} */
async function spill(
  { asked: args, text, joins, sides }: Way,
  work: ScratchWork,
  tuning: ImportTuning,
  opened: OpenedFile | null,
): Promise<ParsedFile> {
  const { job } = work
  const { codes } = tuning
  const { lineBytes } = work.shares
  const requireRoom = work.requireRoomToRead.bind(work)
  // One thread measures the range of all weights, in the order of the file.
  const sink = new SpilledEntries(work.open(), job, {
    spreads: !policyOf(args).needsRange && args.merge !== 'count',
    requireRoom,
  })
  try {
    const given = { opened, text, joins, sides, codes }
    const read = await readGraphFile(args, sink, job, { lineBytes, ...tuning }, given)
    const { vertices, weighted } = read
    const promised = vertices.kind === 'counted' ? vertices.vertices : 0
    work.requireUnwritten()
    work.requireRoom(read.entries, read.entries, weighted, promised)
    const entries = await sink.finish(weighted)
    const space = vertices.kind === 'text' ? ({ kind: 'text' } as const) : vertices
    const storedAs = weighted ? storedAsOf(args, read, codes) : 'floats'
    if (storedAs === 'table') writeKeptTable(work.folder, codes!.table!)
    return { entries, space, weighted, storedAs, from: reportSource(args, read) }
  } finally {
    sink.close()
  }
}
