import type { Command } from 'commander'
import { usageFailure } from '../../../workers/base/failure.ts'
import { type Run, shareOfBound } from '../../contract/run.ts'
import { runSummary } from '../documents.ts'
import { resultText } from '../run-text.ts'
import type { Shell } from '../shell.ts'
import { duration, shareAtLeast, table } from '../text.ts'

const examples = `
Examples:
  anticlique compare fast better best
  anticlique compare --dataset cities-10km
  anticlique compare --dataset cities-10km --csv > runs.csv`

interface CompareOptions {
  readonly dataset?: string
  readonly csv?: boolean
}

type FinishedRun = Run & { readonly record: NonNullable<Run['record']> }

const isFinished = (run: Run): run is FinishedRun => run.record !== null

export function register(program: Command, shell: Shell): void {
  program
    .command('compare')
    .description('Compare runs: their results, bounds, parts of the time, and the options in which they differ.')
    .argument('[run...]', 'ids, their beginnings, or names')
    .option('--dataset <name>', 'all finished runs of this dataset, the oldest first')
    .option('--csv', 'print a table with commas, with a row for each run')
    .addHelpText('after', examples)
    .action((named: readonly string[], { dataset, csv = false }: CompareOptions) =>
      shell.open(async ({ service }) => {
        const runs: Run[] = []
        for (const run of named) runs.push((await service.call('runs.get', { run })).run)
        if (dataset !== undefined)
          runs.push(...(await service.call('runs.list', {})).runs.filter((run) => run.dataset === dataset).reverse())
        const finished = runs.filter(isFinished)
        if (finished.length < 2)
          throw usageFailure(dataset, 'fewer than two runs with a result are named', 'Name two or more runs.')
        const differing = differingOptions(finished)
        const same = new Set(finished.map(({ hash }) => hash)).size === 1
        const document = { runs: finished.map(runSummary), differing, same }
        shell.answer(document, csv ? csvOf(finished, differing) : textOf(finished, differing, same))
      }),
    )
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
    const time = outcome.resumed === undefined ? outcome.time : undefined
    return [
      ...[run.name ?? run.id, ...(datasets.size > 1 ? [run.dataset] : []), run.algorithm],
      ...differing.map((name) => optionOf(run, name)),
      ...[
        resultText(outcome),
        share === null ? '' : share >= 1 ? 'the best possible' : `at least ${shareAtLeast(share)}`,
      ],
      ...[time === undefined ? '' : duration(time.totalMs), duration(outcome.verification?.elapsedMs ?? 0)],
      outcome.result.hash,
    ]
  })
  const all = table([...titles, 'result>', 'of the bound', 'time>', 'verified in>', 'hash'].join(' | '), rows)
  return `${all}\n\n${same ? 'All have the same result.' : spread(runs)}`
}

/** Of results of one kind the least, the mean and the largest. */
function spread(runs: readonly FinishedRun[]): string {
  const sizes = runs.map(({ record: { outcome } }) => valueOf(outcome.result))
  const mean = sizes.reduce((sum, size) => sum + size, 0) / sizes.length
  const round = (value: number): string => String(Number(value.toPrecision(9)))
  return `Results from ${round(Math.min(...sizes))} to ${round(Math.max(...sizes))}, mean ${round(mean)}.`
}

function valueOf(result: FinishedRun['record']['outcome']['result']): number {
  if (result.kind === 'matching') return result.weight
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
    const seconds = outcome.resumed === undefined ? outcome.time.totalMs / 1000 : null
    const found = [run.size, weight, verification?.upperBound, verification?.verified, seconds, result.hash]
    return [...ofRun, ...found].map((cell) => quoted(String(cell ?? ''))).join(',')
  })
  return [[...head, 'hash'].join(','), ...rows].join('\n')
}

const quoted = (cell: string): string => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
