import { flushPromises } from '@vue/test-utils'
import { expect, test, vi } from 'vitest'
import { phasesOf, ratesOf, undecidedRounds } from '../../renderer/src/run/run-course.ts'
import { createPinia, setActivePinia } from 'pinia'
import { runRequestSchema } from '../../electron/contract/run.ts'
import { runCharts } from '../../renderer/src/run/run-charts.ts'
import { runKind, sizeWords } from '../../renderer/src/run/run-title.ts'
import { useAlgorithms } from '../../renderer/src/stores/algorithms.ts'
import { algorithmEntries } from '../../workers/contract/catalogue.ts'
import type { Series } from '../../workers/contract/run.ts'
import { openPage } from './open-page.ts'
import type { Opened } from './open-page.ts'
import { buttonOf, openRun, samples } from './run-page.ts'
import { dataset, run } from './sample-library.ts'

test('a finished run says how large the set is, what it is worth, and who says so', async () => {
  const { page } = await openRun(run('20261121-a', 'done'))
  for (const said of [
    '52,900',
    '39.1 % of all vertices',
    'At least 94.2 %',
    '56,120',
    'Independently verified in 12 ms',
  ])
    expect(page.text()).toContain(said)
  expect(page.find('.figure').attributes('data-exact')).toBe('52900')
  expect(page.find('.result .hash').text()).toMatch(/, 1\.0 s in all$/)
  // Which vertices before how long it took.
  expect(page.find('.members').exists()).toBe(true)
  expect(page.text()).not.toContain('Undecided vertices per round')
  await page.findAll('[role=tab]').at(-1)!.trigger('mousedown')
  await flushPromises()
  expect(page.text()).toContain('ECL-MIS')
  expect(page.text()).toContain('anticlique run cities --algorithm ecl-mis --verify')
})

test('how it came about has a tab of its own, with a link', async () => {
  const { page } = await openRun(run('20261121-a', 'done'), {}, 'timings')
  expect(page.text()).toContain('Undecided vertices per round')
  expect(page.find('.members').exists()).toBe(false)
  // What the first result took adds up: 230 ms, of them 1 for the index and 2 for the rounds.
  const times = page.findAll('.figures section').find((one) => one.find('h2').text() === 'Times')!
  for (const said of [
    'first result230 ms',
    'of it preparing1 ms',
    'of it computing2 ms',
    'of it opening and writing227 ms',
  ])
    expect(times.text()).toContain(said)
})

test('a run gets another name, a note and a star', async () => {
  const one = run('20261121-a', 'done')
  const noted = { ...one, name: 'baseline', note: 'before the fix', starred: true }
  const here = await openRun(one, { 'runs.annotate': { run: noted } })
  window.dispatchEvent(new KeyboardEvent('keydown', { key: 'F2' }))
  await flushPromises()
  const dialog = document.querySelector('[role=dialog]')!
  const field = dialog.querySelector('input')!
  field.value = 'baseline'
  field.dispatchEvent(new Event('input'))
  dialog.querySelector('form')!.dispatchEvent(new Event('submit'))
  await flushPromises()
  const args = { run: one.id, name: 'baseline', note: '' }
  expect(here.asked.find(({ name }) => name === 'runs.annotate')?.args).toEqual(args)
  expect(here.page.find('h1').text()).toBe('cities: baseline')
  expect(here.page.text()).toContain('before the fix')
})

test('the answer names its vertices, in the order and with the search that a person chooses', async () => {
  const vertex = (id: number) => ({
    id,
    label: String(id),
    name: `City ${id}`,
    degree: 100 - id,
    attributes: ['A', id],
    mate: null,
    value: null,
  })
  const columns = [
    { name: 'group', kind: 'text' },
    { name: 'size', kind: 'number' },
  ]
  const rows = { total: 52_900, truncated: false, columns, edgeColumns: [], rows: [vertex(7), vertex(9)] }
  const { page, asked } = await openRun(run('20261121-a', 'done'), { 'explore.result': rows })
  const tables = () => asked.flatMap(({ name, args }) => (name === 'explore.result' ? [args] : []))
  await vi.waitFor(() => expect(page.find('.members .count').text()).toBe('52,900 rows'))
  expect(tables()[0]).toMatchObject({ run: '20261121-a', show: 'in', text: '', sort: 'id', down: false, offset: 0 })
  await page.findAll('.members .sort')[1]!.trigger('click')
  await page.find('.members input[type=search]').setValue('City')
  await vi.waitFor(() => expect(tables().at(-1)).toMatchObject({ text: 'City', sort: 'degree', down: true }))
  const headings = page.findAll('.members [role=columnheader]').map((heading) => heading.text())
  expect(headings.slice(-2)).toEqual(['group', 'size'])
  await page.findAll('.members .sort').at(-1)!.trigger('click')
  await page.find('.members .where').setValue("group = 'A'")
  const asWanted = { sort: 'attribute', attribute: 'size', down: true, where: "group = 'A'" }
  await vi.waitFor(() => expect(tables().at(-1)).toMatchObject(asWanted))
})

