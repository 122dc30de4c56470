import { exactly, quantity } from '../quantity.ts'
import { axis, frame } from './axes.ts'
import { tick } from './axis-words.ts'
import type { Chart } from './chart.ts'

export interface UndecidedRounds {
  /** At the start, all of them undecided. */
  readonly vertices: number
  readonly rounds: readonly { readonly round: number; readonly undecided: number }[]
  /** Whether no further round will come. */
  readonly finished: boolean
  /** "undecided" for sets, "unmatched" and the like for matchings. */
  readonly word?: string | undefined
}

/** How many vertices are left after each round, on a logarithmic scale: a straight line is a constant share decided. */
export function undecidedChart({ vertices, rounds, finished, word = 'undecided' }: UndecidedRounds): Chart {
  const points = [{ round: 0, undecided: vertices }, ...rounds]
  const last = points.at(-1) ?? { round: 0, undecided: vertices }
  const title = `${word[0]?.toUpperCase()}${word.slice(1)} vertices per round`
  const end =
    last.undecided === 0 ? `none after round ${last.round}` : `${quantity(last.undecided)} after round ${last.round}`
  return {
    title,
    summary: `${title}: ${quantity(vertices)} at the start, ${end}${finished ? '' : ' so far'}.`,
    numbers: { columns: ['round', word], rows: points.map((point) => [point.round, point.undecided]) },
    option: (theme) => ({
      ...frame(theme),
      xAxis: axis(theme, 'round', {
        type: 'value',
        min: 0,
        minInterval: 1,
        max: Math.max(1, last.round),
        splitLine: { show: false },
      }),
      // Nothing is left is no place on a logarithmic axis: the line ends at 1 and the mark says 0.
      yAxis: axis(theme, `${word} vertices`, {
        type: 'log',
        min: 1,
        max: 10 ** Math.ceil(Math.log10(Math.max(10, vertices))),
        axisLabel: { color: theme.quiet, fontSize: 11.5, formatter: tick },
      }),
      series: [
        {
          type: 'line',
          data: points.map((point) => ({
            value: [point.round, Math.max(1, point.undecided)],
            symbol: point.undecided === 0 ? 'emptyCircle' : 'circle',
          })),
          symbolSize: points.length > 60 ? 4 : 7,
          showAllSymbol: true,
          lineStyle: { color: theme.undecided, width: 2 },
          itemStyle: { color: theme.undecided },
          areaStyle: { color: theme.undecided, opacity: 0.14, origin: 'start' },
          label: {
            show: last.undecided === 0,
            position: 'top',
            align: 'right',
            color: theme.quiet,
            formatter: ({ dataIndex }: { dataIndex: number }) => (dataIndex === points.length - 1 ? 'all decided' : ''),
          },
        },
      ],
      tooltip: {
        ...(frame(theme).tooltip as object),
        trigger: 'axis',
        axisPointer: { type: 'line', lineStyle: { color: theme.quiet } },
        formatter: (shown: readonly { dataIndex: number }[]) => {
          const point = points[shown[0]?.dataIndex ?? 0]
          return point === undefined ? '' : `round ${point.round}: ${exactly(point.undecided)} ${word}`
        },
      },
    }),
  }
}
