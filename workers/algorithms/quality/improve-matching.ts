/**
 * What `--quality` does to a complete matching: a search for the heaviest one (quality/heavy-matching.ts) if the graph can be held in memory,
 * else, and after a search that was ended, passes of augmentation over the streamed graph (augment.ts). No option makes a matching lighter. Both
 * keep checkpoints after a round or an epoch, from which another attempt resumes; the record says what was gained and what no matching exceeds.
 */

import type { JobContext } from '../../base/job.ts'
import { Failure, MORE_MEMORY } from '../../base/failure.ts'
import type { DeviceFacts, PlannedOptions, RunArgs, Verdict } from '../../contract/jobs.ts'
import { type EdgeOrder, edgeOrderOf } from '../../graph/edge-order.ts'
import { Matching } from '../../graph/matching.ts'
import { type AnswerRecord, type Run, withBound } from '../algorithm.ts'
import type { Checkpoint } from '../checkpoint.ts'
import type { ComputedMatching } from '../computed-matching.ts'
import type { GraphSize } from '../plan-request.ts'
import {
  type HeavySoFar,
  heavyMatchingBytes,
  holdsMatching,
  searchHeavyMatching,
  type PrimalDualState,
} from './heavy-matching.ts'
import { BETTER_ROUNDS, matchingQuality } from './quality-option.ts'
import { idleReport } from '../worker-report.ts'
import { OutOfTime, TimePlan } from './time-plan.ts'
import { type AugmentState, type Augmentation, augment } from './augment.ts'

/** Bytes of host memory for each vertex: the arms, and the mate (augment.ts). */
const AUGMENT_BYTES = 36

/** Passes after a search: one that weighs, one that completes, each by the time that loading takes. */
const LAST_PASSES = 1.5

/** The most passes over the graph: one that loads or weighs, those asked for, and one that completes. */
export function improvingPasses(options: PlannedOptions, size: GraphSize): number {
  const { rounds, search } = matchingQuality(options)
  if (rounds === 0) return 0
  const isWeighed = edgeOrderOf(options, size).weights === 'column'
  const loads = search !== undefined && holdsMatching(size, options.memoryBytes) ? 1 : 0
  return (loads === 1 ? BETTER_ROUNDS : rounds) + 1 + loads + (isWeighed ? 1 : 0)
}

/** Host memory that it takes. */
export function improvingBytes(options: PlannedOptions, size: GraphSize): number {
  const { search } = matchingQuality(options)
  const searching =
    search !== undefined && holdsMatching(size, options.memoryBytes) ? heavyMatchingBytes(size, options.objective) : 0
  return Math.max(AUGMENT_BYTES * size.vertices, searching)
}

/** Notes beside the pointers; beside the mates once the matching is complete. */
interface MatchNotes {
  readonly open: readonly number[]
  readonly arcs: readonly number[]
  readonly made?: CompletedNotes | undefined
}

/** Notes in the checkpoint of a complete matching; the arms of an augmentation, or the state of a search, are further parts. */
interface CompletedNotes {
  readonly devices: readonly DeviceFacts[]
  readonly augmented?: Omit<AugmentState, 'parts'> | undefined
  readonly searched?: { readonly soFar: HeavySoFar; readonly place: PrimalDualState['place'] } | undefined
}

export type MatchCheckpoint = Checkpoint<MatchNotes>

/** The complete matching of another attempt. */
export function completedBefore(checkpoint: MatchCheckpoint | undefined): ComputedMatching | undefined {
  const { kept } = checkpoint ?? {}
  if (kept?.notes.made === undefined) return undefined
  const { open, arcs, made } = kept.notes
  const workers = made.devices.map(idleReport)
  return { matching: new Matching(kept.parts[0]!), workers, passes: 0, open, arcs, prepareMs: 0, computeMs: 0 }
}

/** How far a complete matching is improved: notes, and the parts beside its mates. */
type Improved = Omit<CompletedNotes, 'devices'> & { readonly parts: readonly Uint32Array[] }

/** What another attempt kept. */
function improvedBefore(checkpoint: MatchCheckpoint | undefined): Improved | undefined {
  const { notes, parts = [] } = checkpoint?.kept ?? {}
  return notes?.made && { ...notes.made, parts: parts.slice(1) }
}

/** Keeps a complete matching where that is due, and how far it is improved. @param passEnds with what was done last @param isLast nothing comes after it: the run is cancelled */
function checkpointCompleted(
  checkpoint: MatchCheckpoint | undefined,
  { matching, workers, open, arcs }: ComputedMatching,
  passEnds = true,
  improved = (): Improved => ({ parts: [] }),
  isLast = false,
): void {
  if (checkpoint === undefined || !(isLast || checkpoint.isDue(passEnds))) return
  const { parts, ...notes } = improved()
  const made = { devices: workers.map(({ device }) => device), ...notes }
  checkpoint.write([matching.mates, ...parts], { open, arcs, made })
}

interface ImprovedMatching {
  readonly augmentation: Augmentation | undefined
  readonly search: HeavySoFar | undefined
}

