import type { Device } from '../../device/device.ts'
import { openDevice } from '../../device/open-device.ts'
import { GaloisGr } from '../../graph/galois-gr.ts'
import { openLabels } from '../../graph/labels.ts'
import { matchingWeight } from '../../graph/matching-weight.ts'
import { openGraph } from '../../graph/open-graph.ts'
import type { PreparedView } from '../../graph/prepare-view.ts'
import { viewFormat } from '../../graph/view-file.ts'
import { removeResult, writeResult } from '../../graph/result-file.ts'
import type { EdgeOrder } from '../../graph/views/edge-order.ts'
import { edgeOrderName } from '../../graph/views/edge-order.ts'
import type { WeightOrderedKind } from '../../graph/weight-ordered-view.ts'
import { prepareWeightOrdered } from '../../graph/views/prepare-weight-ordered.ts'
import type { JobContext } from '../../job.ts'
import type { DeviceFacts, RunArgs, RunOutcome, RunPlan } from '../../jobs.ts'
import { verifyMatching } from '../../verification/verify-matching.ts'
import { Checkpoint } from '../checkpoint.ts'
import { idsOf } from '../forecast/forecast.ts'
import { factsOf, requirePlanned } from '../plan.ts'
import { commonBudget } from '../plan-run.ts'
import { workersOf } from '../workers-of-run.ts'
import { isTraced, writeTraces } from '../write-traces.ts'
import { orderOf } from './edge-order-of-run.ts'
import type { Residence } from './plan-match.ts'
import { boundOf, planMatch, viewKindOf } from './plan-match.ts'
import { planRescan } from './plan-rescan.ts'
import { computeRescan } from './rescan-workers.ts'
import { matchOutcome } from './match-outcome.ts'
import { augment } from './augment.ts'
import { augmentRounds } from './augment-option.ts'
import { augmentedBefore, keepMade, madeBefore } from './made-matching.ts'
import type { MatchCheckpoint } from './match-state.ts'
import { keeperOf, startOf } from './match-state.ts'
import type { ComputedMatching } from './match-workers.ts'
import { computeMatching } from './match-workers.ts'

/** The leading worker's device, open, and what is known of those of all workers. */
interface RunDevices {
  readonly device: Device
  readonly devices: readonly DeviceFacts[]
}

/** A matching that was computed, with what it took. */
interface Computed extends ComputedMatching {
  readonly plan: RunPlan
  /** Building the view. */
  readonly prepareMs: number
}

/** LD-GPU from a dataset to a verified matching: prepares, plans, computes, stores the mates, verifies. */
export async function runLdGpu(args: RunArgs, job: JobContext): Promise<RunOutcome> {
  const startMs = performance.now()
  const rounds = augmentRounds(args.quality)
  const graph = openGraph(args.folder, args.checksum, job)
  const device = await openDevice(args.device.split(',')[0]!)
  try {
    const devices = await factsOf(workersOf(args), device.facts, args.memoryBytes)
    requirePlanned(args, devices)
    const order = orderOf(args, graph)
    const labels = openLabels(args.folder, graph.vertices)
    const checkpoint = checkpointOf(args, graph, devices, order)
    const compute = args.method === 'rescan' ? byRescan : byView
    const computed = await compute(args, graph, { device, devices }, order, checkpoint, job)
    const { matching } = computed
    const from = augmentedBefore(checkpoint)
    if (from === undefined) keepMade(checkpoint, computed)
    const augmentation =
      rounds === 0
        ? undefined
        : augment(graph, matching, order, rounds, job, from, (state) => keepMade(checkpoint, computed, state))
    const weight = matchingWeight(graph, matching, order, job)
    writeResult(args.resultFile, new Uint8Array(matching.mates.buffer))
    writeTraces(args, computed.reports)
    const totalMs = performance.now() - startMs
    const claim = { matching, order, dominant: rounds === 0 }
    const verification = args.verify ? await verifyMatching(graph, labels, claim, job) : null
    // Not before: a run that is interrupted while it is verified need not be computed again.
    checkpoint?.remove()
    const outcome = matchOutcome(args, { ...computed, order, weight, augmentation }, totalMs)
    return { ...outcome, verification, resumed: checkpoint?.resumed }
  } catch (error) {
    removeResult(args.resultFile)
    throw error
  } finally {
    device.close()
    graph.close()
  }
}

