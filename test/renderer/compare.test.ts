import { flushPromises } from '@vue/test-utils'
import { afterEach, expect, test, vi } from 'vitest'
import { type Run, optionsOf, runRequestSchema } from '../../electron/contract/run.ts'
import {
  barCharts,
  courseOf,
  growthCharts,
  partsChart,
  scalingChart,
  speedupChart,
} from '../../renderer/src/compare/compare-charts.ts'
import { printTheme } from '../../renderer/src/charts/chart-theme.ts'
import { tableOf } from '../../renderer/src/base/column.ts'
import { compareColumns } from '../../renderer/src/compare/compare-table.ts'
import { bestOf, sweepRows } from '../../renderer/src/compare/sweep-rows.ts'
import { type FinishedRun, isFinished } from '../../renderer/src/compare/run-groups.ts'
import { algorithmEntries } from '../../workers/contract/catalogue.ts'
import { type Opened, openPage } from './open-page.ts'
import { dataset, run } from './sample-library.ts'

/** A finished run of a priority, of a size, that took so long, with so many workers. */
function finished(id: string, priority: 'degree' | 'hash', size: number, wholeMs: number, partitions = 1): FinishedRun {
  const one = run(id, 'done')
  if (!isFinished(one)) throw new Error('a done run has a record')
  const { outcome } = one.record
  const request = runRequestSchema.parse({ ...one.request, priority, partitions })
  const result = { kind: 'independent-set', size, fraction: size / 135_233, hash: 'ff' } as const
  // The rest of what a person waited for is verified in 12 ms, and found in as long as the whole takes less them.
  const time = { ...outcome.time, computeMs: 1, totalMs: wholeMs - 12 }
  const finishedAt = new Date(Date.parse(one.record.startedAt) + wholeMs).toISOString()
  return {
    ...one,
    size,
    request,
    record: { ...one.record, request, finishedAt, outcome: { ...outcome, result, time } },
  }
}

const runs = [
  finished('20261121-1', 'degree', 1000, 100),
  finished('20261121-2', 'degree', 1000, 300),
  finished('20261121-3', 'degree', 1000, 200),
  finished('20261121-4', 'hash', 900, 50),
  finished('20261121-5', 'hash', 900, 20, 4),
]
const priorityOf = ({ request }: Run): string => optionsOf(request).priority ?? ''
const kind = (one: Run): string => `${priorityOf(one)} ${optionsOf(one.request).partitions ?? 1}`
const chart = (title: string) => barCharts(runs, kind).find((one) => one.title === title)

let opened: Opened | null = null
afterEach(() => {
  opened?.page.unmount()
  vi.unstubAllGlobals()
  localStorage.clear()
})

async function open(path: string, list: readonly Run[], more: Record<string, unknown> = {}): Promise<Opened> {
  opened = await openPage({ datasets: [dataset(1, 'cities')], runs: list }, path, {
    algorithms: { algorithms: algorithmEntries },
    'explore.result': { total: 0, truncated: false, columns: [], edgeColumns: [], rows: [] },
    ...more,
  })
  await vi.waitFor(() => expect(opened?.page.find('h1').text()).toBe('Compare'))
  await flushPromises()
  return opened
}

test('repeats are one bar with their spread', () => {
  expect(chart('Time')?.numbers.rows).toEqual([
    ['cities', 'degree 1', 200, 100, 300, 3],
    ['cities', 'hash 1', 50, 50, 50, 1],
    ['cities', 'hash 4', 20, 20, 20, 1],
  ])
  expect(chart('Matching weight')).toBeUndefined()
})

test('sizes are bars of what each is below the best, or of themselves where there is one', () => {
  expect(chart('Set size, below the best of these')?.numbers.rows.map((row) => row.slice(1, 3))).toEqual([
    ['degree 1', 0],
    ['hash 1', 100],
    ['hash 4', 100],
  ])
  expect(barCharts(runs.slice(0, 3), kind)[0]?.numbers.rows[0]?.[2]).toBe(1000)
})

test('sizes of which every dataset has only one are no chart', () => {
  const apart = [runs[0]!, { ...runs[3]!, dataset: 'roads' }]
  expect(barCharts(apart, kind).map(({ title }) => title)).toEqual(['Time', 'Throughput'])
})

