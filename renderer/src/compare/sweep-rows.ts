import { isOfPairs } from '../../../electron/contract/run.ts'
import { byName } from '../base/names.ts'
import { runKindWithoutSeed } from '../run/run-title.ts'
import { placesOf, wholeMs, type FinishedRun } from './run-groups.ts'

/** Runs that differ in their seed alone, or not at all, as one row: how good they are, and how far apart. */
interface SweepRow {
  readonly dataset: string
  readonly name: string
  readonly runs: readonly FinishedRun[]
  readonly seeds: number
  readonly best: number
  readonly mean: number
  /** Standard deviation of a sample; null of one run. */
  readonly deviation: number | null
  readonly worst: number
  /** null where no run was timed. */
  readonly meanMs: number | null
}

/** The worth by which results are compared: vertices of a set or their weight, the weight of a matching; null of values. */
export function worthOf({ record }: FinishedRun): number | null {
  const { result } = record.outcome
  if (result.kind === 'values') return null
  return isOfPairs(result) ? result.weight : (result.weight ?? result.size)
}

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

function deviationOf(values: readonly number[]): number | null {
  if (values.length < 2) return null
  const mean = meanOf(values)
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1))
}

const seedOf = ({ request }: FinishedRun): unknown => ('seed' in request ? request.seed : undefined)

/** A row for each dataset and question, the best of a dataset first. */
export function sweepRows(runs: readonly FinishedRun[]): readonly SweepRow[] {
  const measured = runs.filter((run) => worthOf(run) !== null)
  const nameOf = (run: FinishedRun): string => `${runKindWithoutSeed(run)}, ${placesOf(run)}`
  const groups = Map.groupBy(measured, (run) => JSON.stringify([run.dataset, nameOf(run)]))
  const rows = [...groups.values()].map((alike): SweepRow => {
    const values = alike.map((run) => worthOf(run)!)
    const times = alike.flatMap((run) => wholeMs(run) ?? [])
    return {
      dataset: alike[0]!.dataset,
      name: nameOf(alike[0]!),
      runs: alike,
      seeds: new Set(alike.map(seedOf)).size,
      best: Math.max(...values),
      mean: meanOf(values),
      deviation: deviationOf(values),
      worst: Math.min(...values),
      meanMs: times.length === 0 ? null : meanOf(times),
    }
  })
  return rows.toSorted((a, b) => byName(a.dataset, b.dataset) || b.best - a.best || b.mean - a.mean)
}

/** The best run of those of one dataset and kind of result, of equal ones the faster, then the older; null where fewer than two can be told apart so. */
export function bestOf(runs: readonly FinishedRun[]): FinishedRun | null {
  const [first] = runs
  const kindOf = ({ dataset, record }: FinishedRun): string => `${record.outcome.result.kind} ${dataset}`
  if (first === undefined || runs.length < 2 || runs.some((run) => kindOf(run) !== kindOf(first))) return null
  if (worthOf(first) === null) return null
  const slowest = (run: FinishedRun): number => wholeMs(run) ?? Infinity
  const [best] = runs.toSorted(
    (a, b) => worthOf(b)! - worthOf(a)! || Math.sign(slowest(a) - slowest(b)) || (a.createdAt < b.createdAt ? -1 : 1),
  )
  return best!
}
