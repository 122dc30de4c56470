import { axis, frame, tooltipOf, wholeTick } from './axes.ts'
import type { ChartTheme } from './chart-theme.ts'

interface CountBar {
  readonly text: string
  readonly count: number
}

interface CountBars<Bar extends CountBar> {
  readonly name: string
  readonly measure: string
  readonly bars: readonly Bar[]
  readonly words: (bar: Bar) => string
  readonly clickable?: boolean
  /** Whether a bar has its mark on the axis; absent: as many as there is room for. */
  readonly isMarked?: ((at: number) => boolean) | undefined
}

/** Counts of which one is so many times another are drawn on a logarithmic scale. */
const LOG_FROM = 100

/** How often each value, or range of values, occurs; on a logarithmic scale bars begin at 0.5, so that one of 1 is seen. */
export function countBars<Bar extends CountBar>(
  { name, measure, bars, words, clickable = false, isMarked }: CountBars<Bar>,
  theme: ChartTheme,
): Record<string, unknown> {
  const counts = bars.map(({ count }) => count)
  const isLog = Math.max(...counts) > LOG_FROM * Math.min(...counts.filter((count) => count > 0))
  return {
    ...frame(theme),
    xAxis: axis(theme, name, {
      ...{ type: 'category', data: bars.map(({ text }) => text), splitLine: { show: false } },
      ...(isMarked === undefined ? {} : { axisLabel: { interval: isMarked } }),
    }),
    yAxis: axis(theme, isLog ? `${measure}, log scale` : measure, {
      ...(isLog ? { type: 'log', min: 0.5, startValue: 0.5 } : { type: 'value', min: 0, minInterval: 1 }),
      axisLabel: { formatter: wholeTick },
    }),
    series: [
      {
        type: 'bar',
        data: counts,
        barCategoryGap: '12%',
        barMaxWidth: 56,
        barMinHeight: 2,
        itemStyle: { color: theme.inSet },
        ...(clickable ? { cursor: 'pointer' } : { emphasis: { disabled: true } }),
        tooltip: tooltipOf(bars, words),
      },
    ],
  }
}
