import { afterEach, expect, test, vi } from 'vitest'
import type { Run, RunRecord } from '../../electron/contract/run.ts'
import { printTheme } from '../../renderer/src/charts/chart-theme.ts'
import { conditionOf, valueChart, type ValueCounts } from '../../renderer/src/charts/value-chart.ts'
import { coverOf, valueVerdicts } from '../../renderer/src/run/proofs.ts'
import { figureFacts } from '../../renderer/src/facts.ts'
import { figureName, sizeWords } from '../../renderer/src/run/run-title.ts'
import { openRun } from './run-page.ts'
import { run } from './sample-library.ts'

const done = (): Run & { readonly record: RunRecord } =>
  run('20261121-1', 'done') as Run & { readonly record: RunRecord }

function ofValues(figures: Readonly<Record<string, number>>, options: RunRecord['outcome']['options'] = {}): RunRecord {
  const { record } = done()
  const result = { kind: 'values', size: 0, figures: { ...figures }, hash: 'ff' } as const
  return { ...record, outcome: { ...record.outcome, result, options } }
}

afterEach(() => vi.unstubAllGlobals())

const levels: ValueCounts = {
  ...{ by: 'values', distinct: 3, without: 5 },
  bars: [
    { from: 0, to: 0, text: '0', vertices: 1, values: 1 },
    { from: 1, to: 1, text: '1', vertices: 4, values: 1 },
    { from: 2, to: 3, text: '2 to 3', vertices: 10, values: 2 },
  ],
}
const sizes: ValueCounts = {
  ...{ by: 'sizes', distinct: 8, without: 0 },
  bars: [
    { from: 1, to: 1, text: '1', vertices: 7, values: 7 },
    { from: 13, to: 13, text: '13', vertices: 13, values: 1 },
  ],
}

test('a search for most pairs is told as what it proved', () => {
  const { record } = done()
  const told = (objective: string, counters: Readonly<Record<string, number>>): readonly string[] => {
    const result = { kind: 'matching', pairs: 4, weight: 7, hash: 'ff' } as const
    return valueVerdicts({ ...record, outcome: { ...record.outcome, result, counters, options: { objective } } })
  }
  expect(told('pairs', { pairsBound: 5 })).toEqual(['No matching has more than 5 pairs.'])
  const [most, heaviest] = told('pairs', { pairsBound: 4, weightBound: 7 })
  expect([most, heaviest]).toEqual(['No matching has more pairs.', 'No matching of as many pairs weighs more.'])
  expect(told('cost', { pairsBound: 4, weightBound: 7 })).toEqual([most, 'No matching of as many pairs weighs less.'])
  expect(told('cost', { pairsBound: 4, weightBound: 6 })).toEqual([most])
  expect(told('weight', { matchingBound: 7 })).toEqual([])
})

test('a chart of values has every bar in its numbers, and a condition for each', () => {
  const chart = valueChart(levels, 'Level')
  expect(chart.numbers).toEqual({
    columns: ['level', 'vertices'],
    rows: [
      ['0', 1],
      ['1', 4],
      ['2 to 3', 10],
    ],
  })
  expect(chart.summary).toBe('3 different values of level occur. Most: level 2 to 3: 10 vertices, 50.0 %.')
  expect(levels.bars.map((bar) => conditionOf(levels, bar, 'Level'))).toEqual([
    ...['level = 0', 'level = 1', 'level >= 2 and level <= 3'],
  ])
  expect(conditionOf(levels, { ...levels.bars[0]!, text: '+1' }, 'Spin')).toBe("spin = '+1'")
  expect(valueChart(sizes, 'Component').numbers.rows).toEqual([
    ['1', 7, 7],
    ['13', 1, 13],
  ])
  expect(conditionOf(sizes, sizes.bars[1]!, 'Component')).toBe('component size = 13')
})

test('the bars that are drawn are the counts themselves, in their order, each over its value', () => {
  const drawn = (counts: ValueCounts, label: string) => {
    const { xAxis, series } = valueChart(counts, label).option(printTheme()) as {
      xAxis: { data: readonly string[] }
      series: readonly { type: string; data: readonly number[] }[]
    }
    expect(series.map(({ type }) => type)).toEqual(['bar'])
    return xAxis.data.map((value, at) => [value, series[0]!.data[at]])
  }
  // Vertices of each level; of sizes how many components there are of each.
  expect(drawn(levels, 'Level')).toEqual(levels.bars.map(({ text, vertices }) => [text, vertices]))
  expect(drawn(sizes, 'Component')).toEqual([
    ['1', 7],
    ['13', 1],
  ])
})

