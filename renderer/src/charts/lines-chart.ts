import { axis, frame, legend } from './axes.ts'
import type { Chart } from './chart.ts'
import type { ChartTheme } from './chart-theme.ts'
import { spreadWords } from './spread.ts'
import type { Spread } from './spread.ts'

export interface LinesChart {
  readonly title: string
  /** "devices", "seconds", "round". */
  readonly across: string
  readonly measure: string
  readonly lines: readonly {
    readonly name: string
    readonly points: readonly { readonly x: number; readonly y: Spread }[]
    /** A line that was not measured, for comparison: dashed and quiet. */
    readonly guide?: boolean | undefined
  }[]
  /** Only whole numbers on the axis below. */
  readonly whole?: boolean | undefined
  /** More points than one can tell apart: no marks on them. */
  readonly dense?: boolean | undefined
  readonly log?: boolean | undefined
  readonly tick: (value: number) => string
  readonly words: (value: number) => string
}

const marks = ['circle', 'rect', 'triangle', 'diamond', 'pin', 'arrow'] as const
const dashes = ['solid', 'dashed', 'dotted'] as const

/** Lines told apart by colour, mark and dash; a whisker where a point was measured more than once. */
export function linesChart(chart: LinesChart): Chart {
  const { title, across, measure, lines } = chart
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
      ...(lines.length > 1
        ? {
            legend: legend(
              theme,
              lines.map(({ name }) => name),
            ),
          }
        : {}),
      xAxis: axis(theme, across, {
        type: 'value',
        splitLine: { show: false },
        min: 'dataMin',
        max: 'dataMax',
        ...(chart.whole === true ? { minInterval: 1 } : {}),
      }),
      yAxis: axis(theme, chart.log === true ? `${measure}, log scale` : measure, {
        type: chart.log === true ? 'log' : 'value',
        ...(chart.log === true ? {} : { min: 0 }),
        axisLabel: { color: theme.quiet, fontSize: 11.5, formatter: chart.tick },
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
    tooltip: {
      formatter: ({ dataIndex }: { dataIndex: number }) => {
        const point = points[dataIndex]
        return point === undefined ? '' : `${name}\n${across} ${point.x}: ${spreadWords(point.y, words)}`
      },
    },
  }
}

interface WhiskerApi {
  value(dimension: number): number
  coord(point: readonly number[]): [number, number]
}

function whiskersOf({ lines }: LinesChart, theme: ChartTheme): object {
  const data = lines.flatMap(({ points }, index) =>
    points.flatMap(({ x, y }) => (y.repeats < 2 ? [] : [[x, index, y.min, y.max]])),
  )
  return {
    type: 'custom',
    silent: true,
    data,
    encode: { x: 0, y: [2, 3] },
    tooltip: { show: false },
    renderItem: (_: unknown, api: WhiskerApi) => {
      const [x, top] = api.coord([api.value(0), api.value(3)])
      const bottom = api.coord([api.value(0), api.value(2)])[1]
      const style = { stroke: theme.series[api.value(1) % theme.series.length], lineWidth: 1.5 }
      const line = (x1: number, y1: number, x2: number, y2: number): object => ({
        type: 'line',
        shape: { x1, y1, x2, y2 },
        style,
      })
      return {
        type: 'group',
        children: [line(x, top, x, bottom), line(x - 4, top, x + 4, top), line(x - 4, bottom, x + 4, bottom)],
      }
    },
  }
}