test('a matching is told in pairs and weight', async () => {
  const one = run('20261121-m', 'done')
  const { record } = one
  if (record === null) throw new Error('a done run has a record')
  const result = { kind: 'matching', pairs: 4321, weight: 98.5, hash: '00000000000000aa' } as const
  const verification = { verified: true, size: 4321, weight: 98.5, upperBound: 100, hash: 'aa', elapsedMs: 3 } as const
  const outcome = { ...record.outcome, result, verification }
  const { page } = await openRun({ ...one, record: { ...record, outcome } })
  expect(page.find('.result').text()).toContain('4,321')
  expect(page.find('.result').text()).toContain('At least 98.5 % of the best possible')
  expect(page.find('.result').text()).toContain('No matching of this graph weighs more than 100')
  expect(page.find('.result').text()).toContain('weight 98.5')
})

test('a result that meets its bound is the best possible', async () => {
  const one = run('20261121-o', 'done')
  const { record } = one
  if (record === null) throw new Error('a done run has a record')
  const verification = { verified: true, size: 52_900, upperBound: 52_900, hash: 'ff', elapsedMs: 3 } as const
  const { page } = await openRun({ ...one, record: { ...record, outcome: { ...record.outcome, verification } } })
  expect(page.find('.result').text()).toContain('The best possible')
  expect(page.find('.result').text()).not.toContain('100.0 %')
  expect(page.find('.result').text()).toContain('No independent set of this graph has more than 52,900 vertices')
  const listed = { ...record, request: { ...record.request, excludeFile: 'exclude.txt' } }
  const other = await openRun({ ...one, record: { ...listed, outcome: { ...record.outcome, verification } } })
  expect(other.page.find('.result').text()).toContain('No independent set that keeps to the lists has')
})

test('a searched result says how long the person waited, and for what', async () => {
  const one = run('20261121-s', 'done')
  const { record } = one
  if (record === null) throw new Error('a done run has a record')
  const outcome = {
    ...record.outcome,
    counters: { searchMs: 8100, searchSteps: 7 },
    time: { ...record.outcome.time, computeMs: 45, totalMs: 8170 },
  }
  const finishedAt = '2026-11-21T09:00:08.200Z'
  const { page } = await openRun({ ...one, record: { ...record, outcome, finishedAt } }, {}, 'timings')
  const said = '8.2 s in all: first result 70 ms, search 8.1 s, verification 12 ms, start and end 18 ms'
  expect(page.find('.result .hash').text()).toContain(said)
  const times = page.findAll('.figures section')[0]!.text()
  for (const part of ['in all8.2 s', 'first result70 ms', 'search8.1 s', 'verification12 ms'])
    expect(times).toContain(part)
  // Once: the counter of the search is one of the times.
  expect(
    page
      .find('.figures')
      .text()
      .match(/8\.1 s/g),
  ).toHaveLength(1)
})

test('a run without a timeline does not promise one when it has ended', async () => {
  const { page } = await openRun(run('20261121-f', 'failed'))
  expect(page.text()).toContain('This run left no timeline.')
  expect(page.text()).not.toContain('The timeline comes')
})

test('a run that was resumed says what it went on from', async () => {
  const one = run('20261121-r', 'done')
  const { record } = one
  if (record === null) throw new Error('a done run has a record')
  const resumed = 'from the checkpoint of 2026-11-21T12:00:00.000Z'
  const outcome = { ...record.outcome, resumed }
  const { page } = await openRun({ ...one, record: { ...record, outcome } }, {}, 'timings')
  expect(page.text()).toMatch(/Resumed from the checkpoint of Nov 2\d, [^.]+\. It has no times of its own/)
  expect(page.find('.figures').text()).not.toContain('computing')
  expect(page.find('.result .hash').text()).not.toMatch(/ m?s$/)
})

test('a run that was resumed says what all of its attempts took, in the answer and by its parts', async () => {
  const one = run('20261121-r', 'done')
  const { record } = one
  if (record === null) throw new Error('a done run has a record')
  const waited = { attempts: 3, setMs: 2000, searchMs: 60_000, verifyMs: 1000, restMs: 500 }
  const outcome = { ...record.outcome, resumed: 'anew: there was no checkpoint yet', waited }
  const { page } = await openRun({ ...one, record: { ...record, outcome } }, {}, 'timings')
  expect(page.text()).toContain('Its times are those of all its 3 attempts')
  expect(page.text()).toContain('1 min 4 s in all: first result 2.0 s, search 1 min 0 s')
  expect(page.find('.figures').text()).not.toContain('computing')
})

