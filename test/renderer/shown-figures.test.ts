import { flushPromises, mount } from '@vue/test-utils'
import type { VueWrapper } from '@vue/test-utils'
import { createPinia } from 'pinia'
import { afterEach, expect, test, vi } from 'vitest'
import { tableOf } from '../../renderer/src/base/column.ts'
import { compareColumns } from '../../renderer/src/compare/compare-table.ts'
import { arcsPerSecond, isFinished } from '../../renderer/src/compare/run-groups.ts'
import { reportFacts } from '../../renderer/src/dataset/dataset-facts.ts'
import BenchmarkTable from '../../renderer/src/devices/BenchmarkTable.vue'
import MemoryBar from '../../renderer/src/devices/MemoryBar.vue'
import RunPlanList from '../../renderer/src/new-run/RunPlanList.vue'
import { useDevices } from '../../renderer/src/stores/devices.ts'
import { openPage } from './open-page.ts'
import type { Opened } from './open-page.ts'
import { tellProgress } from './run-page.ts'
import { dataset, devices, run } from './sample-library.ts'

// A figure is right where it stands beside its name: no two of those below are alike.

let opened: Opened | null = null
afterEach(() => {
  opened?.page.unmount()
  vi.unstubAllGlobals()
  localStorage.clear()
})

/** What stands beside each name in the lists of names and figures. */
const pairs = (page: Pick<VueWrapper, 'findAll'>): Record<string, string> =>
  Object.fromEntries(page.findAll('dl > div').map((pair) => [pair.find('dt').text(), pair.find('dd').text()]))

const done = run('20261121-a', 'done')
if (!isFinished(done)) throw new Error('a done run has a record')
const outcome = {
  ...done.record.outcome,
  rounds: 17,
  passes: 3,
  time: { prepareMs: 1100, computeMs: 2000, kernelMs: 1300, exchangeMs: 140, readMs: 1500, totalMs: 4600 },
  bytes: { read: 1e6, toDevice: 2e6, fromDevice: 3e6, exchanged: 4e6 },
}
const finished = { ...done, record: { ...done.record, outcome } }

async function openRun(one: typeof done | ReturnType<typeof run>, more: Readonly<Record<string, unknown>> = {}) {
  opened = await openPage({ datasets: [dataset(1, 'cities')], runs: [one] }, `/run/${one.id}?tab=timings`, {
    'runs.progress': { samples: [] },
    'runs.trace': { lanes: [] },
    ...more,
  })
  await vi.waitFor(() => expect(opened?.page.find('.run').exists()).toBe(true))
  await flushPromises()
  return opened
}

test('each time, speed, round and byte of a run stands beside its own name', async () => {
  const { page } = await openRun(finished)
  expect(pairs(page.find('.figures'))).toMatchObject({
    // The record says one second between start and end, by a clock that was set back meanwhile: the parts add up.
    'in all': '4.6 s',
    'first result': '4.6 s',
    'of it preparing': '1.1 s',
    'of it computing': '2.0 s',
    verification: '12 ms',
    'of it opening and writing': '1.5 s',
    'kernels, meanwhile': '1.3 s',
    'exchange, meanwhile': '140 ms',
    'reading and copying, meanwhile': '1.5 s',
    // 2,400,000 arcs in two seconds.
    'arcs per second of the first result': '1.20 M',
    rounds: '17',
    'passes to compute': '3',
    'read from disk': '977 KiB',
    'copied to devices': '1.91 MiB',
    'copied from devices': '2.86 MiB',
    exchanged: '3.81 MiB',
  })
})

test('each column of a comparison holds the figure of its head', () => {
  const { columns, rows } = tableOf(
    [finished],
    compareColumns([finished], () => 'series'),
  )
  expect(Object.fromEntries(columns.map((column, at) => [column, rows[0]![at]]))).toEqual({
    run: '20261121-a',
    dataset: 'cities',
    series: 'series',
    seed: 0,
    devices: 'cpu:0',
    size: 52_900,
    share: 52_900 / 135_233,
    weight: null,
    'of best ≥': 52_900 / 56_120,
    rounds: 17,
    'in all (ms)': 4612,
    'result (ms)': 4600,
    'search (ms)': 0,
    'verify (ms)': 12,
    'of it computing (ms)': 2000,
    'of it in kernels (ms)': 1300,
    'of it preparing (ms)': 1100,
    'arcs/s': 1_200_000,
    'read (bytes)': 1e6,
    'exchanged (bytes)': 4e6,
    fingerprint: '00000000000000ff',
  })
  expect(arcsPerSecond(finished)).toBe(1_200_000)
})

