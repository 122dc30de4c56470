import { flushPromises } from '@vue/test-utils'
import { expect, test, vi } from 'vitest'
import { type Run, runRequestSchema } from '../../electron/contract/run.ts'
import { runCharts } from '../../renderer/src/run/run-charts.ts'
import { estimateByOthers, gainPerSecond, ownEstimate } from '../../renderer/src/run/search-estimate.ts'
import type { Opened } from './open-page.ts'
import { buttonOf, openRun, tellProgress } from './run-page.ts'
import { run, work } from './sample-library.ts'

test('a running run fills in place, and can be cancelled', async () => {
  const one = { ...run('20261121-b', 'running'), record: null }
  const here = await openRun(one, { 'runs.cancel': { run: { ...one, state: 'cancelled' } } })
  await tellProgress(here, one, {
    phase: 'sweep',
    done: 67_616,
    total: 135_233,
    unit: 'vertices',
    round: 3,
    decided: 67_616,
  })
  const { page, asked } = here
  expect(page.find('.live').text()).toContain('67,616')
  expect(page.find('.live').text()).toContain('round 3')
  expect(page.find('.live [role=progressbar]').attributes('aria-valuenow')).toBe('49')
  await buttonOf(here, 'Cancel')?.trigger('click')
  await flushPromises()
  expect(asked.some(({ name }) => name === 'runs.cancel')).toBe(true)
  expect(page.text()).toContain('cancelled')
  expect(buttonOf(here, 'Resume')).toBeDefined()
})

test('a search shows its best answer and the bound over time, and can be ended with it', async () => {
  const one = { ...run('20261121-q', 'running'), record: null }
  const search = (ms: number, best: number) => ({ ms, phase: 'search', done: ms, total: null, best, bound: 1000 })
  const told = { samples: [search(1000, 900), search(2000, 940), search(3000, 950)] }
  const here = await openRun(one, { 'runs.progress': told, 'runs.finish': { run: one } })
  const { page, asked } = here
  expect(buttonOf(here, 'Stop, keep the best')).toBeUndefined()
  const progress = { phase: 'search', done: 3000, unit: 'ms', best: 950, bound: 1000 } as const
  await tellProgress(here, one, progress)
  expect(page.find('.live').text()).toContain('950')
  expect(page.find('.live').text()).toContain('At least 95.0 % of the best possible')
  await vi.waitFor(() => expect(page.find('figure.chart h2').text()).toBe('The best so far'))
  // The bound is said beside the curve, whose axis has room for gains alone.
  expect(page.find('.charts').text()).toContain('Gained 50 in this search, 10 of it in its last third.')
  expect(page.find('.charts').text()).toContain('No result has more than 1,000.')
  expect(page.find('.live').text()).not.toContain('gains most in the last third')
  await buttonOf(here, 'Stop, keep the best')?.trigger('click')
  await flushPromises()
  expect(asked.find(({ name }) => name === 'runs.finish')?.args).toEqual({ run: one.id })
})

test('a set that cools until a time is up says that it gains most late', async () => {
  const request = runRequestSchema.parse({ ...run('x', 'running').request, quality: 'best', searchSeconds: 60 })
  const one = { ...run('20261121-z', 'running'), record: null, request }
  const here = await openRun(one)
  await tellProgress(here, one, { phase: 'search', done: 3000, total: 60_000, unit: 'ms', best: 950, decided: 950 })
  expect(here.page.find('.live').text()).toContain('gains most in the last third of its time')
})

test('the gain a second and an estimate of another minute follow from the curve, or from runs of other lengths', async () => {
  const at = (ms: number, best: number) => ({ ms, phase: 'search', done: ms, total: null, best })
  // 40 of late in ten seconds; 60 in the second half of 20 seconds, and two doublings of the time in the next minute.
  const samples = [at(0, 800), at(10_000, 900), at(15_000, 940), at(20_000, 960)]
  expect(gainPerSecond(samples)).toBe(6)
  expect(gainPerSecond(samples.slice(0, 1))).toBeNull()
  expect(ownEstimate(samples)).toBeCloseTo(120)
  expect(ownEstimate(samples.slice(0, 1))).toBeNull()
  const searched = (id: string, searchSeconds: number, size: number): Run => {
    const one = run(id, 'done')
    return { ...one, size, request: runRequestSchema.parse({ ...one.request, quality: 'best', searchSeconds }) }
  }
  const [short, long] = [searched('20261121-s', 30, 1000), searched('20261121-l', 60, 1010)]
  const same = (): boolean => true
  expect(estimateByOthers(long, [short, long], same)).toEqual({ gain: 10, seconds: [30, 60] })
  expect(estimateByOthers(short, [short, long], same)).toBeNull()
  expect(estimateByOthers(long, [short, long], () => false)).toBeNull()
  const notes = [long, short].map((one) => runCharts(one, samples, [], 2000, [short, long])[0]?.note)
  expect(notes[0]).toContain('Another minute would give about 10 more, by runs of 30 s and 60 s.')
  expect(notes[1]).toContain('some searches find most near their end')
})

