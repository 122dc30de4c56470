import { optionsOf } from '../../electron/contract/run.ts'
import { flushPromises } from '@vue/test-utils'
import { afterEach, expect, test, vi } from 'vitest'
import { algorithmEntries } from '../../workers/contract/catalogue.ts'
import type { AlgorithmEntry } from '../../workers/contract/catalogue.ts'
import { createPinia, setActivePinia } from 'pinia'
import {
  commandLine,
  defaultOptions,
  emptyForm,
  ordersOf,
  useRunForm,
  type RunForm,
} from '../../renderer/src/new-run/run-form.ts'
import { readSeeds } from '../../renderer/src/new-run/sweep.ts'
import { useAlgorithms } from '../../renderer/src/stores/algorithms.ts'
import { useDatasets } from '../../renderer/src/stores/datasets.ts'
import type { Planned } from '../../renderer/src/new-run/plan-questions.ts'
import { whyNot } from '../../renderer/src/new-run/plan-questions.ts'
import { defaultSettings } from '../../electron/contract/settings.ts'
import { openPage } from './open-page.ts'
import type { Opened } from './open-page.ts'
import { dataset, run } from './sample-library.ts'

/** An algorithm that the pages have never heard of, under a name that the contract has. */
const entry: AlgorithmEntry = {
  name: 'ld-gpu',
  title: 'Greedy Lantern',
  kind: 'matching',
  summary: 'Pairs lanterns.',
  whenToUse: 'At night.',
  paper: { title: 'On lanterns', authors: 'A. Author', venue: 'Journal of Light', year: 2031 },
  options: [
    {
      name: 'weights',
      flag: '--weights',
      label: 'Brightness',
      explanation: 'How bright an edge is.',
      kind: 'choice',
      choices: [
        { value: 'unit', label: 'All alike', explanation: 'Every edge shines alike.' },
        { value: 'random3', label: 'Flickering', explanation: 'Edges flicker.' },
        { value: 'column', label: 'Your own', explanation: 'From a file.' },
      ],
      default: 'unit',
    },
    {
      name: 'columnFile',
      flag: '--column',
      label: 'Brightness file',
      explanation: 'Lines of brightness.',
      kind: 'file',
      when: { option: 'weights', values: ['column'] },
    },
    { name: 'batches', flag: '--batches', label: 'Batches', explanation: 'Parts.', kind: 'integer', min: 1 },
    { name: 'verify', flag: '--verify', label: 'Verify', explanation: 'Checks.', kind: 'switch', default: true },
  ],
  counters: [],
}

function formFor(algorithm: string) {
  setActivePinia(createPinia())
  useAlgorithms().list = [...algorithmEntries]
  return useRunForm(
    () => ({ algorithm }),
    () => {},
  )
}

const bytes = { hostBytes: 1000, deviceBytes: 2000, scratchBytes: 0, diskBytes: 0 }
const plan = {
  vertices: 1,
  arcs: 2,
  exact: true,
  basis: 'the dataset',
  device: 'gpu:0,cpu:0,cpu:1,cpu:2',
  lanes: ['gpu:0', 'cpu:0', 'cpu:1', 'cpu:2'].map((device) => ({
    device,
    shareBytes: 5_000_000,
    holds: device === 'gpu:0' ? 'share' : 'nothing',
    deviceBytes: 2000,
    availableBytes: 1e9,
  })),
  deviceAdvice: 'uses both, as one is too small',
  batches: 3,
  steps: [{ name: 'run', ...bytes, passes: 1 }],
  passes: 1,
  needed: { ...bytes, peakDiskBytes: 0 },
  available: { hostBytes: 1e9, deviceBytes: 1e9, diskBytes: 1e9 },
  refusal: null,
}

let opened: Opened | null = null
afterEach(() => {
  opened?.page.unmount()
  vi.unstubAllGlobals()
  localStorage.clear()
})

test('the first dataset of a library is chosen when it comes after the page; what was left out stays out', async () => {
  const { form } = formFor('ld-gpu')
  const datasets = useDatasets()
  expect(form.datasets).toEqual([])
  datasets.put(dataset(1, 'cities'))
  await flushPromises()
  expect(form.datasets).toEqual(['cities'])
  form.datasets = []
  datasets.put(dataset(2, 'roads'))
  await flushPromises()
  expect(form.datasets).toEqual([])
})

