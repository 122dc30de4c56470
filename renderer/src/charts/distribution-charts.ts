import type { CallResult } from '../../../electron/contract/calls.ts'
import { exactly, percent, quantity } from '../quantity.ts'
import { axis, frame, legend, tick, tooltipOf, wholeTick } from './axes.ts'
import type { Chart } from './chart.ts'
import type { ChartTheme } from './chart-theme.ts'
import { countBars } from './count-bars.ts'

type Degrees = CallResult<'datasets.degrees'>
type Weights = NonNullable<NonNullable<CallResult<'explore.facts'>['facts']>['weights']>

/** More points than this are drawn small. */
const MANY = 400
/** Degrees up to this one have a bar each, those between them too; of larger ones so many, where no more occur. */
const MOST_WHOLE = 32
const MOST_APART = 8
/** The axis of counts begins here, so that a single vertex is above it. */
const LEAST_MEAN = 0.5
/** Fewer degrees than this are not averaged: their points are a line already. */
const FEW = 30

/** The counts of degrees that are few, as bars, with that of vertices without neighbours; null where axes have to be logarithmic. */
function fewDegrees({ degrees }: Degrees, countOf: (degree: number) => number) {
  const [least, most] = [degrees[0]?.degree ?? 0, degrees.at(-1)?.degree ?? 0]
  if (most > MOST_WHOLE && degrees.length > MOST_APART) return null
  const range = Array.from({ length: most - least + 1 }, (_, i) => least + i)
  const shown = most > MOST_WHOLE ? degrees.map(({ degree }) => degree) : range
  return shown.map((degree) => ({ text: exactly(degree), degree, count: countOf(degree) }))
}

/**
 * A bar for every degree where these are few; else a point for every degree that occurs, and the mean over degrees 1, 2 to 3, 4 to 7 and so on,
 * which shows the trend where points scatter, on logarithmic axes, where vertices without neighbours have no place and are told in the summary.
 */
export function degreeChart(of: Degrees): Chart {
  const { degrees } = of
  const isolated = degrees.find(({ degree }) => degree === 0)?.vertices ?? 0
  const points = degrees.filter(({ degree }) => degree > 0)
  const most = points.toSorted((a, b) => b.vertices - a.vertices)[0]
  const largest = points.at(-1)?.degree ?? 0
  const few = fewDegrees(of, (at) => degrees.find(({ degree }) => degree === at)?.vertices ?? 0)
  return {
    title: 'Degrees',
    summary:
      most === undefined
        ? 'Degrees: no vertex has a neighbour.'
        : `Degrees: degrees up to ${exactly(largest)}, most often ${exactly(most.degree)} (${quantity(most.vertices)} vertices), ${quantity(isolated)} vertices without neighbours.`,
    numbers: {
      columns: ['degree', 'vertices'],
      rows: degrees.map(({ degree, vertices }) => [degree, vertices]),
    },
    option: (theme) =>
      few === null
        ? pointsOf(points, largest, theme)
        : countBars(
            {
              ...{ name: 'degree', measure: 'vertices', bars: few },
              words: ({ degree, count }) => pointWords({ degree, vertices: count }),
            },
            theme,
          ),
  }
}

function pointsOf(points: Degrees['degrees'], largest: number, theme: ChartTheme): Record<string, unknown> {
  const means = points.length < FEW ? [] : meansOf(points, largest)
  return {
    ...frame(theme),
    ...(means.length > 0 && { legend: legend(theme, ['degree', 'mean of a range']) }),
    xAxis: axis(theme, 'degree', { type: 'log', min: 1, max: 'dataMax', axisLabel: { formatter: tick } }),
    yAxis: axis(theme, 'vertices', { type: 'log', min: LEAST_MEAN, axisLabel: { formatter: wholeTick } }),
    series: [
      {
        type: 'scatter',
        name: 'degree',
        data: points.map(({ degree, vertices }) => [degree, vertices]),
        symbolSize: points.length > MANY ? 4 : 6,
        itemStyle: { color: theme.inSet, opacity: means.length > 0 ? 0.5 : 0.75 },
        emphasis: { disabled: true },
        tooltip: tooltipOf(points, pointWords),
      },
      {
        type: 'line',
        name: 'mean of a range',
        data: means.map(({ at, mean }) => [at, mean]),
        symbol: 'none',
        lineStyle: { color: theme.text, width: 1.5 },
        itemStyle: { color: theme.text },
        silent: true,
      },
    ],
  }
}

