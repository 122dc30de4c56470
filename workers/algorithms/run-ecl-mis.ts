import type { Device } from '../device/device.ts'
import { openDevice } from '../device/open-device.ts'
import { ReaderTeam } from '../device/reader-team.ts'
import { GaloisGr } from '../graph/galois-gr.ts'
import type { Labels } from '../graph/labels.ts'
import { openLabels } from '../graph/labels.ts'
import { openGraph } from '../graph/open-graph.ts'
import type { PreparedView } from '../graph/prepare-view.ts'
import { prepareView, readPositions } from '../graph/prepare-view.ts'
import type { ViewHeader } from '../graph/view-file.ts'
import { removeResult, writeResult } from '../graph/result-file.ts'
import type { JobContext } from '../job.ts'
import type { RunOutcome, RunPlan, Series } from '../jobs.ts'
import type { Led } from '../partition/lead.ts'
import { computeSet } from '../partition/lead.ts'
import type { PartReport } from '../partition/part-task.ts'
import { verifyIndependentSet } from '../verification/verify-independent-set.ts'
import { Checkpoint } from './checkpoint.ts'
import { initialStates } from './initial-states.ts'
import { factsOf, requirePlanned } from './plan.ts'
import { planRun } from './plan-run.ts'
import { withImprovement } from './quality/improved-outcome.ts'
import type { SetQuality } from './quality/quality-option.ts'
import { parseSetQuality } from './quality/quality-option.ts'
import type { SetRunArgs } from './run.ts'
import type { RunLists } from './run-lists.ts'
import { readLists } from './run-lists.ts'
import type { SetCheckpoint } from './set-checkpoint.ts'
import { improveWithCheckpoints, listsName } from './set-checkpoint.ts'
import { workersOf } from './workers-of-run.ts'
import { isTraced, writeTraces } from './write-traces.ts'

/** ECL-MIS from a dataset to a verified set: prepares the view, plans, computes, stores the set, verifies. */
export async function runEclMis(args: SetRunArgs, job: JobContext): Promise<RunOutcome> {
  const startMs = performance.now()
  const quality = parseSetQuality(args.quality)
  const workers = workersOf(args)
  const device = await openDevice(workers[0]!)
  try {
    return await runOn(device, workers, args, quality, job, startMs)
  } finally {
    device.close()
  }
}

async function runOn(
  device: Device,
  workers: readonly string[],
  args: SetRunArgs,
  quality: SetQuality,
  job: JobContext,
  startMs: number,
): Promise<RunOutcome> {
  const graph = openGraph(args.folder, args.checksum, job)
  let prepared: PreparedView | undefined
  try {
    const devices = await factsOf(workers, device.facts, args.memoryBytes)
    const { needed, available } = requirePlanned(args, devices)
    // What takes all that it may have streams. Threads that read start while the view is opened.
    if (available.deviceBytes !== null && needed.deviceBytes >= available.deviceBytes) ReaderTeam.ready()
    const labels = openLabels(args.folder, graph.vertices)
    const lists = readLists(args, labels, graph.vertices)
    const view = prepareView({ ...args, column: args.priority === 'column' ? lists.column : undefined }, job)
    prepared = view
    const checkpoint = checkpointOf(args, view, lists)
    const initial = startingStates(graph, labels, lists, view, checkpoint)
    const { batches, plan, positions } = planRun(args, graph, view, devices)
    const { deviceBytes } = plan
    const afterStep = checkpoint && keepStates(checkpoint)
    const traced = isTraced(args)
    const led = await computeSet(
      { device, workers, view, batches, deviceBytes, positions, initial, traced, afterStep },
      job,
    )
    const { set } = led.found
    const positionsOf = (): Uint32Array => readPositions(view.view)
    const improvement = improveWithCheckpoints(graph, set, quality, lists, checkpoint, positionsOf, job)
    writeResult(args.resultFile, set.bytes)
    writeTraces(args, led.reports)
    const totalMs = performance.now() - startMs
    const verification = args.verify ? await verifyIndependentSet(graph, labels, set, lists.exclude, job) : null
    // Not before: a run that is interrupted while it is verified need not be computed again.
    checkpoint?.remove()
    const outcome = outcomeOf(args, graph.vertices, led, plan, view.buildMs, totalMs, view.view.header)
    const resumed = checkpoint?.resumed
    return { ...withImprovement(outcome, args.quality, improvement), verification, resumed }
  } catch (error) {
    removeResult(args.resultFile)
    throw error
  } finally {
    prepared?.view.close()
    graph.close()
  }
}

function checkpointOf(args: SetRunArgs, { view }: PreparedView, lists: RunLists): SetCheckpoint | undefined {
  const { graph, order, vertices, format } = view.header
  return Checkpoint.of(args, { graph, order: order + listsName(lists), view: format, vertices })
}