async function open(
  path: string,
  datasets = [dataset(1, 'cities'), dataset(2, 'roads')],
  more: Readonly<Record<string, unknown>> = {},
): Promise<Opened> {
  opened = await openPage({ datasets, runs: [] }, path, {
    algorithms: { algorithms: [entry] },
    plan: { target: 'cities', dataset: 'cities', plan },
    'runs.start': { run: run('20261121-1', 'queued') },
    'runs.progress': { samples: [] },
    'runs.trace': { lanes: [] },
    ...more,
  })
  await vi.waitFor(() => expect(opened?.page.find('h1').text()).toBe('New run'))
  await flushPromises()
  return opened
}

const startButton = ({ page }: Opened) => page.findAll('button').find((button) => button.text().startsWith('Start'))

test('an empty library leads to the sample', async () => {
  const { page } = await open('/new-run', [])
  expect(page.text()).toContain('There is no dataset to run on')
  expect(page.find('.question').exists()).toBe(false)
})

test('the page is made from the registry: words, paper, options and their conditions', async () => {
  const { page } = await open('/new-run?dataset=cities')
  for (const said of ['Greedy Lantern', 'Pairs lanterns.', 'At night.', 'Journal of Light', 'Brightness', 'Batches'])
    expect(page.text()).toContain(said)
  expect(page.text()).not.toContain('Brightness file')
  await page.find('select[aria-describedby]').setValue('column')
  expect(page.text()).toContain('Brightness file')
  expect(page.text()).toContain('This is needed')
  expect(startButton(opened!)?.attributes('disabled')).toBeDefined()
})

test('an algorithm is asked for as it is described: what nobody chose for another one does not come along', async () => {
  // By every way from one algorithm to another, each option that was not touched is as usual for the new one.
  for (const first of algorithmEntries)
    for (const next of algorithmEntries.filter(({ name }) => name !== first.name)) {
      const { form, choose } = formFor(first.name)
      choose(next.name)
      expect([first.name, next.name, form.options]).toEqual([
        first.name,
        next.name,
        defaultOptions(next, defaultSettings),
      ])
    }
  const { form, choose } = formFor('ecl-mis')
  choose('distance-mis')
  expect(form.options['priority']).toBe('random')
  choose('ecl-mis')
  form.options = { ...form.options, priority: 'hash', seed: 7 }
  choose('mg-mis')
  expect(form.options).toMatchObject({ priority: 'hash', seed: 7 })
})

test('a goal chooses the plainest algorithm of its kind, a quality with its time limit, and needs nothing else', async () => {
  const algorithms = { algorithms: algorithmEntries }
  const { page, asked } = await open('/new-run?dataset=cities', undefined, { algorithms })
  expect(page.find('details.advanced').attributes('open')).toBeUndefined()
  const last = () => asked.filter(({ name }) => name === 'plan').at(-1)?.args
  await vi.waitFor(() => expect(last()).toMatchObject({ algorithm: 'ecl-mis', quality: 'fast', device: 'auto' }))
  await page.findAll('input[name=quality-goal]')[2]!.setValue(true)
  await page.find('.choices ~ .field input').setValue('90')
  await vi.waitFor(() => expect(last()).toMatchObject({ algorithm: 'ecl-mis', quality: 'best', searchSeconds: 90 }))
  await page.find('input[name=goal][value=matching]').setValue(true)
  await vi.waitFor(() => expect(last()).toMatchObject({ algorithm: 'ld-gpu', quality: 'best', searchSeconds: 90 }))
  await page.findAll('input[name=quality-goal]')[0]!.setValue(true)
  await vi.waitFor(() => expect(last()).toMatchObject({ algorithm: 'ld-gpu', quality: 'fast' }))
  expect(last()).not.toHaveProperty('searchSeconds')
  await page.find('input[name=goal][value=values]').setValue(true)
  await page.find('.choices + select').setValue('connected-components')
  await vi.waitFor(() => expect(last()).toMatchObject({ algorithm: 'connected-components' }))
  await startButton(opened!)?.trigger('click')
  await flushPromises()
  expect(asked.filter(({ name }) => name === 'runs.start')).toHaveLength(1)
})

test('a run that is asked for once more shows what it was asked with', async () => {
  const { page } = await open('/new-run?dataset=cities&algorithm=ld-gpu')
  expect(page.find('details.advanced').attributes('open')).toBeDefined()
})

test('the plan says what fits where', async () => {
  const { page } = await open('/new-run?dataset=cities')
  await vi.waitFor(() => expect(page.text()).toContain('Streams in 3 batches'))
  expect(page.text()).toContain('1.95 KiB')
  expect(page.text()).toContain('uses both, as one is too small')
  const lanes = page.findAll('.lanes > li').map((lane) => lane.text())
  expect(lanes).toHaveLength(2)
  expect(lanes[0]).toMatch(/^holds its share, 4.77 MiB of the graph.*gpu:0/)
  expect(lanes[1]).toMatch(/^each streams its share, 4.77 MiB of the graph.*cpu:0 … cpu:2/)
})

