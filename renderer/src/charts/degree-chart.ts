import type { CallResult } from '../../../electron/contract/calls.ts'
import { exactly, quantity } from '../quantity.ts'
import { axis, frame } from './axes.ts'
import { tick } from './axis-words.ts'
import type { Chart } from './chart.ts'

type Degrees = CallResult<'datasets.degrees'>

/** More points than this are drawn small. */
const MANY = 400

/** A point for every degree that occurs, both axes logarithmic; vertices without neighbours have no place there and are told in the summary. */
export function degreeChart({ degrees }: Degrees): Chart {
  const isolated = degrees.find(({ degree }) => degree === 0)?.vertices ?? 0
  const points = degrees.filter(({ degree }) => degree > 0)
  const most = points.toSorted((a, b) => b.vertices - a.vertices)[0]
  const largest = points.at(-1)?.degree ?? 0
  return {
    title: 'Degree distribution',
    summary:
      most === undefined
        ? 'Degree distribution: no vertex has a neighbour.'
        : `Degree distribution: degrees up to ${exactly(largest)}, most often ${exactly(most.degree)} (${quantity(most.vertices)} vertices), ${quantity(isolated)} vertices without neighbours.`,
    numbers: {
      columns: ['degree', 'vertices'],
      rows: degrees.map(({ degree, vertices }) => [degree, vertices]),
    },
    option: (theme) => ({
      ...frame(theme),
      xAxis: axis(theme, 'degree', { type: 'log', min: 1, axisLabel: { formatter: tick } }),
      yAxis: axis(theme, 'vertices', { type: 'log', min: 1, axisLabel: { formatter: tick } }),
      series: [
        {
          type: 'scatter',
          data: points.map(({ degree, vertices }) => [degree, vertices]),
          symbolSize: points.length > MANY ? 4 : 6,
          itemStyle: { color: theme.inSet, opacity: 0.75 },
          emphasis: { disabled: true },
          tooltip: { formatter: ({ dataIndex }: { dataIndex: number }) => pointWords(points[dataIndex]) },
        },
      ],
    }),
  }
}

function pointWords(point: Degrees['degrees'][number] | undefined): string {
  if (point === undefined) return ''
  return `degree ${exactly(point.degree)}: ${exactly(point.vertices)} ${point.vertices === 1 ? 'vertex' : 'vertices'}`
}
