import { flushPromises } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { afterEach, expect, test, vi } from 'vitest'
import type { Run } from '../../electron/contract/run.ts'
import type { Work } from '../../electron/contract/work.ts'
import { useToasts } from '../../renderer/src/stores/toasts.ts'
import { useWork } from '../../renderer/src/stores/work.ts'
import { openPage } from './open-page.ts'
import type { Opened } from './open-page.ts'
import { dataset, devices, run, work } from './sample-library.ts'

let opened: Opened | null = null
afterEach(() => {
  opened?.page.unmount()
  vi.unstubAllGlobals()
  localStorage.clear()
})

async function open(runs: readonly Run[], cards: readonly Work[], more: Readonly<Record<string, unknown>> = {}) {
  opened = await openPage({ datasets: [dataset(1, 'cities')], runs }, '/settings', {
    'work.list': { work: cards },
    ...more,
  })
  await vi.waitFor(() => expect(opened?.page.find('h1').text()).toBe('Settings'))
  await flushPromises()
  return opened
}

const cardOf = (id: string): Work => ({ ...work(id, 'running', null), kind: 'run', name: id })
const cards = ({ page }: Opened): readonly string[] => page.findAll('article').map((card) => card.text())

test('what goes on stays in sight, however much has failed before', async () => {
  const failed = ['a', 'b', 'c', 'd'].map((id) => ({ ...work(id, 'failed', null), name: `${id}.mtx` }))
  const here = await open([run('20261121-r', 'running')], [...failed, cardOf('20261121-r')])
  const seen = cards(here)
  expect(seen).toHaveLength(3)
  expect(seen[0]).toContain('c.mtx')
  expect(seen[1]).toContain('d.mtx')
  expect(seen[2]).toContain('starting')
  await here.page
    .findAll('button')
    .find((button) => button.text() === '2 more')
    ?.trigger('click')
  expect(cards(here)).toHaveLength(5)
})

test('the cross of a card puts it out of sight, and only Cancel cancels', async () => {
  const importing = work('i1', 'running', null)
  const here = await open([], [importing], {
    'work.cancel': { work: { ...importing, state: 'cancelling' } },
  })
  const { page, asked, tell } = here
  await page.find('button[aria-label^="Hide roads.mtx"]').trigger('click')
  await flushPromises()
  expect(cards(here)).toEqual([])
  expect(asked.some(({ name }) => name.startsWith('work.') && name !== 'work.list')).toBe(false)
  // It continues, and comes back where a person wants it or its end needs one.
  await page
    .findAll('footer button')
    .find((button) => button.text() === 'Show 1 hidden')!
    .trigger('click')
  expect(cards(here)).toHaveLength(1)
  await page.find('button[aria-label="Cancel roads.mtx"]').trigger('click')
  await flushPromises()
  expect(asked.at(-1)).toEqual({ name: 'work.cancel', args: { id: 'i1' } })
  await page.find('button[aria-label^="Hide roads.mtx"]').trigger('click')
  await flushPromises()
  expect(cards(here)).toEqual([])
  await tell({ type: 'work-changed', work: work('i1', 'failed', null) })
  expect(cards(here)[0]).toContain('failed')
})

test('a failure goes once what failed is tried again, and when the person leaves the page', async () => {
  const listed: { work: readonly Work[] } = { work: [work('old', 'failed', null)] }
  const here = await open([], [], { 'work.list': listed, 'work.dismiss': { id: 'old' } })
  expect(cards(here)[0]).toContain('failed')
  await here.tell({ type: 'work-changed', work: work('again', 'running', null) })
  await vi.waitFor(() => expect(cards(here)).toHaveLength(1))
  expect(cards(here)[0]).not.toContain('failed')
  expect(here.asked).toContainEqual({ name: 'work.dismiss', args: { id: 'old' } })
  await here.tell({ type: 'work-changed', work: work('again', 'failed', null) })
  expect(cards(here)[0]).toContain('failed')
  listed.work = []
  await here.page.find('nav a[href="#/runs"]').trigger('click')
  await vi.waitFor(() => expect(cards(here)).toEqual([]))
  expect(here.asked).toContainEqual({ name: 'work.dismiss', args: { id: 'again' } })
})

test('of many messages that only tell, the newest stay; one that can be undone stays too', async () => {
  const { page } = await open([], [])
  const toasts = useToasts()
  toasts.undoable('deleted', () => Promise.resolve())
  toasts.show('this went wrong', { tone: 'bad' })
  for (const text of ['one', 'two', 'three', 'four']) toasts.show(text)
  await flushPromises()
  const said = page.findAll('.toast > p').map((toast) => toast.text())
  expect(said).toEqual(['deleted', 'this went wrong', 'two', 'three', 'four'])
})

test('the message of an end opens what has ended, and many of them pass', async () => {
  const ids = ['1', '2', '3', '4'].map((at) => `20261121-${at}`)
  const here = await open(
    ids.map((id) => run(id, 'running')),
    ids.map(cardOf),
  )
  for (const id of ids) await here.tell({ type: 'work-changed', work: { ...cardOf(id), state: 'done' } })
  await flushPromises()
  const toasts = here.page.findAll('.toast')
  expect(toasts).toHaveLength(3)
  await toasts[0]!.find('.action').trigger('click')
  await vi.waitFor(() => expect(here.page.find('nav [aria-current=page]').text()).toBe('Runs'))
  expect(here.asked.some(({ name, args }) => name === 'runs.trace' && (args as { run: string }).run === ids[1])).toBe(
    true,
  )
})

test('a run in the queue waits, on its card and in the status bar', async () => {
  const queue = { priority: 5, retries: 0, attempts: 0, devices: null }
  const waiting = { ...run('20261121-q', 'queued'), queue }
  const here = await open([run('20261121-r', 'running'), waiting], [cardOf('20261121-r'), cardOf('20261121-q')])
  expect(cards(here)[1]).toContain('waits in the queue')
  expect(here.page.findAll('[role=progressbar]')).toHaveLength(1)
  expect(here.page.find('footer').text()).toContain('1 running, 1 waiting')
})

test('the status bar calls the device busy that a run was given, not the first of all', async () => {
  const gpu = { ...devices.devices[0], id: 'gpu:0', kind: 'gpu' }
  const one = run('20261121-r', 'running')
  const here = await open([{ ...one, queue: { ...one.queue, devices: ['gpu:0'] } }], [], {
    devices: { devices: [devices.devices[0], gpu], noGpu: null },
  })
  await vi.waitFor(() => expect(here.page.find('footer').text()).toMatch(/cpu:0\s+idle.*gpu:0\s+busy/))
})

type Unit = NonNullable<Work['progress']>['unit']

test('work that was asked to stop has no time left to the end of its phase, and work by time no speed', () => {
  setActivePinia(createPinia())
  const store = useWork()
  const clock = vi.spyOn(performance, 'now')
  const at = (ms: number, done: number, state: Work['state'] = 'running', unit: Unit = 'vertices'): Work => {
    clock.mockReturnValue(ms)
    const one: Work = { ...work('r', state, { phase: unit, done, total: 100, unit }) }
    store.put(one)
    return one
  }
  at(1000, 0)
  expect(store.rateOf(at(2000, 10)).leftMs).toBe(9000)
  expect(store.rateOf(at(3000, 20, 'cancelling'))).toEqual({ perSecond: 10, leftMs: null })
  at(4000, 0, 'running', 'ms')
  expect(store.rateOf(at(5000, 10, 'running', 'ms'))).toEqual({ perSecond: null, leftMs: 9000 })
  clock.mockRestore()
})
