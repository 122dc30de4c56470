import { flushPromises } from '@vue/test-utils'
import { afterEach, expect, test, vi } from 'vitest'
import type { Column } from '../../renderer/src/base/column.ts'
import type { Run } from '../../electron/contract/run.ts'
import type { RunResult } from '../../workers/contract/result.ts'
import { datasetColumns } from '../../renderer/src/library/dataset-columns.ts'
import { queuePlaces, runColumns } from '../../renderer/src/run/run-list.ts'
import { type Opened, openPage } from './open-page.ts'
import { dataset, run } from './sample-library.ts'

const queued = (id: string, priority: number, createdAt: string): Run => ({
  ...run(id, 'queued'),
  createdAt,
  queue: { priority, retries: 0, attempts: 0, devices: null },
})
const some = [
  { ...run('20261121-done', 'done'), createdAt: '2026-11-21T09:00:00.000Z' },
  { ...run('20261121-failed', 'failed', 'roads'), createdAt: '2026-11-21T09:01:00.000Z' },
  queued('20261121-late', 5, '2026-11-21T09:03:00.000Z'),
  queued('20261121-early', 5, '2026-11-21T09:02:00.000Z'),
  queued('20261121-urgent', 9, '2026-11-21T09:04:00.000Z'),
]

let opened: Opened | null = null
afterEach(() => {
  opened?.page.unmount()
  vi.unstubAllGlobals()
  localStorage.clear()
})

async function open(runs: readonly Run[], more: Readonly<Record<string, unknown>> = {}): Promise<Opened> {
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(600)
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(1000)
  opened = await openPage({ datasets: [dataset(1, 'cities')], runs }, '/runs', more)
  await vi.waitFor(() => expect(opened?.page.find('h1').text()).toBe('Runs'))
  await flushPromises()
  return opened
}

const shown = ({ page }: Opened): readonly string[] => page.findAll('.row').map((row) => row.text())
const button = ({ page }: Opened, text: string) => page.findAll('button').find((one) => one.text() === text)

test('without a run the page leads to a new one', async () => {
  const { page } = await open([])
  expect(page.text()).toContain('There is no run yet')
  expect(page.find('[role=grid]').exists()).toBe(false)
})

test('runs are told newest first, by state, size and place in the queue', async () => {
  const here = await open(some)
  const rows = shown(here)
  expect(rows).toHaveLength(5)
  expect(rows[0]).toContain('queued')
  expect(rows[0]).toContain('1 (priority 9)')
  expect(rows[4]).toContain('done')
  expect(rows[4]).toContain('52,900')
  expect(rows[4]).toContain('94.2 %')
})

test('several devices are told shortly, and one by one on hover', async () => {
  const on = (id: string, devices: readonly string[]): Run => {
    const one = run(id, 'done')
    return { ...one, queue: { ...one.queue, devices: [...devices] } }
  }
  const ids = (kind: string, count: number): readonly string[] =>
    Array.from({ length: count }, (_, at) => `${kind}:${at}`)
  const here = await open([
    on('20261121-a', ids('gpu', 4)),
    on('20261121-b', ids('cpu', 2)),
    on('20261121-c', ids('cpu', 12)),
    on('20261121-d', ['gpu:0', ...ids('cpu', 3)]),
    on('20261121-e', ['cpu:0']),
  ])
  const cells = here.page.findAll('.row').map((row) => row.findAll('[role=gridcell]')[5]!)
  expect(cells.map((cell) => cell.text())).toEqual(['4 GPUs', 'cpu:0, cpu:1', '12 on CPU', '4 devices', 'cpu:0'])
  expect(cells[0]?.attributes('title')).toBe('gpu:0, gpu:1, gpu:2, gpu:3')
  expect(cells[3]?.attributes('title')).toBe('gpu:0, cpu:0, cpu:1, cpu:2')
  await here.page.find('input[type=search]').setValue('gpu:3')
  expect(shown(here)).toHaveLength(1)
})

test('the filter keeps what failed, the search what is named', async () => {
  const here = await open(some)
  await here.page.find('select').setValue('ended')
  expect(shown(here)).toHaveLength(1)
  await here.page.find('select').setValue('')
  await here.page.find('input[type=search]').setValue('roads')
  expect(shown(here)).toHaveLength(1)
})