test('the processor takes as many workers as are wanted', async () => {
  const { page } = await open('/new-run?dataset=cities')
  const add = page.findAll('button').find((button) => button.text() === 'Add a worker on the processor')
  await add?.trigger('click')
  await add?.trigger('click')
  expect(page.text()).toContain('--devices cpu:0,cpu:1,cpu:2')
  expect(page.text()).not.toContain('no such device')
})

test('one start for each dataset, in the words of the contract', async () => {
  const { asked } = await open('/new-run?dataset=cities&dataset=roads')
  await startButton(opened!)?.trigger('click')
  await flushPromises()
  const starts = asked.filter(({ name }) => name === 'runs.start').map(({ args }) => args)
  const request = { algorithm: 'ld-gpu', device: 'auto', seed: 0, weights: 'unit', verify: true }
  expect(starts).toEqual(
    ['cities', 'roads'].map((name) => ({ request: { ...request, dataset: name }, priority: 5, retries: 0 })),
  )
})

test('datasets are offered by name, numbers in them by their value', async () => {
  const names = ['rmat-16', 'Cities-10km', 'rmat-9', 'cities-5km', 'rmat-100']
  const { page } = await open(
    '/new-run?dataset=none',
    names.map((name, at) => dataset(at + 1, name)),
  )
  await page.find('input[role=combobox]').trigger('click')
  await vi.waitFor(() => expect(document.querySelectorAll('[role=option]')).toHaveLength(5))
  const offered = [...document.querySelectorAll('[role=option] .whole')].map((option) => option.getAttribute('title'))
  expect(offered).toEqual(['cities-5km', 'Cities-10km', 'rmat-9', 'rmat-16', 'rmat-100'])
})

test('without a dataset in the link the newest is taken; without any nothing starts', async () => {
  const here = await open('/new-run', [dataset(7, 'older'), dataset(9, 'newest'), dataset(8, 'old')])
  expect(startButton(here)?.attributes('disabled')).toBeUndefined()
  await here.page.find('button[aria-label="Leave newest out"]').trigger('click')
  await flushPromises()
  expect(startButton(here)?.attributes('disabled')).toBeDefined()
  expect(reason(here)).toBe('Choose a dataset first.')
})

const refusal = {
  code: 'device',
  what: 'vertices 0 to 99 need too much',
  remedy: '',
  fixes: [{ action: 'raise', option: 'batches' }],
}
const planOf = (name: string, refused: boolean) => ({
  target: name,
  dataset: name,
  plan: { ...plan, refusal: refused ? refusal : null },
})
/** The sentence that the button names as its description. */
const reason = (here: Opened): string => {
  const id = startButton(here)?.attributes('aria-describedby')
  return id === undefined ? '' : here.page.get(`[id="${id}"]`).text()
}

test('what the plan refuses cannot be started, with the reason beside the button, until it is good again', async () => {
  const answer = planOf('cities', true)
  const here = await open('/new-run?dataset=cities', undefined, { plan: answer })
  const { page, asked } = here
  await vi.waitFor(() => expect(reason(here)).toContain('The plan says that this cannot be done here'))
  expect(startButton(here)?.attributes('disabled')).toBeDefined()
  expect(page.find('[role=alert]').text()).toContain('Raise “Batches”.')
  await startButton(here)?.trigger('click')
  window.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', ctrlKey: true }))
  await flushPromises()
  expect(asked.some(({ name }) => name === 'runs.start')).toBe(false)

  answer.plan = planOf('cities', false).plan
  await page
    .findAll('button')
    .find((button) => button.text() === 'Plan again')
    ?.trigger('click')
  await vi.waitFor(() => expect(startButton(here)?.attributes('disabled')).toBeUndefined())
  expect(reason(here)).toBe('')
  await startButton(here)?.trigger('click')
  await flushPromises()
  expect(asked.filter(({ name }) => name === 'runs.start')).toHaveLength(1)
})

