import { runRequestSchema } from '../../electron/contract/run.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DrivenWorkbench } from './driven-workbench.ts'

let driven: DrivenWorkbench
let paths: Record<string, string>

/** A library with a dataset that has places, and a set and a matching of it, each twice. */
beforeAll(async () => {
  driven = await DrivenWorkbench.open()
  const { dataset } = await driven.call('datasets.sample', { sample: 'cities', radiusKm: 10 })
  const ids: string[] = []
  for (const algorithm of ['ecl-mis', 'ecl-mis', 'ld-gpu'] as const) {
    const request = runRequestSchema.parse({ dataset: dataset.name, algorithm, device: 'cpu:0' })
    const { run } = await driven.call('runs.start', { request })
    expect((await driven.call('runs.wait', { run: run.id })).run.state).toBe('done')
    ids.push(run.id)
  }
  paths = {
    library: '/library',
    dataset: `/dataset/${dataset.name}`,
    'new run': `/new-run?dataset=${dataset.name}`,
    runs: '/runs',
    run: `/run/${ids[0]}`,
    matching: `/run/${ids[2]}`,
    compare: `/compare?run=${ids[0]}&run=${ids[1]}`,
    explore: `/explore/${dataset.name}?run=${ids[0]}`,
    'explored matching': `/explore/${dataset.name}?run=${ids[2]}`,
    devices: '/devices',
    settings: '/settings',
    'no such page': '/nowhere',
  }
})
afterAll(() => driven.close())

const shownTheme = (): Promise<string | undefined> =>
  driven.page.evaluate(() => document.documentElement.dataset['theme'])

