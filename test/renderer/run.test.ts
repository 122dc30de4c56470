import { flushPromises } from '@vue/test-utils'
import { afterEach, expect, test, vi } from 'vitest'
import type { Run } from '../../electron/contract/run.ts'
import { phasesOf, ratesOf, undecidedRounds } from '../../renderer/src/run/run-course.ts'
import { algorithmEntries } from '../../workers/contract/catalogue.ts'
import { openPage } from './open-page.ts'
import type { Opened } from './open-page.ts'
import { dataset, run, work } from './sample-library.ts'

const samples = [
  { ms: 5, phase: 'read graph', done: 1, total: 2 },
  { ms: 10, phase: 'sweep', done: 0, total: 135_233, round: 1, decided: 0, arcs: 0 },
  { ms: 30, phase: 'sweep', done: 90_000, total: 135_233, round: 1, decided: 90_000, arcs: 4000 },
  { ms: 40, phase: 'sweep', done: 135_233, total: 135_233, round: 2, decided: 135_233, arcs: 6000 },
]

let opened: Opened | null = null
afterEach(() => {
  opened?.page.unmount()
  vi.unstubAllGlobals()
  localStorage.clear()
})

async function open(one: Run, more: Readonly<Record<string, unknown>> = {}, tab = ''): Promise<Opened> {
  const link = `/run/${one.id}${tab === '' ? '' : `?tab=${tab}`}`
  opened = await openPage({ datasets: [dataset(1, 'cities')], runs: [one] }, link, {
    algorithms: { algorithms: algorithmEntries },
    'runs.progress': { samples },
    'runs.trace': { lanes: [] },
    ...more,
  })
  await vi.waitFor(() => expect(opened?.page.find('.run').exists()).toBe(true))
  await flushPromises()
  return opened
}

const button = ({ page }: Opened, text: string) => page.findAll('button').find((one) => one.text() === text)

test('a finished run says how large the set is, what it is worth, and who says so', async () => {
  const { page } = await open(run('20261121-a', 'done'))
  for (const said of [
    '52,900',
    '39.1 % of all vertices',
    'At least 94.2 %',
    '56,120',
    'Independently verified in 12 ms',
  ])
    expect(page.text()).toContain(said)
  expect(page.find('.figure').attributes('data-exact')).toBe('52900')
  // Which vertices before how long it took.
  expect(page.find('.members').exists()).toBe(true)
  expect(page.text()).not.toContain('Undecided vertices per round')
  await page.findAll('[role=tab]').at(-1)!.trigger('mousedown')
  await flushPromises()
  expect(page.text()).toContain('ECL-MIS')
  expect(page.text()).toContain('npx anticlique run cities --algorithm ecl-mis --verify')
})

test('how it came about has a tab of its own, with a link', async () => {
  const { page } = await open(run('20261121-a', 'done'), {}, 'timings')
  expect(page.text()).toContain('Undecided vertices per round')
  expect(page.find('.members').exists()).toBe(false)
})

test('a run gets another name, a note and a star', async () => {
  const one = run('20261121-a', 'done')
  const noted = { ...one, name: 'baseline', note: 'before the fix', starred: true }
  const here = await open(one, { 'runs.annotate': { run: noted } })
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
  const { page, asked } = await open(run('20261121-a', 'done'), { 'explore.result': rows })
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
  const { page } = await open({ ...one, record: { ...record, outcome } })
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
  const { page } = await open({ ...one, record: { ...record, outcome: { ...record.outcome, verification } } })
  expect(page.find('.result').text()).toContain('The best possible')
  expect(page.find('.result').text()).not.toContain('100.0 %')
})

test('a run without a timeline does not promise one when it has ended', async () => {
  const { page } = await open(run('20261121-f', 'failed'))
  expect(page.text()).toContain('This run left no timeline.')
  expect(page.text()).not.toContain('The timeline shows when')
})

test('a run that was resumed says what it went on from', async () => {
  const one = run('20261121-r', 'done')
  const { record } = one
  if (record === null) throw new Error('a done run has a record')
  const resumed = 'from the checkpoint of 2026-11-21T12:00:00.000Z'
  const outcome = { ...record.outcome, resumed }
  const { page } = await open({ ...one, record: { ...record, outcome } }, {}, 'timings')
  expect(page.text()).toContain(`Resumed ${resumed}. It has no times of its own`)
  expect(page.find('.figures').text()).not.toContain('computing')
  expect(page.find('.result .hash').text()).not.toMatch(/ m?s$/)
})