test('counters are told by the label of the registry, and by their own name where it has none', async () => {
  const one = run('20261121-c', 'done')
  const { record } = one
  if (record === null) throw new Error('a done run has a record')
  const counters = { moved: 2_000_000, odd: 7 }
  const entry = algorithmEntries[0]
  const moved = { name: 'moved', label: 'Bytes moved', unit: 'bytes', explanation: 'What went over the bus.' }
  const { page } = await openRun(
    { ...one, record: { ...record, outcome: { ...record.outcome, counters } } },
    { algorithms: { algorithms: [{ ...entry, counters: [moved] }] } },
    'timings',
  )
  expect(page.text()).toContain('Bytes moved1.91 MiB')
  expect(page.text()).toContain('odd7')
  expect(page.find('[title="What went over the bus."]').exists()).toBe(true)
})

test('several workers are compared in what they did, and passes are not called rounds', async () => {
  const one = run('20261121-w', 'done')
  const { record } = one
  if (record === null) throw new Error('a done run has a record')
  const series = [
    { name: 'bytes exchanged', of: 'pass', unit: 'bytes', values: [4000, 200] },
    // What stays 0 has no chart.
    { name: 'arcs touched', of: 'round', unit: '', values: [0, 0, 0] },
    { name: 'kernels', of: 'worker', unit: 'ms', values: [3, 4] },
    { name: 'waiting', of: 'worker', unit: 'ms', values: [2, 1] },
    { name: 'read from disk', of: 'worker', unit: 'bytes', values: [5e6, 6e6] },
  ] as const
  const devices = ['gpu:0', 'gpu:1'].map((id) => ({ ...record.outcome.devices[0]!, id }))
  const outcome = { ...record.outcome, devices, series: series.map((each) => ({ ...each, values: [...each.values] })) }
  const { page } = await openRun({ ...one, record: { ...record, outcome } }, {}, 'timings')
  await vi.waitFor(() => expect(page.findAll('figure.chart h2').length).toBeGreaterThan(2))
  const titles = page.findAll('figure.chart h2').map((heading) => heading.text())
  for (const title of ['Where the time of each worker goes', 'What each worker moves', 'Bytes exchanged in each pass'])
    expect(titles).toContain(title)
  const text = page.text()
  for (const said of ['0: gpu:0', '1: gpu:1', 'Waiting', 'pass over the batches']) expect(text).toContain(said)
})

test('each chart of a run has the figures of the record, or of what was told on the way', () => {
  const one = run('20261121-w', 'done')
  const { record } = one
  const devices = ['gpu:0', 'gpu:1'].map((id) => ({ ...record!.outcome.devices[0]!, id }))
  const series: Series[] = [
    {
      name: 'keptValue',
      of: 'value',
      unit: '',
      values: [7, 8],
      at: { name: 'temperature', values: [0.5, 2] },
      errors: [1, 0],
    },
    { name: 'bytes exchanged', of: 'pass', unit: 'bytes', values: [4000, 200] },
    { name: 'kernels', of: 'worker', unit: 'ms', values: [3, 4] },
    { name: 'waiting', of: 'worker', unit: 'ms', values: [2, 1] },
  ]
  const roundCounts = [
    { round: 1, undecided: 40 },
    { round: 2, undecided: 0 },
  ]
  const outcome = { ...record!.outcome, devices, series, roundCounts }
  const told = [0, 1, 2, 3].map((at) => ({
    ...{ ms: 1000 * at, phase: 'search', done: at, total: null, best: 900 + 10 * at, bound: 1000 - at },
    ...{ arcs: 500 * at, bytes: 3000 * at },
  }))
  setActivePinia(createPinia())
  const drawn = runCharts({ ...one, record: { ...record!, outcome } }, told, [], 100)
  const figures = drawn.flatMap(({ chart }) =>
    chart === undefined ? [] : [[chart.title, chart.numbers.rows] as const],
  )
  const alone = (value: number): readonly number[] => [value, value, value, 1]
  expect(Object.fromEntries(figures)).toEqual({
    'The best so far': [
      ...[0, 1, 2, 3].map((at) => ['The best so far', at, ...alone(900 + 10 * at)]),
      ...[0, 1, 2, 3].map((at) => ['Bound', at, ...alone(1000 - at)]),
    ],
    'Undecided vertices per round': [
      [0, 100],
      [1, 40],
      [2, 0],
    ],
    'Where the time of each worker goes': [
      ['0: gpu:0', 'Kernels', ...alone(3)],
      ['0: gpu:0', 'Waiting', ...alone(2)],
      ['1: gpu:1', 'Kernels', ...alone(4)],
      ['1: gpu:1', 'Waiting', ...alone(1)],
    ],
    'Arcs per second': [1, 2, 3].map((at) => ['Arcs per second', at, ...alone(500)]),
    'Bytes per second': [1, 2, 3].map((at) => ['Bytes per second', at, ...alone(3000)]),
    'Kept value by temperature': [
      ['Kept value', 0.5, 7, 6, 8, 1],
      ['Kept value', 2, ...alone(8)],
    ],
    'Bytes exchanged in each pass': [
      ['Bytes exchanged', 1, ...alone(4000)],
      ['Bytes exchanged', 2, ...alone(200)],
    ],
  })
})

