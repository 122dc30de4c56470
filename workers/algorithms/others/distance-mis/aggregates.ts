/**
 * Aggregates for multigrid methods (Kelley, Rajamanickam, IPDPS 2022, Algorithm 3): a distance-2 maximal set gives roots, which take their
 * neighbours; a second one among the rest gives more roots; what is left joins the aggregate to which it has most edges. The sets are found by
 * the workers of distance-mis.ts on any devices; the gathering is a few passes of one thread over the streamed graph. With weights only strong
 * edges count.
 */

import { OUT, IN } from '../../../../kernels/distance/distance-words.ts'
import { inputFailure, usageFailure } from '../../../base/failure.ts'
import type { JobContext } from '../../../base/job.ts'
import { NO_VALUE, sizesOf } from '../../../graph/result-file.ts'
import { aggregateCheckBytes, checkAggregates } from './check-aggregates.ts'
import { type Algorithm, type Answer, type Run, sizeFigures, valuesAnswer, valuesVerifier } from '../../algorithm.ts'
import { Checkpoint } from '../../checkpoint.ts'
import { withWeights } from '../../plan-request.ts'
import { type RangesDone, onThreads, planRanges, roundsRecord, runRanges } from '../../range-run.ts'
import type { RangeReport } from '../../range-task.ts'
import { together } from '../../worker-report.ts'
import {
  type DistanceRounds,
  type SharedDistance,
  distanceSpaceBytes,
  distanceWorks,
  strengthBytes,
  strengthOf,
  type Strength,
  strongArcs,
  distanceShared,
} from './distance-mis.ts'
import type { GaloisGr } from '../../../graph/galois-gr.ts'
import { scanLists } from '../../../graph/scan-lists.ts'

const verifier = valuesVerifier(
  ({ vertices }) => ({ hostBytes: aggregateCheckBytes(vertices), passes: 2 }),
  (values, { graph, options: { threshold } }, job) =>
    checkAggregates(graph, values, typeof threshold === 'number' ? threshold : 0, job),
)

/** Aggregates around distance-2 sets in two phases (Kelley, Rajamanickam 2022, Algorithm 3), on any devices. */
export const aggregates: Algorithm = {
  requireOptions: ({ threshold = 0 }) => {
    if (threshold >= 0 && threshold <= 1) return
    throw usageFailure(undefined, `${threshold} is no threshold`, 'It is from 0 to 1.')
  },
  plan: (request) => {
    const { vertices } = request.size
    const found = planRanges(request, () => distanceSpaceBytes(vertices, 2), hostBytesOf(vertices))
    return withWeights(found, request, (graph) => requireStrength(graph, request.options.threshold))
  },
  improvePasses: () => 4,
  severalGpus: 'useful',
  kernels: () => distanceWorks.kernels,
  compute,
  verifier,
}

/** @throws Failure (input) for a threshold without weights */
function requireStrength({ weighted }: Pick<GaloisGr, 'weighted'>, threshold = 0): void {
  if (threshold > 0 && !weighted)
    throw inputFailure(undefined, 'this graph has no weights', 'Leave the threshold out, or import weights.')
}

/** Words, aggregates, roots and sums of weights. */
const hostBytesOf = (vertices: number): number => 24 * vertices + strengthBytes(vertices)

/** What a checkpoint notes: rounds of the phase under way, and aggregates and figures of the first. */
interface Notes {
  readonly rounds: DistanceRounds
  readonly firstRounds: DistanceRounds | undefined
  readonly count: number
}

async function compute(run: Run, job: JobContext): Promise<Answer> {
  const { args, graph } = run
  const { vertices } = graph
  const threshold = args.threshold ?? 0
  requireStrength(graph, threshold)
  const fromMs = performance.now()
  const shared = distanceShared(run, 2, threshold > 0 ? strengthOf(graph, threshold, job) : undefined)
  const values = new Uint32Array(vertices).fill(NO_VALUE)
  const order = `aggregates-${args.priority}-${args.seed}-${threshold}`
  const checkpoint = Checkpoint.of<Notes>(args, { order, vertices })
  const { found, roots } = await findRoots(run, shared, values, checkpoint, job)
  const gathered = { ...shared, values }
  const count = gatherAround(graph, gathered, { count: roots, leastFree: 2 }, job)
  const joined = joinNeighbours(graph, gathered, job)
  const sizes = sizesOf(values)
  const figures = { aggregates: sizes.length, ...sizeFigures(sizes) }
  const rounds = roundsRecord(run, found, { hostBytes: hostBytesOf(vertices), fromMs })
  const record = {
    ...rounds,
    options: { priority: args.priority ?? 'random', threshold, ...rounds.options },
    counters: { ...rounds.counters, secondRoots: count - roots, joined },
  }
  return valuesAnswer(run, { values, figures, workers: found.reports, checkpoint, record })
}

/**
 * Both distance-2 sets: aggregates around the first are in `values`, the second is in the words.
 * @returns `roots` the aggregates around the first
 */