test('a series has no place in a chart of what it lacks, and looks the same in every chart', () => {
  const matching = { ...runs[0]!, algorithm: 'ld-gpu' } as FinishedRun
  const { outcome } = matching.record
  const result = { kind: 'matching', pairs: 7, matchedFraction: 1, weight: 7, hash: 'aa' } as const
  const first = { ...matching, record: { ...matching.record, outcome: { ...outcome, result } } } as FinishedRun
  const named = (one: FinishedRun): string => `${one.algorithm} ${kind(one)}`
  const charts = barCharts([first, ...runs], named)
  const looks = (title: string) => {
    const { series } = charts.find((one) => one.title === title)!.option(printTheme()) as {
      series: readonly { name?: string; itemStyle?: { color: string } }[]
    }
    return Object.fromEntries(series.flatMap(({ name, itemStyle }) => (name ? [[name, itemStyle?.color]] : [])))
  }
  const [times, sizes] = [looks('Time'), looks('Set size, below the best of these')]
  expect(Object.keys(times)).toHaveLength(4)
  expect(Object.keys(sizes)).toHaveLength(3)
  expect(times).toMatchObject(sizes)
})

test('two results of a dataset are told apart in numbers and in a table, either way round', async () => {
  const rows = { total: 7, truncated: false, columns: [], edgeColumns: [], rows: [] }
  const { page, asked } = await open('/compare?run=20261121-1&run=20261121-4', runs, { 'explore.result': rows })
  await vi.waitFor(() => expect(page.find('.totals').text()).toContain('Only in A7'))
  const last = () => asked.filter(({ name }) => name === 'explore.result').at(-1)?.args
  const [a, b] = ['20261121-1', '20261121-4']
  await vi.waitFor(() => expect(last()).toMatchObject({ run: b, against: a, show: 'only', limit: 1 }))
  await page.find('.members select').setValue('other')
  await vi.waitFor(() => expect(last()).toMatchObject({ run: b, against: a, show: 'only', limit: 200 }))
  await page.find('.members select').setValue('both')
  await vi.waitFor(() => expect(last()).toMatchObject({ run: a, against: b, show: 'both', limit: 200 }))
})

test('speed-up is told against the median of the baseline', () => {
  expect(speedupChart(runs, kind, 'degree 1')?.numbers.rows.map((row) => [row[1], row[2]])).toEqual([
    ['hash 1', 4],
    ['hash 4', 10],
  ])
  expect(speedupChart(runs.slice(0, 3), kind, 'degree 1')).toBeNull()
})

/** A fast set and a searched one of the same graph: 45 and 352 ms of computing, 0.5 and 8.2 seconds of waiting. */
function fastAndBest(): readonly [FinishedRun, FinishedRun] {
  const timed = (id: string, computeMs: number, totalMs: number, wholeMs: number, searchMs?: number): FinishedRun => {
    const one = finished(id, 'degree', 1000, wholeMs)
    const { outcome } = one.record
    const counters: Record<string, number> = searchMs === undefined ? {} : { searchMs }
    const time = { ...outcome.time, computeMs, totalMs }
    return { ...one, record: { ...one.record, outcome: { ...outcome, counters, time } } }
  }
  return [timed('fast', 352, 400, 445), timed('best', 45, 8170, 8200, 8100)]
}

test('of a fast and a searched run the searched one takes longer: its search is part of the time', () => {
  const [fast, best] = fastAndBest()
  const named = ({ id }: Run): string => id
  const rowsOf = (title: string) => barCharts([fast, best], named).find((one) => one.title === title)!.numbers.rows
  expect(rowsOf('Time').map((row) => row.slice(1, 3))).toEqual([
    ['fast', 445],
    ['best', 8200],
  ])
  expect(speedupChart([fast, best], named, 'best')?.numbers.rows[0]?.slice(1, 3)).toEqual(['fast', 8200 / 445])
  expect(partsChart([fast, best], named)?.numbers).toEqual({
    columns: [
      ...['run', 'first result, time (ms)', 'search, time (ms)', 'verification, time (ms)'],
      ...['start and end, time (ms)', 'time (ms)'],
    ],
    rows: [
      ['fast', 400, 0, 12, 33, 445],
      ['best', 70, 8100, 12, 18, 8200],
    ],
  })
  const { columns, rows } = tableOf([fast, best], compareColumns([fast, best], named))
  const figure = (row: number, column: string) => rows[row]![columns.indexOf(column)]
  expect([0, 1].map((row) => figure(row, 'in all (ms)'))).toEqual([445, 8200])
  expect([0, 1].map((row) => figure(row, 'search (ms)'))).toEqual([0, 8100])
  expect([0, 1].map((row) => figure(row, 'result (ms)'))).toEqual([400, 70])
})

