import { isOfPairs } from '../../../electron/contract/run.ts'
import type { ProgressSample } from '../../../electron/contract/work.ts'
import { rate, tick, tickOfTime } from '../charts/axes.ts'
import type { Chart } from '../charts/chart.ts'
import { groupedBars, linesChart, spreadOf, type Spread } from '../charts/spread-charts.ts'
import { stackedBars } from '../charts/stacked-bars.ts'
import { duration, exactly } from '../quantity.ts'
import { partsOf, timeParts } from '../run/run-times.ts'
import { gainMeasure, runLabel } from '../run/run-title.ts'
import { words } from '../words/words.ts'
import {
  arcsPerSecond,
  pairs,
  partMs,
  setSize,
  weight,
  datasetsOf,
  seriesOf,
  spreadsOf,
  wholeMs,
  workersOf,
  type Measure,
  type FinishedRun,
} from './run-groups.ts'

const text = words.compare.charts
const rateWords = (value: number): string => rate(value, '')
const timesWords = (value: number): string => `${value.toPrecision(3)} ×`

interface Kind {
  readonly title: string
  readonly measure: string
  /** A shorter word beside an axis of differences. */
  readonly unit?: string
  readonly of: Measure
  readonly isResult?: true
  readonly tick: (value: number) => string
  readonly words: (value: number) => string
}

const kinds: readonly Kind[] = [
  {
    ...{ title: text.size, measure: text.sizeMeasure, unit: words.library.vertices },
    ...{ of: setSize, isResult: true, tick, words: exactly },
  },
  { title: text.pairs, measure: words.runs.pairs, of: pairs, isResult: true, tick, words: exactly },
  {
    title: text.weight,
    measure: words.compare.table.weight,
    of: weight,
    isResult: true,
    tick,
    words: (value) => value.toPrecision(6),
  },
  { title: text.time, measure: text.timeMeasure, of: wholeMs, tick: tickOfTime, words: duration },
  { title: text.throughput, measure: words.run.arcsPerSecond, of: arcsPerSecond, tick: rateWords, words: rateWords },
]

/** Results by how far they are behind the best of their dataset, time and throughput as they are; a group for each dataset. */
export function barCharts(runs: readonly FinishedRun[], kind: (run: FinishedRun) => string): readonly Chart[] {
  const datasets = datasetsOf(runs)
  const series = seriesOf(runs, kind)
  return kinds.flatMap(({ of, isResult, unit, ...more }) => {
    const drawn = withFigures(
      series.map((one, look) => ({ name: one.name, look, values: spreadsOf(one, datasets, of) })),
    )
    const figures = drawn.flatMap(({ values }) => values.filter((value) => value !== null))
    const isBehind = isResult === true && series.length > 1
    // One figure alone is no chart, nor are results of which every dataset has only one.
    if (isBehind && datasets.every((_, at) => drawn.filter(({ values }) => values[at]).length < 2)) return []
    if (figures.reduce((sum, { repeats }) => sum + repeats, 0) < 2) return []
    if (!isBehind) return [chartOf(datasets, drawn, more)]
    const [title, measure] = [text.behind(more.title), text.behindMeasure(unit ?? more.measure)]
    return [chartOf(datasets, behindBest(drawn), { ...more, title, measure })]
  })
}

type Drawn = readonly { readonly name: string; readonly look: number; readonly values: readonly (Spread | null)[] }[]

/** A series looks the same in every chart, and has no place in one that measures what it lacks. */
const withFigures = (series: Drawn): Drawn => series.filter(({ values }) => values.some((value) => value !== null))

/** A dataset without a figure is not drawn. */
function chartOf(datasets: readonly string[], all: Drawn, more: Omit<Kind, 'of' | 'isResult'>): Chart {
  const isMeasured = (_: unknown, at: number): boolean => all.some(({ values }) => (values[at] ?? null) !== null)
  const categories = datasets.filter(isMeasured)
  const series = all.map(({ values, ...one }) => ({ ...one, values: values.filter(isMeasured) }))
  return groupedBars({ category: words.runs.dataset, categories, series, ...more })
}

function scaled(spread: Spread | null, factor: (value: number) => number): Spread | null {
  if (spread === null) return null
  const [a, b] = [factor(spread.min), factor(spread.max)]
  return { median: factor(spread.median), min: Math.min(a, b), max: Math.max(a, b), repeats: spread.repeats }
}

/** As bars from zero, results that differ by a hundredth look alike. */
const behindBest = (drawn: Drawn): Drawn =>
  drawn.map(({ values, ...one }) => ({
    ...one,
    values: values.map((value, at) => {
      const best = Math.max(...drawn.map((one) => one.values[at]?.max ?? 0))
      return scaled(value, (size) => best - size)
    }),
  }))