async function findRoots(
  run: Run,
  shared: SharedDistance,
  values: Uint32Array,
  checkpoint: Checkpoint<Notes> | undefined,
  job: JobContext,
): Promise<{ found: RangesDone<DistanceRounds>; roots: number }> {
  const { words, reached } = shared
  const threaded = onThreads(run, () => distanceSpaceBytes(run.graph.vertices, reached.length + 1))
  const again = words.slice()
  const kept = checkpoint?.start()
  kept?.parts.forEach((part, i) => [words, values][i]!.set(part))
  const phase = (before: DistanceRounds | undefined, firstRounds: DistanceRounds | undefined, count: number) => {
    const keep = (rounds: DistanceRounds) => checkpoint!.write([words, values], { rounds, firstRounds, count })
    const checkpointer = checkpoint && { isDue: () => checkpoint.isDue(false), keep }
    return runRanges(threaded, job, shared, distanceWorks, { before, checkpointer })
  }
  const isSecond = kept?.notes.firstRounds !== undefined
  const first = isSecond ? undefined : await phase(kept?.notes.rounds, undefined, 0)
  const roots = isSecond
    ? kept.notes.count
    : gatherAround(run.graph, { ...shared, values }, { count: 0, leastFree: 0 }, job)
  // Vertices that have an aggregate let no word through.
  for (const [v, value] of values.entries()) {
    const isFree = value === NO_VALUE
    if (!isFree) words[v] = OUT
    else if (!isSecond) words[v] = again[v]!
    for (const level of reached) level[v] = isFree ? again[v]! : OUT
  }
  const firstRounds = first?.outcome ?? kept?.notes.firstRounds
  const second = await phase(isSecond ? kept.notes.rounds : undefined, firstRounds, roots)
  return { found: bothPhases(first, { ...second, outcome: [...(firstRounds ?? []), ...second.outcome] }), roots }
}

/** The figures of both phases as one. */
function bothPhases(first: RangesDone<DistanceRounds> | undefined, second: RangesDone<DistanceRounds>) {
  if (first === undefined) return second
  const reports = second.reports.map((report, worker): RangeReport => {
    const before = first.reports[worker]!
    return { ...report, ...together([before, report], 'in turn'), prepareMs: before.prepareMs + report.prepareMs }
  })
  return { ...second, reports, startMs: first.startMs }
}

/** Visits the strong neighbours of every vertex without an aggregate. */
function scanFree(
  graph: GaloisGr,
  values: Uint32Array,
  strength: Strength | undefined,
  job: JobContext,
  visit: (v: number, strong: Uint32Array) => void,
): void {
  const choose = strength && strongArcs(graph, strength)
  scanLists(graph, job, 'gather', (lists) => {
    const { offsets, targets } = choose?.(lists.offsets, lists.targets, lists) ?? lists
    for (let row = 0; row + 1 < offsets.length; row++)
      if (values[lists.first + row] === NO_VALUE)
        visit(lists.first + row, targets.subarray(offsets[row], offsets[row + 1]))
  })
}

/**
 * Aggregates around the members of a set among the vertices without one (Kelley, Rajamanickam, IPDPS 2022, Algorithm 3, lines 2 to 12), numbered
 * by the ids of their roots. No vertex is beside two members.
 * @param leastFree neighbours that a root needs
 * @returns how many aggregates there are now
 */
function gatherAround(
  graph: GaloisGr,
  { words, values, strength }: { words: Uint32Array; values: Uint32Array; strength?: Strength | undefined },
  { count, leastFree }: { count: number; leastFree: number },
  job: JobContext,
): number {
  const roots = new Uint32Array(values.length).fill(NO_VALUE)
  const free = new Uint32Array(leastFree > 0 ? values.length : 0)
  scanFree(graph, values, strength, job, (v, strong) => {
    if (words[v] === IN) {
      roots[v] = v
      for (const u of strong) if (leastFree > 0 && values[u] === NO_VALUE) free[v]!++
    } else roots[v] = strong.find((u) => words[u] === IN && values[u] === NO_VALUE) ?? NO_VALUE
  })
  let next = count
  for (let v = 0; v < roots.length; v++) if (roots[v] === v && (free[v] ?? 0) >= leastFree) values[v] = next++
  for (const [v, root] of roots.entries()) if (root !== NO_VALUE) values[v] = values[root]!
  return next
}

/**
 * Lets what is left join the neighbouring aggregate to which it has most edges, of equal ones the smaller, then the first (the same, lines 13 on);
 * all see the aggregates as they were before.
 * @returns how many joined
 */
function joinNeighbours(
  graph: GaloisGr,
  { values, strength }: { values: Uint32Array; strength?: Strength | undefined },
  job: JobContext,
): number {
  const sizes = sizesOf(values)
  const joins = new Uint32Array(values.length).fill(NO_VALUE)
  scanFree(graph, values, strength, job, (v, strong) => {
    const edges = new Map<number, number>()
    for (const u of strong) if (values[u] !== NO_VALUE) edges.set(values[u]!, (edges.get(values[u]!) ?? 0) + 1)
    const [best] = [...edges].sort(([a, m], [b, n]) => n - m || sizes[a]! - sizes[b]! || a - b)
    if (best !== undefined) joins[v] = best[0]
  })
  let joined = 0
  for (const [v, aggregate] of joins.entries()) {
    if (aggregate === NO_VALUE) continue
    values[v] = aggregate
    joined++
  }
  return joined
}
