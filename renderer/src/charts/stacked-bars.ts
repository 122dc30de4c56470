import { axis, frame, legend, shortened, tooltipOf } from './axes.ts'
import type { Chart } from './chart.ts'
import { patternOf } from './chart-theme.ts'

interface StackedBars {
  readonly title: string
  readonly measure: string
  /** What a bar is of. */
  readonly of: string
  /** From the axis outwards; one that is nowhere is left out. */
  readonly parts: readonly string[]
  readonly bars: readonly { readonly name: string; readonly values: readonly number[] }[]
  readonly tick: (value: number) => string
  readonly words: (value: number) => string
}

const MOST_LABEL = 32
/** A line of text for each bar, and what stands above and below. */
const LINE_PX = 17
const AROUND_PX = 90

/** Bars that lie, each the sum of its parts: names of any length stand beside them. */
export function stackedBars({ title, measure, of, parts, bars, tick, words }: StackedBars): Chart {
  const shown = parts.map((name, at) => ({ name, at })).filter(({ at }) => bars.some(({ values }) => values[at]! > 0))
  const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)
  const said = bars.map(({ name, values }) => {
    const each = shown.map(({ name: part, at }) => `${part} ${words(values[at]!)}`)
    return `${name}: ${words(sumOf(values))} (${each.join(', ')})`
  })
  return {
    title,
    summary: `${title}. ${said.slice(0, 8).join('; ')}${said.length > 8 ? `; and ${said.length - 8} more` : ''}.`,
    numbers: {
      columns: [of, ...shown.map(({ name }) => `${name}, ${measure}`), measure],
      rows: bars.map(({ name, values }) => [name, ...shown.map(({ at }) => values[at]!), sumOf(values)]),
    },
    height: Math.max(260, AROUND_PX + LINE_PX * bars.length),
    option: (theme) => ({
      ...frame(theme),
      legend: legend(
        theme,
        shown.map(({ name }) => name),
      ),
      xAxis: axis(theme, measure, { type: 'value', min: 0, axisLabel: { formatter: tick } }),
      yAxis: axis(theme, '', {
        type: 'category',
        inverse: true,
        data: bars.map(({ name }) => name),
        splitLine: { show: false },
        axisLabel: {
          ...{ color: theme.text, fontSize: 12, interval: 0 },
          formatter: (name: string) => shortened(name, MOST_LABEL),
        },
      }),
      series: shown.map(({ name, at }) => ({
        type: 'bar',
        name,
        stack: 'whole',
        barMaxWidth: 32,
        data: bars.map(({ values }) => values[at]!),
        itemStyle: {
          color: theme.series[at % theme.series.length],
          ...(patternOf(at) === null ? {} : { decal: patternOf(at) }),
        },
        emphasis: { disabled: true },
        tooltip: tooltipOf(
          bars,
          (bar) => `${bar.name}\n${name}: ${words(bar.values[at]!)} of ${words(sumOf(bar.values))}`,
        ),
      })),
    }),
  }
}
