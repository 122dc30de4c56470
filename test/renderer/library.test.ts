import { enableAutoUnmount, flushPromises } from '@vue/test-utils'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { dataset } from './sample-library.ts'
import { type Opened, openPage } from './open-page.ts'

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

test('no graph is generated of a number that is none', async () => {
  const { asked } = await openPage({ datasets: three }, '/library?do=generate', more)
  const [field] = [...document.querySelectorAll<HTMLInputElement>('.dialog input.number')]
  const button = [...document.querySelectorAll<HTMLButtonElement>('.dialog footer button')].at(-1)!
  expect(button.disabled).toBe(false)
  for (const [text, disabled] of [
    ['many', true],
    ['99', true],
    ['10', false],
  ] as const) {
    field!.value = text
    field!.dispatchEvent(new Event('input'))
    await flushPromises()
    expect(button.disabled, text).toBe(disabled)
  }
  button.click()
  await vi.waitFor(() => expect(asked.at(-1)).toMatchObject({ name: 'datasets.generate', args: { scale: 10 } }))
})

test('a complement says how large it gets before it is made, and a large one is refused', async () => {
  const small = { ...dataset(1, 'friends'), vertices: 1000, arcs: 9000 }
  const { page, asked } = await openPage({ datasets: [small, dataset(2, 'cities')] }, '/dataset/friends', {
    ...more,
    'datasets.complement': { dataset: small },
  })
  const dialogOf = async (): Promise<HTMLElement> => {
    await vi.waitFor(() => expect(document.querySelector('[role=dialog]')).not.toBeNull())
    await flushPromises()
    return document.querySelector<HTMLElement>('[role=dialog]')!
  }
  const ask = async (): Promise<void> => {
    await vi.waitFor(() => expect(page.find('button[aria-label=More]').exists()).toBe(true))
    await page.find('button[aria-label=More]').trigger('click')
    await flushPromises()
    const items = [...document.querySelectorAll<HTMLElement>('[role=menuitem]')]
    items.find(({ textContent }) => textContent.includes('complement'))!.click()
  }
  await ask()
  const dialog = await dialogOf()
  // 1000 * 999 - 9000 arcs.
  expect(dialog.textContent).toContain('It will have 1,000 vertices and 495,000 edges, 3.78 MiB on the disk.')
  dialog.querySelector('form')!.requestSubmit()
  const made = { name: 'datasets.complement', args: { name: 'friends', as: 'friends-complement' } }
  await vi.waitFor(() => expect(asked).toContainEqual(made))
  await vi.waitFor(() => expect(document.querySelector('[role=dialog]')).toBeNull())
  await page.vm.$router.push('/dataset/cities')
  await flushPromises()
  await ask()
  const refused = await dialogOf()
  expect(refused.textContent).toContain('no more than 268,435,456 are made here')
  expect([...refused.querySelectorAll('button')].at(-1)!.disabled).toBe(true)
})

test('datasets are rows of numbers in one unit a column, exact on hover', async () => {
  const opened = await open([dataset(1, 'cities')])
  expect(opened.page.find('.row').text()).toMatch(/cities.*135,233.*1,200,000.*214.*10\.8 MiB/)
  expect(opened.page.find('.row [data-exact="1,200,000"]').exists()).toBe(true)
})

