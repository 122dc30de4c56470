import type { NumberTable } from '../charts/number-table.ts'
import { useAlgorithms } from '../stores/algorithms.ts'
import { words } from '../words/words.ts'
import { arcsPerSecond, ownTime, shareOfBound, weight } from './measures.ts'
import { placesOf } from './run-groups.ts'
import type { FinishedRun } from './run-groups.ts'

const text = words.compare.table

/** Every figure of every run, one row each, nothing rounded; and the counters that any of them has. */
export function compareTable(runs: readonly FinishedRun[], kind: (run: FinishedRun) => string): NumberTable {
  const counters = [...new Set(runs.flatMap((run) => Object.keys(figuresOf(run))))]
  const columns = [
    ...[text.run, text.dataset, text.series, text.devices, text.size, text.share, text.weight, text.bound],
    ...[text.rounds, text.compute, text.kernel, text.prepare, text.total, text.throughput],
    ...[text.read, text.exchanged, text.hash],
  ]
  return {
    columns: [...columns, ...counters.map((name) => counterWords(name, runs))],
    rows: runs.map((run) => [...rowOf(run, kind), ...own(run, counters)]),
  }
}

/** As the algorithm calls it; a figure that is in no catalogue keeps its name. */
function counterWords(name: string, runs: readonly FinishedRun[]): string {
  const counters = useAlgorithms().list.flatMap((entry) =>
    runs.some(({ algorithm }) => algorithm === entry.name) ? entry.counters : [],
  )
  const counter = counters.find((one) => one.name === name)
  if (counter === undefined) return name
  return counter.unit === '' ? counter.label : `${counter.label} (${counter.unit})`
}

function rowOf(run: FinishedRun, kind: (run: FinishedRun) => string): readonly (string | number | null)[] {
  const { result, rounds, bytes } = run.record.outcome
  const time = ownTime(run)
  return [
    ...[run.name ?? run.id, run.dataset, kind(run), placesOf(run), run.size],
    ...[result.kind === 'independent-set' ? result.fraction : null, weight(run), shareOfBound(run)],
    ...[rounds, time?.computeMs ?? null, time?.kernelMs ?? null, time?.prepareMs ?? null, time?.totalMs ?? null],
    arcsPerSecond(run),
    ...[bytes.read, bytes.exchanged, result.hash],
  ]
}

/** Of values the figures, and the counters. */
function figuresOf({ record: { outcome } }: FinishedRun): Readonly<Record<string, number>> {
  const figures = outcome.result.kind === 'values' ? outcome.result.figures : {}
  return { ...outcome.verification?.figures, ...figures, ...outcome.counters }
}

function own(run: FinishedRun, counters: readonly string[]): readonly (number | null)[] {
  const figures = figuresOf(run)
  return counters.map((name) => figures[name] ?? null)
}