/** What a matching depends on is named: a checkpoint of the cursors of one view means nothing in another. */
function checkpointOf(
  args: RunArgs,
  canonical: GaloisGr,
  devices: readonly DeviceFacts[],
  order: EdgeOrder,
): MatchCheckpoint | undefined {
  const { checksum: graph, method = 'ordered', quality = 'fast' } = args
  const { vertices } = canonical
  const view = method === 'rescan' ? '' : viewFormat(likelyKind(args, canonical, devices))
  return Checkpoint.of(args, { graph, order: `${method}-${edgeOrderName(order)}-${quality}`, view, vertices })
}

/** What rounds go on from, and how they are kept; called when all is prepared. */
function stepsOf(checkpoint: MatchCheckpoint | undefined, residence: Residence = 'whole') {
  checkpoint?.start()
  const start = startOf(checkpoint)
  const keeper = checkpoint && keeperOf(checkpoint)
  if (start === undefined || (start.stamps !== undefined) === (residence !== 'whole')) return { start, keeper }
  checkpoint?.passOver()
  return { start: undefined, keeper }
}

async function byView(
  args: RunArgs,
  graph: GaloisGr,
  { device, devices }: RunDevices,
  order: EdgeOrder,
  checkpoint: MatchCheckpoint | undefined,
  job: JobContext,
): Promise<Computed> {
  const view = prepareFor(args, graph, devices, order, job)
  try {
    const useful = usefulDevices(args, view, devices, job)
    const workers = idsOf(useful)
    const planned = planMatch(args, graph, view, useful)
    const traced = { traced: isTraced(args), timed: args.traceFile !== undefined }
    const run = { device, workers, view, ...planned, ...traced, ...stepsOf(checkpoint, planned.residence) }
    const computed = madeBefore(checkpoint) ?? (await computeMatching(run, job))
    return { ...computed, plan: planned.plan, prepareMs: view.buildMs }
  } finally {
    view.view.close()
  }
}

async function byRescan(
  args: RunArgs,
  graph: GaloisGr,
  { device, devices }: RunDevices,
  order: EdgeOrder,
  checkpoint: MatchCheckpoint | undefined,
  job: JobContext,
): Promise<Computed> {
  const workers = idsOf(devices)
  const planned = planRescan(args, graph, order, devices)
  const run = { device, workers, graph, order, ...planned, traced: isTraced(args), ...stepsOf(checkpoint) }
  const computed = madeBefore(checkpoint) ?? (await computeRescan(run, job))
  return { ...computed, plan: planned.plan, prepareMs: 0 }
}

/** The view that will do, told by an upper bound of the entries, as their number is not known before there is a view. */
function likelyKind(args: RunArgs, { vertices, arcs }: GaloisGr, devices: readonly DeviceFacts[]): WeightOrderedKind {
  const budget = commonBudget(devices, args.memoryBytes)
  return viewKindOf(boundOf(vertices, arcs, idsOf(devices), budget, args.batches).residence ?? 'none')
}

/**
 * The view for where the entries will be: with the tails by vertex where the devices hold all, else in levels. What turns out to fit
 * after all is prepared once more.
 */
function prepareFor(
  args: RunArgs,
  graph: GaloisGr,
  devices: readonly DeviceFacts[],
  order: EdgeOrder,
  job: JobContext,
): PreparedView {
  const kind = likelyKind(args, graph, devices)
  const view = prepareWeightOrdered({ ...args, order, kind }, job)
  const useful = usefulDevices(args, view, devices)
  const wanted = viewKindOf(planMatch(args, graph, view, useful).residence)
  if (wanted === kind) return view
  view.view.close()
  const other = prepareWeightOrdered({ ...args, order, kind: wanted }, job)
  return { ...other, buildMs: view.buildMs + other.buildMs }
}

/**
 * Several devices with a worker each are asked for more memory: where one holds everything, one computes, as each round between
 * several costs more than it saves (LD-GPU, SC 2024, Figure 5).
 */
function usefulDevices(
  args: RunArgs,
  view: PreparedView,
  devices: readonly DeviceFacts[],
  job?: JobContext,
): readonly DeviceFacts[] {
  if (args.partitions !== undefined || devices.length === 1) return devices
  const alone = devices.slice(0, 1)
  const { vertices } = view.view.header
  const { residence } = planMatch(args, { vertices, arcs: 0 }, view, alone)
  if (residence !== 'whole') return devices
  job?.log(`${alone[0]!.id} holds the whole view: it computes alone. Give --partitions to share the work all the same.`)
  return alone
}
