import {
  isOfPairs,
  optionsOf,
  type Run,
  type RunRecord,
  shareOfBound as shareOfVerdict,
} from '../../../electron/contract/run.ts'
import { keptBy } from '../base/kept-by.ts'
import { spreadOf, type Spread } from '../charts/spread-charts.ts'
import { ownTime, partsOf, waitedMs, type TimeParts } from '../run/run-times.ts'
import { deviceWords } from '../run/run-title.ts'

export type FinishedRun = Run & { readonly record: RunRecord }

export const isFinished = (run: Run): run is FinishedRun => run.state === 'done' && run.record !== null

export const sameKind = (a: FinishedRun, b: FinishedRun): boolean =>
  a.id !== b.id &&
  a.dataset === b.dataset &&
  a.record.outcome.result.kind === b.record.outcome.result.kind &&
  (a.record.outcome.result.kind !== 'values' || a.algorithm === b.algorithm)

interface SeriesOfRuns {
  readonly name: string
  readonly runs: readonly FinishedRun[]
}

export function workersOf({ request, record }: FinishedRun): number {
  return Math.max(record.outcome.devices.length, optionsOf(request).partitions ?? 1)
}

/** The devices that computed, shortened: "4 GPUs", "cpu:0"; "gpu:0 / 4" if four workers share it. */
export function placesOf(run: FinishedRun): string {
  const ids = run.record.outcome.devices.map(({ id }) => id)
  const { partitions } = optionsOf(run.request)
  const shared = partitions === undefined || partitions === ids.length ? '' : ` / ${partitions}`
  return `${deviceWords(ids)}${shared}`
}

/** The runs of each kind, kinds in the order in which they first appear. `kind` tells algorithm and choices. */
export function seriesOf(runs: readonly FinishedRun[], kind: (run: FinishedRun) => string): readonly SeriesOfRuns[] {
  return [...Map.groupBy(runs, kind)].map(([name, of]) => ({ name, runs: of }))
}

export const datasetsOf = (runs: readonly FinishedRun[]): readonly string[] => [
  ...new Set(runs.map(({ dataset }) => dataset)),
]

/** One spread for each dataset; null where a series has no run on it, or nothing to measure. */
export function spreadsOf(
  { runs }: SeriesOfRuns,
  datasets: readonly string[],
  measure: (run: FinishedRun) => number | null,
): readonly (Spread | null)[] {
  return datasets.map((dataset) =>
    spreadOf(
      runs
        .filter((run) => run.dataset === dataset)
        .map(measure)
        .filter((value) => value !== null),
    ),
  )
}

export type Measure = (run: FinishedRun) => number | null

export const wholeMs: Measure = (run) => waitedMs(run)

const partsOfRecord = keptBy((record: RunRecord) => partsOf({ record }))

export const partMs =
  (part: keyof TimeParts): Measure =>
  (run) =>
    partsOfRecord(run.record)?.[part] ?? null

/** Arcs that the first result was made from, a second: no search reads them all. */
export const arcsPerSecond = ({ record }: Pick<FinishedRun, 'record'>): number | null => {
  const ms = ownTime({ record })?.computeMs ?? 0
  return ms > 0 ? (record.dataset.arcs / ms) * 1000 : null
}

export const setSize: Measure = ({ record: { outcome } }) =>
  outcome.result.kind === 'independent-set' ? outcome.result.size : null

export const pairs: Measure = ({ record: { outcome } }) => (isOfPairs(outcome.result) ? outcome.result.pairs : null)

export const weight: Measure = ({ record: { outcome } }) => (isOfPairs(outcome.result) ? outcome.result.weight : null)

export const shareOfBound: Measure = ({ record: { outcome } }) =>
  outcome.verification === null ? null : shareOfVerdict(outcome.verification)
