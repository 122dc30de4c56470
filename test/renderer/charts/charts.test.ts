import { expect, test } from 'vitest'
import { shortened } from '../../../renderer/src/charts/axes.ts'
import { chartAsSvg, toCsv, type Chart } from '../../../renderer/src/charts/chart.ts'
import { printTheme } from '../../../renderer/src/charts/chart-theme.ts'
import { cumulativeDegreeChart, degreeChart, weightChart } from '../../../renderer/src/charts/distribution-charts.ts'
import {
  groupedBars,
  linesChart,
  plain,
  roundEnds,
  spreadOf,
  spreadWords,
} from '../../../renderer/src/charts/spread-charts.ts'
import { stackedBars } from '../../../renderer/src/charts/stacked-bars.ts'
import { timelineChart } from '../../../renderer/src/charts/timeline-chart.ts'
import { busyMs, mergedSpans, lanesOfTrace } from '../../../renderer/src/charts/timeline-walk.ts'
import { undecidedChart } from '../../../renderer/src/charts/undecided-chart.ts'

const one = { tick: String, words: (value: number) => `${value} ms` }
const at = (value: number) => ({ median: value, min: value, max: value, repeats: 1 })
const span = (kind: 'read' | 'kernel', startMs: number, endMs: number) => ({ kind, name: 'batch', startMs, endMs })

const degrees = {
  vertices: 15,
  degrees: [
    { degree: 0, vertices: 3 },
    { degree: 2, vertices: 10 },
    { degree: 67, vertices: 2 },
  ],
}
const charts: Readonly<Record<string, Chart>> = {
  undecided: undecidedChart({
    vertices: 1000,
    rounds: [
      { round: 1, undecided: 40 },
      { round: 2, undecided: 0 },
    ],
    finished: true,
  }),
  'undecided, with a rest': undecidedChart({ vertices: 1000, rounds: [{ round: 1, undecided: 40 }], finished: true }),
  bars: groupedBars({
    ...one,
    title: 'Compute time',
    measure: 'ms',
    category: 'dataset',
    categories: ['cities', 'roads, "old"'],
    series: [
      { name: 'degree', values: [{ median: 2, min: 1, max: 5, repeats: 3 }, at(7)] },
      { name: 'hash', values: [at(3), null] },
    ],
  }),
  lines: linesChart({
    ...one,
    title: 'Scaling',
    across: 'devices',
    measure: 'ms',
    lines: [
      {
        name: 'a',
        points: [
          { x: 1, y: at(9) },
          { x: 2, y: at(5) },
        ],
      },
    ],
  }),
  degrees: degreeChart(degrees),
  cumulative: cumulativeDegreeChart(degrees),
  weights: weightChart([
    { from: 0.5, to: 1, edges: 4 },
    { from: 1, to: 2, edges: 9 },
  ]),
  stacked: stackedBars({
    ...{ title: 'Parts', measure: 'ms', of: 'run', parts: ['set', 'search', 'nowhere'], ...one },
    bars: [
      { name: 'fast', values: [2, 0, 0] },
      { name: 'best', values: [3, 40, 0] },
    ],
  }),
  timeline: timelineChart([{ name: 'cpu:0', spans: [span('read', 0, 2), span('kernel', 2, 10)] }]),
}

test.each(Object.entries(charts))('%s is drawn, is told in words and has its figures', async (_, chart) => {
  const svg = await chartAsSvg(chart)
  expect(svg).toMatch(/^<svg/)
  expect(svg).toContain(chart.title)
  expect(svg.match(/<path/g)?.length).toBeGreaterThan(3)
  expect(chart.summary).toContain(chart.title)
  expect(chart.numbers.rows.length).toBeGreaterThan(0)
  for (const row of chart.numbers.rows) expect(row).toHaveLength(chart.numbers.columns.length)
})

interface Drawn {
  readonly type: string
  readonly data: readonly unknown[]
}