test('no batch is given the time that passed before its phase began', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] })
  try {
    const one = run('20261121-s', 'running')
    const here = await openRun(one)
    const told = (phase: string) => tellProgress(here, one, { phase, done: 0, unit: 'arcs' })
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
  const here = await openRun(one)
  const tellAt = async (ms: number, decided: number): Promise<string> => {
    clock.mockReturnValue(ms)
    await tellProgress(here, one, at(decided))
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
  const { page } = await openRun(run('20261121-w', 'running'), { 'work.list': { work: [card] } })
  expect(page.find('.live [role=progressbar]').attributes('aria-valuenow')).toBe('25')
})

test('a failed run says what to do, and goes on when it is told to', async () => {
  const one = run('20261121-f', 'failed')
  const here = await openRun(one, { 'runs.resume': { run: { ...one, state: 'queued', failure: null } } })
  expect(here.page.find('[role=alert]').text()).toContain('Start it again.')
  await buttonOf(here, 'Resume')?.trigger('click')
  await flushPromises()
  expect(here.page.text()).toContain('It waits in the queue')
})

test('an interrupted run offers to go on once; its card is for the other pages', async () => {
  const fixes = [{ action: 'resume', run: '20261121-i' }]
  const failure = { code: 'engine', what: 'the engine ended', remedy: '', fixes }
  const one = { ...run('20261121-i', 'interrupted'), failure } as Run
  const card = { ...work(one.id, 'interrupted', null), kind: 'run', failure }
  const { page } = await openRun(one, { 'work.list': { work: [card] } })
  expect(page.find('[role=alert]').text()).toContain('Choose “Resume”.')
  const offers = () => page.findAll('button').filter((each) => each.text() === 'Resume')
  expect(offers()).toHaveLength(1)
  expect(page.find('article').exists()).toBe(false)
  await page.find('a[href$="/runs"]').trigger('click')
  await vi.waitFor(() => expect(page.find('article').text()).toContain('the engine ended'))
  expect(offers()).toHaveLength(1)
})

test('the button that helps comes first: another form where the options are at fault, going on where something broke', async () => {
  const lookOf = (here: Opened, text: string): boolean => buttonOf(here, text)?.classes('primary') ?? false
  const failed = (code: 'usage' | 'fault'): Run => ({
    ...run('20261121-f', 'failed'),
    failure: { code, what: 'x', remedy: 'y' },
  })
  const asked = await openRun(failed('usage'))
  expect([lookOf(asked, 'Run again'), lookOf(asked, 'Resume')]).toEqual([true, false])
  asked.page.unmount()
  const broken = await openRun(failed('fault'))
  expect([lookOf(broken, 'Run again'), lookOf(broken, 'Resume')]).toEqual([false, true])
})

test('a run that was asked to stop is cancelling, on its page and in its state, until it ends', async () => {
  const one = run('20261121-c', 'running')
  const going = { ...work(one.id, 'cancelling', null), kind: 'run', subject: one.id } as const
  const { page } = await openRun(one, { 'work.list': { work: [going] } })
  expect(page.find('.state').text()).toContain('cancelling')
  expect(page.find('.live').text()).toContain('cancelling')
  expect(buttonOf({ page } as Opened, 'cancelling …')?.attributes('disabled')).toBeDefined()
})

test('a search that was cancelled offers what it kept: to resume it, or as the result', async () => {
  const one = run('20261121-k', 'cancelled')
  const request = runRequestSchema.parse({ ...one.request, quality: 'best', searchSeconds: 60 })
  const more = {
    'runs.checkpoint': { writtenAt: '2026-11-21T12:00:00.000Z' },
    'runs.resume': { run: { ...one, state: 'queued' } },
  }
  const here = await openRun({ ...one, request }, more)
  await vi.waitFor(() => expect(here.page.text()).toContain('“Resume” continues from there'))
  await buttonOf(here, 'Keep the best so far')?.trigger('click')
  await flushPromises()
  expect(here.asked.find(({ name }) => name === 'runs.resume')?.args).toEqual({ run: one.id, finish: true })
})

test.each([
  ['fast', '2026-11-21T12:00:00.000Z', '“Resume” continues from there'],
  ['best', null, 'It kept nothing: “Resume” starts it anew.'],
] as const)(
  'of a cancelled run of quality %s with a checkpoint of %s no best set is promised',
  async (quality, writtenAt, said) => {
    const one = run('20261121-k', 'cancelled')
    const request = runRequestSchema.parse({ ...one.request, quality })
    const here = await openRun({ ...one, request }, { 'runs.checkpoint': { writtenAt } })
    await vi.waitFor(() => expect(here.page.text()).toContain(said))
    expect(buttonOf(here, 'Resume')).toBeDefined()
    expect(buttonOf(here, 'Keep the best so far')).toBeUndefined()
  },
)
