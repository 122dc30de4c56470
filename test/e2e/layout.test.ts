import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Locator } from 'playwright-core'
import { DrivenWorkbench } from './driven-workbench.ts'

const LONG = 'a-crawl-of-a-social-network-with-all-of-its-edges-and-a-name-of-a-hundred-letters-of-version-12'
const NAME = 'the last run of the second series for the paper, with every option that there is'
const eight = Array.from({ length: 8 }, (_, worker) => `cpu:${worker}`).join(',')

let driven: DrivenWorkbench
let named = ''

/** A window of 1280 x 800 with long names and many devices. */
beforeAll(async () => {
  driven = await DrivenWorkbench.open()
  await driven.call('datasets.generate', { model: 'rmat', scale: 10, edgeFactor: 8, seed: 1, name: LONG })
  const request = { dataset: LONG, algorithm: 'mg-mis', priority: 'degree', seed: 0, verify: true } as const
  for (const device of ['cpu:0,cpu:1', eight, 'cpu:0']) {
    const { run } = await driven.call('runs.start', { request: { ...request, device }, name: NAME })
    named = run.id
    await driven.call('runs.wait', { run: run.id })
  }
})
afterAll(() => driven.close())

const widths = (cells: Locator): Promise<readonly { text: string; cut: boolean }[]> =>
  cells.evaluateAll((all) =>
    all.map((cell) => ({ text: cell.textContent ?? '', cut: cell.scrollWidth > cell.clientWidth })),
  )

describe('what fits a window of 1280 x 800', () => {
  test('no figure and no device of the list of runs is cut off', async () => {
    await driven.goTo('/runs')
    await driven.page.getByRole('heading', { level: 1, name: 'Runs' }).waitFor()
    await expect.poll(() => driven.page.locator('.row').count()).toBe(3)
    const heads = await driven.page.getByRole('columnheader').allTextContents()
    const places = heads.map((_, at) => at).filter((at) => !['', '★', 'run', 'dataset'].includes(heads[at]!.trim()))
    expect(places.length).toBeGreaterThan(5)
    for (const at of places) {
      const cells = await widths(driven.page.locator(`.row > [role=gridcell]:nth-child(${at + 1})`))
      expect(cells).toHaveLength(3)
      expect(cells.filter(({ cut }) => cut)).toEqual([])
    }
    await driven.page.getByText('8 on CPU').waitFor()
    expect(await driven.page.getByTitle(eight.replaceAll(',', ', ')).count()).toBe(1)
    const grid = await widths(driven.page.getByRole('grid'))
    expect(grid.map(({ cut }) => cut)).toEqual([false])
  })

  test('a long name of a dataset leaves room for the name of the run', async () => {
    await driven.goTo(`/run/${named}`)
    const heading = driven.page.getByRole('heading', { level: 1, name: NAME })
    await heading.waitFor()
    const shown = await heading.locator(':scope > span').evaluateAll((parts) => parts.map((part) => part.clientWidth))
    expect(shown).toHaveLength(2)
    expect(Math.min(...shown)).toBeGreaterThan(120)
  })

  test('what the plan refuses is not started, and the button with its reason stays in sight', async () => {
    const { page } = driven
    await driven.goTo(`/new-run?dataset=${LONG}`)
    const start = page.getByRole('button', { name: 'Start run' })
    await page.getByText('Fits in memory').waitFor()
    await page.locator('details.advanced > summary').click()
    expect(await start.isEnabled()).toBe(true)
    await page.getByText('More options').click()
    await page.getByLabel('Memory per device', { exact: true }).fill('64')
    const reason = page.getByText('The plan says that this cannot be done here')
    await reason.waitFor()
    expect(await start.isDisabled()).toBe(true)
    expect(await start.getAttribute('aria-describedby')).toBe(await reason.getAttribute('id'))
    const refusal = (await page.getByRole('main').getByRole('alert').textContent()) ?? ''
    expect(refusal).toContain('“Memory per device”')
    expect(refusal).not.toContain('--')
    // Their cards stand above the status bar, as long as the page stays.
    for (const name of ['one.mtx', 'two.mtx']) {
      const source = driven.file(name, '%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n1 x 1\n')
      await driven.call('datasets.import', { source }).catch(() => null)
    }
    await expect.poll(() => page.getByRole('region', { name: 'Long work' }).getByRole('article').count()).toBe(2)
    const cards = await page.getByRole('region', { name: 'Long work' }).boundingBox()
    const button = await start.boundingBox()
    expect(button!.y + button!.height).toBeLessThanOrEqual(cards!.y)
    expect(await driven.accessibilityFaults()).toEqual([])
    await page.getByLabel('Memory per device', { exact: true }).fill('')
    await page.getByText('Fits in memory').waitFor()
    expect(await start.isEnabled()).toBe(true)
  })

  test.each([
    ['/library', 'Library'],
    ['/new-run', 'New run'],
    ['/runs', 'Runs'],
    ['/compare', 'Compare'],
    ['/explore', 'Explore'],
    ['/devices', 'Devices'],
    ['/settings', 'Settings'],
    [`/dataset/${LONG}`, LONG],
  ])('%s is not wider than the window', async (path, name) => {
    await driven.goTo(path)
    await driven.page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
    const page = await widths(driven.page.locator('body, main'))
    expect(page.map(({ cut }) => cut)).toEqual([false, false])
  })

  test('no page complained', () => {
    expect(driven.complaints).toEqual([])
  })
})