// Nothing is left at the end of the undecided, where a logarithmic axis begins at 1.
test.each([
  [
    'undecided',
    [
      [0, 1000],
      [1, 40],
      [2, 1],
    ],
  ],
  ['bars', [2, 7, 3, null]],
  [
    'lines',
    [
      [1, 9],
      [2, 5],
    ],
  ],
  ['degrees', [3, 10, 2]],
  ['cumulative', [15, 12, 2]],
  ['weights', [4, 9]],
  ['stacked', [2, 3, 0, 40]],
])('what is drawn as %s are the figures themselves', (name, figures) => {
  const { series } = charts[name]!.option(printTheme()) as { series: readonly Drawn[] }
  const drawn = series.filter(({ type }) => type !== 'custom').flatMap(({ data }) => data)
  expect(drawn.map((each) => (each as { value?: unknown } | null)?.value ?? each)).toEqual(figures)
})

test('weights and parts of bars are in the numbers as they are, and a sum beside its parts', () => {
  expect(charts['weights']?.numbers.rows).toEqual([
    [0.5, 1, 4],
    [1, 2, 9],
  ])
  expect(charts['stacked']?.numbers).toEqual({
    columns: ['run', 'set, ms', 'search, ms', 'ms'],
    rows: [
      ['fast', 2, 0, 2],
      ['best', 3, 40, 43],
    ],
  })
})

/** A coordinate system of 800 dots from 100 on for the time, and 60 a lane. */
interface DrawnRows extends Drawn {
  readonly name: string
  readonly data: readonly (readonly number[])[]
  readonly renderItem: (
    drawing: object,
    api: object,
  ) => { readonly shape: Readonly<Record<'x' | 'y' | 'width' | 'height', number>> }
}

test('every span is drawn once, in its lane, from its start to its end, and apart from other kinds', () => {
  const lanes = [
    { name: 'cpu:0', spans: [span('read', 0, 2), span('kernel', 2, 10), span('read', 3, 4)] },
    { name: 'cpu:1', spans: [span('kernel', 1, 7), span('kernel', 8, 16)] },
  ]
  const chart = timelineChart(lanes)
  const { series } = chart.option(printTheme()) as { series: readonly DrawnRows[] }
  const rows = series.filter(({ data }) => data.length > 0)
  expect(Object.fromEntries(rows.map(({ name, data }) => [name, data]))).toEqual({
    read: [
      [0, 2, 0],
      [3, 4, 0],
    ],
    kernel: [
      [2, 10, 0],
      [1, 7, 1],
      [8, 16, 1],
    ],
  })
  const perMs = 800 / 16
  const boxes = rows.flatMap(({ name, data, renderItem }) =>
    data.map((datum) => {
      const api = {
        value: (dimension: number) => datum[dimension],
        coord: ([ms, lane]: readonly [number, number]) => [100 + perMs * ms, 30 + 60 * lane],
        size: () => [0, 60],
      }
      return { name, datum, ...renderItem({ coordSys: { x: 100, width: 800 } }, api).shape }
    }),
  )
  for (const { datum, x, y, width, height } of boxes) {
    const [startMs = 0, endMs = 0, lane = 0] = datum
    expect([x, width]).toEqual([100 + perMs * startMs, perMs * (endMs - startMs)])
    expect(y).toBeGreaterThan(60 * lane)
    expect(y + height).toBeLessThan(60 * (lane + 1))
  }
  const rowOf = (kind: string) => boxes.filter(({ name, datum }) => name === kind && datum[2] === 0)
  expect(rowOf('read')[0]!.y + rowOf('read')[0]!.height).toBeLessThanOrEqual(rowOf('kernel')[0]!.y)
  expect(chart.numbers.rows).toEqual([
    ['cpu:0', 'read', 3, 3 / 16, 2],
    ['cpu:0', 'kernel', 8, 8 / 16, 1],
    ['cpu:1', 'read', 0, 0, 0],
    ['cpu:1', 'kernel', 14, 14 / 16, 2],
  ])
})

