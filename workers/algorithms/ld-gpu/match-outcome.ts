import type { EdgeOrder } from '../../graph/edge-order.ts'
import type { GaloisGr } from '../../graph/galois-gr.ts'
import type { RunArgs, RunPlan } from '../../contract/jobs.ts'
import type { AnswerRecord } from '../algorithm.ts'
import { workerFigures, workerSeries } from '../worker-report.ts'
import type { Augmentation } from './augment.ts'
import type { MatchingTotals } from './matching-totals.ts'
import type { ComputedMatching } from './match-request.ts'

export interface FinishedMatching {
  readonly computed: ComputedMatching
  readonly plan: RunPlan
  readonly order: EdgeOrder
  readonly totals: MatchingTotals
  readonly augmentation: Augmentation | undefined
  readonly graph: GaloisGr
}

/** What the record of a matching says. */
export function matchRecord(
  args: RunArgs,
  { computed, plan, order, totals, augmentation, graph }: FinishedMatching,
): AnswerRecord {
  const { workers, open, arcs, passes, prepareMs, computeMs } = computed
  const { pairs, weight, hash } = totals
  const { devices, time, bytes } = workerFigures(workers)
  const looked = arcs.reduce((all, each) => all + each, 0)
  const share = (part: number, whole: number): number => (whole === 0 ? 0 : (100 * part) / whole)
  return {
    devices,
    options: {
      method: args.method ?? 'ordered',
      weights: order.weights,
      ties: order.ties,
      seed: order.seed,
      threshold: order.threshold ?? null,
      quality: args.quality ?? 'fast',
      workers: workersText(args, workers.length),
      batches: plan.batches,
      memoryBytes: args.memoryBytes ?? null,
    },
    result: { kind: 'matching', pairs, weight, hash },
    rounds: open.length,
    roundCounts: open.map((_, i) => ({ round: i + 1, undecided: open[i + 1] ?? 0 })),
    counters: {
      mmeps: time.kernelMs === 0 ? 0 : pairs / time.kernelMs / 1000,
      arcsTouched: looked,
      workers: workers.length,
      arcsTouchedPercent: share(looked, plan.arcs),
      readPercent: share(bytes.read, graph.file.bytes),
      ...augmentCounters(augmentation),
    },
    series: [
      { name: 'open vertices', unit: '', values: [...open] },
      { name: 'arcs touched', unit: '', values: [...arcs] },
      ...workerSeries(workers),
    ],
    time: { prepareMs, computeMs, ...time },
    bytes,
    passes: passes + (augmentation?.passes ?? 0),
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