describe('the pages, driven in a browser', () => {
  test('the theme is switched in the settings, at once and for good', async () => {
    const { page } = driven
    await driven.goTo('/settings')
    for (const theme of ['dark', 'light', 'dark'] as const) {
      await page.getByLabel('Theme', { exact: true }).selectOption(theme)
      await expect.poll(shownTheme).toBe(theme)
    }
    await page.reload()
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(await shownTheme()).toBe('dark')
    await expect.poll(async () => (await driven.call('settings.get', {})).settings.theme).toBe('dark')
  })

  // Of one page in two themes only the colours differ.
  describe.each([
    { theme: 'dark', rules: undefined },
    { theme: 'light', rules: ['color-contrast'] },
  ] as const)('$theme', ({ theme, rules }) => {
    beforeAll(async () => {
      await driven.call('settings.set', { settings: { theme } })
      await driven.page.waitForFunction((name) => document.documentElement.dataset['theme'] === name, theme)
    })

    test.each([
      'library',
      'dataset',
      'new run',
      'runs',
      'run',
      'matching',
      'compare',
      'explore',
      'explored matching',
      'devices',
      'settings',
      'no such page',
    ])('%s opens by its link, and axe-core finds nothing serious', async (name) => {
      await driven.goTo(paths[name]!)
      await driven.page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
      expect(await driven.accessibilityFaults(rules)).toEqual([])
    })
  })

  test('a neighbourhood is drawn; a place is found by its name and its neighbours are listed', async () => {
    const { page } = driven
    await driven.goTo(paths['explore']!)
    await page.locator('canvas').first().waitFor()
    const search = page.getByRole('combobox', { name: 'Vertex' })
    await search.fill('reykjav')
    await page
      .locator('.combobox-list')
      .getByRole('option', { name: /Reykjavík/ })
      .first()
      .click()
    await page.waitForURL(/vertex=3413829/)
    await page.getByRole('option', { name: /Reykjavík \(3413829\)/ }).click()
    await page.getByRole('heading', { name: /Reykjavík/ }).waitFor()
    await page
      .getByRole('list', { name: /neighbours/i })
      .getByRole('button')
      .first()
      .waitFor()
  })

  test('the ring around a vertex goes with the choice, and with the pointer', async () => {
    const { page } = driven
    await driven.goTo(`${paths['explore']!}&vertex=2950159&layout=rings`)
    // No drawing of another test is there until this one is read.
    await page.reload()
    const ring = page.locator('canvas.sigma-hovers')
    // The canvas of rings is not shown while there is none.
    await ring.waitFor({ state: 'attached' })
    const isDrawn = (): Promise<boolean> =>
      ring.evaluate((canvas: HTMLCanvasElement) =>
        canvas
          .getContext('2d')!
          .getImageData(0, 0, canvas.width, canvas.height)
          .data.some((part) => part !== 0),
      )
    // Software draws it; a machine with other work takes seconds.
    const drawn = (wanted: boolean): Promise<void> => expect.poll(isDrawn).toBe(wanted)
    const { x, y, width, height } = (await page.locator('canvas.sigma-mouse').boundingBox())!
    const middle = [x + width / 2, y + height / 2] as const
    const beside = [x + 40, y + 40] as const
    const noneChosen = page.getByText('Choose a vertex to see its neighbours')
    // A ring tells that the vertex is drawn there. One click follows: two would be a double click, which reads the drawing anew.
    const passOver = async (): Promise<boolean> => {
      await page.mouse.move(...beside)
      await page.mouse.move(...middle)
      return isDrawn()
    }
    await expect.poll(passOver).toBe(true)
    await page.mouse.click(...middle)
    await noneChosen.waitFor({ state: 'detached' })
    await page.mouse.move(...beside)
    await drawn(true)
    await page.mouse.click(...beside)
    await noneChosen.waitFor()
    await drawn(false)
    await page.mouse.move(...middle)
    await drawn(true)
    await page.mouse.move(x + width + 60, y + height / 2)
    await drawn(false)
    await page.getByRole('listbox').getByRole('option').first().click()
    await drawn(true)
    await page.keyboard.press('Escape')
    await noneChosen.waitFor()
    await drawn(false)
  })

  test('the timeline of a run is gone through by the keyboard, and says where it is', async () => {
    const { page } = driven
    await driven.goTo(`${paths['run']!}?tab=timings`)
    const timeline = page.getByRole('application', { name: /^Device timeline/ })
    await timeline.locator('canvas').waitFor()
    await timeline.focus()
    const said = timeline.locator('xpath=../..').getByRole('status')
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => said.textContent()).toMatch(/^worker 0 .*\(1 of \d+\)$/)
    for (const key of ['+', '+', 'End']) await page.keyboard.press(key)
    await expect.poll(() => said.textContent()).toMatch(/\((\d+) of \1\)$/)
    expect(await driven.accessibilityFaults()).toEqual([])
    await page.keyboard.press('Escape')
    await expect.poll(() => said.textContent()).toMatch(/^Arrows, Home/)
  })

  test('two runs are compared side by side', async () => {
    const { page } = driven
    await driven.goTo(paths['compare']!)
    await expect.poll(() => page.locator('.totals').textContent()).toMatch(/Only in A.*\d.*In A and B.*\d/)
    await page.getByRole('tab', { name: 'Charts' }).click()
    await page.locator('canvas').first().waitFor()
    await page.getByRole('tab', { name: 'Table' }).click()
    const compared = (await driven.call('runs.list', {})).runs.find(({ id }) => paths['compare']!.includes(id))!
    await page.getByRole('tabpanel').getByText(compared.hash!).first().waitFor()
    expect(await page.getByRole('tabpanel').getByText(compared.hash!).count()).toBe(2)
  })

  test('the palette leads anywhere by the keyboard', async () => {
    const { page } = driven
    await driven.goTo('/library')
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder('Type a command, a dataset or a run').fill('devices')
    await page.getByRole('option', { name: 'Go to Devices' }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/#\/devices/)
  })

  test('help is a click away; a message is searched, found and opened by the keyboard; axe-core finds nothing serious', async () => {
    const { page } = driven
    await driven.goTo('/library')
    // Help opens in a tab of its own: the page stays.
    const opened = page.waitForEvent('popup')
    await page.getByRole('link', { name: 'Help' }).click()
    const help = await opened
    await help.getByRole('heading', { level: 1, name: 'Help' }).waitFor()
    await page.getByRole('heading', { level: 1, name: 'Library' }).waitFor()
    // Help has the colours of the window, at once.
    const isDark = (): Promise<boolean> => help.evaluate(() => document.documentElement.classList.contains('dark'))
    for (const theme of ['dark', 'light'] as const) {
      await driven.call('settings.set', { settings: { theme } })
      await expect.poll(isDark).toBe(theme === 'dark')
    }
    expect(await help.getByRole('switch').count()).toBe(0)
    await page.goto(help.url().replace(/[^/]*$/, 'first-steps.html'))
    await help.close()
    await page.getByRole('heading', { level: 1, name: 'First steps' }).waitFor()
    expect(await driven.accessibilityFaults()).toEqual([])
    await page.goto(`${driven.link.origin}/help/index.html`)
    await page.getByRole('heading', { level: 1, name: 'Help' }).waitFor()
    expect(await driven.accessibilityFaults()).toEqual([])
    // A key that comes before the page listens is lost.
    const box = page.locator('#localsearch-input')
    await expect
      .poll(async () => {
        if (!(await box.isVisible())) await page.keyboard.press('/')
        return box.isVisible()
      })
      .toBe(true)
    await box.fill('nothing tells whether')
    await page.getByRole('link', { name: 'Troubleshooting > Files that are not read' }).focus()
    await page.keyboard.press('Enter')
    await page.waitForURL(/troubleshooting\.html#files-that-are-not-read$/)
    await page.getByText('A table whose first line').waitFor()
    await page.getByRole('link', { name: 'Workbench' }).click()
    await page.getByRole('heading', { level: 1, name: 'Library' }).waitFor()
  })

  test('no page complained', () => {
    expect(driven.complaints).toEqual([])
  })
})
