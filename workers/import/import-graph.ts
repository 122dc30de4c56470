/**
 * The stages of an import, the cheapest first: a canonical file is copied (canonical/), lists in order are taken where they are, plain lines that
 * fit in memory go through buckets of threads (lines/), all others through a scratch folder beside the dataset (external/), which a kill leaves
 * for a resume. What the file is was found out before them, once (known-file.ts); what a stage cannot do it leaves to the next one. A reading that
 * finds the file to be another one (OtherReading) stops, and the last stage reads again: where an id is a text among numbers, where all values
 * are zero, and for weights that 32-bit floats do not hold (weight-codes.ts).
 */

import { asFailure } from '../base/failure.ts'
import { type JobContext, throwIfCancelled } from '../base/job.ts'
import type { DatasetFacts, ImportArgs } from '../contract/jobs.ts'
import { refuseTakenName } from './build/write-dataset.ts'
import { continueCopy, COPY_STAGE, importCopy } from './canonical/import-canonical.ts'
import { importExternal, listsAsEntries, type ParsedFile } from './external/import-external.ts'
import { isAbandoned, ScratchWork } from './external/scratch-work.ts'
import { GatheredWeights } from './external/gathered-weights.ts'
import { SpilledEntries } from './external/spilled-entries.ts'
import { writeKeptTable } from './external/kept-table.ts'
import { preparingBytes } from '../base/host-resources.ts'
import { areLines, type KnownFile, KnownFiles, openKnown, saidOf } from './reading/known-file.ts'
import type { OpenedFile } from './reading/reading.ts'
import { csrLayout } from './formats/detect.ts'
import type { CsrLayout } from './formats/csr.ts'
import { type OtherReading, READER_SHARE, type Sides, type TextId } from './reader/graph-reader.ts'
import { reportSource } from './reading/import-report.ts'
import { addsDirections } from '../contract/graph-formats.ts'
import { importLines } from './lines/import-lines.ts'
import { allZeros, policyOf } from './reader/policies.ts'
import { COPIED_FROM_ARCS, type ImportTuning } from './reader/import-resources.ts'
import { readGraphFile, readWeights, severalFiles, storedAsOf } from './reading/read-graph-file.ts'
import { WeightCodes, WIDE_WEIGHTS } from './reader/weight-codes.ts'

/**
 * Imports a graph file into a new dataset folder: graph.gr, labels where ids are not 0 to n - 1, report.json. All but
 * plain lines that fit in `memoryBytes` goes through a scratch folder beside it, which a crash leaves for `resume`.
 * @param files what they are, where that was found out
 * @throws Failure (input) at file:line; (storage); (usage) when memory is too small; (cancelled). Nothing stays behind.
 */
export async function importGraph(
  args: ImportArgs,
  job: JobContext,
  tuning: ImportTuning = {},
  files = new KnownFiles(args),
): Promise<DatasetFacts> {
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
    return resumed ?? (await importAnew(args, files, work, startedMs, tuning))
  } catch (error) {
    if (!keepsWork && !isAbandoned(error, job)) await work.giveUp()
    throw asFailure(error, args.folder)
  } finally {
    await work.end()
  }
}

/** A graph file on its way to a dataset. */
interface Import {
  readonly args: ImportArgs
  readonly work: ScratchWork
  readonly startedMs: number
  readonly tuning: ImportTuning
  /** What it is. */
  readonly known: KnownFile
  /** All files of the graph. */
  readonly files: KnownFiles
  /** null for text in lines. */
  readonly opened: OpenedFile | null
  /** The lists of a binary file; null for others, and where lists of both directions are no copy. */
  readonly layout: CsrLayout | null
}

/** How entries are read: what earlier readings found. */
interface Way {
  readonly asked: ImportArgs
  /** The first id that is a text: all are. */
  readonly text: TextId | null
  /** Rows go over several lines. */
  readonly joins: boolean
  /** Sizes of a bipartite graph. */
  readonly sides: Sides | undefined
  /** Keys of weights. */
  readonly codes: WeightCodes | undefined
  /** Warnings about the way, for the report. */
  readonly said: readonly string[]
}

/** A stage of an import: how entries have to be read instead, as the last stage does; null leaves the file to the next stage. */
type Stage = (it: Import, way: Way) => Promise<DatasetFacts | OtherReading | null>

/** The cheapest first. */
const stages: readonly Stage[] = [copied, listed, inMemory, spilled]