test('counters are told by the label of the registry, and by their own name where it has none', async () => {
  const one = run('20261121-c', 'done')
  const { record } = one
  if (record === null) throw new Error('a done run has a record')
  const counters = { moved: 2_000_000, odd: 7 }
  const entry = algorithmEntries[0]
  const moved = { name: 'moved', label: 'Bytes moved', unit: 'bytes', explanation: 'What went over the bus.' }
  const { page } = await open(
    { ...one, record: { ...record, outcome: { ...record.outcome, counters } } },
    { algorithms: { algorithms: [{ ...entry, counters: [moved] }] } },
    'timings',
  )
  expect(page.text()).toContain('Bytes moved2.00 MB')
  expect(page.text()).toContain('odd7')
  expect(page.find('[title="What went over the bus."]').exists()).toBe(true)
})

test('several workers are compared in what they did, and passes are not called rounds', async () => {
  const one = run('20261121-w', 'done')
  const { record } = one
  if (record === null) throw new Error('a done run has a record')
  const series = [
    { name: 'bytes exchanged', of: 'pass', unit: 'bytes', values: [4000, 200] },
    { name: 'kernels', of: 'worker', unit: 'ms', values: [3, 4] },
    { name: 'waiting', of: 'worker', unit: 'ms', values: [2, 1] },
    { name: 'read from disk', of: 'worker', unit: 'bytes', values: [5e6, 6e6] },
  ] as const
  const devices = ['gpu:0', 'gpu:1'].map((id) => ({ ...record.outcome.devices[0]!, id }))
  const outcome = { ...record.outcome, devices, series: series.map((each) => ({ ...each, values: [...each.values] })) }
  const { page } = await open({ ...one, record: { ...record, outcome } }, {}, 'timings')
  await vi.waitFor(() => expect(page.findAll('figure.chart h2').length).toBeGreaterThan(2))
  const titles = page.findAll('figure.chart h2').map((heading) => heading.text())
  for (const title of ['Where the time of each worker goes', 'What each worker moves', 'Bytes exchanged in each pass'])
    expect(titles).toContain(title)
  const text = page.text()
  for (const said of ['0: gpu:0', '1: gpu:1', 'Waiting', 'pass over the batches']) expect(text).toContain(said)
})

test('a running run fills in place, and can be cancelled', async () => {
  const one = { ...run('20261121-b', 'running'), record: null }
  const here = await open(one, { 'runs.cancel': { run: { ...one, state: 'cancelled' } } })
  await here.tell({
    type: 'progress',
    subject: 'run',
    of: one.id,
    progress: { phase: 'sweep', done: 67_616, total: 135_233, unit: 'vertices', round: 3, decided: 67_616 },
  })
  const { page, asked } = here
  expect(page.find('.live').text()).toContain('67,616')
  expect(page.find('.live').text()).toContain('round 3')
  expect(page.find('.live [role=progressbar]').attributes('aria-valuenow')).toBe('49')
  await button(here, 'Cancel')?.trigger('click')
  await flushPromises()
  expect(asked.some(({ name }) => name === 'runs.cancel')).toBe(true)
  expect(page.text()).toContain('cancelled')
  expect(button(here, 'Resume')).toBeDefined()
})

test('a search shows its best answer and the bound over time, and can be ended with it', async () => {
  const one = { ...run('20261121-q', 'running'), record: null }
  const search = (ms: number, best: number) => ({ ms, phase: 'search', done: ms, total: null, best, bound: 1000 })
  const told = { samples: [search(1000, 900), search(2000, 940), search(3000, 950)] }
  const here = await open(one, { 'runs.progress': told, 'runs.finish': { run: one } })
  const { page, asked } = here
  expect(button(here, 'Stop, keep the best')).toBeUndefined()
  const progress = { phase: 'search', done: 3000, unit: 'ms', best: 950, bound: 1000 } as const
  await here.tell({ type: 'progress', subject: 'run', of: one.id, progress })
  expect(page.find('.live').text()).toContain('950')
  expect(page.find('.live').text()).toContain('At least 95.0 % of the best possible')
  await vi.waitFor(() => expect(page.find('figure.chart h2').text()).toBe('The best so far, and what none exceeds'))
  await button(here, 'Stop, keep the best')?.trigger('click')
  await flushPromises()
  expect(asked.find(({ name }) => name === 'runs.finish')?.args).toEqual({ run: one.id })
})

test('no batch is given the time that passed before its phase began', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] })
  try {
    const one = run('20261121-s', 'running')
    const here = await open(one)
    const told = (phase: string) =>
      here.tell({ type: 'progress', subject: 'run', of: one.id, progress: { phase, done: 0, unit: 'arcs' } })
    const said = () => here.page.find('.live .top').text()
    await told('open')
    vi.advanceTimersByTime(7000)
    await flushPromises()
    expect(said()).toBe('getting the devices ready, for 7.0 s so far')
    vi.advanceTimersByTime(500)
    await told('match')
    expect(said()).toBe('matching')
    vi.advanceTimersByTime(3500)
    await flushPromises()
    expect(said()).toBe('matching: one batch or round has taken 3.5 s so far')
  } finally {
    vi.useRealTimers()
  }
})