test('of several datasets the refused ones are named, and leaving them out is enough', () => {
  const planned = (dataset: string, code: 'device' | 'engine' | null): Planned => ({
    dataset,
    device: 'cpu:0',
    auto: false,
    plan: null,
    failure: code === null ? null : { code, what: 'x', remedy: 'y' },
  })
  const plans = [planned('a', null), planned('b', 'device'), planned('c', 'engine')]
  const wanted = { datasets: ['a', 'b', 'c'], orders: 3, plans }
  expect(whyNot(wanted)).toContain('on “b”:')
  expect(whyNot({ ...wanted, datasets: ['a', 'c'], orders: 2 })).toBe(null)
  expect(whyNot({ ...wanted, datasets: ['b'], orders: 1 })).toMatch(/^The plan says/)
  expect(whyNot({ ...wanted, orders: 0 })).toContain('An option')
  expect(whyNot({ ...wanted, datasets: [], orders: 0 })).toContain('Choose a dataset')
})

test('explanations call an option as the page does, not by its flag', async () => {
  const more = { algorithms: { algorithms: algorithmEntries } }
  const { page } = await open('/new-run?dataset=cities&algorithm=ecl-mis', undefined, more)
  expect(page.find('.question').text()).toContain('best searches until “Time limit, in seconds” is up')
  expect(page.find('.question').text()).not.toMatch(/--(time|quality|steps)/)
})

test('every choice gets a run, but one that needs a file; repeats are numbered', () => {
  const options = defaultOptions(entry, { ...defaultSettings, verifyByDefault: false })
  const form = { ...emptyForm(defaultSettings), datasets: ['a'], options, name: 'n', vary: 'weights', repeats: 2 }
  const orders = ordersOf(form, entry, [entry])
  expect(orders.map(({ request }) => optionsOf(request).weights)).toEqual(['unit', 'unit', 'random3', 'random3'])
  expect(orders.map(({ name }) => name)).toEqual(['n 1', 'n 2', 'n 3', 'n 4'])
  expect(orders[0]?.request.verify).toBe(false)
})

test('the command line says what is not as usual, quoted where a shell needs it', () => {
  const form = { ...emptyForm(defaultSettings), devices: ['gpu:0', 'cpu:0'], name: "it's" }
  const values = { weights: 'random3', batches: 4, verify: true, columnFile: 'left.csv' }
  expect(commandLine(form, entry, 'my roads', values)).toBe(
    String.raw`anticlique run 'my roads' --algorithm ld-gpu --devices gpu:0,cpu:0 --weights random3 --batches 4 --verify --name 'it'\''s'`,
  )
})

test('a plan speaks of the graph, and one that refuses holds nothing', async () => {
  const bare = { ...plan, basis: 'the dataset', refusal: null as typeof refusal | null }
  const answer = { target: 'cities', dataset: 'cities', plan: bare }
  const { page } = await open('/new-run?dataset=cities', undefined, { plan: answer })
  await vi.waitFor(() => expect(page.text()).toContain('4.77 MiB of the graph'))
  expect(page.text()).not.toMatch(/\bviews?\b/i)
  answer.plan = { ...bare, refusal }
  await page.find('select[aria-describedby]').setValue('random3')
  await vi.waitFor(() => expect(page.find('[role=alert]').exists()).toBe(true))
  expect(page.find('.lanes').exists()).toBe(false)
})

test('a plan of several steps tells the memory and the passes of each, as the run will', async () => {
  const step = (name: 'run' | 'verify', hostBytes: number) => ({ ...plan.steps[0], name, hostBytes })
  const steps = [step('run', 609_000), step('verify', 13_100_000)]
  const lanes = [{ ...plan.lanes[1], device: 'cpu:0' }]
  const both = { ...plan, steps, lanes, batches: 1, passes: 2, needed: { ...plan.needed, hostBytes: 13_100_000 } }
  const { page } = await open('/new-run?dataset=cities', undefined, {
    plan: { target: 'cities', dataset: 'cities', plan: both },
  })
  await vi.waitFor(() => expect(page.find('.plan').text()).toContain('2 passes: compute 1, verify 1'))
  expect(page.find('.plan').text()).toContain('memory to compute595 KiB of')
  expect(page.find('.plan').text()).toContain('memory to verify12.5 MiB of')
  expect(page.find('.lanes').text()).toContain('reads the graph in one go, 4.77 MiB')
})

test('every option of the form is asked of the plan', async () => {
  const { page, asked } = await open('/new-run?dataset=cities')
  await page.find('select[aria-describedby]').setValue('random3')
  await vi.waitFor(() =>
    expect(asked.filter(({ name }) => name === 'plan').at(-1)?.args).toMatchObject({
      target: 'cities',
      weights: 'random3',
      verify: true,
    }),
  )
})

