import { flushPromises } from '@vue/test-utils'
import { afterEach, expect, test, vi } from 'vitest'
import { clearImport } from '../../renderer/src/library/import-request.ts'
import { openPage } from './open-page.ts'
import type { Opened } from './open-page.ts'
import { dataset } from './sample-library.ts'

const preview = {
  format: 'edge-list',
  reason: 'two numbers a line',
  compression: 'none',
  bytes: 9,
  columns: null,
  rows: [['1', '2']],
  warnings: [],
  refusals: [] as object[],
  looked: { rows: 2, complete: true },
  table: null,
  vertices: null as object | null,
}
const bytes = { hostBytes: 1000, deviceBytes: 0, scratchBytes: 0, diskBytes: 10 }
const plan = {
  vertices: 3,
  arcs: 4,
  exact: false,
  basis: 'edge-list',
  device: 'cpu:0',
  lanes: [],
  batches: 0,
  steps: [{ name: 'import', ...bytes, passes: 1 }],
  passes: 1,
  needed: { ...bytes, peakDiskBytes: 10 },
  available: { hostBytes: 1e9, deviceBytes: null, diskBytes: 5 },
  refusal: null as { code: string; what: string; remedy: string; fixes: object[] } | null,
}

let opened: Opened | null = null
afterEach(() => {
  opened?.page.unmount()
  clearImport([])
  vi.unstubAllGlobals()
})

const inDialog = (selector: string): HTMLElement[] => [...document.querySelectorAll<HTMLElement>(selector)]
const importButton = () =>
  inDialog('.dialog footer button').find((button) => button.textContent === 'Import') as HTMLButtonElement
const reason = (): string =>
  document.getElementById(importButton().getAttribute('aria-describedby') ?? '')?.textContent ?? ''

async function choose(path: string): Promise<void> {
  const [field] = inDialog('.dialog input[type=text], .dialog input:not([type])') as HTMLInputElement[]
  field!.value = path
  field!.dispatchEvent(new Event('input'))
  await flushPromises()
}

test('nothing is imported that its plan refuses, with the reason beside the button, until it is good again', async () => {
  const answer = { target: 'x', dataset: null, plan: { ...plan } }
  const refusal = {
    code: 'storage',
    what: 'importing this takes up to 9.0 GiB of disk, and 1.0 GiB are free',
    remedy: 'Free some space; nothing was written.',
    fixes: [{ action: 'other-library' }],
  }
  answer.plan.refusal = refusal
  opened = await openPage({ datasets: [], runs: [] }, '/library?do=import', {
    'datasets.preview': preview,
    plan: answer,
  })
  await vi.waitFor(() => expect(importButton()).toBeDefined())
  expect(importButton().disabled).toBe(true)
  expect(reason()).toBe('Choose a file first.')

  await choose('/data/huge.txt')
  await vi.waitFor(() => expect(reason()).toContain('no room'))
  expect(importButton().disabled).toBe(true)
  const said = document.querySelector('.dialog [role=alert]')?.textContent
  expect(said).toContain('Or choose a library on another disk (see “Settings”).')
  expect(opened.asked.find(({ name }) => name === 'plan')?.args).toMatchObject({
    target: '/data/huge.txt',
    importOnly: true,
  })
  document.querySelector('.dialog form')?.dispatchEvent(new Event('submit', { cancelable: true }))
  await flushPromises()
  expect(opened.asked.some(({ name }) => name === 'datasets.import')).toBe(false)

  answer.plan = { ...plan, refusal: null }
  await choose('/data/small.txt')
  await vi.waitFor(() => expect(importButton().disabled).toBe(false))
  expect(reason()).toBe('')
})

const lines = { delimiter: 'semicolon', elements: false, encoding: 'utf-8', decimal: 'point' }
const table = { ...lines, header: false, source: 0, target: 1, weight: null, attributes: [] }
const people = {
  ...preview,
  rows: [
    ['Person', 'Freund'],
    ['Anna', 'Bob'],
  ],
}

