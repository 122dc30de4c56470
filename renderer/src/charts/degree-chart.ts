import { exactly, quantity } from '../quantity.ts'
import { axis, frame } from './axes.ts'
import { tick } from './axis-words.ts'
import type { Chart } from './chart.ts'

export interface DegreeCount {
  readonly degree: number
  readonly count: number
}

/** Both axes logarithmic; vertices without neighbours have no place there and are told in the summary. */
export function degreeChart(counts: readonly DegreeCount[]): Chart {
  const shown = counts.filter(({ degree, count }) => degree > 0 && count > 0)
  const isolated = counts.find(({ degree }) => degree === 0)?.count ?? 0
  const most = shown.reduce<DegreeCount | null>(
    (best, one) => (best === null || one.count > best.count ? one : best),
    null,
  )
  const largest = shown.reduce((max, { degree }) => Math.max(max, degree), 0)
  return {
    title: 'Degree distribution',
    summary:
      most === null
        ? 'Degree distribution: no vertex has a neighbour.'
        : `Degree distribution: degrees up to ${exactly(largest)}, most often ${exactly(most.degree)} (${quantity(most.count)} vertices), ${quantity(isolated)} vertices without neighbours.`,
    numbers: { columns: ['degree', 'vertices'], rows: counts.map(({ degree, count }) => [degree, count]) },
    option: (theme) => ({
      ...frame(theme),
      xAxis: axis(theme, 'degree', { type: 'log', min: 1, axisLabel: { color: theme.quiet, formatter: tick } }),
      yAxis: axis(theme, 'vertices', { type: 'log', min: 1, axisLabel: { color: theme.quiet, formatter: tick } }),
      series: [
        {
          type: 'scatter',
          data: shown.map(({ degree, count }) => [degree, count]),
          symbolSize: shown.length > 400 ? 4 : 6,
          itemStyle: { color: theme.inSet, opacity: 0.75 },
          emphasis: { disabled: true },
          tooltip: {
            formatter: ({ dataIndex }: { dataIndex: number }) => {
              const point = shown[dataIndex]
              return point === undefined ? '' : `degree ${exactly(point.degree)}: ${exactly(point.count)} vertices`
            },
          },
        },
      ],
    }),
  }
}
