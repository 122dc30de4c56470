import { enableAutoUnmount, flushPromises } from '@vue/test-utils'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { dataset } from './sample-library.ts'
import { openPage } from './open-page.ts'
import type { Opened } from './open-page.ts'

enableAutoUnmount(afterEach)
beforeEach(() => {
  // happy-dom lays nothing out: the table is told that it is 600 px high.
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(600)
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(1000)
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  localStorage.clear()
  window.location.hash = ''
})

const more = { 'datasets.remainders': { remainders: [] } }
const three = [dataset(1, 'cities'), { ...dataset(2, 'roads'), vertices: 7, tags: ['paper'] }, dataset(3, 'atlas')]
const open = (datasets = three, answers: object = {}): Promise<Opened> =>
  openPage({ datasets }, '/library', { ...more, ...answers })
const names = ({ page }: Opened): readonly string[] => page.findAll('.row .name').map((cell) => cell.text())
const press = (page: Opened['page'], key: string, init: KeyboardEventInit = {}): Promise<void> =>
  page.find('[role=grid]').trigger('keydown', { key, ...init })

test('an empty library offers the sample, and one click asks for it', async () => {
  const { page, asked } = await open([])
  expect(page.text()).toContain('The library is empty')
  await page.find('.empty button').trigger('click')
  expect(asked.at(-1)).toEqual({ name: 'datasets.sample', args: { sample: 'cities', radiusKm: 10 } })
})

test('datasets are rows of rounded numbers, exact on hover', async () => {
  const opened = await open([dataset(1, 'cities')])
  expect(opened.page.find('.row').text()).toMatch(/cities.*135,233.*1\.20 M.*214.*11\.3 MB/)
  expect(opened.page.find('.row [data-exact="1,200,000"]').exists()).toBe(true)
})

test('rows are sorted by a click on a heading, one way, the other way, and not at all', async () => {
  const opened = await open()
  expect(names(opened)).toEqual(['atlas', 'cities', 'roads'])
  const heading = opened.page.findAll('.header button').find((button) => button.text() === 'vertices')
  await heading?.trigger('click')
  expect(names(opened)[0]).toBe('roads')
  expect(opened.page.find('[aria-sort=ascending]').text()).toBe('vertices')
  await heading?.trigger('click')
  expect(names(opened).at(-1)).toBe('roads')
})

test('the search finds names and tags', async () => {
  const opened = await open()
  const field = opened.page.find('input[type=search]')
  await field.setValue('ROA')
  expect(names(opened)).toEqual(['roads'])
  await field.setValue('paper')
  expect(names(opened)).toEqual(['roads'])
  await field.setValue('nowhere')
  expect(opened.page.find('[role=grid]').text()).toContain('No row matches')
})

test('the keyboard moves, selects and opens', async () => {
  const opened = await open()
  const { page } = opened
  await press(page, 'Home')
  await press(page, ' ')
  await press(page, 'ArrowDown', { shiftKey: true })
  expect(page.findAll('.row[aria-selected=true]')).toHaveLength(2)
  expect(page.text()).toContain('2 selected')
  await press(page, 'a', { ctrlKey: true })
  expect(page.findAll('.row[aria-selected=true]')).toHaveLength(3)
  await press(page, 'Escape')
  await press(page, 'F2')
  expect(document.querySelector('[role=dialog]')?.textContent).toContain('Rename cities')
})

test('a delete can be taken back', async () => {
  const opened = await open(three, {
    'datasets.removeMany': { datasets: [three[0]], restorableUntil: '2026-11-22T00:00:00Z' },
    'datasets.restore': { dataset: three[0] },
  })
  const { page, asked } = opened
  await press(page, 'Home')
  await press(page, 'ArrowDown')
  await press(page, 'Delete')
  await flushPromises()
  expect(asked.at(-1)).toEqual({ name: 'datasets.removeMany', args: { names: ['cities'] } })
  expect(names(opened)).toEqual(['atlas', 'roads'])
  const undo = page.findAll('.toast button').find((button) => button.text() === 'Undo')
  await undo?.trigger('click')
  await flushPromises()
  expect(asked.at(-1)).toEqual({ name: 'datasets.restore', args: { id: 1 } })
  expect(names(opened)).toEqual(['atlas', 'cities', 'roads'])
})

test('ten thousand datasets are drawn a window at a time', async () => {
  const many = Array.from({ length: 10_000 }, (_, index) => dataset(index + 1, `graph-${index}`))
  const { page } = await open(many)
  const drawn = page.findAll('.row').length
  expect(drawn).toBeGreaterThan(10)
  expect(drawn).toBeLessThan(80)
  expect(page.find('[role=grid]').attributes('aria-rowcount')).toBe('10001')
})
