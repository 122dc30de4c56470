import { flushPromises } from '@vue/test-utils'
import { expect, test, vi } from 'vitest'
import { choose, fieldOf, importButton, inDialog, openImport, preview, reason } from './import-dialog.ts'
import { dataset } from './sample-library.ts'

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
  const refusals = [
    { count: 1, failure: { code: 'input', what, where: '/data/people.csv:1', remedy: '', fixes }, rows: [] },
  ]
  const answers = {
    'datasets.preview': { ...people, refusals, table: { ...table, asks: 'header' } },
  }
  const opened = await openImport(answers)
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
    'datasets.preview': { ...people, table: { ...table, asks: null }, refusals: [{ count: 1204, failure, rows: [] }] },
  }
  const opened = await openImport(answers, { datasets: [dataset(1, 'taken')] })
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
  const opened = await openImport({
    'datasets.preview': { ...preview, columns, rows, table: { ...table, header: true, asks: null } },
  })
  await choose('/data/relations.tsv')
  await vi.waitFor(() => expect(inDialog('.dialog th select')).toHaveLength(3))
  const roles = inDialog('.dialog th select') as HTMLSelectElement[]
  expect(roles.map(({ value }) => value)).toEqual(['source', 'target', 'none'])
  roles[2]!.value = 'target'
  roles[2]!.dispatchEvent(new Event('change'))
  await vi.waitFor(() =>
    expect(opened.asked.findLast(({ name }) => name === 'datasets.preview')?.args).toMatchObject({
      table: { sourceColumn: 'a', targetColumn: 'b' },
    }),
  )
  roles[1]!.value = 'attribute'
  roles[1]!.dispatchEvent(new Event('change'))
  await vi.waitFor(() =>
    expect(opened.asked.findLast(({ name }) => name === 'datasets.preview')?.args).toMatchObject({
      table: { attributes: 'kind' },
    }),
  )
})

test('a table of vertices goes along, with the column of ids that is chosen', async () => {
  const vertices = { columns: ['key', 'group'], id: 0, rows: [['1', 'A']] }
  const opened = await openImport({
    'datasets.preview': { ...preview, vertices },
  })
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
