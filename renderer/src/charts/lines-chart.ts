import { axis, frame, legend, whiskers, spreadWords, tooltipOf, type Spread } from './axes.ts'
import type { Chart } from './chart.ts'
import type { ChartTheme } from './chart-theme.ts'

export interface LinesChart {
  readonly title: string
  readonly across: string
  readonly measure: string
  readonly lines: readonly {
    readonly name: string
    readonly points: readonly { readonly x: number; readonly y: Spread }[]
    readonly guide?: boolean | undefined
  }[]
  readonly whole?: boolean | undefined
  /** More points than one can tell apart: no marks on them. */
  readonly dense?: boolean | undefined
  readonly log?: boolean | undefined
  /** The axis of the measure need not begin at 0. */
  readonly near?: boolean | undefined
  readonly tick: (value: number) => string
  readonly words: (value: number) => string
}

const marks = ['circle', 'rect', 'triangle', 'diamond', 'pin', 'arrow'] as const
const dashes = ['solid', 'dashed', 'dotted'] as const

/** Lines told apart by colour, mark and dash; a whisker where a point was measured more than once. */
export function linesChart(chart: LinesChart): Chart {
  const { title, across, measure, lines } = chart
  const names = lines.map(({ name }) => name)
  const measured = lines.filter(({ guide }) => guide !== true)
  return {
    title,
    summary: `${title}. ${measured.map((line) => summaryOf(chart, line)).join('; ')}.`,
    numbers: {
      columns: ['line', across, `median ${measure}`, 'min', 'max', 'runs'],
      rows: measured.flatMap(({ name, points }) =>
        points.map(({ x, y }) => [name, x, y.median, y.min, y.max, y.repeats]),
      ),
    },
    option: (theme) => ({
      ...frame(theme),
      ...(lines.length > 1 && { legend: legend(theme, names) }),
      xAxis: axis(theme, across, {
        type: 'value',
        splitLine: { show: false },
        min: 'dataMin',
        max: 'dataMax',
        ...(chart.whole && { minInterval: 1 }),
      }),
      yAxis: axis(theme, chart.log === true ? `${measure}, log scale` : measure, {
        type: chart.log === true ? 'log' : 'value',
        ...(!chart.log && (chart.near === true ? { scale: true } : { min: 0 })),
        axisLabel: { formatter: chart.tick },
      }),
      series: [...lines.map((_, index) => lineOf(chart, index, theme)), whiskersOf(chart, theme)],
    }),
  }
}

function summaryOf({ across, words }: LinesChart, { name, points }: LinesChart['lines'][number]): string {
  const [first, last] = [points[0], points.at(-1)]
  if (first === undefined || last === undefined) return `${name}: no figures`
  const start = `${name}: ${words(first.y.median)} at ${across} ${first.x}`
  return first === last ? start : `${start}, ${words(last.y.median)} at ${across} ${last.x}`
}

function lineOf({ lines, dense, words, across }: LinesChart, index: number, theme: ChartTheme): object {
  const { name, points, guide } = lines[index] ?? { name: '', points: [], guide: false }
  const color = guide === true ? theme.quiet : theme.series[index % theme.series.length]
  return {
    type: 'line',
    name,
    data: points.map(({ x, y }) => [x, y.median]),
    symbol: guide === true || dense === true ? 'none' : marks[index % marks.length],
    symbolSize: 8,
    silent: guide === true,
    lineStyle: {
      color,
      width: guide === true ? 1 : 2,
      type: guide === true ? 'dashed' : dashes[index % dashes.length],
    },
    itemStyle: { color },
    tooltip: tooltipOf(points, ({ x, y }) => `${name}\n${across} ${x}: ${spreadWords(y, words)}`),
  }
}

function whiskersOf({ lines }: LinesChart, theme: ChartTheme): object {
  const data = lines.flatMap(({ points }, index) =>
    points.flatMap(({ x, y }) => (y.min === y.max ? [] : [[x, index, y.min, y.max] as const])),
  )
  return whiskers(data, (index) => ({ offset: 0, half: 4, stroke: theme.series[index % theme.series.length]! }))
}
