import { randomBytes } from 'node:crypto'
import { mkdirSync, rmSync } from 'node:fs'
import { availableParallelism, totalmem } from 'node:os'
import { dirname, join } from 'node:path'
import { asFailure, Failure } from '../base/failure.ts'
import { type JobContext, throwIfCancelled } from '../base/job.ts'
import { type GeneratorParameter, generators } from '../contract/generators.ts'
import type { DatasetFacts, GenerateArgs } from '../contract/jobs.ts'
import { graphModel, type GraphModel } from '../generate/graph-model.ts'
import { EntryOutput } from '../graph/entries.ts'
import { EntryCollector, memoryToCollect } from '../import/entry-collector.ts'
import { buildExternal, DATASET_FOLDER } from '../import/external/build-external.ts'
import { diskNeed, type MemoryShares, memoryShares, requireDisk } from '../import/external/memory-shares.ts'
import { ThreadPool } from '../import/external/thread-pool.ts'
import { MAX_VERTICES } from '../import/graph-reader.ts'
import { countedReport, factsOf, importReport, type ReportSource } from '../import/import-report.ts'
import { generatorStages, stagedJob } from '../import/stages.ts'
import { finishDataset, refuseTakenName, writeDataset } from '../import/write-dataset.ts'
import { YieldScheduler } from '../threads/yield-scheduler.ts'

const STEP = 1 << 16
/** Of the machine's memory, where the arguments name none. */
const MEMORY_SHARE = 1 / 4

/**
 * Generates a graph into a new dataset folder; the same arguments give the same bytes everywhere. Loops and duplicates that a
 * random model draws are removed and counted. What does not fit in the memory allowed (`memoryBytes`) is made on the disk, by all
 * threads, with the same result.
 * @throws Failure (usage) for parameters out of range; else as {@link importGraph}.
 */
export async function generateGraph(args: GenerateArgs, asked: JobContext): Promise<DatasetFacts> {
  const job = stagedJob(asked, () => generatorStages)
  const startedMs = performance.now()
  throwIfCancelled(job.signal)
  checkArgs(args)
  refuseTakenName(args.folder)
  const model = graphModel(args)
  if (model.vertices > MAX_VERTICES)
    throw usage(`${model.vertices} vertices are past the ${MAX_VERTICES} that ids have room for`)
  const shares = memoryShares(args.memoryBytes ?? totalmem() * MEMORY_SHARE, generatorThreads(args))
  const from = {
    source: model.name,
    format: 'generated',
    compression: 'none',
    sourceBytes: 0,
    sourceSha256: null,
    lines: 0,
    warnings: [],
    policy: null,
    startedMs,
  } as const
  const neededBytes = memoryToCollect(model.expectedEntries ?? model.tuples, false, model.vertices)
  return neededBytes <= shares.inMemoryBytes
    ? generateInMemory(args, model, from, job)
    : generateExternal(args, model, shares, from, job)
}

async function generateInMemory(
  args: GenerateArgs,
  model: GraphModel,
  from: Omit<ReportSource, 'entries'>,
  job: JobContext,
): Promise<DatasetFacts> {
  const output = new EntryOutput()
  output.next()
  const sink = new EntryCollector()
  const scheduler = new YieldScheduler(job)
  for (let first = 0; first < model.tuples; first += STEP) {
    model.write(first, Math.min(model.tuples, first + STEP), output)
    await output.drain(sink)
    await scheduler.yield({ phase: 'generate', done: first, total: model.tuples, unit: 'arcs' })
  }
  await output.drain(sink, true)
  const collected = await sink.finish({ kind: 'counted', vertices: model.vertices, base: 0 }, false, scheduler)
  const report = importReport({ ...from, entries: output.entries }, collected)
  return writeDataset(args.folder, collected, report, job)
}

/** @throws Failure (usage) for a number that the model's table does not allow */
function checkArgs(args: GenerateArgs): void {
  check('seed', args.seed, { kind: 'integer', least: 0, most: Number.MAX_SAFE_INTEGER })
  const { parameters } = generators[args.model]
  const given = new Map<string, unknown>(Object.entries(args))
  for (const [name, range] of Object.entries<GeneratorParameter>(parameters)) check(name, given.get(name), range)
}

function check(name: string, value: unknown, { kind, least, most }: Omit<GeneratorParameter, 'explain'>): void {
  const isNumber = typeof value === 'number' && value >= least && value <= most
  if (isNumber && (kind === 'number' || Number.isSafeInteger(value))) return
  throw usage(
    `${name} is ${String(value)}, not a ${kind === 'integer' ? 'whole number' : 'number'} from ${least} to ${most}`,
  )
}

function usage(what: string): Failure {
  return new Failure({ code: 'usage', what, remedy: 'Choose another value.' })
}

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
