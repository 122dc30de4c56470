import { axis, frame, legend, shortened, tooltipOf } from './axes.ts'
import type { Chart } from './chart.ts'
import { patternOf, type ChartTheme } from './chart-theme.ts'

export interface Spread {
  readonly median: number
  readonly min: number
  readonly max: number
  readonly repeats: number
}

/** null where there is nothing to measure. The median of an even number is the mean of the two in the middle. */
export function spreadOf(values: readonly number[]): Spread | null {
  const sorted = values.toSorted((a, b) => a - b)
  const [min, max] = [sorted[0], sorted.at(-1)]
  if (min === undefined || max === undefined) return null
  const lower = sorted[Math.floor((sorted.length - 1) / 2)] ?? min
  const upper = sorted[Math.ceil((sorted.length - 1) / 2)] ?? max
  return { median: (lower + upper) / 2, min, max, repeats: sorted.length }
}

export function spreadWords({ median, min, max, repeats }: Spread, words: (value: number) => string): string {
  if (repeats === 1) return words(median)
  return `${words(median)} (${words(min)} to ${words(max)}, ${repeats} runs)`
}

const spreadColumns = (measure: string): readonly string[] => [`median ${measure}`, 'min', 'max', 'runs']
const spreadCells = ({ median, min, max, repeats }: Spread): readonly number[] => [median, min, max, repeats]

interface WhiskerApi {
  value(dimension: number): number
  coord(point: readonly number[]): [number, number]
  barLayout(option: object): readonly { readonly offsetCenter: number; readonly width: number }[]
}

type Whisker = readonly [x: number, series: number, min: number, max: number]

/** One custom series for all whiskers; `place` says how far from its x a whisker is drawn, half its width, and its colour. */
function whiskers(
  data: readonly Whisker[],
  place: (
    series: number,
    api: WhiskerApi,
  ) => { readonly offset: number; readonly half: number; readonly stroke: string },
): object {
  return {
    type: 'custom',
    silent: true,
    z: 3,
    data,
    encode: { x: 0, y: [2, 3] },
    tooltip: { show: false },
    renderItem: (_: unknown, api: WhiskerApi) => {
      const { offset, half, stroke } = place(api.value(1), api)
      const [centre, top] = api.coord([api.value(0), api.value(3)])
      const bottom = api.coord([api.value(0), api.value(2)])[1]
      const [left, x, right] = [-half, 0, half].map((by) => centre + offset + by)
      const line = (x1: number | undefined, y1: number, x2: number | undefined, y2: number): object => ({
        type: 'line',
        shape: { x1, y1, x2, y2 },
        style: { stroke, lineWidth: 1.5 },
      })
      return {
        type: 'group',
        children: [line(x, top, x, bottom), line(left, top, right, top), line(left, bottom, right, bottom)],
      }
    },
  }
}

interface GroupedBars {
  readonly title: string
  readonly measure: string
  readonly category: string
  readonly categories: readonly string[]
  /** `look`: its colour and pattern, where that is not its place. */
  readonly series: readonly {
    readonly name: string
    readonly values: readonly (Spread | null)[]
    readonly look?: number
  }[]
  readonly tick: (value: number) => string
  readonly words: (value: number) => string
}

/** Characters that have room under the narrowest chart. */
const LABELS = 64

/** Figures that differ more than this many times are drawn on a logarithmic scale. */
const LOG_FROM = 40

export function groupedBars(bars: GroupedBars): Chart {
  const spreads = bars.series.flatMap(({ values }) => values.filter((value) => value !== null))
  const smallest = Math.min(...spreads.map(({ min }) => min))
  const largest = Math.max(...spreads.map(({ max }) => max))
  const floor = 10 ** Math.floor(Math.log10(smallest * 0.7))
  const log = smallest > 0 && largest / smallest > LOG_FROM
  return {
    title: bars.title,
    summary: barsSummary(bars),
    numbers: {
      columns: [bars.category, 'series', ...spreadColumns(bars.measure)],
      rows: bars.categories.flatMap((category, at) =>
        bars.series.flatMap(({ name, values }) => {
          const value = values[at] ?? null
          return value === null ? [] : [[category, name, ...spreadCells(value)]]
        }),
      ),
    },
    option: (theme) => ({
      ...frame(theme),
      legend: legend(
        theme,
        bars.series.map(({ name }) => name),
      ),
      xAxis: axis(theme, '', {
        type: 'category',
        data: [...bars.categories],
        splitLine: { show: false },
        axisLabel: {
          ...{ color: theme.text, fontSize: 12, interval: 0, hideOverlap: false },
          formatter: (name: string) => shortened(name, Math.min(26, Math.floor(LABELS / bars.categories.length))),
        },
      }),
      yAxis: axis(theme, log ? `${bars.measure}, log scale` : bars.measure, {
        type: log ? 'log' : 'value',
        // Bars stand on the axis: on a logarithmic one they would stand on 1, and hang from it below.
        ...(log ? { min: floor, startValue: floor } : { min: 0 }),
        axisLabel: { formatter: bars.tick },
      }),
      series: [...bars.series.map((_, index) => barOf(bars, index, theme)), whiskersOnBars(bars, theme)],
    }),
  }
}

function barsSummary({ title, categories, series, words }: GroupedBars): string {
  const parts = categories.flatMap((category, at) =>
    series.flatMap(({ name, values }) => {
      const value = values[at] ?? null
      return value === null ? [] : [`${category}, ${name}: ${spreadWords(value, words)}`]
    }),
  )
  const shown = parts.slice(0, 8).join('; ')
  return `${title}. ${shown}${parts.length > 8 ? `; and ${parts.length - 8} more` : ''}.`
}

const barWidths = { barMaxWidth: 56, barGap: '12%', barCategoryGap: '28%' } as const

