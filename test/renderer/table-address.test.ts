import { flushPromises } from '@vue/test-utils'
import { afterEach, expect, test, vi } from 'vitest'
import type { Bridge } from '../../renderer/src/bridge.ts'
import { placesOf, rangesOf, readTable, writeTable } from '../../renderer/src/run/table-address.ts'
import { algorithmEntries } from '../../workers/contract/catalogue.ts'
import { openPage, type Opened } from './open-page.ts'
import { buttonOf } from './run-page.ts'
import { dataset, run } from './sample-library.ts'

let opened: Opened | null = null
afterEach(() => {
  opened?.page.unmount()
  opened = null
  vi.unstubAllGlobals()
  localStorage.clear()
})

const row = (id: number) => ({
  ...{ id, label: `v${id}`, name: null, degree: 3, mate: null, value: null },
  attributes: [1000 + id],
})
const columns = [{ name: 'population', kind: 'number' }]
const all = {
  total: 231,
  truncated: false,
  columns,
  edgeColumns: [],
  rows: Array.from({ length: 200 }, (_, i) => row(i)),
}

async function openRun(link: string): Promise<Opened> {
  opened = await openPage({ datasets: [dataset(1, 'cities')], runs: [run('20261121-a', 'done')] }, link, {
    algorithms: { algorithms: algorithmEntries },
    'runs.progress': { samples: [] },
    'runs.trace': { lanes: [] },
    'explore.result': all,
    'explore.neighbourhood': { centre: 'v1', vertices: [], edges: [], truncated: false, limits: [] },
  })
  await vi.waitFor(() => expect(opened!.page.find('.members .count').text()).not.toBe(''))
  return opened
}

const tables = ({ asked }: Opened) => asked.flatMap(({ name, args }) => (name === 'explore.result' ? [args] : []))

test('ticks in a link are ranges, and come back as they were', () => {
  expect(rangesOf(['7', '0', '2', '1', '10', '9'])).toBe('0-2,7,9-10')
  for (const places of [[], ['3'], ['0', '1', '2', '50', '52', '53', '100000']])
    expect([...placesOf(rangesOf(places))]).toEqual(places)
  expect(placesOf('5-3,x,-1,2-,4-5-6')).toEqual(new Set(['4', '5']))
  expect(placesOf('0-4000000000').size).toBe(100_000)
})

test('a link has of a table what is not as usual, and leaves the rest of the page alone', () => {
  const usual = {
    ...{ show: 'in', sorting: { key: 'vertex', down: false } },
    ...{ find: '', where: '', ticked: new Set<string>(), row: 0 },
  }
  expect(writeTable({ tab: 'result', where: 'x > 1' }, usual, usual)).toEqual({ tab: 'result' })
  const states = [
    { ...usual, show: 'out', sorting: null, find: 'São', where: "name = 'a b'", ticked: new Set(['4', '5']), row: 90 },
    { ...usual, sorting: { key: 'own income down', down: true } },
  ]
  for (const state of states) {
    const query = writeTable({ tab: 'result' }, state, usual)
    expect(query['tab']).toBe('result')
    expect(readTable(query as never, usual)).toEqual(state)
  }
})

test('Back from the drawing finds condition, order, search and ticks as they were', async () => {
  const here = await openRun('/run/20261121-a')
  const { page } = here
  await page.find('.members .where').setValue('population > 1000')
  await page.find('.members input[type=search]').setValue('v')
  await page.findAll('.members .sort').at(-1)!.trigger('click')
  const asWanted = { where: 'population > 1000', text: 'v', sort: 'attribute', attribute: 'population', down: true }
  await vi.waitFor(() => expect(tables(here).at(-1)).toMatchObject(asWanted))
  await flushPromises()
  const ticked = () => page.find('.members .count').text()
  await page.find('.members [role=columnheader] input[type=checkbox]').setValue(true)
  await flushPromises()
  expect(ticked()).toBe('231 selected')
  await buttonOf(here, 'Rows')?.trigger('click')
  await flushPromises()
  const items = [...document.querySelectorAll<HTMLElement>('[role=menuitem]')]
  items.find(({ textContent }) => textContent?.includes('Draw the chosen rows'))?.click()
  await vi.waitFor(() => expect(page.find('h1').text()).toBe('Explore'))
  const asked = tables(here).length
  history.back()
  await vi.waitFor(() => expect(page.find('.members .where').exists()).toBe(true))
  await vi.waitFor(() => expect(tables(here).length).toBeGreaterThan(asked))
  expect(tables(here)[asked]).toMatchObject(asWanted)
  expect(page.find<HTMLInputElement>('.members .where').element.value).toBe('population > 1000')
  await vi.waitFor(() => expect(ticked()).toBe('231 selected'))
})

test('a condition that is refused leaves nothing of the table before: no count, nothing to copy or save', async () => {
  const here = await openRun('/run/20261121-a?where=population%20%3E%201000&ticked=0-4')
  const { page } = here
  await vi.waitFor(() => expect(page.find('.members .count').text()).toBe('5 selected'))
  const bridge = window.anticlique!
  const failure = { code: 'input', what: 'the vertices have no attribute "pop"', remedy: '' }
  const call: Bridge['call'] = (name, args) =>
    name === 'explore.result' ? Promise.resolve({ ok: false, failure }) : bridge.call(name, args)
  vi.stubGlobal('anticlique', { ...bridge, call })
  await page.find('.members .where').setValue('pop > 5')
  await vi.waitFor(() => expect(page.find('.members [role=alert]').text()).toContain('no attribute "pop"'))
  await flushPromises()
  expect(page.find('.members .count').text()).toBe('')
  expect(buttonOf(here, 'Copy labels')?.attributes('disabled')).toBeDefined()
  await buttonOf(here, 'Rows')?.trigger('click')
  await flushPromises()
  const offered = [...document.querySelectorAll<HTMLElement>('[role=menuitem]')].filter(
    (item) => item.getAttribute('aria-disabled') !== 'true' && !item.hasAttribute('data-disabled'),
  )
  expect(offered.map(({ textContent }) => textContent)).toEqual([])
  expect(page.find('.members .where').exists()).toBe(true)
})