test('of a running run a quarter is told as a quarter', async () => {
  const one = { ...run('20261121-b', 'running'), record: null }
  const here = await openRun(one)
  const progress = { phase: 'sweep', done: 33_808, total: 135_233, unit: 'vertices', decided: 33_808 } as const
  await tellProgress(here, one, progress)
  expect(here.page.find('.live dl .note').text()).toContain('25.0 %')
})

test('a command of the palette does what it says: Cancel cancels', async () => {
  const one = { ...run('20261121-c', 'running'), record: null }
  const { page, asked } = await openRun(one, { 'runs.cancel': { run: one }, 'runs.resume': { run: one } })
  window.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true, bubbles: true, cancelable: true }))
  await vi.waitFor(() => expect(document.querySelector('.palette input')).not.toBeNull())
  const offered = [...document.querySelectorAll<HTMLElement>('[role=option]')]
  offered.find(({ textContent }) => /^\s*Cancel\b/.test(textContent ?? ''))?.click()
  await flushPromises()
  expect(asked.filter(({ name }) => /^runs\.(?:cancel|resume)$/.test(name)).map(({ name }) => name)).toEqual([
    'runs.cancel',
  ])
  expect(page.exists()).toBe(true)
})

const known = { ...devices.devices[0], memoryBytes: 10e9, memoryFreeBytes: 2e9 }

test('what is used of the memory is what is not free: in the status bar and beside a device', async () => {
  opened = await openPage({}, '/library', { devices: { devices: [known], noGpu: null } })
  await vi.waitFor(() => expect(opened!.page.find('footer').text()).toContain('7.45 GiB of 9.31 GiB'))
  const pinia = createPinia()
  const store = useDevices(pinia)
  store.found = { devices: [known], noGpu: null } as never
  const bar = mount(MemoryBar, { props: { device: 'cpu:0' }, global: { plugins: [pinia] } })
  expect(bar.text()).toBe('7.45 GiB of 9.31 GiB')
  expect(bar.find('[role=meter]').attributes('aria-valuenow')).toBe('80')
})

test('a plan tells memory of the device, of the machine, and the disk, each beside its name', () => {
  const plan = {
    ...{ vertices: 1, arcs: 2, exact: true, basis: 'the dataset', device: 'gpu:0', deviceAdvice: '' },
    lanes: [{ device: 'gpu:0', shareBytes: 5e6, holds: 'share', deviceBytes: 2000, availableBytes: 1e9 }],
    ...{ batches: 1, steps: [], passes: 1, refusal: null },
    needed: { deviceBytes: 1e6, hostBytes: 2e6, scratchBytes: 0, diskBytes: 0, peakDiskBytes: 3e6 },
    available: { deviceBytes: 4e6, hostBytes: 5e6, diskBytes: 6e6 },
  }
  const one = { dataset: 'cities', device: 'gpu:0', plan, failure: null, auto: false }
  const props = { plans: [one], busy: false } as never
  const list = mount(RunPlanList, { props, global: { plugins: [createPinia()] } })
  const told = Object.fromEntries(
    Object.entries(pairs(list)).map(([name, figure]) => [name, figure.replaceAll(/\s+/g, ' ')]),
  )
  expect(told).toEqual({
    'device memory': '977 KiB of 3.81 MiB',
    memory: '1.91 MiB of 4.77 MiB',
    disk: '2.86 MiB of 5.72 MiB',
  })
})

test('each column of a benchmark holds the rate of its head', () => {
  const spread = (median: number) => ({ median, min: median, max: median })
  const rates = { toDevice: spread(1e9), fromDevice: spread(2e9), kernel: spread(3e9) }
  const row = { id: 'gpu:0', bytes: 1, repeats: 1, ...rates, problem: null }
  const measured = { ...devices, benchmarks: [row], disk: null } as never
  const table = mount(BenchmarkTable, { props: { measured } })
  const heads = table.findAll('thead th').map((head) => head.text())
  const cells = table.findAll('tbody th, tbody td').map((cell) => cell.text())
  expect(Object.fromEntries(heads.map((head, at) => [head, cells[at]]))).toEqual({
    device: 'gpu:0',
    'to the device': '954 MiB/s',
    'from the device': '1.86 GiB/s',
    'its own memory': '2.79 GiB/s',
  })
})

test('an import report counts each thing under its own name', () => {
  const one = dataset(1, 'cities')
  const counts = { lines: 11, entries: 10, loopsRemoved: 2, duplicatesMerged: 3, reverseArcsAdded: 4, arcs: 9 }
  const facts = Object.fromEntries(
    reportFacts({ ...one, report: { ...one.report, ...counts } }).map(({ name, text }) => [name, text]),
  )
  expect(facts).toMatchObject({
    'loops removed': '2',
    'duplicates merged': '3',
    'reverse arcs added': '4',
  })
})
