import { flushPromises } from '@vue/test-utils'
import { expect, test, vi } from 'vitest'
import { clearImport } from '../../renderer/src/library/import-form.ts'
import { importButton, inDialog, openImport, preview, reason } from './import-dialog.ts'
import { dataset } from './sample-library.ts'

const several = ['/data/a.txt', '/data/b.txt', '/data/c.txt']
const kindOf = (title: string): HTMLInputElement =>
  inDialog('.dialog .choice')
    .find(({ textContent }) => textContent?.startsWith(title))!
    .querySelector('input')!

test('several files are asked for once: a graph each', async () => {
  const opened = await openImport({}, { files: several, datasets: [dataset(1, 'b')] })
  await vi.waitFor(() => expect(reason()).toBe('Say above what the files are.'))
  await vi.waitFor(() => expect(opened.asked.filter(({ name }) => name === 'datasets.preview')).toHaveLength(3))
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

test('of files that hold a graph each nothing is asked', async () => {
  const opened = await openImport({ 'datasets.preview': { ...preview, format: 'graphml' } }, { files: several })
  await vi.waitFor(() => expect(importButton().disabled).toBe(false))
  expect(kindOf('A graph each').checked).toBe(true)
  importButton().click()
  await flushPromises()
  expect(opened.asked.filter(({ name }) => name === 'datasets.import')).toHaveLength(3)
})

test('several files are asked for once: one graph, each previewed behind the first', async () => {
  const opened = await openImport({}, { files: several })
  await vi.waitFor(() => expect(inDialog('.dialog .choice')).toHaveLength(2))
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
  const opened = await openImport({}, { files: ['/data/nodes.csv', '/data/edges.csv'] })
  await vi.waitFor(() => expect(inDialog('.dialog .choice')).toHaveLength(3))
  kindOf('Edges and vertices').click()
  await vi.waitFor(() => expect(importButton().disabled).toBe(false))
  importButton().click()
  await flushPromises()
  expect(opened.asked.find(({ name }) => name === 'datasets.import')?.args).toEqual({
    source: '/data/edges.csv',
    vertices: '/data/nodes.csv',
  })
})

test('a file that is not read has a button for another one, and none of several is in the way', async () => {
  await openImport({}, { files: several })
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
  // Asks again, should the files have been read before.
  clearImport(several)
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

const graphs = [
  { member: 'a/two.mtx', name: 'a-two', bytes: 90 },
  { member: 'one.txt', name: 'one', bytes: 20 },
  { member: 'few.g6#1', name: 'few-1', bytes: 9 },
]
const boxes = (): HTMLInputElement[] =>
  inDialog('.dialog .graphs input').filter((box): box is HTMLInputElement => box instanceof HTMLInputElement)

test('the graphs of an archive are listed to choose from, and each becomes a dataset', async () => {
  const files = { files: ['/data/s.tar.gz'], datasets: [dataset(1, 'few-1')] }
  const opened = await openImport({ 'datasets.contents': { container: 'gzip, tar', graphs } }, files)
  await vi.waitFor(() => expect(boxes()).toHaveLength(3))
  expect(reason()).toBe('Choose above which graphs to import.')
  boxes()[1]!.click()
  await vi.waitFor(() => expect(importButton().disabled).toBe(false))
  expect(opened.asked.findLast(({ name }) => name === 'datasets.preview')?.args).toEqual({
    source: '/data/s.tar.gz',
    member: 'one.txt',
  })
  await vi.waitFor(() =>
    expect(opened.asked.findLast(({ name }) => name === 'plan')?.args).toMatchObject({
      target: '/data/s.tar.gz',
      member: 'one.txt',
    }),
  )
  boxes()[2]!.click()
  await vi.waitFor(() => expect(reason()).toBe('Rename or leave out the files whose names are taken.'))
  boxes()[2]!.click()
  boxes()[0]!.click()
  await vi.waitFor(() => expect(importButton().disabled).toBe(false))
  importButton().click()
  await flushPromises()
  expect(opened.asked.filter(({ name }) => name === 'datasets.import').map(({ args }) => args)).toEqual([
    { source: '/data/s.tar.gz', member: 'a/two.mtx', name: 'a-two' },
    { source: '/data/s.tar.gz', member: 'one.txt', name: 'one' },
  ])
})

test('a graph that could not be imported is chosen again', async () => {
  const done = { dataset: dataset(2, 'x'), reused: false }
  const contents = { container: 'tar', graphs }
  await openImport({ 'datasets.contents': contents, 'datasets.import': done }, { files: ['/data/s.tar'] })
  await vi.waitFor(() => expect(boxes()).toHaveLength(3))
  const answered = window.anticlique!.call
  const failure = { code: 'input', what: 'row 9 is past the header', remedy: '', fixes: [] }
  const call = (name: string, args: { member?: string }): Promise<unknown> =>
    name === 'datasets.import' && args.member === 'one.txt'
      ? Promise.resolve({ ok: false, failure })
      : answered(name, args)
  Object.assign(window.anticlique!, { call })
  inDialog('.dialog .graphs')[0]!.parentElement!.querySelector('button')!.click()
  await vi.waitFor(() => expect(importButton().disabled).toBe(false))
  importButton().click()
  await vi.waitFor(() => expect(document.querySelector('.dialog [role=alert]')?.textContent).toContain('row 9'))
  expect(boxes().map(({ checked }) => checked)).toEqual([false, true, false])
})