/** What the time of each series went into, a bar for each dataset and series; null where no run was timed. */
export function partsChart(runs: readonly FinishedRun[], kind: (run: FinishedRun) => string): Chart | null {
  const datasets = datasetsOf(runs)
  const several = datasets.length > 1
  const bars = seriesOf(runs, kind).flatMap(({ name, runs: of }) =>
    datasets.flatMap((dataset) => {
      const own = of.filter((run) => run.dataset === dataset && wholeMs(run) !== null)
      if (own.length === 0) return []
      const values = timeParts.map((part) => {
        const all = own.map((run) => partMs(part)(run) ?? 0)
        return all.reduce((sum, value) => sum + value, 0) / all.length
      })
      return [{ name: several ? `${dataset}: ${name}` : name, values }]
    }),
  )
  if (bars.length === 0) return null
  const parts = timeParts.map((part) => words.run.parts[part])
  const measure = { measure: text.timeMeasure, tick: tickOfTime, words: duration }
  return stackedBars({ title: text.timeParts, of: text.series, parts, bars, ...measure })
}

/** How many times as fast as the median of `baseline` on the same dataset; null without another series. */
export function speedupChart(
  runs: readonly FinishedRun[],
  kind: (run: FinishedRun) => string,
  baseline: string,
): Chart | null {
  const datasets = datasetsOf(runs)
  const series = seriesOf(runs, kind)
  const base = series.find(({ name }) => name === baseline)
  if (base === undefined || series.length < 2) return null
  const times = spreadsOf(base, datasets, wholeMs)
  const drawn = series.map((one, look) => ({
    ...{ name: one.name, look },
    values: spreadsOf(one, datasets, wholeMs).map((value, at) => {
      const own = times[at] ?? null
      const isMeasured = one !== base && own !== null && (value?.min ?? 0) > 0
      return isMeasured ? scaled(value, (ms) => own.median / ms) : null
    }),
  }))
  const more = { title: `${text.speedup} (${baseline} = 1)`, measure: text.speedupMeasure }
  const measured = withFigures(drawn)
  return measured.length === 0 ? null : chartOf(datasets, measured, { ...more, tick, words: timesWords })
}

/** The time in all over the number of devices or partitions, a line for each question; null where nothing varies. */
export function scalingChart(runs: readonly FinishedRun[], question: (run: FinishedRun) => string): Chart | null {
  const lines = seriesOf(runs, question).flatMap(({ name, runs: of }) => {
    const counts = [...new Set(of.map(workersOf))].toSorted((a, b) => a - b)
    if (counts.length < 2) return []
    const points = counts.flatMap((x) => {
      const y = spreadOf(of.filter((run) => workersOf(run) === x).flatMap((run) => wholeMs(run) ?? []))
      return y === null ? [] : [{ x, y }]
    })
    return [{ name, points }]
  })
  if (lines.length === 0) return null
  const measure = { measure: text.timeMeasure, tick: tickOfTime, words: duration }
  return linesChart({ title: text.scaling, across: words.runs.device, lines, whole: true, ...measure })
}

/** How a result grew: its size, or weight, since the start of the run. */
export interface Course {
  readonly name: string
  /** What grew. */
  readonly measure: string
  readonly points: readonly { readonly ms: number; readonly found: number }[]
}

/** The course of a run by its samples, which ends with its result; one point where nothing was searched. */
export function courseOf(run: FinishedRun, samples: readonly ProgressSample[]): Course | null {
  const { result } = run.record.outcome
  const [whole, parts] = [wholeMs(run), partsOf(run)]
  const size = isOfPairs(result) ? result.weight : result.size
  if (whole === null || parts === null || result.kind === 'values') return null
  const found = samples.flatMap(({ ms, best }) => (best === undefined ? [] : [{ ms, found: best }]))
  const gains = found.filter(({ found: now }, at) => at === 0 || now !== found[at - 1]!.found)
  const end = Math.max(whole - parts.verification, found.at(-1)?.ms ?? 0)
  return { name: runLabel(run), measure: gainMeasure(run), points: [...gains, { ms: end, found: size }] }
}

/** Size against time of several runs of one dataset, sets and matchings apart; none of those of which none was seen to grow. */
export function growthCharts(dataset: string, courses: readonly Course[]): readonly Chart[] {
  const kinds = [...Map.groupBy(courses, ({ measure }) => measure)].filter(
    ([, of]) => of.length > 1 && of.some(({ points }) => points.length > 1),
  )
  return kinds.map(([measure, of]) => growthChart(dataset, of, measure, kinds.length > 1))
}

function growthChart(dataset: string, courses: readonly Course[], measure: string, several: boolean): Chart {
  const lines = courses.map(({ name, points }) => ({
    name,
    points: points.map(({ ms, found }) => ({
      x: ms / 1000,
      y: { median: found, min: found, max: found, repeats: 1 },
    })),
  }))
  const more = { dense: true, steps: true, near: true, tick, words: exactly } as const
  const title = text.growth(dataset, several ? measure : '')
  return linesChart({ title, across: text.seconds, measure, lines, ...more })
}
