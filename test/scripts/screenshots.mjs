// Takes docs/screenshots, the pictures of the README and of the guide to the window: every page, with real data (the cities of GeoNames) and live work;
// light, but for the settings. Those of the recipes show what the commands of docs/recipes.md made.
// Run after `npm run build`: node test/scripts/screenshots.mjs [--sizes=1280x800,2560x1440] [--themes=light,dark] [folder] [page ...]
// With sizes or themes there is a picture of each, named after them.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
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
/** The quality of WebP: text stays sharp, and a picture takes some 50 kB. */
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
  const set = await run(page, 'cities-10km', 'ecl-mis', { quality: 'better' })
  const best = await run(page, 'cities-10km', 'ecl-mis', { quality: 'best', searchSeconds: 8 })
  return {
    library: '/library',
    import: `/library?do=import&source=${encodeURIComponent(friends)}`,
    dataset: '/dataset/cities-10km',
    'new-run': '/new-run?dataset=cities-10km',
    runs: '/runs',
    run: `/run/${set}`,
    table: `/run/${set}`,
    export: `/run/${set}`,
    matching: `/run/${matching}`,
    compare: `/compare?${[set, best, ...compared].map((id) => `run=${id}`).join('&')}&tab=bars`,
    explore: `/explore/cities-10km?run=${set}&vertex=2950159&limit=400`,
    'explore-whole': `/explore/cities-25km?run=${whole}`,
    devices: '/devices',
    settings: '/settings',
    'live-run': null,
  }
}

/** What a person does on a page before its picture is taken. */
const acts = {
  table: async (page) => {
    await page.getByRole('textbox', { name: 'Only where …' }).fill('population > 1000000')
    await page.keyboard.press('Enter')
  },
  export: (page) => page.getByRole('button', { name: 'Export' }).click(),
}

/** Runs the commands of the recipes as they stand. Returns the link of the picture of each. */
async function cook(page, library) {
  const bin = join(home, 'bin')
  mkdirSync(bin)
  const launcher = join(root, 'electron', 'launch.mjs')
  writeFileSync(join(bin, 'anticlique'), `#!/bin/sh\nexec '${process.execPath}' '${launcher}' "$@"\n`, { mode: 0o755 })
  const env = { ...process.env, ANTICLIQUE_LIBRARY: library, PATH: `${bin}${delimiter}${process.env.PATH}` }
  const recipes = readFileSync(join(root, 'docs', 'recipes.md'), 'utf8')
  for (const [, commands] of recipes.matchAll(/^```sh\n([^]*?)^```$/gm))
    execFileSync('bash', ['-euo', 'pipefail', '-c', commands], {
      cwd: home,
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  const { runs } = await call(page, 'runs.list', {})
  const lastOf = (name) => runs.find(({ dataset }) => dataset === name).id
  return {
    'recipe-items': `/explore/items?run=${lastOf('items')}`,
    'recipe-cohort': `/run/${runs.findLast(({ dataset }) => dataset === 'cohort').id}`,
    'recipe-masts': `/explore/masts?run=${lastOf('masts')}`,
    'recipe-links': `/run/${lastOf('links')}`,
    'recipe-exams': `/explore/exams?run=${lastOf('exams')}`,
    'recipe-scores': `/run/${lastOf('scores')}`,
    'recipe-plate': `/explore/plate?run=${lastOf('plate')}`,
    'recipe-web': '/dataset/web',
    'recipe-many': '/runs',
  }
}

/** A search that takes a minute, to be seen on the way. */
async function live(page) {
  const search = { quality: 'best', searchSeconds: 60 }
  const { run: started } = await call(page, 'runs.start', order('cities-25km', 'ecl-mis', search))
  await page.waitForTimeout(15_000)
  return started.id
}

/** Whether the page says of nothing that it is coming, and tables have rows. */
function isFilled() {
  const all = (what) => [...document.querySelectorAll(what)]
  const isComing = all('main [role=status]').some(({ textContent }) => textContent.includes('…'))
  const isEmpty = all('[role=grid]').some((grid) => grid.querySelector('[role=gridcell]') === null)
  return !isComing && !isEmpty && all('[aria-busy=true]').length === 0
}

async function picture(page, origin, path, name, base = name) {
  await page.goto(`${origin}/#${path}`)
  await page.getByRole('heading', { level: 1 }).or(page.getByRole('dialog')).first().waitFor()
  await page.waitForLoadState('networkidle')
  await page.waitForTimeout(STILL_MS)
  await page.waitForFunction(isFilled, undefined, { timeout: 120_000 })
  await acts[base]?.(page)
  await page.waitForTimeout(STILL_MS)
  await page.waitForFunction(isFilled, undefined, { timeout: 120_000 })
  const session = await page.context().newCDPSession(page)
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY })
  await session.detach()
  writeFileSync(join(folder, `${name}.webp`), Buffer.from(data, 'base64'))
}

/** A file of a reader's own, in a folder that says nothing of this machine. */
const home = mkdtempSync(join(tmpdir(), 'anticlique-'))
const friends = join(home, 'friends.csv')
const pairs = ['ann,bob,3', 'bob,cem,5', 'cem,dia,4', 'dia,ann,1', 'dia,eve,2', 'eve,fay,3', 'fay,bob,2']
writeFileSync(friends, ['source,target,calls', ...pairs, ''].join('\n'))
const serving = await startServe()
const browser = await startBrowser()
try {
  mkdirSync(folder, { recursive: true })
  const context = await browser.newContext({ reducedMotion: 'reduce' })
  const page = await context.newPage()
  await page.goto(serving.link.href)
  await page.getByRole('heading', { level: 1 }).waitFor()
  if (wanted.length === 0 || wanted.includes('welcome')) {
    await page.setViewportSize({ width: 1280, height: 800 })
    await picture(page, serving.link.origin, '/library', 'welcome')
  }
  const isRecipe = (name) => name.startsWith('recipe-')
  const recipes = wanted.length === 0 || wanted.some(isRecipe) ? await cook(page, serving.library) : {}
  const others = wanted.length === 0 || !wanted.every(isRecipe) ? await fill(page) : {}
  const pages = { ...recipes, ...others }
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
        await picture(page, serving.link.origin, path ?? `/run/${slow}`, among, name)
      }
    }
  }
  if (slow !== null) await call(page, 'runs.cancel', { run: slow })
} finally {
  await browser.close()
  rmSync(home, { recursive: true, force: true })
  await serving.close()
}