test('a link to a run that is gone says so', async () => {
  const opened = await openPage({}, '/run/nothing')
  await vi.waitFor(() => expect(opened.page.text()).toContain('There is no such run'))
  opened.page.unmount()
})

test('the course of a run: phases, rounds and rates', () => {
  expect(phasesOf(samples)).toEqual([
    { name: 'read graph', fromMs: 0, toMs: 10 },
    { name: 'sweep', fromMs: 10, toMs: 40 },
  ])
  expect(undecidedRounds(samples, 135_233)).toEqual([
    { round: 1, undecided: 45_233 },
    { round: 2, undecided: 0 },
  ])
  // As rounds of a matching are told: by what they begin with. Its record says 100, 40, 0 after rounds 1, 2, 3.
  const matching = [1000, 100, 40].map((open, i) => {
    const decided = 1000 - open
    return { ms: 10 * i, phase: 'match', done: decided, total: 1000, round: i + 1, decided }
  })
  expect(undecidedRounds(matching.slice(0, 1), 1000)).toEqual([])
  expect(undecidedRounds(matching, 1000)).toEqual([
    { round: 1, undecided: 100 },
    { round: 2, undecided: 40 },
  ])
  expect(ratesOf(samples, 'arcs')).toEqual([
    { ms: 30, perSecond: 200_000 },
    { ms: 40, perSecond: 200_000 },
  ])
  expect(ratesOf(samples, 'bytes')).toEqual([])
})

test('a table leaves for a spreadsheet without formulas, where a person asks for that', async () => {
  const { page, asked } = await openRun(run('20261121-a', 'done'), { 'export.download': { how: 'cancelled' } })
  await buttonOf({ page } as Opened, 'Export')?.trigger('click')
  await flushPromises()
  const items = [...document.querySelectorAll<HTMLElement>('[role=menuitem]')]
  items.find(({ textContent }) => textContent?.includes('CSV, every vertex, safe for spreadsheets'))?.click()
  await flushPromises()
  expect(asked.find(({ name }) => name === 'export.download')?.args).toMatchObject({
    request: { what: 'result', format: 'csv', spreadsheetSafe: true },
  })
})

test('what a pass over the lists counts has names for people', () => {
  const ofSets = algorithmEntries.find(({ name }) => name === 'ecl-mis')?.counters.map(({ name }) => name)
  expect(ofSets).toEqual(expect.arrayContaining(['readPercent', 'finished']))
})

test('a run whose dataset was deleted offers to bring it back', async () => {
  const one = { ...run('20261121-d', 'done'), datasetId: null }
  const gone = { ...{ id: 1, name: 'cities', vertices: 5, bytes: 7, runs: [one.id] }, until: '2100-12-29T12:00:00Z' }
  const more = { 'datasets.removed': { removed: [gone] }, 'datasets.restore': { dataset: dataset(1, 'cities') } }
  const { page, asked, tell } = await openRun(one, more)
  expect(page.text()).toContain('It can be brought back until Dec 29.')
  expect(page.find('.members').exists()).toBe(false)
  await buttonOf({ page } as Opened, 'Restore cities')!.trigger('click')
  await flushPromises()
  expect(asked.find(({ name }) => name === 'datasets.restore')?.args).toEqual({ id: 1 })
  await tell({ type: 'run-changed', run: { ...one, datasetId: 1 } })
  await flushPromises()
  expect(page.find('.members').exists()).toBe(true)
})

test('a run is called by what it is, with units and without words that say nothing', () => {
  setActivePinia(createPinia())
  useAlgorithms().list = [...algorithmEntries]
  const one = run('20261121-n', 'done')
  const asked = (more: object) => ({ ...one, request: runRequestSchema.parse({ ...one.request, ...more }) })
  expect(runKind(one)).toBe('ecl-mis degree')
  expect(runKind(asked({ quality: 'best', searchSeconds: 8 }))).toBe('ecl-mis degree best 8 s')
  expect(runKind(asked({ quality: 'best', searchSeconds: 20, seed: 3 }))).toMatch(
    /^ecl-mis degree.* seed 3.* best 20 s|best 20 s.*seed 3/,
  )
  expect(sizeWords(one)).toBe('52,900 in the set')
})
