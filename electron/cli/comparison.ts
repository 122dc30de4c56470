import { isOfPairs, type Run, shareOfBound, totalMsOf } from '../contract/run.ts'
import { runSummary } from './documents.ts'
import { resultText } from './run-text.ts'
import { duration, shareAtLeast, table } from './text.ts'

/** A run with its result. */
export type FinishedRun = Run & { readonly record: NonNullable<Run['record']> }

export const isFinished = (run: Run): run is FinishedRun => run.record !== null

/** Finished runs side by side: what differs between them, as a document, for people, and as a table with commas. */
export class Comparison {
  readonly #runs: readonly FinishedRun[]
  /** Names of the options in which they differ. */
  readonly differing: readonly string[]
  /** Whether all have the same result. */
  readonly same: boolean

  constructor(runs: readonly FinishedRun[]) {
    this.#runs = runs
    this.differing = differingOptions(runs)
    this.same = new Set(runs.map(({ hash }) => hash)).size === 1
  }

  get document(): object {
    return { runs: this.#runs.map(runSummary), differing: this.differing, same: this.same }
  }

  get text(): string {
    return textOf(this.#runs, this.differing, this.same)
  }

  get csv(): string {
    return csvOf(this.#runs, this.differing)
  }
}

const optionOf = ({ record: { outcome } }: FinishedRun, name: string): string => String(outcome.options[name] ?? '')

/** Options that not all runs have alike, in the order in which they first appear. */
function differingOptions(runs: readonly FinishedRun[]): string[] {
  const names = new Set(runs.flatMap(({ record: { outcome } }) => Object.keys(outcome.options)))
  return [...names].filter((name) => new Set(runs.map((run) => optionOf(run, name))).size > 1)
}

function textOf(runs: readonly FinishedRun[], differing: readonly string[], same: boolean): string {
  const datasets = new Set(runs.map(({ dataset }) => dataset))
  const titles = ['run', ...(datasets.size > 1 ? ['dataset'] : []), 'algorithm', ...differing]
  const rows = runs.map((run) => {
    const { outcome } = run.record
    const share = outcome.verification === null ? null : shareOfBound(outcome.verification)
    const ms = totalMsOf(outcome)
    return [
      ...[run.name ?? run.id, ...(datasets.size > 1 ? [run.dataset] : []), run.algorithm],
      ...differing.map((name) => optionOf(run, name)),
      ...[
        resultText(outcome),
        share === null ? '' : share >= 1 ? 'the best possible' : `at least ${shareAtLeast(share)}`,
      ],
      ...[ms === null ? '' : duration(ms), duration(outcome.verification?.elapsedMs ?? 0)],
      outcome.result.hash,
    ]
  })
  const all = table([...titles, 'result>', 'of the bound', 'time>', 'verified in>', 'hash'].join(' | '), rows)
  return `${all}\n\n${same ? 'All have the same result.' : spread(runs)}`
}

/** The least, the mean and the largest of results of one kind. */
function spread(runs: readonly FinishedRun[]): string {
  const sizes = runs.map(({ record: { outcome } }) => valueOf(outcome.result))
  const mean = sizes.reduce((sum, size) => sum + size, 0) / sizes.length
  const round = (value: number): string => String(Number(value.toPrecision(9)))
  return `Results from ${round(Math.min(...sizes))} to ${round(Math.max(...sizes))}, mean ${round(mean)}.`
}

/** What makes one result better than another of its kind: its weight where it has one, else its size. */
export function valueOf(result: FinishedRun['record']['outcome']['result']): number {
  if (isOfPairs(result)) return result.weight
  return result.kind === 'values' ? result.size : (result.weight ?? result.size)
}

function csvOf(runs: readonly FinishedRun[], differing: readonly string[]): string {
  const head = [
    'run',
    'name',
    'dataset',
    'algorithm',
    ...differing,
    'size',
    'weight',
    'upper_bound',
    'verified',
    'seconds',
  ]
  const rows = runs.map((run) => {
    const { outcome } = run.record
    const { result, verification } = outcome
    const weight = result.kind === 'values' ? null : (result.weight ?? null)
    const ofRun = [run.id, run.name, run.dataset, run.algorithm, ...differing.map((name) => optionOf(run, name))]
    const ms = totalMsOf(outcome)
    const found = [
      run.size,
      weight,
      verification?.upperBound,
      verification?.verified,
      ms === null ? null : ms / 1000,
      result.hash,
    ]
    return [...ofRun, ...found].map((cell) => quoted(String(cell ?? ''))).join(',')
  })
  return [[...head, 'hash'].join(','), ...rows].join('\n')
}

const quoted = (cell: string): string => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
