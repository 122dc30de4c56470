import { axis, frame, legend, whiskers, spreadWords, tooltipOf, type Spread } from './axes.ts'
import type { Chart } from './chart.ts'
import type { ChartTheme } from './chart-theme.ts'
import { patternOf } from './patterns.ts'

export interface GroupedBars {
  readonly title: string
  readonly measure: string
  readonly category: string
  readonly categories: readonly string[]
  readonly series: readonly { readonly name: string; readonly values: readonly (Spread | null)[] }[]
  readonly tick: (value: number) => string
  readonly words: (value: number) => string
}

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
        axisLabel: { color: theme.text, fontSize: 12, interval: 0, width: 180, overflow: 'truncate' },
      }),
      yAxis: axis(theme, log ? `${bars.measure}, log scale` : bars.measure, {
        type: log ? 'log' : 'value',
        // Bars stand on the axis: on a logarithmic one they would stand on 1, and hang from it below.
        ...(log ? { min: floor, startValue: floor } : { min: 0 }),
        axisLabel: { formatter: bars.tick },
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
    tooltip: tooltipOf(values, (value, at) => `${categories[at] ?? ''}\n${name}\n${spreadWords(value, words)}`),
  }
}

function whiskersOf({ series }: GroupedBars, theme: ChartTheme): object {
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