test('before the last vertex is decided nobody reads 100 %, nor a time left that is over', async () => {
  const clock = vi.spyOn(performance, 'now')
  const one = run('20261121-l', 'running')
  const at = (decided: number) =>
    ({ phase: 'match', done: decided, total: 135_233, unit: 'vertices', round: 9, decided }) as const
  const here = await open(one)
  const tellAt = async (ms: number, decided: number): Promise<string> => {
    clock.mockReturnValue(ms)
    const card = { ...work(one.id, 'running', at(decided)), kind: 'run', subject: one.id } as const
    await here.tell({ type: 'work-changed', work: card })
    await here.tell({ type: 'progress', subject: 'run', of: one.id, progress: at(decided) })
    return here.page.find('.live dl').text()
  }
  await tellAt(1000, 0)
  expect(await tellAt(2000, 33_808)).toMatch(/25\.0 % of all vertices.*left in this step3\.0 s/)
  expect(await tellAt(5000, 135_230)).toMatch(/99\.9 % of all vertices.*left in this step–/)
  clock.mockRestore()
})

test('what long work told last is shown before the next event', async () => {
  const card = {
    ...work('20261121-w', 'running', { phase: 'sweep', done: 1, total: 4, unit: 'vertices' }),
    kind: 'run',
  }
  const { page } = await open(run('20261121-w', 'running'), { 'work.list': { work: [card] } })
  expect(page.find('.live [role=progressbar]').attributes('aria-valuenow')).toBe('25')
})

test('a failed run says what to do, and goes on when it is told to', async () => {
  const one = run('20261121-f', 'failed')
  const here = await open(one, { 'runs.resume': { run: { ...one, state: 'queued', failure: null } } })
  expect(here.page.find('[role=alert]').text()).toContain('Start it again.')
  await button(here, 'Resume')?.trigger('click')
  await flushPromises()
  expect(here.page.text()).toContain('It waits in the queue')
})

test('an interrupted run offers to go on once; its card is for the other pages', async () => {
  const fixes = [{ action: 'resume', run: '20261121-i' }]
  const failure = { code: 'engine', what: 'the engine ended', remedy: '', fixes }
  const one = { ...run('20261121-i', 'interrupted'), failure } as Run
  const card = { ...work(one.id, 'interrupted', null), kind: 'run', failure }
  const { page } = await open(one, { 'work.list': { work: [card] } })
  expect(page.find('[role=alert]').text()).toContain('Choose “Resume”.')
  const offers = () => page.findAll('button').filter((each) => each.text() === 'Resume')
  expect(offers()).toHaveLength(1)
  expect(page.find('article').exists()).toBe(false)
  await page.find('a[href$="/runs"]').trigger('click')
  await vi.waitFor(() => expect(page.find('article').text()).toContain('the engine ended'))
  expect(offers()).toHaveLength(1)
})

test('a link to a run that is gone says so', async () => {
  opened = await openPage({}, '/run/nothing')
  await vi.waitFor(() => expect(opened?.page.text()).toContain('There is no such run'))
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

test('the button that helps comes first: another form where the options are at fault, going on where something broke', async () => {
  const lookOf = (here: Opened, text: string): boolean => button(here, text)?.classes('primary') ?? false
  const failed = (code: 'usage' | 'fault'): Run => ({
    ...run('20261121-f', 'failed'),
    failure: { code, what: 'x', remedy: 'y' },
  })
  const asked = await open(failed('usage'))
  expect([lookOf(asked, 'Run again'), lookOf(asked, 'Resume')]).toEqual([true, false])
  asked.page.unmount()
  const broken = await open(failed('fault'))
  expect([lookOf(broken, 'Run again'), lookOf(broken, 'Resume')]).toEqual([false, true])
})

test('a run that was asked to stop is cancelling, on its page and in its state, until it ends', async () => {
  const one = run('20261121-c', 'running')
  const going = { ...work(one.id, 'cancelling', null), kind: 'run', subject: one.id } as const
  const { page } = await open(one, { 'work.list': { work: [going] } })
  expect(page.find('.state').text()).toContain('cancelling')
  expect(page.find('.live').text()).toContain('cancelling')
  expect(button({ page } as Opened, 'cancelling …')?.attributes('disabled')).toBeDefined()
})

test('a table leaves for a spreadsheet without formulas, where a person asks for that', async () => {
  const { page, asked } = await open(run('20261121-a', 'done'), { 'export.download': { how: 'cancelled' } })
  await button({ page } as Opened, 'Export')?.trigger('click')
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
