import { exactly, quantity } from '../quantity.ts'
import { axis, frame, tick } from './axes.ts'
import type { Chart } from './chart.ts'
import type { ChartTheme } from './chart-theme.ts'

interface UndecidedRounds {
  readonly vertices: number
  readonly rounds: readonly { readonly round: number; readonly undecided: number }[]
  /** Whether the run has its result: what the last round left was then decided in one walk on the host. */
  readonly finished: boolean
  /** Sets that are computed at once, each with a decision of its own on every vertex; 1 by default. */
  readonly sets?: number | undefined
}

interface Point {
  readonly round: number
  readonly undecided: number
  /** What stands in the table in place of a number of the round, and in the tooltip. */
  readonly name: string | number
}

const AT_THE_END = 'the end'
const PLOT = { width: 615, height: 180 }
/** What the words at the end take, with what stands between them and the axis. */
const WORDS = { width: 76, height: 22 }
/** Higher above the end than this they would seem to tell of something else. */
const NEAR = 60

/** How many vertices are left after each round, on a logarithmic scale: a straight line is a constant share decided. */
export function undecidedChart({ vertices, rounds, finished, sets = 1 }: UndecidedRounds): Chart {
  const start = vertices * sets
  const of = sets === 1 ? '' : ` of ${sets} sets`
  const title = `Undecided vertices${of} per round`
  const counted = [{ round: 0, undecided: start }, ...rounds]
  const last = counted.at(-1) ?? { round: 0, undecided: start }
  const walked = finished && last.undecided > 0
  const points: readonly Point[] = [
    ...counted.map((point) => ({ ...point, name: point.round })),
    ...(walked ? [{ round: last.round + 1, undecided: 0, name: AT_THE_END }] : []),
  ]
  return {
    title,
    summary: `${title}: ${quantity(start)} at the start, ${endWords(last, walked)}${finished ? '' : ' so far'}.`,
    numbers: { columns: ['round', 'undecided'], rows: points.map(({ name, undecided }) => [name, undecided]) },
    option: (theme) => ({
      ...frame(theme),
      xAxis: axis(theme, 'round', {
        type: 'value',
        min: 0,
        minInterval: 1,
        max: Math.max(1, points.at(-1)?.round ?? 0),
        splitLine: { show: false },
        ...(walked && {
          axisLabel: { formatter: roundOf(last.round) },
        }),
      }),
      // Nothing is left is no place on a logarithmic axis: the line ends at 1 and the mark says 0.
      yAxis: axis(theme, `undecided vertices${of}`, {
        type: 'log',
        min: 1,
        max: 10 ** decadesOf(points),
        axisLabel: { formatter: tick },
      }),
      series: series(theme, points, walked),
      tooltip: {
        ...(frame(theme).tooltip as object),
        trigger: 'axis',
        axisPointer: { type: 'line', lineStyle: { color: theme.quiet } },
        formatter: (shown: readonly { dataIndex: number; seriesIndex: number }[]) => {
          const hit = shown.at(-1)
          const point = points[(hit?.dataIndex ?? 0) + (hit?.seriesIndex === 1 ? points.length - 2 : 0)]
          return point === undefined ? '' : pointWords(point, last)
        },
      },
    }),
  }
}

function series(theme: ChartTheme, points: readonly Point[], walked: boolean): readonly object[] {
  const common = {
    type: 'line',
    symbolSize: points.length > 60 ? 4 : 7,
    showAllSymbol: true,
    itemStyle: { color: theme.undecided },
    areaStyle: { color: theme.undecided, opacity: walked ? 0.1 : 0.14, origin: 'start' },
  }
  const place = ({ round, undecided }: Point): object => ({
    value: [round, Math.max(1, undecided)],
    symbol: undecided === 0 ? 'emptyCircle' : 'circle',
  })
  const label = (shown: readonly Point[], words: string): object => ({
    show: shown.at(-1)?.undecided === 0,
    position: 'top',
    align: 'right',
    offset: wordsOffset(points),
    color: theme.quiet,
    textBorderColor: theme.ground,
    textBorderWidth: 3,
    formatter: ({ dataIndex }: { dataIndex: number }) => (dataIndex === shown.length - 1 ? words : ''),
  })
  const swept = walked ? points.slice(0, -1) : points
  const line = {
    ...common,
    data: swept.map(place),
    label: label(swept, 'all decided'),
    lineStyle: { color: theme.undecided, width: 2 },
  }
  if (!walked) return [line]
  const rest = points.slice(-2)
  const dashed = { color: theme.undecided, width: 2, type: 'dashed' }
  return [line, { ...common, data: rest.map(place), label: label(rest, 'the rest, on the host'), lineStyle: dashed }]
}

const decadesOf = (points: readonly Point[]): number =>
  Math.ceil(Math.log10(Math.max(10, ...points.map(({ undecided }) => undecided))))

/** The line comes down from the left: words at its end stand below it where it is steep, and above it where it is not. */
function wordsOffset(points: readonly Point[]): readonly [x: number, y: number] {
  const roundWidth = PLOT.width / Math.max(1, points.length - 1)
  const heightAt = (rounds: number): number => {
    const undecided = points.at(-1 - rounds)?.undecided ?? 1
    return (PLOT.height * Math.log10(Math.max(1, undecided))) / decadesOf(points)
  }
  const above = heightAt(Math.ceil(WORDS.width / roundWidth))
  return above <= NEAR ? [0, -above] : [-4 - (WORDS.height * roundWidth) / Math.max(1, heightAt(1)), 0]
}

function roundOf(last: number): (round: number) => string {
  return (round) => (round > last ? '' : tick(round))
}

function endWords({ round, undecided }: { round: number; undecided: number }, walked: boolean): string {
  if (undecided === 0) return `none after round ${round}`
  return `${quantity(undecided)} after round ${round}${walked ? ', which were decided in one walk on the host' : ''}`
}

function pointWords({ round, undecided, name }: Point, last: { undecided: number }): string {
  if (name !== AT_THE_END) return `round ${round}: ${exactly(undecided)} undecided`
  return `after the rounds: the last ${exactly(last.undecided)} were decided in one walk on the host`
}