test('a run that was resumed has no time in any of them, as nobody counted its attempts', () => {
  const [fast, best] = fastAndBest()
  const outcome = { ...best.record.outcome, resumed: 'from the checkpoint of noon' }
  const resumed = { ...best, record: { ...best.record, outcome } }
  expect(partsChart([fast, resumed], ({ id }) => id)?.numbers.rows.map(([name]) => name)).toEqual(['fast'])
  expect(partsChart([resumed], ({ id }) => id)).toBeNull()
})

test('a run that was resumed has the time that all of its attempts took', () => {
  const [fast, best] = fastAndBest()
  const waited = { attempts: 2, setMs: 100, searchMs: 9000, verifyMs: 12, restMs: 300 }
  const outcome = { ...best.record.outcome, resumed: 'from the checkpoint of noon', waited }
  const resumed = { ...best, record: { ...best.record, outcome } }
  expect(partsChart([fast, resumed], ({ id }) => id)?.numbers.rows[1]?.slice(1)).toEqual([100, 9000, 12, 300, 9412])
  const { columns, rows } = tableOf(
    [fast, resumed],
    compareColumns([fast, resumed], ({ id }) => id),
  )
  expect(rows[1]![columns.indexOf('in all (ms)')]).toBe(9412)
})

test('a result that meets its bound is the best possible, and no 100.0 %', () => {
  const [one] = runs
  const { outcome } = one!.record
  const verification = { ...outcome.verification!, size: 1000, upperBound: 1000 }
  const optimum = { ...one!, record: { ...one!.record, outcome: { ...outcome, verification } } }
  const bound = compareColumns([optimum], kind).find(({ key }) => key === 'of best ≥')
  expect(bound?.text(optimum)).toBe('best possible')
})

test('scaling is a line for each question that was asked of different numbers of workers', () => {
  expect(scalingChart(runs, priorityOf)?.numbers.rows.map((row) => row.slice(0, 3))).toEqual([
    ['hash', 1, 50],
    ['hash', 4, 20],
  ])
  expect(scalingChart(runs.slice(0, 4), priorityOf)).toBeNull()
})

test('the table has a row for each run and a column for each figure', () => {
  const { columns, rows } = tableOf(runs, compareColumns(runs, kind))
  expect(rows).toHaveLength(5)
  for (const row of rows) expect(row).toHaveLength(columns.length)
  expect(rows[4]?.[columns.indexOf('in all (ms)')]).toBe(20)
  // What is proven is never rounded up.
  const [one] = runs
  const outcome = { ...one!.record.outcome, verification: { ...one!.record.outcome.verification!, upperBound: 53_579 } }
  const proven = { ...one!, record: { ...one!.record, outcome } }
  const bound = compareColumns([proven], kind).find(({ key }) => key === 'of best ≥')
  expect(bound?.text(proven)).toBe('98.7 %')
})

test('the columns that are shown at first fit a page of 1280', () => {
  const [fast, best] = fastAndBest()
  const named = ({ id }: (typeof runs)[number]): string => id
  for (const some of [runs, [fast, best], [fast, { ...best, dataset: 'another' }]]) {
    const shown = compareColumns(some, named).filter(({ optional }) => optional !== true)
    const keys = shown.map(({ key }) => key)
    expect(keys.filter((key) => ['dataset', 'search (ms)', 'fingerprint'].includes(key))).toHaveLength(1)
    // Beside the pages and the list of runs; the chooser of columns has its place, too.
    expect(shown.reduce((sum, { width }) => sum + width, 0)).toBeLessThanOrEqual(1280 - 152 - 48 - 270 - 40)
  }
})

