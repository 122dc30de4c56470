import { flushPromises } from '@vue/test-utils'
import { expect, test, vi } from 'vitest'
import { choose, fieldOf, importButton, inDialog, openImport, plan, preview, reason } from './import-dialog.ts'
import { dataset } from './sample-library.ts'

test('nothing is imported that its plan refuses, with the reason beside the button, until it is good again', async () => {
  const answer = { target: 'x', dataset: null, plan: { ...plan } }
  const refusal = {
    code: 'storage',
    what: 'importing this takes up to 9.0 GiB of disk, and 1.0 GiB are free',
    remedy: 'Free some space; nothing was written.',
    fixes: [{ action: 'other-library' }],
  }
  answer.plan.refusal = refusal
  const opened = await openImport({
    'datasets.preview': preview,
    plan: answer,
  })
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

test('a number that is none is not what was there before: nothing is imported until it is mended', async () => {
  await openImport({ 'datasets.preview': preview, plan: { target: 'x', dataset: null, plan } })
  await choose('/data/small.txt')
  await vi.waitFor(() => expect(importButton().disabled).toBe(false))
  const memory = fieldOf('Memory') as HTMLInputElement
  const type = async (text: string): Promise<void> => {
    memory.value = text
    memory.dispatchEvent(new Event('input'))
    await flushPromises()
  }
  await type('much')
  await vi.waitFor(() => expect(reason()).toContain('A number among the options'))
  expect(importButton().disabled).toBe(true)
  await type('512MiB')
  await vi.waitFor(() => expect(importButton().disabled).toBe(false))
})

test('a name that is too long is called so, before anything starts', async () => {
  await openImport()
  await choose(`/data/${'long'.repeat(26)}.txt`)
  await vi.waitFor(() => expect(document.querySelector('.dialog')?.textContent).toContain('at most 100 characters'))
  expect(importButton().disabled).toBe(true)
})

test('a file of no known format has a button for choosing one', async () => {
  const failure = {
    code: 'input',
    what: 'this is not text',
    remedy: '',
    fixes: [{ action: 'choose', option: 'format' }],
  }
  await openImport()
  const answered = window.anticlique!.call
  const call = (name: string, args: unknown): Promise<unknown> =>
    name === 'datasets.preview' ? Promise.resolve({ ok: false, failure }) : answered(name, args)
  Object.assign(window.anticlique!, { call })
  await choose('/data/random.bin')
  const button = () => inDialog('.dialog [role=alert] button').find((one) => one.textContent?.includes('Format'))
  await vi.waitFor(() => expect(button()).toBeDefined())
  button()!.click()
  expect(document.activeElement).toBe(fieldOf('Format'))
  expect(fieldOf('Format')?.closest('details')?.open).toBe(true)
})

test('the choice of a file begins beside the path that was typed', async () => {
  const list = { folder: '/data', parent: '/', places: [], entries: [], truncated: false }
  const opened = await openImport({ 'files.list': list })
  await choose('/data/roads.csv')
  inDialog('.dialog button')
    .find(({ textContent }) => textContent === 'Browse')!
    .click()
  await flushPromises()
  expect(opened.asked.filter(({ name }) => name === 'files.list').map(({ args }) => args)).toEqual([
    { folder: '/data/' },
  ])
})

test('an import that fails keeps what was typed, and says why when the dialog is opened again', async () => {
  const opened = await openImport({}, { datasets: [dataset(1, 'roads')] })
  const { page } = opened
  const answered = window.anticlique!.call
  const failure = { code: 'input', what: 'there is no weight in line 3', remedy: 'Add it.', fixes: [] }
  const call = (name: string, args: unknown): Promise<unknown> =>
    name === 'datasets.import' ? Promise.resolve({ ok: false, failure }) : answered(name, args)
  Object.assign(window.anticlique!, { call })
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
