import { enableAutoUnmount, flushPromises } from '@vue/test-utils'
import { nextTick } from 'vue'
import { afterEach, expect, test, vi } from 'vitest'
import { places } from '../../renderer/src/places.ts'
import { dataset, run, work } from './sample-library.ts'
import { mountPage, openPage } from './open-page.ts'

enableAutoUnmount(afterEach)
afterEach(() => {
  vi.unstubAllGlobals()
  window.location.hash = ''
})

test('without the program around it, the page says what it is', async () => {
  const page = await mountPage()
  expect(page.text()).toContain('This page is a part of the Anticlique window')
  expect(page.find('footer').exists()).toBe(false)
})

test('every place of the rail has a link, and the page that is open is marked', async () => {
  const { page } = await openPage({})
  const links = page.findAll('nav a').map((link) => link.attributes('href'))
  expect(links).toEqual([...places.map(({ path }) => `#${path}`), 'help/index.html'])
  expect(page.find('nav [aria-current=page]').text()).toBe('Library')
})

test('the status bar tells devices, running work and space', async () => {
  const { page, tell } = await openPage({ datasets: [dataset(1, 'cities')], runs: [run('a', 'running')] })
  const bar = page.find('footer')
  expect(bar.text()).toMatch(/cpu:0.*no GPU: the CPU works.*1 running.*datasets 10\.8 MiB.*78\.2 GiB free/)
  await tell({ type: 'run-changed', run: run('a', 'done') })
  expect(bar.text()).toContain('idle')
})

test('long work is a card with its progress, until it ends', async () => {
  const { page, tell } = await openPage({})
  const stage = { number: 3, count: 5 }
  const progress = { phase: 'partition', done: 30, total: 120, unit: 'lines', stage } as const
  await tell({ type: 'work-changed', work: work('w', 'running', progress) })
  const card = page.find('[aria-label="import roads.mtx"]')
  expect(card.text()).toMatch(/roads\.mtx.*stage 3 of 5: dividing the edges.*25 %/)
  expect(card.find('[role=progressbar]').attributes('aria-valuenow')).toBe('25')
  await tell({ type: 'work-changed', work: work('w', 'done', null) })
  expect(page.find('[aria-label="import roads.mtx"]').exists()).toBe(false)
  expect(page.text()).toContain('import roads.mtx: done')
})

test('a program that is gone for a while is told of, until it is back', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const { page, reach } = await openPage({})
    const told = () =>
      page
        .findAll('[role=alert]')
        .map((one) => one.text())
        .join(' ')
    await reach('lost')
    expect(told()).toBe('')
    await reach('there')
    await vi.advanceTimersByTimeAsync(5000)
    expect(told()).toBe('')
    await reach('lost')
    await vi.advanceTimersByTimeAsync(1500)
    expect(told()).toContain('The program cannot be reached')
    await reach('refused')
    expect(told()).toContain('This session has expired')
    await reach('there')
    expect(told()).toBe('')
  } finally {
    vi.useRealTimers()
  }
})

test('work that failed stays, with what to do', async () => {
  const { page, tell } = await openPage({})
  await tell({ type: 'work-changed', work: work('w', 'failed', null) })
  expect(page.find('[aria-label="import roads.mtx"]').text()).toMatch(/failed.*roads\.mtx:7.*no number.*Mend the line/)
})

test('the lists are read again when the person comes back from a terminal', async () => {
  const datasets = [dataset(1, 'cities')]
  const { page } = await openPage({ datasets })
  datasets.push(dataset(2, 'roads'))
  window.dispatchEvent(new Event('focus'))
  await flushPromises()
  expect(page.find('footer').text()).toContain('datasets 21.6 MiB')
})

test('an event that does not fit the contract changes nothing', async () => {
  const { page, listeners } = await openPage({ runs: [run('a', 'running')] })
  for (const listener of listeners) listener({ type: 'run-removed' })
  await nextTick()
  expect(page.find('footer').text()).toContain('1 running')
})

test('a library that does not open is told with its remedy', async () => {
  const failure = { code: 'storage', where: 'library.db', what: 'the disk is full', remedy: 'Free some space.' }
  vi.stubGlobal('anticlique', { call: () => Promise.resolve({ ok: false, failure }), on: () => () => {} })
  const page = await mountPage()
  expect(page.find('[role=alert]').text()).toMatch(/the disk is full.*library\.db.*Free some space\./)
})

test('keys lead to pages, the palette and the list of shortcuts', async () => {
  const { page } = await openPage({ datasets: [dataset(1, 'cities')] })
  const press = async (init: KeyboardEventInit): Promise<void> => {
    window.dispatchEvent(new KeyboardEvent('keydown', { bubbles: true, cancelable: true, ...init }))
    await flushPromises()
  }
  await press({ key: 'g' })
  await press({ key: 'd' })
  await vi.waitFor(() => expect(page.find('nav [aria-current=page]').text()).toBe('Devices'))
  await press({ key: 'k', ctrlKey: true })
  const field = document.querySelector<HTMLInputElement>('.palette input')
  expect(field).not.toBeNull()
  const offered = document.querySelector('[role=listbox]')?.textContent
  expect(offered).toContain('Open dataset cities')
  expect(offered).not.toContain('Command palette')
  await page.vm.$router.push('/runs')
  await vi.waitFor(() => expect(document.querySelector('.palette input')).toBeNull())
})

test('the page stops listening when it goes', async () => {
  const { page, listeners } = await openPage({})
  expect(listeners.size).toBe(1)
  page.unmount()
  await flushPromises()
  expect(listeners.size).toBe(0)
})