test('the selection stands in the link; leaving one out changes it', async () => {
  const { page } = await open('/compare?run=20261121-1&run=20261121-4&run=gone', runs)
  expect(page.text()).toContain('2 runs')
  expect(page.text()).toContain('Only in A')
  await page.find('button[aria-label^="Leave cities: ecl-mis hash"]').trigger('click')
  await flushPromises()
  expect(page.text()).toContain('1 run')
})

test('without a finished run the page leads to a new one, without a choice to the list', async () => {
  const { page } = await open('/compare', [])
  expect(page.text()).toContain('There is no finished run yet')
  page.unmount()
  const again = await open('/compare', runs)
  expect(again.page.text()).toContain('Choose runs to compare')
})

test('the chosen tab is part of the link, and stays while runs are left out', async () => {
  const { page } = await open('/compare?run=20261121-1&run=20261121-4&tab=table', runs)
  const query = () => page.vm.$route.query
  expect(page.find('[role=tab][data-state=active]').text()).toBe('Table')
  await page.find('[role=tab]').trigger('mousedown', { button: 0 })
  await vi.waitFor(() => expect(query()['tab']).toBe('sets'))
  await page.find('[aria-label^="Leave"]').trigger('click')
  await vi.waitFor(() => expect(query()).toEqual({ tab: 'sets', run: ['20261121-4'] }))
})

test('one run alone offers those that fit it, each with its size, and none of another dataset', async () => {
  const other = { ...finished('20261121-6', 'hash', 777, 50), dataset: 'roads' }
  const { page } = await open('/compare?run=20261121-1', [...runs, other])
  expect(page.text()).toContain('Choose another run on cities')
  expect(page.find('[role=tab]').exists()).toBe(false)
  const offered = page.findAll('.partners button').map((button) => button.text())
  expect(offered).toHaveLength(5)
  for (const one of offered) expect(one).not.toContain('777')
  expect(offered.filter((one) => one.includes('900 in the set'))).toHaveLength(2)
  expect(offered.at(-1)).toBe('Run again with other options')
  const figures = page.findAll('.figures > div').map((fact) => [fact.find('dt').text(), fact.find('dd').text()])
  const { record, size } = runs.find(({ id }) => id === '20261121-1')!
  expect(figures).toContainEqual(['size', new Intl.NumberFormat().format(size!)])
  expect(figures).toContainEqual(['fingerprint', record!.outcome.result.hash])
  await page.findAll('.partners button')[0]!.trigger('click')
  await vi.waitFor(() => expect(page.find('[role=tab]').exists()).toBe(true))
})

/** Runs of five seeds, with sizes whose mean is 1010 and whose squared distances from it add up to 1000. */
function seeded(): readonly FinishedRun[] {
  return [1000, 1000, 1010, 1010, 1030].map((size, seed) => {
    const one = finished(`20261121-${seed}`, 'degree', size, 100 + seed)
    return { ...one, request: runRequestSchema.parse({ ...one.request, seed }) }
  })
}

test('a sweep is a row of its best, mean, deviation and worst, seeds together and priorities apart', () => {
  const rows = sweepRows([...seeded(), finished('20261121-9', 'hash', 900, 50)])
  expect(rows.map(({ best, mean, deviation, worst, seeds, meanMs }) => [best, mean, deviation, worst, seeds, meanMs]))
    // The square root of (100 + 100 + 0 + 0 + 400) / 4.
    .toEqual([
      [1030, 1010, Math.sqrt(150), 1000, 5, 102],
      [900, 900, null, 900, 1, 50],
    ])
  expect(bestOf(seeded())?.id).toBe('20261121-4')
  // The faster of equal ones.
  expect(bestOf(seeded().slice(0, 4).toReversed())?.id).toBe('20261121-2')
  expect(bestOf([seeded()[0]!, { ...seeded()[1]!, dataset: 'roads' }])).toBeNull()
})

