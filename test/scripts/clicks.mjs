// Does four tasks in the window as a person would, on a library that starts empty, and counts the clicks, from the library's page, which opens first. Exits with 1 where one takes more than it may.
// Neither typing is counted nor what the system's own dialog for files takes. Run after `npm run build`: node test/scripts/clicks.mjs
import { readFileSync } from 'node:fs'
import { call, startBrowser, startServe } from '../support/serve-window.mjs'

const PATIENCE_MS = 30_000
/** A header in words that no program knows, quotes, and a decimal comma. */
const FOREIGN = 'Quelle;Ziel;Gewicht\n"Graz, Stadt";Linz;1,5\nLinz;Wien;2,25\nWien;Zürich;0,5\nZürich;Graz, Stadt;3\n'

const serving = await startServe()
const browser = await startBrowser()
const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' })
context.setDefaultTimeout(PATIENCE_MS)
const page = await context.newPage()
const button = (name) => page.getByRole('button', { name, exact: true })
const place = (name) => page.getByRole('navigation').getByRole('link', { name, exact: true })
const rows = (name) => page.getByRole('row').filter({ hasText: name })

let clicks = 0
async function click(target) {
  await target.click()
  clicks++
}

/** Waits until a run's page shows its table of members. @returns the words of the table's rows */
async function members() {
  await page.waitForURL(/#\/run\//)
  await page.getByText(/verified in /).waitFor()
  await page.getByRole('tab', { name: 'Result', selected: true }).waitFor()
  await page.locator('[role=row] [role=gridcell]').first().waitFor()
  return page.getByRole('row').allInnerTexts()
}

async function firstResult() {
  await click(button('Try 135,233 cities'))
  await rows('cities-10km').waitFor()
  await click(place('New run'))
  await click(button('Start run'))
  return `${(await members()).length} rows of the table in sight`
}

async function ownCsv() {
  await click(button('Import'))
  const chosen = page.waitForEvent('filechooser')
  await click(button('From this computer'))
  await (await chosen).setFiles({ name: 'Städte.csv', mimeType: 'text/csv', buffer: Buffer.from(FOREIGN) })
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Quelle').first().waitFor()
  await click(dialog.getByRole('button', { name: 'Import', exact: true }))
  await rows('Städte').waitFor()
  await click(place('New run'))
  await click(button('Start run'))
  const texts = (await members()).join(' ')
  if (texts.includes('Quelle') || !/Graz, Stadt|Linz|Wien|Zürich/.test(texts))
    throw new Error(`not the members: ${texts}`)
  const { dataset } = await call(page, 'datasets.get', { name: 'Städte' })
  if (dataset.vertices !== 4 || !dataset.weighted) throw new Error('4 vertices and their weights were expected')
  return `${dataset.vertices} vertices, weights kept`
}

async function difference() {
  const ticks = rows('cities-10km').getByRole('checkbox')
  await click(place('Runs'))
  // The page before stays until this one is loaded, and has rows of the same dataset.
  await page.getByRole('heading', { level: 1, name: 'Runs' }).waitFor()
  await click(ticks.nth(0))
  await click(ticks.nth(1))
  await click(button('Compare'))
  await page.locator('dl.totals').getByText(/\d/).nth(2).waitFor()
  const figures = await page.locator('dl.totals > div').allInnerTexts()
  if (figures.length !== 3) throw new Error('three figures were expected')
  return figures.map((text) => text.replaceAll(/\s+/g, ' ').toLowerCase()).join(', ')
}

async function hubPicture() {
  await click(page.getByRole('link', { name: 'cities-10km', exact: true }))
  await click(page.getByRole('list', { name: 'Largest degrees' }).getByRole('link').first())
  // The picture is of what is drawn.
  await page.getByRole('main').locator('canvas').first().waitFor()
  const saved = page.waitForEvent('download')
  await click(button('Save'))
  await click(page.getByRole('menuitem', { name: /PNG/ }))
  const file = await saved
  const bytes = readFileSync(await file.path())
  if (bytes.toString('latin1', 1, 4) !== 'PNG') throw new Error('this is no PNG')
  return `${file.suggestedFilename()}, ${bytes.readUInt32BE(16)} x ${bytes.readUInt32BE(20)} pixels`
}

async function task(name, most, act) {
  clicks = 0
  await page.goto(`${serving.link.origin}/#/library`)
  await page.getByRole('heading', { level: 1, name: 'Library' }).waitFor()
  const startMs = performance.now()
  const seen = await act()
  const verdict = clicks <= most ? 'ok' : 'TOO MANY'
  if (clicks > most) process.exitCode = 1
  console.log(
    `${verdict}  ${name}: ${clicks} of at most ${most} clicks, ${((performance.now() - startMs) / 1000).toFixed(1)} s. ${seen}`,
  )
}

try {
  await page.goto(serving.link.href)
  await task('first start to first result', 3, firstResult)
  await task('own CSV with a foreign header to the table of members', 5, ownCsv)
  const request = {
    dataset: 'cities-10km',
    algorithm: 'ecl-mis',
    device: 'cpu:0',
    priority: 'hash',
    seed: 1,
    verify: true,
  }
  const { run } = await call(page, 'runs.start', { request })
  await call(page, 'runs.wait', { run: run.id })
  await task('two runs to their difference', 4, difference)
  await task("the hub's neighbourhood to a PNG", 4, hubPicture)
} finally {
  await browser.close()
  await serving.close()
}