test('the word beside a figure agrees with it', () => {
  const colours = { name: 'colours', label: 'Colours', unit: '', explanation: '', one: 'colour' }
  expect([figureName(colours, 1), figureName(colours, 59), figureName(undefined, 2)]).toEqual(['colour', 'colours', ''])
  const depth = { name: 'depth', label: 'Depth', unit: 'levels', explanation: '' }
  expect([1, 3].map((value) => figureFacts([depth], { depth: value })[0]!.text)).toEqual(['1 level', '3 levels'])
})

test('figures of values are told as what they prove', () => {
  expect(valueVerdicts(ofValues({ colours: 10 }), { colours: 10, clique: 10 })).toEqual([
    'The fewest colours possible: there is a clique of 10, whose vertices need one each.',
  ])
  expect(valueVerdicts(ofValues({ colours: 10 }), { clique: 8 })).toEqual([
    'At least 8 colours are needed: there is a clique of 8.',
  ])
  expect(valueVerdicts(ofValues({ colours: 10 }))).toEqual([])
  expect(valueVerdicts(ofValues({ degeneracy: 9 }))[0]).toContain('So 10 colours always do')
  expect(valueVerdicts(ofValues({ components: 1, largest: 135_233 }))[0]).toContain('hangs together')
  expect(valueVerdicts(ofValues({ reached: 77 }, { root: 'Myriel' }))[0]).toContain('have a path to Myriel.')
  expect(valueVerdicts(ofValues({ diameter: 5, diameterBound: 6 }))).toEqual([])
  expect(valueVerdicts(ofValues({ diameter: 5, diameterBound: 5 }))).toEqual([
    'The diameter is 5, exactly: its bounds meet.',
  ])
})

test('what a set leaves is a cover with the bound turned round, but for a bound of something else', () => {
  const { record } = done()
  expect(coverOf(record, 53_000)).toEqual({ size: 135_233 - 52_900, least: 135_233 - 53_000 })
  expect(coverOf(record, null)).toEqual({ size: 135_233 - 52_900, least: null })
  const excluded = { ...record, request: { ...record.request, excludeWhere: 'a = 1' } as RunRecord['request'] }
  expect(coverOf(excluded, 53_000)?.least).toBeNull()
  expect(coverOf(ofValues({}), 53_000)).toBeNull()
})

test('a set of a complement is a clique of the graph, on the page, in lists, and in the bound', async () => {
  const { record, ...one } = done()
  const of = { name: 'friends', checksum: 'ab', source: 'friends.csv' }
  const complement = { ...record.dataset, recipe: { call: 'datasets.complement', args: { of } } } as const
  const outcome = { ...record.outcome, verification: { ...record.outcome.verification!, upperBound: 53_579 } }
  const clique = { ...one, record: { ...record, dataset: complement, outcome } }
  const { page } = await openRun(clique)
  const said = page.find('.result').text()
  expect(said).toContain('vertices in the clique')
  expect(said).toContain('Any two of them are neighbours in friends')
  expect(said).toContain('No clique of friends has more than 53,579 vertices.')
  expect(said).not.toContain('vertex cover')
  expect(sizeWords(clique)).toBe('52,900 in the clique')
  expect(sizeWords(done())).toBe('52,900 in the set')
})

test('the page of a set names the cover, that of values shows how they are spread', async () => {
  const set = await openRun(done())
  expect(set.page.find('.result').text()).toContain('The other 82,333 vertices are a vertex cover')
  set.page.unmount()
  const one = { ...done(), algorithm: 'bfs', record: ofValues({ reached: 20, depth: 3 }) } as Run
  const rows = { total: 0, truncated: false, columns: [], edgeColumns: [], rows: [] }
  const { page, asked } = await openRun(one, { 'explore.values': levels, 'explore.result': rows })
  await vi.waitFor(() => expect(page.text()).toContain('Level: vertices of each'))
  page.findComponent({ name: 'ChartFigure' }).vm.$emit('pick', 2)
  const last = () => asked.filter(({ name }) => name === 'explore.result').at(-1)?.args
  await vi.waitFor(() => expect(last()).toMatchObject({ where: 'level >= 2 and level <= 3' }))
  await vi.waitFor(() => expect(page.vm.$route.query['where']).toBe('level >= 2 and level <= 3'))
})