function barOf({ series, words, categories }: GroupedBars, index: number, theme: ChartTheme): object {
  const { name, values, look = index } = series[index]!
  return {
    type: 'bar',
    name,
    ...barWidths,
    data: values.map((value) => value?.median ?? null),
    itemStyle: {
      color: theme.series[look % theme.series.length],
      borderRadius: [2, 2, 0, 0],
      ...(patternOf(look) === null ? {} : { decal: patternOf(look) }),
    },
    emphasis: { disabled: true },
    tooltip: tooltipOf(values, (value, at) => `${categories[at] ?? ''}\n${name}\n${spreadWords(value, words)}`),
  }
}

function whiskersOnBars({ series }: GroupedBars, theme: ChartTheme): object {
  const data = series.flatMap(({ values }, index) =>
    values.flatMap((value, at) =>
      value === null || value.repeats < 2 ? [] : [[at, index, value.min, value.max] as const],
    ),
  )
  return whiskers(data, (index, api) => {
    const place = api.barLayout({ ...barWidths, count: series.length })[index]
    return { offset: place?.offsetCenter ?? 0, half: Math.min(6, (place?.width ?? 12) / 4), stroke: theme.text }
  })
}

interface LinesChart {
  readonly title: string
  readonly across: string
  readonly measure: string
  readonly lines: readonly {
    readonly name: string
    readonly points: readonly { readonly x: number; readonly y: Spread }[]
  }[]
  readonly whole?: boolean | undefined
  /** More points than one can tell apart: no marks on them. */
  readonly dense?: boolean | undefined
  /** What is measured stays as it is until the next point. */
  readonly steps?: boolean | undefined
  /** The axis of the measure need not begin at 0. */
  readonly near?: boolean | undefined
  readonly tick: (value: number) => string
  readonly words: (value: number) => string
}

interface Extent {
  readonly min: number
  readonly max: number
}

/** The ends of an axis at marks that can be read: 12 and 16 of 12.329 to 15.287. */
const markOf = ({ min, max }: Extent): number => 10 ** Math.floor(Math.log10(max - min || 1))
export const roundEnds = {
  min: (extent: Extent): number => Math.floor(extent.min / markOf(extent)) * markOf(extent),
  max: (extent: Extent): number => Math.ceil(extent.max / markOf(extent)) * markOf(extent),
}

/** An end of an axis without what floats add: 6.1, not 6.1000000000000005. */
export const plain = (value: number): string => String(Number(value.toPrecision(6)))

const marks = ['circle', 'rect', 'triangle', 'diamond', 'pin', 'arrow'] as const
const dashes = ['solid', 'dashed', 'dotted'] as const

/** Lines told apart by colour, mark and dash; a whisker where a point was measured more than once. */
export function linesChart(chart: LinesChart): Chart {
  const { title, across, measure, lines } = chart
  const names = lines.map(({ name }) => name)
  return {
    title,
    summary: `${title}. ${lines.map((line) => lineSummary(chart, line)).join('; ')}.`,
    numbers: {
      columns: ['line', across, ...spreadColumns(measure)],
      rows: lines.flatMap(({ name, points }) => points.map(({ x, y }) => [name, x, ...spreadCells(y)])),
    },
    option: (theme) => ({
      ...frame(theme),
      ...(lines.length > 1 && { legend: legend(theme, names) }),
      xAxis: axis(theme, across, {
        type: 'value',
        splitLine: { show: false },
        axisLabel: { formatter: plain },
        ...(chart.dense === true ? roundEnds : { min: 'dataMin', max: 'dataMax' }),
        ...(chart.whole && { minInterval: 1 }),
      }),
      yAxis: axis(theme, measure, {
        type: 'value',
        ...(chart.near === true || isBelowZero(lines) ? { scale: true } : { min: 0 }),
        axisLabel: { formatter: chart.tick },
      }),
      series: [...lines.map((_, index) => lineOf(chart, index, theme)), whiskersOnLines(chart, theme)],
    }),
  }
}

/** Energies are: an axis that had to begin at 0 would be upside down. */
const isBelowZero = (lines: LinesChart['lines']): boolean =>
  lines.some(({ points }) => points.some(({ y }) => y.min < 0))

function lineSummary({ across, words }: LinesChart, { name, points }: LinesChart['lines'][number]): string {
  const [first, last] = [points[0], points.at(-1)]
  if (first === undefined || last === undefined) return `${name}: no figures`
  const start = `${name}: ${words(first.y.median)} at ${across} ${first.x}`
  return first === last ? start : `${start}, ${words(last.y.median)} at ${across} ${last.x}`
}

function lineOf({ lines, dense, steps, words, across }: LinesChart, index: number, theme: ChartTheme): object {
  const { name, points } = lines[index]!
  const color = theme.series[index % theme.series.length]
  return {
    type: 'line',
    name,
    data: points.map(({ x, y }) => [x, y.median]),
    symbol: dense === true && points.length > 1 ? 'none' : marks[index % marks.length],
    ...(steps === true && { step: 'end' }),
    symbolSize: 8,
    lineStyle: { color, width: 2, type: dashes[index % dashes.length] },
    itemStyle: { color },
    tooltip: tooltipOf(points, ({ x, y }) => `${name}\n${across} ${x}: ${spreadWords(y, words)}`),
  }
}

function whiskersOnLines({ lines }: LinesChart, theme: ChartTheme): object {
  const data = lines.flatMap(({ points }, index) =>
    points.flatMap(({ x, y }) => (y.min === y.max ? [] : [[x, index, y.min, y.max] as const])),
  )
  return whiskers(data, (index) => ({ offset: 0, half: 4, stroke: theme.series[index % theme.series.length]! }))
}
