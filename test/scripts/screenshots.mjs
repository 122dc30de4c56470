// Takes docs/screenshots: a picture of every page, with real data (the cities of GeoNames) and live work; light, but for the settings.
// Run after `npm run build`: node test/scripts/screenshots.mjs [--sizes=1280x800,2560x1440] [--themes=light,dark] [folder] [page ...]
// With sizes or themes there is a picture of each, named after them.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { call, root, startBrowser, startServe } from '../support/serve-window.mjs'

const words = process.argv.slice(2)
const choice = (name) =>
  words
    .find((word) => word.startsWith(`--${name}=`))
    ?.split('=')[1]
    .split(',')
const [folder = join(root, 'docs', 'screenshots'), ...wanted] = words.filter((word) => !word.startsWith('--'))
const sizes = choice('sizes') ?? ['1280x800']
const themes = choice('themes')
/** Pages that are shown dark: where the theme is chosen. */
const DARK = new Set(['settings'])
/** Of WebP: text stays sharp, and a picture takes some 50 kB. */
const QUALITY = 82
/** Charts and drawings are still once nothing has changed for so long. */
const STILL_MS = 700

const order = (dataset, algorithm, more = {}) => ({
  request: {
    dataset,
    algorithm,
    device: 'cpu:0',
    priority: algorithm === 'tc-mis' ? 'h2' : 'degree',
    seed: 0,
    verify: true,
    ...more,
  },
})

async function run(page, ...asked) {
  const { run: started } = await call(page, 'runs.start', order(...asked))
  return (await call(page, 'runs.wait', { run: started.id })).run.id
}

/** Fills the library. Returns the link of every page. */
async function fill(page) {
  for (const radiusKm of [5, 10, 25]) await call(page, 'datasets.sample', { sample: 'cities', radiusKm })
  await call(page, 'datasets.generate', { model: 'rmat', scale: 16, edgeFactor: 16, seed: 1, name: 'rmat-16' })
  await call(page, 'datasets.generate', { model: 'grid', rows: 1000, columns: 1000, seed: 1, name: 'grid-1000' })
  await call(page, 'datasets.tagMany', { names: ['cities-5km', 'cities-10km', 'cities-25km'], add: ['GeoNames'] })
  await call(page, 'datasets.tag', { name: 'grid-1000', tags: ['planar'] })
  const compared = []
  for (let repeat = 0; repeat < 3; repeat++)
    for (const algorithm of ['ecl-mis', 'tc-mis', 'mg-mis'])
      compared.push(await run(page, 'cities-10km', algorithm, algorithm === 'mg-mis' ? { device: 'cpu:0,cpu:1' } : {}))
  const whole = await run(page, 'cities-25km', 'ecl-mis')
  for (const dataset of ['cities-5km', 'rmat-16']) await run(page, dataset, 'ecl-mis')
  await run(page, 'rmat-16', 'ecl-mis', { priority: 'hash' })
  const matching = await run(page, 'cities-10km', 'ld-gpu')
  const set = await run(page, 'cities-10km', 'mg-mis', { device: 'cpu:0,cpu:1', batches: 4 })
  return {
    library: '/library',
    dataset: '/dataset/cities-10km',
    'new-run': '/new-run?dataset=cities-10km',
    runs: '/runs',
    run: `/run/${set}`,
    matching: `/run/${matching}`,
    compare: `/compare?${[set, ...compared].map((id) => `run=${id}`).join('&')}`,
    explore: `/explore/cities-10km?run=${set}&vertex=2950159&limit=400`,
    'explore-whole': `/explore/cities-25km?run=${whole}`,
    devices: '/devices',
    settings: '/settings',
    'live-run': null,
  }
}

/** A run that takes half a minute, to be seen on the way. */
async function live(page) {
  const slow = { method: 'rescan', weights: 'unit', ties: 'id' }
  const { run: started } = await call(page, 'runs.start', order('grid-1000', 'ld-gpu', slow))
  await page.waitForTimeout(4000)
  return started.id
}

/** In the page: nothing says that it is coming, and tables have rows. */
function isFilled() {
  const all = (what) => [...document.querySelectorAll(what)]
  const isComing = all('main [role=status]').some(({ textContent }) => textContent.includes('…'))
  const isEmpty = all('[role=grid]').some((grid) => grid.querySelector('[role=gridcell]') === null)
  return !isComing && !isEmpty && all('[aria-busy=true]').length === 0
}

async function picture(page, origin, path, name) {
  await page.goto(`${origin}/#${path}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForLoadState('networkidle')
  await page.waitForTimeout(STILL_MS)
  await page.waitForFunction(isFilled, undefined, { timeout: 120_000 })
  await page.waitForTimeout(STILL_MS)
  const session = await page.context().newCDPSession(page)
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY })
  await session.detach()
  writeFileSync(join(folder, `${name}.webp`), Buffer.from(data, 'base64'))
}

const serving = await startServe()
const browser = await startBrowser()
try {
  mkdirSync(folder, { recursive: true })
  const context = await browser.newContext({ reducedMotion: 'reduce' })
  const page = await context.newPage()
  await page.goto(serving.link.href)
  await page.getByRole('heading', { level: 1 }).waitFor()
  const pages = await fill(page)
  // Messages about what is done go with the page that was told.
  await page.reload()
  await page.getByRole('heading', { level: 1 }).waitFor()
  let slow = null
  for (const [name, path] of Object.entries(pages)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue
    for (const theme of themes ?? [DARK.has(name) ? 'dark' : 'light']) {
      await call(page, 'settings.set', { settings: { theme } })
      if (path === null) slow = await live(page)
      for (const size of sizes) {
        const [width, height] = size.split('x').map(Number)
        await page.setViewportSize({ width, height })
        const among = words.some((word) => word.startsWith('--')) ? `${name}-${size}-${theme}` : name
        await picture(page, serving.link.origin, path ?? `/run/${slow}`, among)
      }
    }
  }
  if (slow !== null) await call(page, 'runs.cancel', { run: slow })
} finally {
  await browser.close()
  await serving.close()
}
