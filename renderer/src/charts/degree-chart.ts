import type { CallResult } from '../../../electron/contract/calls.ts'
import { exactly, quantity } from '../quantity.ts'
import { axis, frame } from './axes.ts'
import { tick } from './axis-words.ts'
import type { Chart } from './chart.ts'

type Degrees = CallResult<'datasets.degrees'>

interface DegreePoint {
  readonly from: number
  readonly to: number
  /** Of each degree of the bin, on the average. */
  readonly vertices: number
}

/** Each degree by itself as far as it is known, then the bins, so that wider bins are not taken for more vertices. */
function degreePoints({ exact, bins }: Degrees): readonly DegreePoint[] {
  const known = exact.filter(({ degree }) => degree > 0)
  const last = known.reduce((most, { degree }) => Math.max(most, degree), 0)
  return [
    ...known.map(({ degree, vertices }) => ({ from: degree, to: degree, vertices })),
    ...bins
      .filter(({ from }) => from > last)
      .map(({ from, to, vertices }) => ({ from, to, vertices: vertices / (to - from + 1) })),
  ]
}

/** Both axes logarithmic; vertices without neighbours have no place there and are told in the summary. */
export function degreeChart(degrees: Degrees): Chart {
  const points = degreePoints(degrees)
  const isolated = degrees.exact.find(({ degree }) => degree === 0)?.vertices ?? 0
  const most = points.toSorted((a, b) => b.vertices - a.vertices)[0]
  const largest = points.reduce((max, { to }) => Math.max(max, to), 0)
  const smallest = points.reduce((min, { vertices }) => Math.min(min, vertices), 1)
  return {
    title: 'Degree distribution',
    summary:
      most === undefined
        ? 'Degree distribution: no vertex has a neighbour.'
        : `Degree distribution: degrees up to ${exactly(largest)}, most often ${exactly(most.from)} (${quantity(most.vertices)} vertices), ${quantity(isolated)} vertices without neighbours.`,
    numbers: {
      columns: ['degree from', 'to', 'vertices of each degree'],
      rows: [[0, 0, isolated], ...points.map(({ from, to, vertices }) => [from, to, vertices])],
    },
    option: (theme) => ({
      ...frame(theme),
      xAxis: axis(theme, 'degree', { type: 'log', min: 1, axisLabel: { color: theme.quiet, formatter: tick } }),
      yAxis: axis(theme, 'vertices', {
        type: 'log',
        min: 10 ** Math.floor(Math.log10(smallest)),
        axisLabel: { color: theme.quiet, formatter: tick },
      }),
      series: [
        {
          type: 'scatter',
          data: points.map(({ from, to, vertices }) => [Math.sqrt(from * to), vertices]),
          symbolSize: points.length > 400 ? 4 : 6,
          itemStyle: { color: theme.inSet, opacity: 0.75 },
          emphasis: { disabled: true },
          tooltip: { formatter: ({ dataIndex }: { dataIndex: number }) => pointWords(points[dataIndex]) },
        },
      ],
    }),
  }
}

function pointWords(point: DegreePoint | undefined): string {
  if (point === undefined) return ''
  if (point.from === point.to) return `degree ${exactly(point.from)}: ${exactly(point.vertices)} vertices`
  return `degrees ${exactly(point.from)} to ${exactly(point.to)}: ${quantity(point.vertices)} vertices of each`
}