test('what nothing tells is asked, and the answer goes into the import', async () => {
  const fixes = ['yes', 'no'].map((to) => ({ action: 'set', option: 'header', to }))
  const what = 'nothing tells whether the first line (Person, Freund) names the columns or is an edge'
  const refusals = [{ count: 1, failure: { code: 'input', what, where: '/data/people.csv:1', remedy: '', fixes } }]
  const answers = {
    'datasets.preview': { ...people, refusals, table: { ...table, asks: 'header' } },
    plan: { target: 'x', dataset: null, plan },
  }
  opened = await openPage({ datasets: [], runs: [] }, '/library?do=import', answers)
  await vi.waitFor(() => expect(importButton()).toBeDefined())
  await choose('/data/people.csv')
  await vi.waitFor(() => expect(reason()).toBe('Answer the question above first.'))
  expect(importButton().disabled).toBe(true)
  expect(document.querySelector('.dialog .asks')?.textContent).toContain('Does the first line name the columns')
  // Once each.
  const buttons = inDialog('.dialog form button').filter(({ textContent }) => textContent?.includes('the columns'))
  expect(buttons.map(({ textContent }) => textContent)).toEqual(['First line: names the columns'])
  Object.assign(answers['datasets.preview'], { refusals: [], table: { ...table, header: true, asks: null } })
  buttons[0]!.click()
  await vi.waitFor(() => expect(importButton().disabled).toBe(false))
  document.querySelector('.dialog form')?.dispatchEvent(new Event('submit', { cancelable: true }))
  await flushPromises()
  expect(opened.asked.find(({ name }) => name === 'datasets.import')?.args).toMatchObject({ table: { header: 'yes' } })
})

test('rows that an import would stop at are counted, and a button mends each kind', async () => {
  const fixes = [
    { action: 'set', option: 'missingWeight', to: 'one' },
    { action: 'set', option: 'missingWeight', to: 'skip' },
  ]
  const failure = { code: 'input', what: 'there is no weight', where: '/data/a.csv:17', remedy: '', fixes }
  const answers = {
    'datasets.preview': { ...people, table: { ...table, asks: null }, refusals: [{ count: 1204, failure }] },
    plan: { target: 'x', dataset: null, plan },
  }
  opened = await openPage({ datasets: [dataset(1, 'taken')], runs: [] }, '/library?do=import', answers)
  await vi.waitFor(() => expect(importButton()).toBeDefined())
  await choose('/data/a.csv')
  await vi.waitFor(() => expect(reason()).toBe('Choose above what becomes of the rows that cannot be read.'))
  expect(importButton().disabled).toBe(true)
  const said = inDialog('.dialog .refusals')[0]!
  expect(said.textContent).toMatch(/1,204×\s*there is no weight \(line 17\)/)
  const buttons = [...said.querySelectorAll('button')]
  expect(buttons.map(({ textContent }) => textContent)).toEqual([
    'Missing weights: are 1',
    'Missing weights: skip the row',
  ])
  answers['datasets.preview'].refusals = []
  buttons[0]!.click()
  await vi.waitFor(() => expect(importButton().disabled).toBe(false))
  expect(opened.asked.findLast(({ name }) => name === 'datasets.preview')?.args).toMatchObject({
    table: { missingWeight: 'one' },
  })
  const name = inDialog('.dialog input:not([type=file])')[1] as HTMLInputElement
  for (const [typed, problem] of [
    ['taken', 'has a dataset called taken'],
    ['a/b', 'A name has no slash'],
  ] as const) {
    name.value = typed
    name.dispatchEvent(new Event('input'))
    await vi.waitFor(() => expect(document.querySelector('.dialog .tone-bad')?.textContent).toContain(problem))
    expect(reason()).toBe('Choose another name.')
  }
  name.value = ''
  name.dispatchEvent(new Event('input'))
})

