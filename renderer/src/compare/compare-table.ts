import { optionsOf } from '../../../electron/contract/run.ts'
import type { Column } from '../base/column.ts'
import { keptBy } from '../base/kept-by.ts'
import { exactly, percent, quantity } from '../quantity.ts'
import { bestOrAtLeast } from '../run/run-title.ts'
import { useAlgorithms } from '../stores/algorithms.ts'
import { words } from '../words/words.ts'
import { ownTime } from '../run/run-times.ts'
import { arcsPerSecond, partMs, placesOf, shareOfBound, weight, wholeMs, type FinishedRun } from './run-groups.ts'

const text = words.compare.table

type Cell = ReturnType<Column<FinishedRun>['cell']>
interface Figure {
  readonly title: string
  readonly of: (run: FinishedRun, kind: (run: FinishedRun) => string) => Cell
  readonly usual?: true
  /** Shown where the runs differ in it. */
  readonly differs?: true
  readonly share?: (value: number) => string
  readonly width?: number
}

const figures: readonly Figure[] = [
  { title: words.runs.run, of: ({ name, id }) => name ?? id },
  { title: words.runs.dataset, of: ({ dataset }) => dataset, usual: true, width: 130 },
  { title: text.series, of: (run, kind) => kind(run), usual: true, width: 160 },
  { title: text.seed, of: seedOf, differs: true },
  { title: words.runs.device, of: placesOf },
  { title: words.runs.size, of: ({ size }) => size, usual: true },
  { title: words.runs.share, of: fractionOf, share: percent },
  { title: text.weight, of: weight, usual: true },
  { title: text.bound, of: shareOfBound, usual: true, share: bestOrAtLeast },
  { title: words.run.roundCount, of: ({ record }) => record.outcome.rounds },
  { title: text.whole, of: wholeMs, usual: true },
  { title: text.set, of: partMs('set') },
  { title: text.search, of: partMs('search'), usual: true },
  { title: text.verification, of: partMs('verification') },
  { title: text.compute, of: (run) => ownTime(run)?.computeMs ?? null },
  { title: text.kernel, of: (run) => ownTime(run)?.kernelMs ?? null },
  { title: text.prepare, of: (run) => ownTime(run)?.prepareMs ?? null },
  { title: text.throughput, of: arcsPerSecond },
  { title: text.read, of: ({ record }) => record.outcome.bytes.read },
  { title: text.exchanged, of: ({ record }) => record.outcome.bytes.exchanged },
  { title: words.run.hash, of: ({ record }) => record.outcome.result.hash, usual: true },
]

function seedOf({ request }: FinishedRun): number | null {
  const { seed } = optionsOf(request)
  return typeof seed === 'number' ? seed : null
}

function fractionOf({ record: { outcome } }: FinishedRun): number | null {
  return outcome.result.kind === 'independent-set' ? outcome.result.fraction : null
}

/**
 * Every figure of runs, and the counters that any of them has: for reading three digits, exact on hover; more than the usual columns where they are
 * chosen.
 */
export function compareColumns(
  runs: readonly FinishedRun[],
  kind: (run: FinishedRun) => string,
): readonly Column<FinishedRun>[] {
  const isOne = new Set(runs.map(({ dataset }) => dataset)).size === 1
  const isSearched = runs.some((run) => (partMs('search')(run) ?? 0) > 0)
  const names = [...new Set(runs.flatMap((run) => Object.keys(countersOf(run))))]
  const counters = names.map((name): Figure => ({
    title: counterWords(name, runs),
    of: (run) => countersOf(run)[name] ?? null,
  }))
  return [...figures, ...counters].map(({ title, of, usual, differs, share, width }) => {
    const cell = (run: FinishedRun): Cell => of(run, kind)
    const cells = runs.map(cell)
    const isNumeric = cells.some((value) => typeof value === 'number')
    const said = (value: Cell): string => {
      if (typeof value !== 'number') return value ?? ''
      if (share !== undefined) return share(value)
      if (Number.isInteger(value)) return value < 1e9 ? exactly(value) : quantity(value)
      return value < 1000 ? String(Number(value.toPrecision(3))) : exactly(Math.round(value))
    }
    return {
      ...{ key: title, title, cell, align: isNumeric ? 'end' : 'start' },
      // A column in which nothing differs is one click away.
      optional:
        !(differs === true ? new Set(cells).size > 1 : usual) ||
        cells.every((value) => value === null) ||
        // A page of 1280 has room for one of the three: which graph, how long a search took, whether answers are one.
        (title === words.runs.dataset && isOne) ||
        (title === text.search && !(isSearched && isOne)) ||
        (title === words.run.hash && (isSearched || !isOne)),
      grow: title === text.series || title === words.runs.dataset,
      // A hidden column is not asked for its width.
      get width() {
        return width ?? (isNumeric ? 30 + 7 * Math.max(title.length, ...cells.map((one) => said(one).length)) : 110)
      },
      text: (run) => said(cell(run)),
      exact: (run) => cell(run)?.toString(),
      order: cell,
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

const countersOfRecord = keptBy(({ outcome }: FinishedRun['record']): Readonly<Record<string, number>> => {
  const figures = outcome.result.kind === 'values' ? outcome.result.figures : {}
  return { ...outcome.verification?.figures, ...figures, ...outcome.counters }
})

const countersOf = ({ record }: FinishedRun) => countersOfRecord(record)