test('deleting asks first, because files vanish, and leaves runs that go on alone', async () => {
  const here = await open(some, { 'runs.remove': { run: some[0] } })
  await here.page.find('input[type=checkbox]').setValue(true)
  await button(here, 'Delete')?.trigger('click')
  await flushPromises()
  expect(document.querySelector('[role=dialog]')?.textContent).toContain('Delete 2 runs for good?')
  expect(here.asked.some(({ name }) => name === 'runs.remove')).toBe(false)
  const confirm = [...document.querySelectorAll('[role=dialog] button')].find((one) => one.textContent === 'Delete')
  confirm?.dispatchEvent(new MouseEvent('click', { bubbles: true }))
  await flushPromises()
  const removed = here.asked.filter(({ name }) => name === 'runs.remove').map(({ args }) => args)
  expect(removed).toEqual([{ run: '20261121-failed' }, { run: '20261121-done' }])
  expect(shown(here)).toHaveLength(3)
})

test('the queue takes the highest priority first, of equal ones the oldest', () => {
  expect([...queuePlaces(some)]).toEqual([
    ['20261121-urgent', 1],
    ['20261121-early', 2],
    ['20261121-late', 3],
  ])
})

test('a run is starred from its row, and only starred ones are shown', async () => {
  const one = some[0]!
  const here = await open(some, { 'runs.annotate': { run: { ...one, starred: true } } })
  await here.page.findAll('.star button').at(-1)!.trigger('click')
  await flushPromises()
  expect(here.asked.at(-1)).toEqual({ name: 'runs.annotate', args: { run: one.id, starred: true } })
  await here.page.find('select').setValue('starred')
  expect(shown(here)).toHaveLength(1)
  expect(here.page.find('.star button').attributes('aria-pressed')).toBe('true')
})

test('columns are chosen, and stay chosen', async () => {
  const here = await open(some)
  const titles = () => here.page.findAll('[role=columnheader] .sort').map((head) => head.text())
  expect(titles()).not.toContain('note')
  await here.page.find('[aria-label="Choose columns"]').trigger('click')
  await flushPromises()
  const items = [...document.querySelectorAll<HTMLElement>('[role=menuitemcheckbox]')]
  items.find(({ textContent }) => textContent?.trim() === 'note')?.click()
  await flushPromises()
  expect(titles()).toContain('note')
  expect(JSON.parse(localStorage.getItem('shown-columns:runs') ?? '{}')).toEqual({ note: 1 })
})

test('figures of a graph of 67 million vertices are not clipped', () => {
  const [digit, padding] = [8, 20]
  const results: readonly RunResult[] = [
    { kind: 'independent-set', size: 52_900, fraction: 0.39, hash: '' },
    { kind: 'matching', pairs: 52_900, weight: 52_900, hash: '' },
    { kind: 'values', size: 52_900, figures: {}, hash: '' },
  ]
  const all = results.map((result): Run => {
    const one = run(`20261121-${result.kind}`, 'done')
    const record = { ...one.record!, outcome: { ...one.record!.outcome, result } }
    return { ...one, queue: { ...one.queue, devices: [result.kind] }, record }
  })
  const sizesOf = (runs: readonly Run[]) =>
    runColumns(runs, () => new Map()).filter(({ key }) => ['members', 'pairs', 'result'].includes(key))
  expect(sizesOf(all).map(({ title, text }) => [title, ...all.map(text)])).toEqual([
    ['result', '52,900 in the set', '52,900 pairs', '52,900'],
  ])
  const ofRuns = all.slice(0, 2).flatMap((one) => sizesOf([one]))
  const columns = [...ofRuns, ...datasetColumns.filter(({ key }) => key === 'vertices' || key === 'edges')]
  expect(columns).toHaveLength(4)
  for (const { width } of columns) expect(width).toBeGreaterThanOrEqual(padding + digit * '67,108,864'.length)
  // Beside the pages, in a window of 1280.
  const [boxes, sides, room] = [36, 24, 1280 - 152]
  for (const table of [runColumns(all, () => new Map()), datasetColumns]) {
    const widths = (table as readonly Column<never>[]).map(({ optional, width }) => (optional === true ? 0 : width))
    expect(widths.reduce((sum, width) => sum + width, boxes + sides)).toBeLessThanOrEqual(room)
  }
})
