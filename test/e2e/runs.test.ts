import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readFileSync } from 'node:fs'
import type { Download } from 'playwright-core'
import type { Run } from '../../electron/contract/run.ts'
import { algorithmEntries } from '../../workers/contract/catalogue.ts'
import { DrivenWorkbench } from './driven-workbench.ts'

/** A grid of as many rounds as rows: the paper's method on ties by id looks at every edge in each, some five seconds in all. */
const SLOW = { rows: 400, columns: 400 }

let driven: DrivenWorkbench
beforeAll(async () => {
  driven = await DrivenWorkbench.open()
  await driven.call('datasets.generate', { model: 'rmat', scale: 12, edgeFactor: 8, seed: 1, name: 'small' })
  await driven.call('datasets.generate', { model: 'grid', ...SLOW, seed: 1, name: 'slow' })
})
afterAll(() => driven.close())

const runOnPage = async (): Promise<Run> => {
  const id = decodeURIComponent(/#\/run\/([^?]+)/.exec(driven.page.url())?.[1] ?? '')
  return (await driven.call('runs.get', { run: id })).run
}

/** Chooses an algorithm for a dataset on the page that asks for runs; nothing is started yet. */
async function choose(dataset: string, algorithm: string): Promise<void> {
  await driven.goTo(`/new-run?dataset=${dataset}`)
  await driven.page.locator('details.advanced').evaluate((part: HTMLDetailsElement) => {
    for (const one of [part, ...part.querySelectorAll('details')]) one.open = true
  })
  await driven.page.locator(`input[name=algorithm][value="${algorithm}"]`).check()
}

async function start(): Promise<void> {
  await driven.page.getByRole('button', { name: 'Start run' }).click()
  await driven.page.waitForURL(/#\/run\//)
}

describe('runs, driven in a browser', () => {
  const entries = algorithmEntries.map(({ name, title, kind }) => ({ name, title, kind }))

  test.each(entries)('$title is chosen and planned', async ({ name }) => {
    await choose('small', name)
    await driven.page
      .getByText(/Fits in memory|Streams in/)
      .first()
      .waitFor()
    await driven.page.getByText(`--algorithm ${name}`).first().waitFor()
    expect(await driven.accessibilityFaults()).toEqual([])
  })

  // Whatever computed it, a page shows a set or a matching.
  test.each(entries.filter(({ kind }, i) => i === entries.findIndex((other) => other.kind === kind)))(
    '$title is computed and verified',
    async ({ name, kind }) => {
      const { page } = driven
      await choose('small', name)
      await start()
      await page.getByText(/verified in /).waitFor()
      const { state, record } = await runOnPage()
      expect(state).toBe('done')
      expect(record).toMatchObject({ outcome: { algorithm: name, result: { kind }, verification: { verified: true } } })
      await page.getByText(record!.hash).first().waitFor()
      expect(await driven.accessibilityFaults()).toEqual([])
    },
  )

  test('the progress of a long run moves, and it is cancelled on the way', async () => {
    const { page } = driven
    await choose('slow', 'ld-gpu')
    await page.locator('details.advanced').evaluate((part) => {
      for (const one of part.querySelectorAll('details')) one.open = true
    })
    await page.getByLabel('Method', { exact: true }).selectOption('rescan')
    await page.getByLabel('Weights', { exact: true }).selectOption('unit')
    await page.getByLabel('Ties', { exact: true }).selectOption('id')
    await page.getByRole('checkbox', { name: /cpu:0/ }).check()
    await start()
    const round = page.getByText(/round [\d,]+/)
    const seen = new Set<string>()
    await expect.poll(async () => seen.add((await round.first().textContent()) ?? '').size).toBeGreaterThan(3)
    expect(await driven.accessibilityFaults()).toEqual([])
    await page.getByRole('main').getByRole('button', { name: 'Cancel', exact: true }).click()
    await page.getByRole('button', { name: 'Resume' }).first().waitFor()
    expect((await runOnPage()).state).toBe('cancelled')
  })

  test('it goes on from where it was, to the end', async () => {
    const { page } = driven
    await page.getByRole('button', { name: 'Resume' }).first().click()
    await page
      .getByText(/round [\d,]+/)
      .first()
      .waitFor()
    await page.getByText(/verified in /).waitFor()
    const { record } = await runOnPage()
    expect(record?.outcome.result).toMatchObject({ kind: 'matching', pairs: (SLOW.rows * SLOW.columns) / 2 })
  })

  test('its result is downloaded', async () => {
    const { page } = driven
    await driven.goTo('/run/latest')
    await page.waitForURL(/#\/run\/(?!latest)/)
    await page.getByRole('button', { name: 'Export' }).click()
    /** One file at a time: a browser asks whether a page may give two. */
    const taken = async (): Promise<string> => {
      const files: Download[] = []
      page.on('download', (download) => files.push(download))
      await expect.poll(() => files.length).toBe(1)
      page.removeAllListeners('download')
      return readFileSync(await files[0]!.path(), 'utf8')
    }
    const [text] = await Promise.all([taken(), page.getByRole('menuitem', { name: 'Pairs, one a line' }).click()])
    expect(text.trimEnd().split('\n')).toHaveLength((SLOW.rows * SLOW.columns) / 2)
    await page.getByRole('button', { name: 'Export' }).click()
    const [record] = await Promise.all([taken(), page.getByRole('menuitem', { name: 'Record' }).click()])
    expect(JSON.parse(record)).toMatchObject({ hash: (await runOnPage()).record!.hash })
  })

  test('a link leads to the same run in another tab', async () => {
    const tab = await driven.newTab()
    await tab.goto(driven.page.url())
    await tab.getByText(/verified in /).waitFor()
    await tab.close()
  })

  test('no page complained', () => {
    expect(driven.complaints).toEqual([])
  })
})