test('the cells of a sweep are the figures of its records, in words', async () => {
  const list = [...seeded(), finished('20261121-9', 'hash', 900, 50)]
  const { page } = await open(`/compare?${list.map(({ id }) => `run=${id}`).join('&')}&tab=sweep`, list)
  await vi.waitFor(() => expect(page.findAll('tbody tr')).toHaveLength(2))
  const heads = page.findAll('thead th').map((head) => head.text())
  const rows = page.findAll('tbody tr').map((row) => row.findAll('td').map((cell) => cell.text()))
  expect(heads.slice(1)).toEqual(['runs', 'seeds', 'best', 'mean', 'deviation', 'worst', 'mean time'])
  for (const row of rows) expect(row).toHaveLength(heads.length)
  const number = (text: string): number | null => (text === '' ? null : Number(text.replaceAll(',', '')))
  const said = rows.map((row) => row.slice(1, -1).map(number))
  const sizes = (runs: readonly FinishedRun[]): readonly number[] => runs.map(({ size }) => size!)
  const of = (runs: readonly FinishedRun[]): readonly (number | null)[] => {
    const all = sizes(runs)
    const mean = all.reduce((sum, size) => sum + size, 0) / all.length
    const squares = all.reduce((sum, size) => sum + (size - mean) ** 2, 0)
    const deviation = all.length < 2 ? null : Number(Math.sqrt(squares / (all.length - 1)).toFixed(2))
    const seeds = new Set(runs.map(({ request }) => (request as { seed?: number }).seed)).size
    return [all.length, seeds, Math.max(...all), mean, deviation, Math.min(...all)]
  }
  expect(said).toEqual([of(list.slice(0, 5)), of(list.slice(5))])
  expect(rows.map((row) => row.at(-1))).toEqual(['102 ms', '50 ms'])
})

test('the best of a sweep is kept, and the others go after a question', async () => {
  const list = seeded()
  const query = list.map(({ id }) => `run=${id}`).join('&')
  const answers = { 'runs.annotate': { run: { ...list[4]!, starred: true } }, 'runs.remove': { run: list[0] } }
  const { page, asked } = await open(`/compare?${query}&tab=sweep`, list, answers)
  await vi.waitFor(() => expect(page.text()).toContain('Keep the best of 5'))
  expect(page.find('table').text()).toContain('12.25')
  await page
    .findAll('button')
    .find((button) => button.text() === 'Keep the best of 5')!
    .trigger('click')
  await vi.waitFor(() => expect(document.body.textContent).toContain('Delete 4 runs for good, keep the best?'))
  document.querySelector<HTMLFormElement>('[role=dialog] form')!.requestSubmit()
  await vi.waitFor(() => expect(page.vm.$route.query['run']).toEqual(['20261121-4']))
  const gone = asked.filter(({ name }) => name === 'runs.remove').map(({ args }) => (args as { run: string }).run)
  expect(gone).toEqual(['20261121-0', '20261121-1', '20261121-2', '20261121-3'])
})

test('runs that are still at work are told, and come in when they are done', async () => {
  const { page, tell } = await open('/compare?run=20261121-1&run=20261122-1', [...runs, run('20261122-1', 'running')])
  expect(page.text()).toContain('One run is still at work')
  await tell({ type: 'run-changed', run: finished('20261122-1', 'degree', 2, 3) })
  await vi.waitFor(() => expect(page.text()).toContain('2 runs'))
})

test('size over time begins with the first gain and ends with the result, each at its time', () => {
  const [fast, best] = fastAndBest()
  const samples = [0, 990, 990, 995].map((found, at) => ({
    ...{ ms: 100 * at, phase: 'search', done: at, total: 4 },
    ...(at === 0 ? {} : { best: found }),
  }))
  const course = courseOf(best, samples)!
  expect(course.points).toEqual([
    { ms: 100, found: 990 },
    { ms: 300, found: 995 },
    { ms: 8188, found: 1000 },
  ])
  const [chart] = growthCharts('cities', [courseOf(fast, [])!, course])
  expect(chart?.title).toBe('Size over time, cities')
  expect(chart?.numbers.rows.map((row) => row.slice(1, 3))).toEqual([
    [0.433, 1000],
    [0.1, 990],
    [0.3, 995],
    [8.188, 1000],
  ])
  expect(growthCharts('cities', [courseOf(fast, [])!, courseOf(fast, [])!])).toEqual([])
  // Weights of matchings would make one line of all sets.
  const weights = { ...course, measure: 'weight' }
  const both = growthCharts('cities', [course, weights, courseOf(fast, [])!, weights])
  expect(both.map(({ title }) => title)).toEqual([
    'Vertices in the set, over time, cities',
    'Weight, over time, cities',
  ])
})