test('a column is given another role above the table', async () => {
  const columns = ['a', 'kind', 'b'].map((name) => ({ name }))
  const rows = [['x', 'binds', 'y']]
  opened = await openPage({ datasets: [], runs: [] }, '/library?do=import', {
    'datasets.preview': { ...preview, columns, rows, table: { ...table, header: true, asks: null } },
    plan: { target: 'x', dataset: null, plan },
  })
  await vi.waitFor(() => expect(importButton()).toBeDefined())
  await choose('/data/relations.tsv')
  await vi.waitFor(() => expect(inDialog('.dialog th select')).toHaveLength(3))
  const roles = inDialog('.dialog th select') as HTMLSelectElement[]
  expect(roles.map(({ value }) => value)).toEqual(['source', 'target', 'none'])
  roles[2]!.value = 'target'
  roles[2]!.dispatchEvent(new Event('change'))
  await vi.waitFor(() =>
    expect(opened?.asked.findLast(({ name }) => name === 'datasets.preview')?.args).toMatchObject({
      table: { sourceColumn: 'a', targetColumn: 'b' },
    }),
  )
  roles[1]!.value = 'attribute'
  roles[1]!.dispatchEvent(new Event('change'))
  await vi.waitFor(() =>
    expect(opened?.asked.findLast(({ name }) => name === 'datasets.preview')?.args).toMatchObject({
      table: { attributes: 'kind' },
    }),
  )
})

test('a table of vertices goes along, with the column of ids that is chosen', async () => {
  const vertices = { columns: ['key', 'group'], id: 0, rows: [['1', 'A']] }
  opened = await openPage({ datasets: [], runs: [] }, '/library?do=import', {
    'datasets.preview': { ...preview, vertices },
    plan: { target: 'x', dataset: null, plan },
  })
  await vi.waitFor(() => expect(importButton()).toBeDefined())
  await choose('/data/edges.txt')
  const field = await vi.waitFor(() => fieldOf('Table of vertices') as HTMLInputElement)
  field.value = '/data/nodes.csv'
  field.dispatchEvent(new Event('input'))
  const column = await vi.waitFor(() => {
    const found = fieldOf('Column of ids') as HTMLSelectElement
    expect(found?.value).toBe('key')
    return found
  })
  expect(document.querySelector('.dialog')?.textContent).toContain('Attributes: group.')
  column.value = 'group'
  column.dispatchEvent(new Event('change'))
  await flushPromises()
  await vi.waitFor(() => expect(importButton().disabled).toBe(false))
  importButton().click()
  await flushPromises()
  expect(opened.asked.find(({ name }) => name === 'datasets.import')?.args).toEqual({
    source: '/data/edges.txt',
    vertices: '/data/nodes.csv',
    table: { vertexColumn: 'group' },
  })
})

/** What a label is for. */
const fieldOf = (label: string): HTMLElement | null => {
  const found = inDialog('.dialog label').find(({ textContent }) => textContent === label)
  return document.getElementById(found?.getAttribute('for') ?? '')
}

const several = '/library?do=import&source=/data/a.txt&source=/data/b.txt&source=/data/c.txt'
const kindOf = (title: string): HTMLInputElement =>
  inDialog('.dialog .kind')
    .find(({ textContent }) => textContent?.startsWith(title))!
    .querySelector('input')!

test('several files are asked for once: a graph each', async () => {
  opened = await openPage({ datasets: [dataset(1, 'b')], runs: [] }, several, {
    'datasets.preview': preview,
    plan: { target: 'x', dataset: null, plan },
  })
  await vi.waitFor(() => expect(reason()).toBe('Say above whether the files are one graph or many.'))
  await vi.waitFor(() => expect(opened!.asked.filter(({ name }) => name === 'datasets.preview')).toHaveLength(3))
  expect(importButton().disabled).toBe(true)
  kindOf('A graph each').click()
  await vi.waitFor(() => expect(reason()).toBe('Rename or leave out the files whose names are taken.'))
  expect(document.querySelector('.dialog')?.textContent).toContain('a dataset called b already')
  inDialog('.dialog [aria-label="Leave b.txt out"]')[0]!.click()
  await vi.waitFor(() => expect(importButton().disabled).toBe(false))
  importButton().click()
  await flushPromises()
  const imports = opened.asked.filter(({ name }) => name === 'datasets.import')
  expect(imports.map(({ args }) => args)).toEqual([{ source: '/data/a.txt' }, { source: '/data/c.txt' }])
})

