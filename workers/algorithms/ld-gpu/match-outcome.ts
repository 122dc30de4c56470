import type { Matching } from '../../graph/matching.ts'
import type { EdgeOrder } from '../../graph/views/edge-order.ts'
import type { RunArgs, RunOutcome, RunPlan, Series } from '../../jobs.ts'
import type { PartReport } from '../../partition/part-task.ts'
import type { Augmentation } from './augment.ts'
import type { MatchRounds } from './part.ts'

/** What a worker of a matching did. */
export interface MatchReport extends PartReport, MatchRounds {
  readonly exchangeMs: number
  /** Where entries stay on disk: bytes of those that were needed, and how often the disk was asked. */
  readonly bytesAsked: number
  readonly reads: number
  /** Bytes that it gave away in each round; none where it is alone. */
  readonly exchangedOfRounds: readonly number[]
}

export interface MadeMatching {
  readonly plan: RunPlan
  /** Building the view. */
  readonly prepareMs: number
  readonly order: EdgeOrder
  readonly matching: Matching
  readonly weight: number
  readonly augmentation: Augmentation | undefined
  /** The leader's first. */
  readonly reports: readonly MatchReport[]
}

/** The outcome of a run of LD-GPU, without the verifier's word. */
export function matchOutcome(
  args: RunArgs,
  { plan, prepareMs, order, matching, weight, augmentation, reports }: MadeMatching,
  totalMs: number,
): Omit<RunOutcome, 'verification'> {
  const sum = (figure: (report: MatchReport) => number): number => reports.reduce((all, each) => all + figure(each), 0)
  const most = (figure: (report: MatchReport) => number): number => Math.max(...reports.map(figure))
  const { pairs, hash } = matching.summary()
  const { rounds, open } = reports[0]!
  const kernelMs = most((report) => report.kernelMs)
  const read = sum((report) => report.bytesRead)
  const needed = sum((report) => report.bytesAsked)
  const reads = sum((report) => report.reads)
  const workMs = most((report) => report.kernelMs + report.hostMs)
  const exchanged = sum((report) => report.exchanged)
  return {
    algorithm: args.algorithm,
    devices: reports.map(({ device }) => device),
    options: {
      method: args.method ?? 'ordered',
      weights: order.weights,
      ties: order.ties,
      seed: order.seed,
      threshold: order.threshold ?? null,
      quality: args.quality ?? 'fast',
      workers: workersText(args, reports.length),
      batches: plan.batches,
      memoryBytes: args.memoryBytes ?? null,
    },
    result: { kind: 'matching', pairs, weight, hash },
    rounds,
    roundCounts: open.map((_, i) => ({ round: i + 1, undecided: open[i + 1] ?? 0 })),
    counters: {
      ...countersOf({ plan, pairs, workMs, read, needed, reads }, reports),
      ...augmentCounters(augmentation),
    },
    series: seriesOf(plan.vertices, reports),
    time: {
      prepareMs,
      computeMs: most((report) => report.computeMs),
      kernelMs,
      exchangeMs: most((report) => report.exchangeMs + report.waitMs),
      readMs: most((report) => report.readMs),
      totalMs,
    },
    bytes: {
      read,
      toDevice: sum((report) => report.toDevice),
      fromDevice: sum((report) => report.fromDevice),
      exchanged,
    },
    passes: 1 + (augmentation?.passes ?? 0),
    plan,
  }
}

/** How many workers there were, and why fewer than devices. */
function workersText({ device, partitions }: RunArgs, workers: number): string | number {
  const devices = device.split(',').length
  return partitions === undefined && workers < devices ? `1 of ${devices}: one device holds everything` : workers
}

function augmentCounters(augmentation: Augmentation | undefined): Record<string, number> {
  if (augmentation === undefined) return {}
  const { gain, swaps, elapsedMs } = augmentation
  return { augmentGain: gain, augmentSwaps: swaps, augmentMs: elapsedMs }
}

const total = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0)

function countersOf(
  figures: { plan: RunPlan; pairs: number; workMs: number; read: number; needed: number; reads: number },
  reports: readonly MatchReport[],
): Record<string, number> {
  const { plan, pairs, workMs, read, needed, reads } = figures
  const arcs = reports.reduce((all, report) => all + total(report.arcs), 0)
  const share = (part: number, whole: number): number => (whole === 0 ? 0 : (100 * part) / whole)
  return {
    mmeps: workMs === 0 ? 0 : pairs / workMs / 1000,
    arcsTouched: arcs,
    workers: reports.length,
    arcsTouchedPercent: share(arcs, plan.arcs),
    viewBytes: plan.viewBytes,
    viewReadPercent: share(read, plan.viewBytes),
    ...(reads > 0 ? { viewNeededPercent: share(needed, plan.viewBytes), viewReadBytes: read / reads } : {}),
  }
}

/** A figure for each round, and one for each worker. */
function seriesOf(vertices: number, reports: readonly MatchReport[]): Series[] {
  const { rounds, open } = reports[0]!
  const perRound = (values: (report: MatchReport) => readonly number[]): number[] =>
    Array.from({ length: rounds }, (_, i) => reports.reduce((all, report) => all + (values(report)[i] ?? 0), 0))
  const perWorker = (name: string, figure: (report: MatchReport) => number): Series => ({
    name,
    of: 'worker',
    unit: 'ms',
    values: reports.map(figure),
  })
  return [
    { name: 'open vertices', unit: '', values: [...open] },
    { name: 'arcs touched', unit: '', values: perRound(({ arcs }) => arcs) },
    ...(reports.length === 1
      ? []
      : [
          { name: 'bytes exchanged', unit: 'bytes', values: perRound(({ exchangedOfRounds }) => exchangedOfRounds) },
          { name: 'bytes of whole arrays', unit: 'bytes', values: open.map(() => 4 * vertices) },
        ]),
    perWorker('computing and reading of each worker', ({ computeMs, readMs }) => computeMs + readMs),
    perWorker('kernels', ({ kernelMs }) => kernelMs),
    ...(reports.some(({ pointMs }) => pointMs > 0)
      ? [perWorker('pointing', ({ pointMs }) => pointMs), perWorker('matching', ({ mateMs }) => mateMs)]
      : []),
    perWorker('pointing on the host', ({ hostMs }) => hostMs),
    perWorker('exchange', ({ exchangeMs }) => exchangeMs),
    perWorker('reading and copying', ({ readMs }) => readMs),
    perWorker('waiting', ({ waitMs }) => waitMs),
  ]
}
