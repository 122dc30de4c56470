import { usageFailure } from '../../workers/base/failure.ts'
import { algorithmEntry, MAX_SEED } from '../../workers/contract/catalogue.ts'
import { optionsOf, type Run } from '../contract/run.ts'
import { Comparison, type FinishedRun, isFinished, valueOf } from './comparison.ts'
import { runDocument, seedRow } from './documents.ts'
import { runText } from './run-text.ts'

export const keptRuns = ['best', 'all'] as const
export type KeptRuns = (typeof keptRuns)[number]
export const MOST_SEEDS = 100_000

/** Runs of one request that differ in the seed alone, and what stays of them in the library. */
export interface SeedSweep {
  readonly first: number
  readonly seeds: number
  readonly keep: KeptRuns
  /** 1 where more of a result's value is better, -1 where less is; undefined where neither is. */
  readonly sign: 1 | -1 | undefined
}

interface SweepOptions {
  readonly [option: string]: unknown
  readonly seeds?: number
  readonly seed?: number
  readonly keepRuns?: KeptRuns
}

/**
 * The sweep that is asked for; undefined for a run of one seed, or of an algorithm that takes several at once by itself.
 * @throws Failure (usage) for what does not go together
 */
export function sweepOf(algorithm: string, options: SweepOptions): SeedSweep | undefined {
  const { seeds, seed: first = 0, keepRuns } = options
  const entry = algorithmEntry(algorithm)
  const isOwn = entry === undefined || entry.options.some(({ name }) => name === 'seeds')
  if (seeds === undefined || isOwn) {
    if (keepRuns === undefined) return undefined
    throw usageFailure(
      '--keep-runs',
      'it says what stays of the runs of several seeds',
      'Give --seeds, or leave it out.',
    )
  }
  const other = ['resume', 'across', 'trace'].find((name) => options[name] !== undefined)
  if (other !== undefined)
    throw usageFailure(`--${other}`, 'it is of one run, and --seeds makes many', 'Leave one of them out.')
  if (first + seeds - 1 > MAX_SEED)
    throw usageFailure('--seeds', `seeds go up to ${MAX_SEED}`, 'Begin with a smaller --seed.')
  const better = entry.kind === 'values' ? entry.values?.better : 'more'
  const sign = better === undefined ? undefined : better === 'more' ? 1 : -1
  const keep = keepRuns ?? 'best'
  if (keep === 'best' && sign === undefined)
    throw usageFailure('--seeds', `no result of ${algorithm} is better than another`, 'Keep them all: --keep-runs all.')
  return { first, seeds, keep, sign }
}

/**
 * Runs a request with one seed after another, and takes the runs that are not kept out of the library as soon as a better one is there.
 * @returns all runs in the order of their seeds, and the best of them, of equal ones the first
 */
export async function swept(
  sweep: SeedSweep,
  run: (seed: number) => Promise<Run>,
  remove: (run: Run) => Promise<unknown>,
): Promise<{ readonly runs: readonly FinishedRun[]; readonly best: FinishedRun }> {
  const runs: FinishedRun[] = []
  let best: FinishedRun | undefined
  for (let seed = sweep.first; seed < sweep.first + sweep.seeds; seed++) {
    const next = await run(seed)
    if (!isFinished(next)) throw new Error(`run ${next.id} ended without a record`)
    runs.push(next)
    const before = best
    if (best === undefined || isBetter(next, best, sweep.sign)) best = next
    if (sweep.keep === 'best' && before !== undefined) await remove(best === next ? before : next)
  }
  return { runs, best: best! }
}

const isBetter = (one: FinishedRun, other: FinishedRun, sign: SeedSweep['sign'] = 1): boolean =>
  sign * valueOf(one.record.outcome.result) > sign * valueOf(other.record.outcome.result)

/** The document of the best run with a row for each seed. */
export const sweepDocument = (
  { keep }: SeedSweep,
  { runs, best }: Awaited<ReturnType<typeof swept>>,
  files: readonly string[],
): object => ({
  ...runDocument(best, files),
  seeds: { kept: keep, runs: runs.map((run) => seedRow(run, keep === 'all' || run === best)) },
})

export function sweepText(
  { keep }: SeedSweep,
  { runs, best }: Awaited<ReturnType<typeof swept>>,
  files: readonly string[],
): string {
  const compared = runs.length > 1 ? `${new Comparison(runs).text}\n\n` : ''
  const kept = keep === 'all' ? 'All runs are kept; the best' : 'Kept: the best'
  return `${compared}${kept} is that of seed ${optionsOf(best.request).seed}.\n\n${runText(best, files)}`
}