test('rows are sorted by a click on a heading, one way, the other way, and not at all', async () => {
  const opened = await open()
  expect(names(opened)).toEqual(['atlas', 'cities', 'roads'])
  const heading = opened.page.findAll('.header button').find((button) => button.text() === 'vertices')
  // The first click on a column of figures puts the largest first, as in the table of a result.
  await heading?.trigger('click')
  expect(names(opened).at(-1)).toBe('roads')
  expect(opened.page.find('[aria-sort=descending]').text()).toBe('vertices')
  await heading?.trigger('click')
  expect(names(opened)[0]).toBe('roads')
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
    'datasets.removeMany': { datasets: [three[0]], restorableUntil: '2100-01-01T00:00:00Z' },
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

test('a row that was clicked is marked', async () => {
  const { page } = await open()
  await page.findAll('.row')[1]!.trigger('click')
  expect(page.findAll('.row').map((row) => row.classes('at'))).toEqual([false, true, false])
  expect(page.findAll('.row').map((row) => row.attributes('aria-current'))).toEqual([undefined, 'true', undefined])
})

test('what was deleted comes back by Ctrl+Z, or from the list of what was deleted lately', async () => {
  const opened = await open(three, {
    'datasets.removeMany': { datasets: [three[1]], restorableUntil: '2100-01-01T00:00:00Z' },
    'datasets.restore': { dataset: three[1] },
  })
  const { page } = opened
  const restores = () => opened.asked.filter(({ name }) => name === 'datasets.restore').length
  await press(page, 'End')
  await press(page, 'Delete')
  await flushPromises()
  expect(page.text()).toContain('Recently deleted')
  window.dispatchEvent(new KeyboardEvent('keydown', { key: 'z', ctrlKey: true }))
  await flushPromises()
  expect(restores()).toBe(1)
  expect(names(opened)).toEqual(['atlas', 'cities', 'roads'])
  expect(page.text()).not.toContain('Recently deleted')
  // Its message has nothing left to take back.
  expect(page.find('.toast').exists()).toBe(false)
  window.dispatchEvent(new KeyboardEvent('keydown', { key: 'z', ctrlKey: true }))
  await flushPromises()
  expect(restores()).toBe(1)
})

test('a file that is dropped on any page opens the import with it', async () => {
  const { page } = await openPage({ datasets: three }, '/settings', more)
  Object.assign(window.anticlique!, { take: () => Promise.resolve('/uploads/roads.txt') })
  const event = new Event('drop', { bubbles: true, cancelable: true })
  Object.assign(event, { dataTransfer: { types: ['Files'], files: [new File(['1 2'], 'roads.txt')] } })
  page.find('main').element.dispatchEvent(event)
  await vi.waitFor(() =>
    expect(document.querySelector<HTMLInputElement>('.dialog input')?.value).toBe('/uploads/roads.txt'),
  )
})

test('several files that are dropped are asked for, and nothing is imported before', async () => {
  const { page, asked } = await openPage({ datasets: three }, '/runs', more)
  Object.assign(window.anticlique!, { take: (file: File) => Promise.resolve(`/uploads/${file.name}`) })
  const event = new Event('drop', { bubbles: true, cancelable: true })
  const files = ['a.txt', 'b.txt', 'c.txt'].map((name) => new File(['1 2'], name))
  Object.assign(event, { dataTransfer: { types: ['Files'], files } })
  page.find('nav').element.dispatchEvent(event)
  await vi.waitFor(() => expect(document.querySelector('.dialog')?.textContent).toContain('3 files'))
  expect(event.defaultPrevented).toBe(true)
  expect(asked.some(({ name }) => name === 'datasets.import')).toBe(false)
})

test('a page that is opened shows what the library holds by then', async () => {
  const { page, asked } = await open()
  const before = asked.filter(({ name }) => name === 'datasets.list').length
  await page.find('a[href$="/runs"]').trigger('click')
  await vi.waitFor(() => expect(asked.filter(({ name }) => name === 'datasets.list').length).toBe(before + 1))
  expect(asked.filter(({ name }) => name === 'library.status').length).toBeGreaterThan(1)
})

test('ten thousand datasets are drawn a window at a time', async () => {
  const many = Array.from({ length: 10_000 }, (_, index) => dataset(index + 1, `graph-${index}`))
  const { page } = await open(many)
  const drawn = page.findAll('.row').length
  expect(drawn).toBeGreaterThan(10)
  expect(drawn).toBeLessThan(80)
  expect(page.find('[role=grid]').attributes('aria-rowcount')).toBe('10001')
})

test('what was deleted before this window is there to be brought back, with its size and until when', async () => {
  const gone = { ...{ id: 9, name: 'old', vertices: 5, bytes: 5_400_000_000, runs: [] }, until: '2100-12-29T12:00:00Z' }
  const opened = await open(three, {
    'datasets.removed': { removed: [gone] },
    'datasets.restore': { dataset: dataset(9, 'old') },
    'datasets.discard': { removed: [] },
  })
  const { page, asked, tell } = opened
  const menu = () => page.findAll('button').find((one) => one.text() === 'Recently deleted')
  const items = async (): Promise<HTMLElement[]> => {
    await menu()!.trigger('click')
    await flushPromises()
    return [...document.querySelectorAll<HTMLElement>('[role=menuitem]')]
  }
  const [restore, discard] = await items()
  expect(restore!.textContent.trim()).toBe('Restore old, 5.03 GiB, until Dec 29')
  expect(discard!.textContent.trim()).toBe('Delete all of these for good, 5.03 GiB')
  restore!.click()
  await flushPromises()
  expect(asked.at(-1)).toEqual({ name: 'datasets.restore', args: { id: 9 } })
  expect(names(opened)).toContain('old')
  expect(menu()).toBeUndefined()
  // Another window deleted something.
  await tell({ type: 'removed-changed', removed: [{ ...gone, name: 'older' }] })
  expect((await items())[0]!.textContent.trim()).toContain('Restore older')
})