test('what the last round left is told to be decided at the end, once there is a result', () => {
  const left = { vertices: 1000, rounds: [{ round: 1, undecided: 40 }], sets: 2 }
  const ended = undecidedChart({ ...left, finished: true })
  expect(ended.summary).toContain('40 after round 1, which were decided in one walk')
  expect(ended.numbers.rows).toEqual([
    [0, 2000],
    [1, 40],
    ['the end', 0],
  ])
  const goingOn = undecidedChart({ ...left, finished: false })
  expect(goingOn.summary).toMatch(/40 after round 1 so far\.$/)
  expect(goingOn.numbers.rows.at(-1)).toEqual([1, 40])
})

test('rows of CSV are quoted where they must be and never rounded', () => {
  expect(
    toCsv({
      columns: ['a', 'b,c'],
      rows: [
        ['x"y', 0.1234567890123],
        ['=HYPERLINK(1)', -3],
        [null, 2],
      ],
    }),
  ).toBe(`a,"b,c"\n"x""y",0.1234567890123\n'=HYPERLINK(1),-3\n,2\n`)
})

test('a dataset without a figure has no bar and no row', () => {
  expect(charts['bars']?.numbers.rows).toHaveLength(3)
})

test('a spread is a median with its ends', () => {
  expect(spreadOf([])).toBeNull()
  expect(spreadOf([5, 1, 3, 100])).toEqual({ median: 4, min: 1, max: 100, repeats: 4 })
  expect(spreadWords({ median: 4, min: 1, max: 9, repeats: 2 }, one.words)).toBe('4 ms (1 ms to 9 ms, 2 runs)')
})

test('time is busy once, however many spans overlap', () => {
  const spans = [
    span('kernel', 0, 4),
    span('kernel', 1, 2),
    span('kernel', 3, 6),
    span('read', 0, 9),
    span('kernel', 8, 9),
  ]
  expect(busyMs(spans, 'kernel')).toBe(7)
  const merged = mergedSpans(spans, 'kernel', 0)
  expect(merged.map(({ startMs, endMs, name }) => [startMs, endMs, name])).toEqual([
    [0, 6, '3 x batch'],
    [8, 9, 'batch'],
  ])
})

test('every degree of a graph is drawn with its vertices, whole, and none past the largest', () => {
  let state = 5
  const random = (): number => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647
  // Hubs well past 64, where bins began once, and single vertices of large degrees.
  const vertices = Array.from({ length: 3000 }, () => Math.floor(400 * random() ** 6))
  const counted = Map.groupBy(vertices, (degree) => degree)
  const degrees = [...counted]
    .map(([degree, of]) => ({ degree, vertices: of.length }))
    .sort((a, b) => a.degree - b.degree)
  const chart = degreeChart({ vertices: vertices.length, degrees })
  const { series } = chart.option(printTheme()) as {
    series: readonly { data: readonly (readonly [number, number])[] }[]
  }
  const drawn = series[0]!.data
  expect(drawn).toEqual(degrees.filter(({ degree }) => degree > 0).map((each) => [each.degree, each.vertices]))
  expect(drawn.filter(([degree]) => degree > 64).length).toBeGreaterThan(20)
  expect(drawn.at(-1)?.[0]).toBe(Math.max(...vertices))
  expect(chart.numbers.rows.reduce((sum, [, of]) => sum + Number(of), 0)).toBe(vertices.length)
  expect(chart.summary).toContain(`degrees up to ${Math.max(...vertices)}`)
  const atLeast = cumulativeDegreeChart({ vertices: vertices.length, degrees }).numbers.rows
  expect(atLeast).toEqual(degrees.map(({ degree }) => [degree, vertices.filter((other) => other >= degree).length]))
})

test('degrees of small graphs have a bar each, those that do not occur and 0 among them', () => {
  const few = { vertices: 9, degrees: [2, 5].map((degree) => ({ degree, vertices: degree })) }
  const barsOf = (chart: Chart) =>
    chart.option(printTheme()) as { xAxis: { data: string[] }; series: readonly { data: readonly number[] }[] }
  const { xAxis, series } = barsOf(degreeChart(few))
  expect([xAxis.data, series[0]!.data]).toEqual([
    ['2', '3', '4', '5'],
    [2, 0, 0, 5],
  ])
  expect(barsOf(cumulativeDegreeChart(few)).series[0]!.data).toEqual([9, 7, 7, 7])
})