async function importAnew(
  args: ImportArgs,
  files: KnownFiles,
  work: ScratchWork,
  startedMs: number,
  tuning: ImportTuning,
): Promise<DatasetFacts> {
  const known = await files.first()
  if (args.format === undefined && known.format !== null) work.job.log(saidOf(known))
  const opened = await openKnown(known, args, work.job)
  try {
    const isOne = opened !== null && !severalFiles(args) && !addsDirections(args.merge)
    const layout = isOne ? csrLayout(opened.format, opened.file) : null
    const it = { args, work, startedMs, tuning, known, files, opened, layout }
    const asked = args.merge === 'count' ? { ...args, ignoreWeights: true } : args
    let way: Way = { asked, text: null, joins: false, sides: undefined, codes: undefined, said: [] }
    for (const stage of stages) {
      let made = await stage(it, way)
      while (made !== null && 'other' in made) {
        await work.giveUp()
        way = await otherWay(it, way, made)
        made = await spilled(it, way)
      }
      if (made !== null) return made
    }
    throw new Error('the last stage reads every file')
  } finally {
    opened?.close()
  }
}

/** The way of which a reading that stopped tells. @throws Failure (input), (cancelled) where weights are read for their keys */
async function otherWay(it: Import, way: Way, found: OtherReading): Promise<Way> {
  const { log } = it.work.job
  switch (found.other) {
    case 'sides':
      return { ...way, sides: found.sides }
    case 'pattern':
      return { ...way, asked: { ...way.asked, ignoreWeights: true }, said: [...way.said, allZeros(found.zeros)] }
    case 'texts':
      log(`line ${found.line}: "${found.id}" is not an integer, so all ids are read as texts`)
      return { ...way, text: found }
    case 'rows':
      log('quotes continue in the next line, so rows are joined before they are read')
      return { ...way, joins: true }
    case 'weights':
      log(WIDE_WEIGHTS)
      return withCodes(it, way)
  }
}

async function withCodes(it: Import, way: Way): Promise<Way> {
  const { args, work, tuning } = it
  const codes = new WeightCodes(args.source, READER_SHARE * (args.memoryBytes ?? preparingBytes()))
  const threads = new GatheredWeights(work.open(), codes)
  const other = await readWeights(way.asked, codes, work.job, tuning, givenOf(it, way), threads)
  return other === null ? { ...way, codes } : withCodes(it, await otherWay(it, way, other))
}

const givenOf = ({ opened, files }: Import, { text, joins, sides, codes }: Way) => {
  return { opened, files, text, joins, sides, codes }
}

/** Copies a canonical binary file. */
async function copied({ args, work, startedMs, tuning, opened, layout }: Import): Promise<DatasetFacts | null> {
  if (opened === null) return null
  tuning.requireRoom?.(true)
  if (layout === null || layout.arcs < (tuning.copiedFromArcs ?? COPIED_FROM_ARCS)) return null
  const facts = await importCopy(args, opened, layout, work, startedMs)
  if (facts === null) tuning.requireRoom?.(false)
  return facts
}

/** Takes the lists of a binary file for entries, where they are. */
async function listed({ args, work, startedMs, tuning, opened, layout }: Import): Promise<DatasetFacts | null> {
  if (opened === null || layout === null || tuning.readsLists === true) return null
  const parsed = await listsAsEntries(args, opened, layout, work)
  const facts = parsed && (await importExternal(args, work, startedMs, parsed))
  // The reader of the format decides on such entries or reports them.
  if (parsed !== null && facts === null) await work.giveUp()
  return facts
}

/** Imports plain lines that fit in memory. */
async function inMemory({ args, work, startedMs, tuning, known, files }: Import): ReturnType<Stage> {
  return areLines(known) ? importLines(args, known, files, work.job, startedMs, tuning) : null
}

/** Reads entries to the disk, and builds the graph of these. */
async function spilled(it: Import, way: Way): Promise<DatasetFacts | OtherReading> {
  const { work, startedMs, tuning, opened } = it
  if (opened === null) {
    work.requireUnwritten()
    tuning.requireRoom?.(true)
  }
  const parsed = await spill(it, way)
  if ('other' in parsed) return parsed
  const from = { ...parsed.from, warnings: [...parsed.from.warnings, ...way.said] }
  const facts = await importExternal(way.asked, work, startedMs, { ...parsed, from })
  if (facts === null) throw new Error('entries that a reader gave need a reader')
  return facts
}

/** @throws Failure as {@link importGraph} */
async function spill(it: Import, way: Way): Promise<ParsedFile | OtherReading> {
  const { work, tuning } = it
  const { job } = work
  const { asked: args, codes } = way
  const { lineBytes } = work.shares
  const requireRoom = work.requireRoomToRead.bind(work)
  // One thread measures the range of all weights, in the order of the file, unless their keys are known.
  const sink = new SpilledEntries(work.open(), job, {
    spreads: (codes !== undefined || !policyOf(args).needsRange) && args.merge !== 'count',
    weights: codes?.shared,
    requireRoom,
  })
  try {
    const read = await readGraphFile(args, sink, job, { lineBytes, ...tuning }, givenOf(it, way))
    if ('other' in read) return read
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