test('several files are asked for once: one graph, each previewed behind the first', async () => {
  opened = await openPage({ datasets: [], runs: [] }, several, {
    'datasets.preview': preview,
    plan: { target: 'x', dataset: null, plan },
  })
  await vi.waitFor(() => expect(inDialog('.dialog .kind')).toHaveLength(2))
  kindOf('One graph').click()
  await vi.waitFor(() => expect(importButton().disabled).toBe(false))
  expect(opened.asked.findLast(({ name }) => name === 'datasets.preview')?.args).toEqual({
    source: '/data/c.txt',
    joins: '/data/a.txt',
  })
  importButton().click()
  await flushPromises()
  expect(opened.asked.filter(({ name }) => name === 'datasets.import').map(({ args }) => args)).toEqual([
    { source: '/data/a.txt', sources: ['/data/b.txt', '/data/c.txt'], sourceName: 'a.txt, b.txt, c.txt' },
  ])
})

test('of two files one may have the vertices', async () => {
  opened = await openPage(
    { datasets: [], runs: [] },
    '/library?do=import&source=/data/nodes.csv&source=/data/edges.csv',
    {
      'datasets.preview': preview,
      plan: { target: 'x', dataset: null, plan },
    },
  )
  await vi.waitFor(() => expect(inDialog('.dialog .kind')).toHaveLength(3))
  kindOf('Edges and vertices').click()
  await vi.waitFor(() => expect(importButton().disabled).toBe(false))
  importButton().click()
  await flushPromises()
  expect(opened.asked.find(({ name }) => name === 'datasets.import')?.args).toEqual({
    source: '/data/edges.csv',
    vertices: '/data/nodes.csv',
  })
})

test('an import that fails keeps what was typed, and says why when the dialog is opened again', async () => {
  opened = await openPage({ datasets: [dataset(1, 'roads')], runs: [] }, '/library?do=import', {
    'datasets.preview': preview,
    plan: { target: 'x', dataset: null, plan },
  })
  const { page } = opened
  const answered = window.anticlique!.call
  const failure = { code: 'input', what: 'there is no weight in line 3', remedy: 'Add it.', fixes: [] }
  const call = (name: string, args: unknown): Promise<unknown> =>
    name === 'datasets.import' ? Promise.resolve({ ok: false, failure }) : answered(name, args)
  Object.assign(window.anticlique!, { call })
  await vi.waitFor(() => expect(importButton()).toBeDefined())
  await choose('/data/roads.csv')
  expect(document.querySelector('.dialog')?.textContent).toContain('a dataset called roads already')
  expect(importButton().disabled).toBe(true)
  await choose('/data/streets.csv')
  await vi.waitFor(() => expect(importButton().disabled).toBe(false))
  importButton().click()
  await vi.waitFor(() => expect(document.querySelector('.dialog [role=alert]')?.textContent).toContain('no weight'))
  inDialog('.dialog footer button')[0]!.click()
  await vi.waitFor(() => expect(document.querySelector('.dialog')).toBeNull())
  const add = page.findAll('button').find((button) => button.text() === 'Import')
  await add!.trigger('click')
  await vi.waitFor(() => expect(document.querySelector('.dialog [role=alert]')?.textContent).toContain('no weight'))
  expect(document.querySelector<HTMLInputElement>('.dialog input')?.value).toBe('/data/streets.csv')
})

test('a file that is not read has a button for another one, and none of several is in the way', async () => {
  opened = await openPage({ datasets: [], runs: [] }, several, { plan: { target: 'x', dataset: null, plan } })
  const answered = window.anticlique!.call
  const failure = {
    code: 'input',
    what: 'this is a zip archive, which is not read here',
    remedy: 'Unpack it.',
    fixes: [],
  }
  const call = (name: string, args: { source: string }): Promise<unknown> => {
    if (name !== 'datasets.preview') return answered(name, args)
    return Promise.resolve(args.source === '/data/b.txt' ? { ok: false, failure } : { ok: true, result: preview })
  }
  Object.assign(window.anticlique!, { call })
  await vi.waitFor(() => expect(document.querySelector('.dialog [role=alert]')?.textContent).toContain('zip archive'))
  const leave = inDialog('.dialog [role=alert] button')[0]!
  expect(leave.textContent).toBe('Leave b.txt out')
  leave.click()
  await vi.waitFor(() => expect(document.querySelector('.dialog [role=alert]')).toBeNull())
  kindOf('A graph each').click()
  await vi.waitFor(() => expect(importButton().disabled).toBe(false))
  clearImport(['/data/b.txt'])
  await vi.waitFor(() => expect(inDialog('.dialog [role=alert] button')[0]?.textContent).toBe('Choose another file'))
})
