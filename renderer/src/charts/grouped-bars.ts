import { axis, frame, legend } from './axes.ts'
import type { Chart } from './chart.ts'
import type { ChartTheme } from './chart-theme.ts'
import { patternOf } from './patterns.ts'
import { spreadWords } from './spread.ts'
import type { Spread } from './spread.ts'

export interface GroupedBars {
  readonly title: string
  /** What the bars measure, with its unit: "compute time (ms)". */
  readonly measure: string
  /** "dataset": what a group of bars stands for. */
  readonly category: string
  readonly categories: readonly string[]
  readonly series: readonly { readonly name: string; readonly values: readonly (Spread | null)[] }[]
  /** Of an axis and of a tooltip. */
  readonly tick: (value: number) => string
  readonly words: (value: number) => string
}

/** Figures that differ more than this many times are drawn on a logarithmic scale. */
const LOG_FROM = 40

/** A bar for the median of each group of repeats, a whisker from the smallest to the largest. */
export function groupedBars(bars: GroupedBars): Chart {
  const spreads = bars.series.flatMap(({ values }) => values.filter((value) => value !== null))
  const smallest = Math.min(...spreads.map(({ min }) => min))
  const largest = Math.max(...spreads.map(({ max }) => max))
  const floor = 10 ** Math.floor(Math.log10(smallest * 0.7))
  const log = smallest > 0 && largest / smallest > LOG_FROM
  return {
    title: bars.title,
    summary: summaryOf(bars),
    numbers: {
      columns: [bars.category, 'series', `median ${bars.measure}`, 'min', 'max', 'runs'],
      rows: bars.categories.flatMap((category, at) =>
        bars.series.flatMap(({ name, values }) => {
          const value = values[at] ?? null
          return value === null ? [] : [[category, name, value.median, value.min, value.max, value.repeats]]
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
          color: theme.text,
          fontSize: 12,
          interval: 0,
          width: 180,
          overflow: 'truncate',
          hideOverlap: true,
        },
      }),
      yAxis: axis(theme, log ? `${bars.measure}, log scale` : bars.measure, {
        type: log ? 'log' : 'value',
        // Bars stand on the axis: on a logarithmic one they would stand on 1, and hang from it below.
        ...(log ? { min: floor, startValue: floor } : { min: 0 }),
        axisLabel: { color: theme.quiet, fontSize: 11.5, formatter: bars.tick },
      }),
      series: [...bars.series.map((_, index) => barOf(bars, index, theme)), whiskersOf(bars, theme)],
    }),
  }
}

function summaryOf({ title, categories, series, words }: GroupedBars): string {
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
  const { name, values } = series[index] ?? { name: '', values: [] }
  return {
    type: 'bar',
    name,
    ...barWidths,
    data: values.map((value) => value?.median ?? null),
    itemStyle: {
      color: theme.series[index % theme.series.length],
      borderRadius: [2, 2, 0, 0],
      ...(patternOf(index) === null ? {} : { decal: patternOf(index) }),
    },
    emphasis: { disabled: true },
    tooltip: {
      formatter: ({ dataIndex }: { dataIndex: number }) => {
        const value = values[dataIndex]
        return value == null ? '' : `${categories[dataIndex] ?? ''}\n${name}\n${spreadWords(value, words)}`
      },
    },
  }
}

interface WhiskerApi {
  value(dimension: number): number
  coord(point: readonly number[]): [number, number]
  barLayout(option: object): readonly { readonly offsetCenter: number; readonly width: number }[]
}

/** One custom series for all whiskers: [category, series, min, max]. */
function whiskersOf({ series }: GroupedBars, theme: ChartTheme): object {
  const data = series.flatMap(({ values }, index) =>
    values.flatMap((value, at) => (value === null || value.repeats < 2 ? [] : [[at, index, value.min, value.max]])),
  )
  return {
    type: 'custom',
    silent: true,
    z: 3,
    data,
    encode: { x: 0, y: [2, 3] },
    tooltip: { show: false },
    renderItem: (_: unknown, api: WhiskerApi) => {
      const place = api.barLayout({ ...barWidths, count: series.length })[api.value(1)]
      const [centre, top] = api.coord([api.value(0), api.value(3)])
      const bottom = api.coord([api.value(0), api.value(2)])[1]
      const x = centre + (place?.offsetCenter ?? 0)
      const half = Math.min(6, (place?.width ?? 12) / 4)
      const line = (x1: number, y1: number, x2: number, y2: number): object => ({
        type: 'line',
        shape: { x1, y1, x2, y2 },
        style: { stroke: theme.text, lineWidth: 1.5 },
      })
      return {
        type: 'group',
        children: [
          line(x, top, x, bottom),
          line(x - half, top, x + half, top),
          line(x - half, bottom, x + half, bottom),
        ],
      }
    },
  }
}