test('ranges of weights that grow by a factor are marked at powers of ten', () => {
  const marked = (from: readonly number[]): (string | undefined)[] => {
    const weights = from.map((least, i) => ({ from: least, to: from[i + 1] ?? 2 * least, edges: 1 + i }))
    const { xAxis } = weightChart(weights).option(printTheme()) as {
      xAxis: { data: string[]; axisLabel: { interval?: (at: number) => boolean } }
    }
    return xAxis.data.filter((_, at) => xAxis.axisLabel.interval?.(at) ?? true)
  }
  const halves = [-3, -2.5, -2, -1.5, -1, -0.5, 0, 0.5].map((power) => 10 ** power)
  expect(marked(halves)).toEqual(['0.001', '0.01', '0.1', '1'])
  expect(marked([1, 3, 5, 7])).toEqual(['1', '3', '5', '7'])
})

test('figures below 0 are on an axis that is not upside down', () => {
  const points = [-30, -36].map((value, x) => ({ x, y: at(value) }))
  const chart = linesChart({
    ...one,
    title: 'Energy',
    across: 'sweep',
    measure: 'energy',
    lines: [{ name: 'a', points }],
  })
  const { yAxis } = chart.option(printTheme()) as { yAxis: object }
  expect(yAxis).not.toHaveProperty('min')
})

test('a trace becomes a lane for each worker; what no lane stands for is left out', () => {
  const spans = [
    { category: 'copy out', name: 'batch', startMs: 1, durationMs: 2 },
    { category: 'lunch', name: 'unknown', startMs: 0, durationMs: 10 },
  ]
  expect(lanesOfTrace([{ name: 'worker 0 on gpu:0', spans }])).toEqual([
    { name: 'worker 0 on gpu:0', spans: [{ kind: 'copy', name: 'batch', startMs: 1, endMs: 3 }] },
  ])
})

test('the words at the end of the undecided stand below a steep line, and above one that comes down gently', () => {
  const offsetOf = (undecided: readonly number[]): unknown => {
    const rounds = undecided.map((left, i) => ({ round: i + 1, undecided: left }))
    const { series } = undecidedChart({ vertices: 100_000, rounds, finished: true }).option(printTheme()) as {
      series: readonly { label: { offset: readonly [number, number] } }[]
    }
    return series.at(-1)!.label.offset
  }
  const [steepX, steepY] = offsetOf([9000, 700, 0]) as [number, number]
  expect(steepX).toBeLessThan(-4)
  expect(steepY).toBe(0)
  const gentle = Array.from({ length: 20 }, (_, i) => 60 - 3 * i)
  const [gentleX, gentleY] = offsetOf([...gentle, 0]) as [number, number]
  expect(gentleX).toBe(0)
  expect(gentleY).toBeLessThan(-20)
})

test('an axis of time ends at marks that can be read, and holds all of the line', () => {
  const ends = (min: number, max: number) => [roundEnds.min({ min, max }), roundEnds.max({ min, max })]
  expect(ends(12.329, 15.287)).toEqual([12, 16])
  expect(ends(4.636, 48.331)).toEqual([0, 50])
  expect(ends(0, 0)).toEqual([0, 0])
  expect([6.1000000000000005, 0.30000000000000004, 12, 1234.5].map(plain)).toEqual(['6.1', '0.3', '12', '1234.5'])
  for (const [min, max] of [
    [8.05, 9.61],
    [0.001, 0.0042],
    [100, 10_000],
  ] as const) {
    const [first, last] = ends(min, max)
    expect(first).toBeLessThanOrEqual(min)
    expect(last).toBeGreaterThanOrEqual(max)
  }
})

test('a name that is cut keeps both of its ends', () => {
  expect(shortened('rmat-10-6', 9)).toBe('rmat-10-6')
  expect(shortened('a-grid-with-a-long-name-2026', 9)).toBe('a-gr…2026')
  expect(shortened('a-grid-with-a-long-name-2026', 1)).toBe('a-…26')
  for (let most = 5; most < 40; most++) expect(shortened('x'.repeat(60), most)).toHaveLength(most)
})
