import { enableAutoUnmount, flushPromises, mount } from '@vue/test-utils'
import type { VueWrapper } from '@vue/test-utils'
import { createPinia } from 'pinia'
import { nextTick } from 'vue'
import { afterEach, expect, test, vi } from 'vitest'
import App from '../../renderer/src/App.vue'
import type { Dataset } from '../../electron/contract/dataset.ts'
import type { ServiceEvent } from '../../electron/contract/events.ts'
import type { Run } from '../../electron/contract/run.ts'
import { dataset, devices, run } from './sample-library.ts'

enableAutoUnmount(afterEach)
afterEach(() => vi.unstubAllGlobals())

interface Opened {
  readonly page: VueWrapper
  tell(event: ServiceEvent): Promise<void>
  readonly listeners: ReadonlySet<unknown>
}

async function openPage(datasets: readonly Dataset[], runs: readonly Run[] = []): Promise<Opened> {
  const results: Readonly<Record<string, unknown>> = { 'datasets.list': { datasets }, 'runs.list': { runs }, devices }
  const listeners = new Set<(event: unknown) => void>()
  vi.stubGlobal('anticlique', {
    call: (name: string) => Promise.resolve({ ok: true, result: results[name] }),
    on: (listener: (event: unknown) => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  })
  const page = mount(App, { global: { plugins: [createPinia()] } })
  await flushPromises()
  const tell = async (event: ServiceEvent): Promise<void> => {
    for (const listener of listeners) listener(event)
    await nextTick()
  }
  return { page, tell, listeners }
}

test('without the program around it, the page says what it is', () => {
  const page = mount(App, { global: { plugins: [createPinia()] } })
  expect(page.text()).toContain('This page is a part of the Anticlique window')
  expect(page.find('footer').exists()).toBe(false)
})

test('an empty library says what to do next', async () => {
  const { page } = await openPage([])
  expect(page.text()).toContain('The library is empty')
  expect(page.text()).toContain('npx anticlique sample cities --radius-km 10')
})

test('datasets and runs are rows, with the bound that was proved', async () => {
  const { page } = await openPage([dataset(1, 'cities')], [run('0123456789ab', 'done')])
  const [datasets, runs] = page.findAll('tbody tr').map((row) => row.text())
  expect(datasets).toMatch(/cities.*135,233.*1\.20 M.*214.*11\.3 MB.*weighted.*degree 39\.1 %/)
  expect(runs).toMatch(/01234567.*done.*ecl-mis.*cpu:0.*52,900.*39\.1 %.*verified, ≥ 94\.2 % of the best.*230 ms/)
  expect(page.find('footer').text()).toMatch(/cpu:0.*no GPU: the CPU works.*idle/)
})

test('events keep the rows up to date', async () => {
  const { page, tell } = await openPage([dataset(1, 'cities')], [run('a', 'running')])
  const progress = { phase: 'sweep', done: 62, total: 100, unit: 'vertices' } as const
  await tell({ type: 'progress', subject: 'run', of: 'a', progress })
  expect(page.text()).toContain('running 62 %')
  expect(page.find('footer').text()).toContain('1 running')

  await tell({ type: 'run-changed', run: run('a', 'done') })
  await tell({ type: 'dataset-changed', dataset: dataset(2, 'roads') })
  expect(page.findAll('tbody tr').map((row) => row.find('td').text())).toEqual(['cities', 'roads', 'a'])
  expect(page.find('footer').text()).toContain('idle')

  await tell({ type: 'run-removed', run: 'a' })
  await tell({ type: 'dataset-removed', name: 'roads' })
  expect(page.findAll('tbody tr')).toHaveLength(1)
})

test('the lists are read again when the person comes back from a terminal', async () => {
  const datasets = [dataset(1, 'cities')]
  const { page } = await openPage(datasets)
  datasets.push(dataset(2, 'roads'))
  window.dispatchEvent(new Event('focus'))
  await flushPromises()
  expect(page.findAll('tbody tr')).toHaveLength(2)
})

test('a failed run says why on hover, in words and not by colour alone', async () => {
  const { page } = await openPage([dataset(1, 'cities')], [run('a', 'failed')])
  const state = page.find('.tone-bad')
  expect(state.text()).toContain('failed')
  expect(state.attributes('title')).toBe('the device was lost. Start it again.')
})

test('an event that does not fit the contract changes nothing', async () => {
  const { page, listeners } = await openPage([dataset(1, 'cities')])
  for (const listener of listeners as ReadonlySet<(event: unknown) => void>) listener({ type: 'dataset-removed' })
  await nextTick()
  expect(page.findAll('tbody tr')).toHaveLength(1)
})

test('a library that does not open is told with its remedy', async () => {
  const failure = { code: 'storage', where: 'library.db', what: 'the disk is full', remedy: 'Free some space.' }
  vi.stubGlobal('anticlique', { call: () => Promise.resolve({ ok: false, failure }), on: () => () => {} })
  const page = mount(App, { global: { plugins: [createPinia()] } })
  await flushPromises()
  expect(page.find('[role=alert]').text()).toContain('library.db: the disk is full. Free some space.')
})

test('the page stops listening when it goes', async () => {
  const { page, listeners } = await openPage([])
  expect(listeners.size).toBe(1)
  page.unmount()
  await flushPromises()
  expect(listeners.size).toBe(0)
})
