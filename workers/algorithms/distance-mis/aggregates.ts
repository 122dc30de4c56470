import { OUT } from '../../../kernels/distance/distance-words.ts'
import { Failure, inputFailure } from '../../base/failure.ts'
import type { JobContext } from '../../base/job.ts'
import { NO_VALUE } from '../../graph/result-file.ts'
import { aggregateCheckBytes, checkAggregates } from '../../verify/verify-subgraphs.ts'
import type { Algorithm, Answer, Run } from '../algorithm.ts'
import { Checkpoint } from '../checkpoint.ts'
import { type RangesDone, planRanges, roundsRecord, runRanges } from '../range-run.ts'
import type { RangeReport } from '../range-task.ts'
import { valuesAnswer, valuesVerifier } from '../values-answer.ts'
import { type DistanceRounds, type SharedDistance, distanceSpaceBytes, distanceWorks } from './compute-distance.ts'
import { distanceShared } from './distance-mis.ts'
import { gatherAround, joinNeighbours, sizesOf } from './gather.ts'
import { strengthBytes, strengthOf } from './strength.ts'

const verifier = valuesVerifier(
  ({ vertices }) => ({ hostBytes: aggregateCheckBytes(vertices), passes: 2 }),
  (values, { graph, options: { threshold } }, job) =>
    checkAggregates(graph, values, typeof threshold === 'number' ? threshold : 0, job),
)

/** Aggregates around distance-2 sets in two phases (Kelley, Rajamanickam 2022, Algorithm 3), on any devices. */
export const aggregates: Algorithm = {
  requireOptions: ({ threshold = 0 }) => {
    if (threshold >= 0 && threshold <= 1) return
    throw new Failure({ code: 'usage', what: `${threshold} is no threshold`, remedy: 'It is from 0 to 1.' })
  },
  plan: (request) => {
    const { vertices } = request.size
    return planRanges(request, () => distanceSpaceBytes(vertices, 2), hostBytesOf(vertices))
  },
  improvePasses: () => 4,
  severalGpus: 'useful',
  kernels: () => distanceWorks.kernels,
  compute,
  verifier,
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
  if (threshold > 0 && !graph.weighted)
    throw inputFailure(graph.path, 'this graph has no weights', 'Leave the threshold out, or import weights.')
  const startMs = performance.now()
  const shared = distanceShared(run, 2, threshold > 0 ? strengthOf(graph, threshold, job) : undefined)
  const values = new Uint32Array(vertices).fill(NO_VALUE)
  const order = `aggregates-${args.priority}-${args.seed}-${threshold}`
  const checkpoint = Checkpoint.of<Notes>(args, { graph: args.checksum, order, tiles: '', vertices })
  const beforeMs = performance.now() - startMs
  const { found, roots } = await findRoots(run, shared, values, checkpoint, job)
  const gathered = { ...shared, values }
  const count = gatherAround(graph, gathered, { count: roots, leastFree: 2 }, job)
  const joined = joinNeighbours(graph, gathered, count, job)
  const figures = figuresOf(sizesOf(values, count))
  const rounds = roundsRecord(run, found, { hostBytes: hostBytesOf(vertices), beforeMs })
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
  const again = words.slice()
  const kept = checkpoint?.start()
  kept?.parts.forEach((part, i) => [words, values][i]!.set(part))
  const phase = (before: DistanceRounds | undefined, firstRounds: DistanceRounds | undefined, count: number) => {
    const keep = (rounds: DistanceRounds) => checkpoint!.write([words, values], { rounds, firstRounds, count })
    const checkpointer = checkpoint && { isDue: () => checkpoint.isDue(false), keep }
    return runRanges(run, job, shared, distanceWorks, { before, checkpointer })
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
  return { found: together(first, { ...second, outcome: [...(firstRounds ?? []), ...second.outcome] }), roots }
}

const figuresOf = (sizes: Uint32Array) => ({
  aggregates: sizes.length,
  largest: sizes.reduce((a, b) => Math.max(a, b), 0),
  smallest: sizes.length === 0 ? 0 : sizes.reduce((a, b) => Math.min(a, b)),
})

/** Both phases as one. */
function together(first: RangesDone<DistanceRounds> | undefined, second: RangesDone<DistanceRounds>) {
  if (first === undefined) return second
  const reports = second.reports.map((report, worker): RangeReport => {
    const before = first.reports[worker]!
    const sums = (['bytesRead', 'readMs', 'kernelMs', 'waitMs', 'exchanged', 'prepareMs'] as const).map(
      (name) => [name, before[name] + report[name]] as const,
    )
    return { ...report, ...Object.fromEntries(sums), spans: [...before.spans, ...report.spans] }
  })
  return { ...second, reports, startMs: first.startMs }
}