/** Over all degrees of a range, those that do not occur too, where it rounds to a vertex; the last range ends with the largest degree. */
function meansOf(points: Degrees['degrees'], largest: number): { readonly at: number; readonly mean: number }[] {
  const means: { at: number; mean: number }[] = []
  for (let from = 1; from <= largest; from *= 2) {
    const last = Math.min(2 * from - 1, largest)
    const within = points.filter(({ degree }) => degree >= from && degree <= last)
    const mean = within.reduce((all, { vertices }) => all + vertices, 0) / (last - from + 1)
    if (mean >= LEAST_MEAN) means.push({ at: Math.sqrt(from * last), mean })
  }
  return means
}

function pointWords({ degree, vertices }: Degrees['degrees'][number]): string {
  return `degree ${exactly(degree)}: ${exactly(vertices)} ${vertices === 1 ? 'vertex' : 'vertices'}`
}

export function cumulativeDegreeChart(of: Degrees): Chart {
  const { vertices: all, degrees } = of
  let left = all
  const rows = degrees.map(({ degree, vertices }) => {
    const count = left
    left -= vertices
    return { degree, count }
  })
  const points = rows.filter(({ degree }) => degree > 0)
  const half = points.findLast(({ count }) => 2 * count >= all)?.degree ?? 0
  const few = fewDegrees(of, (least) => rows.find(({ degree }) => degree >= least)?.count ?? 0)
  const name = 'at least this degree'
  const said = ({ degree, count }: (typeof rows)[number]): string =>
    `degree ${exactly(degree)} or more: ${exactly(count)} of ${exactly(all)} (${percent(count / all)})`
  return {
    title: 'Cumulative degrees',
    summary: `Cumulative degrees: half of all vertices have at least ${exactly(half)} ${half === 1 ? 'neighbour' : 'neighbours'}, and ${exactly(points.at(-1)?.count ?? 0)} the largest degree, ${exactly(points.at(-1)?.degree ?? 0)}.`,
    numbers: {
      columns: ['degree', 'vertices of at least this degree'],
      rows: rows.map(({ degree, count }) => [degree, count]),
    },
    option: (theme) =>
      few !== null
        ? countBars({ name, measure: 'vertices', bars: few, words: said }, theme)
        : {
            ...frame(theme),
            xAxis: axis(theme, name, { type: 'log', min: 1, max: 'dataMax', axisLabel: { formatter: tick } }),
            yAxis: axis(theme, 'vertices', { type: 'log', axisLabel: { formatter: tick } }),
            series: [
              {
                type: 'line',
                data: points.map(({ degree, count }) => [degree, count]),
                symbol: 'circle',
                symbolSize: points.length > MANY ? 2 : 4,
                itemStyle: { color: theme.inSet },
                lineStyle: { color: theme.inSet, width: 1.5 },
                tooltip: tooltipOf(points, said),
              },
            ],
          },
  }
}

const short = (weight: number): string => String(Number(weight.toPrecision(3)))

/** Marks of ranges that grow by a factor: powers of ten, where several ranges begin with one. */
function decadesOf(weights: Weights): ((at: number) => boolean) | undefined {
  const isDecade = (at: number): boolean => Number.isInteger(Math.log10(Number(short(weights[at]!.from))))
  const decades = weights.filter(({ from, to }, at) => from !== to && isDecade(at))
  return decades.length > 2 ? isDecade : undefined
}

export function weightChart(weights: Weights): Chart {
  const rangeOf = (i: number): string => {
    const { from = 0, to = 0 } = weights[i] ?? {}
    return from === to ? short(from) : `${short(from)} to ${short(to)}`
  }
  const most = weights.reduce((at, { edges }, i) => (edges > weights[at]!.edges ? i : at), 0)
  return {
    title: 'Weights',
    summary: `Weights from ${short(weights[0]?.from ?? 0)} to ${short(weights.at(-1)?.to ?? 0)}, most often ${rangeOf(most)} (${quantity(weights[most]?.edges ?? 0)} edges).`,
    numbers: {
      columns: ['from', 'to', 'edges'],
      rows: weights.map(({ from, to, edges }) => [from, to, edges]),
    },
    option: (theme) =>
      countBars(
        {
          ...{ name: 'weight', measure: 'edges', isMarked: decadesOf(weights) },
          bars: weights.map(({ from, edges }, i) => ({ text: short(from), count: edges, range: rangeOf(i) })),
          words: ({ range, count }) => `${range}: ${exactly(count)} edges`,
        },
        theme,
      ),
  }
}
