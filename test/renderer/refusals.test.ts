import { flushPromises } from '@vue/test-utils'
import { afterEach, expect, test, vi } from 'vitest'
import type { Bridge } from '../../renderer/src/bridge.ts'
import { openPage, type Opened } from './open-page.ts'
import { buttonOf, openRun, tellProgress } from './run-page.ts'
import { answers, run } from './sample-library.ts'

// What is refused is told, and nothing is left as if it had been done.

let opened: Opened | null = null
afterEach(() => {
  opened?.page.unmount()
  opened = null
  vi.unstubAllGlobals()
  localStorage.clear()
})

/** Until `answer` is given in place of the refusal. */
function refuse(refused: string, answer?: unknown): void {
  const bridge = window.anticlique!
  const failure = { code: 'engine', what: 'the engine ended', remedy: 'Try again.' }
  const call: Bridge['call'] = (name, args) => {
    if (name !== refused) return bridge.call(name, args)
    return Promise.resolve(answer === undefined ? { ok: false, failure } : { ok: true, result: answer })
  }
  vi.stubGlobal('anticlique', { ...bridge, call })
}

test('a setting that could not be kept is shown as it was', async () => {
  opened = await openPage({}, '/settings')
  await vi.waitFor(() => expect(opened!.page.find('h1').text()).toBe('Settings'))
  await flushPromises()
  refuse('settings.set')
  const theme = opened.page.find('select')
  await theme.setValue('dark')
  await flushPromises()
  expect(opened.page.find('.toast').text()).toContain('the engine ended')
  expect(theme.element.value).toBe('system')
  expect(document.documentElement.dataset['theme']).not.toBe('dark')
})

test('what went wrong with choosing a file is gone with the next choice', async () => {
  const status = answers({})['library.status'] as object
  opened = await openPage({}, '/library?do=import', { 'library.status': { ...status, host: 'window' } })
  const browse = async (): Promise<void> => {
    const buttons = [...document.querySelectorAll<HTMLElement>('.dialog button')]
    buttons.find(({ textContent }) => textContent?.trim() === 'Browse')?.click()
    await flushPromises()
  }
  refuse('files.choose')
  await browse()
  expect(document.querySelector('.dialog [role=alert]')?.textContent).toContain('the engine ended')
  refuse('files.choose', { paths: null })
  await browse()
  expect(document.querySelector('.dialog [role=alert]')).toBeNull()
})

test('a search that could not be asked to end can be asked again', async () => {
  const one = { ...run('20261121-e', 'running'), record: null }
  const here = await openRun(one)
  refuse('runs.finish')
  await tellProgress(here, one, { phase: 'search', done: 3000, unit: 'ms', best: 950, bound: 1000 })
  await buttonOf(here, 'Stop, keep the best')?.trigger('click')
  await flushPromises()
  expect(here.page.find('.toast').text()).toContain('the engine ended')
  expect(here.page.find('.live .top').text()).toContain('searching for a better result')
  expect(buttonOf(here, 'Stop, keep the best')?.attributes('disabled')).toBeUndefined()
})

test('a chart that cannot be saved as a picture says so', async () => {
  const { page } = await openRun(run('20261121-a', 'done'), {}, 'timings')
  await vi.waitFor(() => expect(page.find('figure.chart').exists()).toBe(true))
  await page
    .findAll('figure.chart button')
    .find((one) => one.text() === 'PNG')
    ?.trigger('click')
  await vi.waitFor(() => expect(page.find('.toast.bad').exists()).toBe(true))
})