test('a sweep asks for every algorithm, quality, limit and seed; limits belong to a search alone', () => {
  const entries = algorithmEntries.filter(({ kind }) => kind === 'independent-set')
  const [first] = entries
  const options = defaultOptions(first, defaultSettings)
  const bare = { ...emptyForm(defaultSettings), datasets: ['a'], options }
  const told = (form: RunForm): readonly string[] =>
    ordersOf(form, first!, entries).map(({ request }) => {
      const { quality, searchSeconds, seed } = optionsOf(request)
      return [request.algorithm, quality, searchSeconds, seed].filter((one) => one !== undefined).join(' ')
    })
  expect(told({ ...bare, sweepSeeds: '1-3, 7' })).toEqual([1, 2, 3, 7].map((seed) => `ecl-mis fast ${seed}`))
  expect(told({ ...bare, sweepQualities: 'better best', sweepSeconds: '10;30', sweepSeeds: '0,1' })).toEqual([
    ...['ecl-mis better 0', 'ecl-mis better 1', 'ecl-mis best 10 0', 'ecl-mis best 10 1'],
    ...['ecl-mis best 30 0', 'ecl-mis best 30 1'],
  ])
  const two = told({ ...bare, sweepAlgorithms: 'ecl-mis, luby', sweepSeeds: '5' })
  expect(two).toEqual(['ecl-mis fast 5', 'luby fast 5'])
})

test('a list of a sweep that cannot be read starts nothing, and says why beside it', async () => {
  expect(readSeeds('3-1')).toBeNull()
  expect(readSeeds('1-2 9')).toEqual([1, 2, 9])
  const more = { algorithms: { algorithms: algorithmEntries } }
  const { page } = await open('/new-run?dataset=cities&algorithm=ecl-mis', undefined, more)
  const start = (): string => page.find('.start').text()
  await page.find('[placeholder="such as 1-20"]').setValue('1-20')
  await vi.waitFor(() => expect(start()).toBe('Start 20 runs'))
  await page.find('[placeholder="such as 1-20"]').setValue('one')
  await vi.waitFor(() => expect(page.text()).toContain('These are whole numbers from 0 on'))
  expect(page.find('.start').attributes('disabled')).toBeDefined()
  await page.find('[placeholder="such as 1-20"]').setValue('1-20')
  await page.find('[placeholder^="such as ecl-mis"]').setValue('ld-gpu')
  await vi.waitFor(() => expect(page.text()).toContain('“ld-gpu” does not look for this.'))
  await page.find('[placeholder^="such as ecl-mis"]').setValue('')
  await page.find('[placeholder="such as 1-20"]').setValue('1-501')
  await vi.waitFor(() => expect(page.text()).toContain('more than 500 runs'))
})

test('a goal shows the algorithms that serve it, an option stands once, and an error leads to its field', async () => {
  const more = { algorithms: { algorithms: algorithmEntries } }
  const { page } = await open('/new-run?dataset=cities&algorithm=ecl-mis', undefined, more)
  const cards = page.findAll('[name=algorithm]').map((one) => one.attributes('value'))
  const sets = algorithmEntries.filter(({ kind }) => kind === 'independent-set').map(({ name }) => name)
  expect(cards.slice(0, sets.length)).toEqual(sets)
  expect(sets.length).toBeLessThanOrEqual(5)
  expect(new Set(cards).size).toBe(algorithmEntries.length)
  // Best has its time limit among the goals, and nowhere else.
  await page.find('[name=quality-goal][value=best]').setValue(true)
  await flushPromises()
  const labels = page.findAll('.question label').map((label) => label.text())
  expect(labels.filter((label) => label === 'Time limit, in seconds')).toHaveLength(1)
  expect(labels.filter((label) => /quality$/i.test(label))).toEqual(['Another quality'])
  const help = page.find('button[aria-label="What “Seed” means"]')
  expect(help.attributes('aria-expanded')).toBe('false')
  await help.trigger('click')
  expect(help.attributes('aria-expanded')).toBe('true')
  const seed = page
    .findAll('.field')
    .find((field) => field.find('label').exists() && field.find('label').text() === 'Seed')!
    .find('input')
  for (const part of page.findAll('details')) (part.element as HTMLDetailsElement).open = false
  await seed.setValue('many')
  await vi.waitFor(() => expect(page.text()).toContain('Show the field'))
  await vi.waitFor(() => expect(page.text()).toContain('as soon as every option fits'))
  await page
    .findAll('button')
    .find((button) => button.text() === 'Show the field')!
    .trigger('click')
  await vi.waitFor(() => expect(document.activeElement).toBe(seed.element))
  expect((page.find('details.advanced').element as HTMLDetailsElement).open).toBe(true)
})
