import type { Column } from '../base/column.ts'
import type { NumberTable } from '../charts/chart.ts'
import { exactly, percent, quantity } from '../quantity.ts'
import { useAlgorithms } from '../stores/algorithms.ts'
import { words } from '../words/words.ts'
import { arcsPerSecond, ownTime, shareOfBound, weight, placesOf, type FinishedRun } from './run-groups.ts'

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

type Row = NumberTable['rows'][number]

const usual: ReadonlySet<string> = new Set([
  ...[text.dataset, text.series, text.size, text.weight, text.bound],
  ...[text.compute, text.total, text.hash],
])
const shares: ReadonlySet<string> = new Set([text.share, text.bound])

/** The same for reading: three digits, exact on hover; more than the usual columns where they are chosen. */
export function compareColumns({ columns, rows }: NumberTable): readonly Column<Row>[] {
  return columns.map((title, i) => {
    const isNumeric = rows.some((row) => typeof row[i] === 'number')
    const said = (value: Row[number]): string => {
      if (typeof value !== 'number') return value ?? ''
      if (shares.has(title)) return percent(value)
      if (Number.isInteger(value)) return value < 1e9 ? exactly(value) : quantity(value)
      return value < 1000 ? String(Number(value.toPrecision(3))) : exactly(Math.round(value))
    }
    return {
      ...{
        key: title,
        title,
        optional: !usual.has(title) || rows.every((row) => row[i] == null),
        grow: title === text.series,
      },
      width: title === text.series ? 190 : title === text.hash ? 150 : isNumeric ? 118 : 110,
      align: isNumeric ? 'end' : 'start',
      text: (row) => said(row[i] ?? null),
      exact: (row) => (row[i] == null ? undefined : String(row[i])),
      order: (row) => row[i] ?? null,
    }
  })
}

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

function figuresOf({ record: { outcome } }: FinishedRun): Readonly<Record<string, number>> {
  const figures = outcome.result.kind === 'values' ? outcome.result.figures : {}
  return { ...outcome.verification?.figures, ...figures, ...outcome.counters }
}

function own(run: FinishedRun, counters: readonly string[]): readonly (number | null)[] {
  const figures = figuresOf(run)
  return counters.map((name) => figures[name] ?? null)
}