/** Makes a matching heavier, in place, as the run asks. */
export function improveMatching(
  { args, graph, waitedMs }: Pick<Run, 'args' | 'graph' | 'waitedMs'>,
  computed: ComputedMatching,
  order: EdgeOrder,
  checkpoint: MatchCheckpoint | undefined,
  job: JobContext,
): ImprovedMatching {
  const { rounds, search: asked } = matchingQuality(args)
  const { matching } = computed
  const nothing = { augmentation: undefined, search: undefined }
  const { augmented, searched, parts = [] } = improvedBefore(checkpoint) ?? {}
  const quality = new TimePlan({
    ...(asked ?? { steps: undefined, limitMs: Infinity }),
    waitedMs,
    lastPasses: LAST_PASSES,
    verifyPasses: args.verify ? 2 : 0,
    loadsAlone: true,
    size: graph,
    firstMs: 0,
    isBegun: searched !== undefined,
  })
  if (augmented === undefined && searched === undefined) checkpointCompleted(checkpoint, computed)
  const { objective = 'weight' } = args
  if (asked === undefined || !holdsMatching(graph, args.memoryBytes)) {
    if (objective !== 'weight') throw tooLargeFor(objective)
    if (rounds === 0) return nothing
    const limits = { rounds, limitMs: quality.limitMs }
    const before = augmented && { ...augmented, parts }
    // The matching is complete already.
    if (limits.limitMs === 0 && before === undefined) {
      job.log('the time was up before the matching was augmented')
      return nothing
    }
    const augmentation = augment(graph, matching, order, limits, job, before, ({ parts, ...augmented }) =>
      checkpointCompleted(checkpoint, computed, augmented.isOver, () => ({ parts, augmented })),
    )
    return { augmentation, search: undefined }
  }
  const from = searched && { soFar: searched.soFar, state: { parts, place: searched.place } }
  const input = {
    mates: matching.mates,
    order,
    objective,
    quality,
    from,
    loading: (part: number) => quality.loading(part),
  }
  let search: HeavySoFar
  try {
    search = searchHeavyMatching(graph, input, job, (soFar, state, isLast) => {
      const improved = (): Improved => {
        const { parts, place } = state()
        return { parts, searched: { soFar, place } }
      }
      checkpointCompleted(checkpoint, computed, true, improved, isLast)
    })
  } catch (error) {
    if (!(error instanceof OutOfTime)) throw error
    job.log('loading the graph takes longer than the time limit leaves: the matching was not searched')
    return nothing
  }
  if (search.isHeaviest) return { augmentation: undefined, search }
  // It has edges of two matchings, and vertices between them may be free. Augmentations give up pairs for weight.
  const limits = { rounds: objective === 'weight' ? BETTER_ROUNDS : 0, limitMs: quality.leftMs }
  const augmentation = augment(graph, matching, order, limits, job)
  return { augmentation, search }
}

/** The verdict with what the search proved. Where most pairs come first, no bound is one of the weight alone: the counters have these. */
export function withSearchBound(
  verdict: Verdict,
  { objective = 'weight' }: RunArgs,
  { search }: ImprovedMatching,
): Verdict {
  return objective === 'weight' ? withBound(verdict, search?.bounds.at(-1)) : { ...verdict, upperBound: null }
}

function tooLargeFor(objective: string): Failure {
  return new Failure({
    code: 'usage',
    what: `the objective ${objective} needs the whole graph in memory, and it does not fit`,
    remedy: '',
    fixes: [MORE_MEMORY, { action: 'omit', option: 'objective' }],
  })
}

/** Adds how a matching was improved to the record of a run. */
export function withImprovedMatching(
  record: AnswerRecord,
  args: RunArgs,
  { augmentation, search }: ImprovedMatching,
): AnswerRecord {
  const { quality = 'fast' } = args
  const limits =
    quality === 'best' ? { searchSeconds: args.searchSeconds ?? null, searchSteps: args.searchSteps ?? null } : {}
  const augmented = augmentCounters(augmentation)
  const passes = record.passes + (augmentation?.passes ?? 0) + (search === undefined ? 0 : 1)
  const { objective = 'weight' } = args
  const options = { ...record.options, quality, ...(objective === 'weight' ? {} : { objective }), ...limits }
  if (search === undefined) return { ...record, options, passes, counters: { ...record.counters, ...augmented } }
  const { steps: searchSteps, weights, bounds, gain: searchGain, elapsedMs: searchMs } = search
  const isByWeight = objective === 'weight'
  const { weightBound } = search
  const found = isByWeight
    ? { searchGain, matchingBound: bounds.at(-1)! }
    : { pairsBound: bounds.at(-1)!, ...(weightBound === undefined ? {} : { weightBound }) }
  const searched = { searchSteps, searchMs, ...found }
  const [best, bound, unit] = isByWeight
    ? (['searchWeight', 'searchBound', 'weight'] as const)
    : (['searchPairs', 'searchPairsBound', 'pairs'] as const)
  return {
    ...record,
    options,
    passes,
    counters: { ...record.counters, ...augmented, ...searched },
    series: [
      ...record.series,
      { name: best, of: 'pass', unit, values: weights },
      { name: bound, of: 'pass', unit, values: bounds },
    ],
  }
}

function augmentCounters(augmentation: Augmentation | undefined): AnswerRecord['counters'] {
  if (augmentation === undefined) return {}
  const { gain, swaps, elapsedMs } = augmentation
  return { augmentGain: gain, augmentSwaps: swaps, augmentMs: elapsedMs }
}
