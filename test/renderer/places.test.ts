import { flushPromises } from '@vue/test-utils'
import { afterEach, expect, test, vi } from 'vitest'
import type { Dataset } from '../../electron/contract/dataset.ts'
import { defaultSettings } from '../../electron/contract/settings.ts'
import { openPage } from './open-page.ts'
import type { Opened } from './open-page.ts'
import { answers, dataset, devices, run } from './sample-library.ts'

const degrees = {
  vertices: 135_233,
  degrees: [
    { degree: 0, vertices: 33_603 },
    { degree: 1, vertices: 101_600 },
    { degree: 2, vertices: 30 },
  ],
}

let opened: Opened | null = null
afterEach(() => {
  opened?.page.unmount()
  vi.unstubAllGlobals()
  localStorage.clear()
})

async function open(path: string, heading: string, more: Readonly<Record<string, unknown>> = {}): Promise<Opened> {
  const datasets: readonly Dataset[] = [dataset(1, 'cities'), dataset(2, 'roads')]
  opened = await openPage({ datasets, runs: [run('20261121-a', 'done'), run('20261121-b', 'failed')] }, path, more)
  await vi.waitFor(() => expect(opened?.page.find('h1').text()).toBe(heading))
  await flushPromises()
  return opened
}

const forDataset = {
  'datasets.degrees': degrees,
  'explore.facts': {
    facts: {
      components: { count: 40_211, single: 33_603, largest: [9_876, 512] },
      clustering: { sampled: 1000, mean: 0.6184 },
      weights: null,
      top: [{ id: 3, label: '2950159', name: 'Berlin', degree: 79 }],
    },
  },
}
const button = ({ page }: Opened, text: string) => page.findAll('button').find((one) => one.text() === text)

test('a dataset tells its facts, degrees, runs and where it came from, and asks for nothing else', async () => {
  const { page, asked } = await open('/dataset/cities', 'cities', forDataset)
  await vi.waitFor(() => expect(page.text()).toContain('Cumulative degrees'))
  const said = ['135,233', '1.20 M', '52,900', 'failed', 'sample cities', '40,211', '9,876 (7.3 %)', '0.618', 'Berlin']
  for (const one of said) expect(page.text()).toContain(one)
  expect(page.text()).not.toMatch(/\bviews?\b/i)
  expect(asked.map(({ name }) => name)).not.toContain('datasets.views')
})

test('one degree alone is told, and is no chart', async () => {
  const alone = { vertices: 6, degrees: [{ degree: 3, vertices: 6 }] }
  const { page } = await open('/dataset/cities', 'cities', { ...forDataset, 'datasets.degrees': alone })
  await vi.waitFor(() => expect(page.text()).toContain('Every vertex that has neighbours has degree 3.'))
  expect(page.find('figure').exists()).toBe(false)
})

test('a dataset that is renamed takes its page along', async () => {
  const here = await open('/dataset/cities', 'cities', forDataset)
  await here.tell({ type: 'dataset-changed', dataset: dataset(1, 'towns') })
  await vi.waitFor(() => expect(here.page.find('h1').text()).toBe('towns'))
})

test('a link to a dataset that is gone says so', async () => {
  const { page } = await open('/dataset/nothing', 'Dataset')
  expect(page.text()).toContain('There is no such dataset')
})

test('devices tell what they are, and why there is no GPU', async () => {
  const { page } = await open('/devices', 'Devices')
  for (const said of ['cpu:0', 'two cores', 'typed arrays', 'No Vulkan driver was found', 'Nothing is measured yet'])
    expect(page.text()).toContain(said)
  expect(page.find('details').attributes('open')).toBeDefined()
})

test('a benchmark fills its table; a device that could not be measured says why', async () => {
  const rate = { median: 7.3e9, min: 6.9e9, max: 7.5e9 }
  const measured = { id: 'cpu:0', bytes: 1, repeats: 3, toDevice: rate, fromDevice: null, kernel: rate, problem: null }
  const broken = { ...measured, id: 'gpu:0', problem: 'the device was lost' }
  const here = await open('/devices', 'Devices', {
    'devices.benchmark': { ...devices, benchmarks: [measured, broken] },
  })
  await button(here, 'Benchmark')?.trigger('click')
  await flushPromises()
  expect(here.page.find('.benchmark').text()).toContain('6.8 GiB/s')
  expect(here.page.find('.benchmark').text()).toContain('the device was lost')
})

test('only the window offers notices of the system, which a browser does not give', async () => {
  const { page } = await open('/settings', 'Settings')
  expect(page.text()).not.toContain('Notify when finished')
  page.unmount()
  const status = answers({ datasets: [] })['library.status'] as object
  const inWindow = await open('/settings', 'Settings', { 'library.status': { ...status, host: 'window' } })
  await vi.waitFor(() => expect(inWindow.page.text()).toContain('Notify when finished'))
})

test('settings are kept at once', async () => {
  const settings = { ...defaultSettings, theme: 'dark' }
  const { page, asked } = await open('/settings', 'Settings', { 'settings.set': { settings } })
  expect(page.text()).toContain('/home/ada/Anticlique')
  await page.find('select').setValue('dark')
  await flushPromises()
  expect(asked.at(-1)).toEqual({ name: 'settings.set', args: { settings: { theme: 'dark' } } })
  expect(document.documentElement.dataset['theme']).toBe('dark')
})