/** The states of the last checkpoint, else those of the lists, else undefined: every vertex is undecided. */
function startingStates(
  graph: GaloisGr,
  labels: Labels,
  { keep, exclude }: RunLists,
  { view }: PreparedView,
  checkpoint: SetCheckpoint | undefined,
): Uint32Array | undefined {
  const kept = checkpoint?.start()
  if (kept !== undefined) return kept.parts[0]
  if (keep === undefined && exclude === undefined) return undefined
  return initialStates(graph, labels, keep, exclude, readPositions(view))
}

function keepStates(checkpoint: SetCheckpoint) {
  return async (passEnds: boolean, states: () => Promise<Uint32Array>): Promise<void> => {
    // Where only swaps are left, their checkpoint says more.
    if (checkpoint.isDue(passEnds) && !checkpoint.kept?.notes) checkpoint.write([await states()], null)
  }
}

/** What the workers told one another, in all and pass by pass; nothing where there is only one. */
function exchangeFigures(reports: readonly PartReport[]): Pick<RunOutcome, 'counters' | 'series'> {
  const counts = reports.flatMap(({ replicated }) => (replicated === undefined ? [] : [replicated]))
  const [first] = counts
  if (first === undefined) return { counters: {}, series: [] }
  const values = first.bytesTaken.map((_, pass) => counts.reduce((sum, { bytesTaken }) => sum + bytesTaken[pass]!, 0))
  const total = (figure: 'listBytes' | 'wholeBytes'): number => counts.reduce((sum, each) => sum + each[figure], 0)
  return {
    counters: { listBytes: total('listBytes'), wholeBytes: total('wholeBytes') },
    series: [{ name: 'bytes exchanged', of: 'pass', unit: 'bytes', values }, ...workerSeries(reports)],
  }
}

/** What each worker did, where there are several. */
export function workerSeries(reports: readonly PartReport[]): Series[] {
  const of = (name: string, unit: string, figure: (report: PartReport) => number): Series => ({
    name,
    of: 'worker',
    unit,
    values: reports.map(figure),
  })
  return [
    of('kernels', 'ms', ({ kernelMs }) => kernelMs),
    of('waiting', 'ms', ({ waitMs }) => waitMs),
    of('reading and copying', 'ms', ({ readMs }) => readMs),
    of('read from disk', 'bytes', ({ bytesRead }) => bytesRead),
    of('copied to the device', 'bytes', ({ toDevice }) => toDevice),
    of('copied from the device', 'bytes', ({ fromDevice }) => fromDevice),
    of('taken from other workers', 'bytes', ({ exchanged }) => exchanged),
  ]
}

/**
 * Adds which share of the view was read: of the whole file, and of the entries in it, which are its heads and tails. The rest are
 * tables that every run reads once.
 */
function withViewShares(
  figures: Pick<RunOutcome, 'counters' | 'series'>,
  { viewBytes }: RunPlan,
  header: ViewHeader | undefined,
  reports: readonly PartReport[],
): Pick<RunOutcome, 'counters' | 'series'> {
  if (header === undefined) return figures
  const read = reports.reduce((sum, { bytesRead }) => sum + bytesRead, 0)
  const { heads, tails, tailOffsets, behind, frontBits } = header
  const tables = tailOffsets.bytes + behind.bytes + frontBits.bytes
  const share = (bytes: number, of: number): number => (of === 0 ? 0 : (100 * bytes) / of)
  const viewPercent = share(read, viewBytes)
  const entriesPercent = share(Math.max(0, read - tables), heads.bytes + tails.bytes)
  return { ...figures, counters: { ...figures.counters, viewPercent, entriesPercent } }
}

export function outcomeOf(
  args: SetRunArgs,
  vertices: number,
  { found, reports }: Led,
  plan: RunPlan,
  prepareMs: number,
  totalMs: number,
  header?: ViewHeader,
): Omit<RunOutcome, 'verification'> {
  const sum = (figure: (report: PartReport) => number): number => reports.reduce((all, each) => all + figure(each), 0)
  const most = (figure: (report: PartReport) => number): number => Math.max(...reports.map(figure))
  const { size, hash } = found.set.summary()
  return {
    algorithm: args.algorithm,
    devices: reports.map(({ device }) => device),
    options: {
      priority: args.priority,
      seed: args.seed,
      batches: plan.batches,
      memoryBytes: args.memoryBytes ?? null,
    },
    result: { kind: 'independent-set', size, fraction: vertices === 0 ? 0 : size / vertices, hash },
    rounds: found.rounds,
    roundCounts: found.roundCounts,
    ...withViewShares(exchangeFigures(reports), plan, header, reports),
    time: {
      prepareMs,
      computeMs: found.computeMs,
      kernelMs: most(({ kernelMs }) => kernelMs),
      exchangeMs: most(({ waitMs }) => waitMs),
      readMs: most(({ readMs }) => readMs),
      totalMs,
    },
    bytes: {
      read: sum(({ bytesRead }) => bytesRead),
      toDevice: sum(({ toDevice }) => toDevice),
      fromDevice: sum(({ fromDevice }) => fromDevice),
      exchanged: sum(({ exchanged }) => exchanged),
    },
    passes: found.passes,
    plan,
  }
}
