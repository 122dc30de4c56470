// Measures the window as people feel it: start, frames of Explore and of a table of a million rows, the size of its JavaScript, and what axe finds.
// Frames come from a headless Chromium that draws in software, so a machine with a GPU does better. Run after `npm run build`:
//   node test/scripts/window-speed.mjs
import axe from 'axe-core'
import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { call, root, startBrowser, startServe } from '../support/serve-window.mjs'

const MOVES = 60
const STARTS = 7
/** Vertices of the grids that Explore draws. */
const GRIDS = [
  [25, 40],
  [100, 100],
  [200, 250],
]

const sorted = (values) => values.toSorted((a, b) => a - b)
const at = (values, share) => sorted(values)[Math.min(values.length - 1, Math.floor(share * values.length))]
const framesText = ({ ms, cpuMs }) =>
  `median ${at(ms, 0.5).toFixed(0)} ms, 95 % below ${at(ms, 0.95).toFixed(0)} ms (${ms.length} frames), main thread ${cpuMs.toFixed(1)} ms of CPU a frame`

/** Times between frames of the page while `act` goes on, and the CPU time of its main thread for each: what is left where a GPU draws. */
async function frames(page, act) {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const busyMs = async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    return 1000 * metrics.find(({ name }) => name === 'TaskDuration').value
  }
  await page.evaluate(() => {
    window.frameTimes = []
    let before = performance.now()
    const note = (now) => {
      window.frameTimes.push(now - before)
      before = now
      window.frameHandle = requestAnimationFrame(note)
    }
    window.frameHandle = requestAnimationFrame(note)
  })
  const beforeMs = await busyMs()
  await act()
  const cpuMs = (await busyMs()) - beforeMs
  const ms = await page.evaluate(() => {
    cancelAnimationFrame(window.frameHandle)
    return window.frameTimes.slice(1)
  })
  await session.detach()
  return { ms, cpuMs: cpuMs / ms.length }
}

async function explore(page, origin, [rows, columns]) {
  const name = `grid-${rows * columns}`
  await call(page, 'datasets.generate', { model: 'grid', rows, columns, seed: 1, name })
  const startMs = performance.now()
  await page.goto(`${origin}/#/explore/${name}?detail=50000`)
  const canvas = page.getByRole('main').locator('canvas').first()
  await canvas.waitFor({ timeout: 120_000 })
  const readyMs = performance.now() - startMs
  await page.waitForTimeout(1500)
  const box = await canvas.boundingBox()
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  await page.mouse.move(x, y)
  const seen = await frames(page, async () => {
    await page.mouse.down()
    for (let i = 0; i < MOVES; i++) await page.mouse.move(x + 100 * Math.sin(i / 8), y + 60 * Math.cos(i / 8))
    await page.mouse.up()
    for (let i = 0; i < MOVES / 2; i++) await page.mouse.wheel(0, i < MOVES / 4 ? -60 : 60)
  })
  console.log(
    `Explore, ${rows * columns} vertices: drawn after ${(readyMs / 1000).toFixed(1)} s; dragged and zoomed: ${framesText(seen)}`,
  )
}

async function table(page, origin) {
  await call(page, 'datasets.generate', { model: 'grid', rows: 1200, columns: 2300, seed: 1, name: 'million' })
  const request = { dataset: 'million', algorithm: 'ecl-mis', device: 'cpu:0', priority: 'hash', seed: 0, verify: true }
  const { run } = await call(page, 'runs.start', { request })
  const { size } = (await call(page, 'runs.wait', { run: run.id })).run
  await page.goto(`${origin}/#/run/${run.id}`)
  const cells = page.locator('[role=row] [role=gridcell]')
  await cells.first().waitFor({ timeout: 60_000 })
  const grid = page.getByRole('grid')
  const box = await grid.boundingBox()
  await page.mouse.move(box.x + box.width / 2, box.y + 100)
  const seen = await frames(page, async () => {
    for (let i = 0; i < 2 * MOVES; i++) await page.mouse.wheel(0, i % 20 === 19 ? 200_000 : 240)
  })
  console.log(`Result table, ${size} rows: scrolled: ${framesText(seen)}`)
  const startMs = performance.now()
  await page.getByRole('columnheader', { name: 'Degree' }).getByRole('button').first().click()
  await page.locator('[aria-sort=descending]').getByText('Degree').waitFor()
  // The largest degree of a grid comes first.
  await page.locator('[aria-rowindex="2"] [role=gridcell]').nth(2).getByText('4', { exact: true }).waitFor()
  console.log(`Result table, sorted by degree after ${(performance.now() - startMs).toFixed(0)} ms`)
}

function scripts() {
  const folder = join(root, 'out', 'renderer', 'assets')
  const files = readdirSync(folder).filter((name) => name.endsWith('.js'))
  const bytes = files.map((name) => gzipSync(readFileSync(join(folder, name)), { level: 9 }).length)
  const all = bytes.reduce((sum, one) => sum + one, 0)
  console.log(`JavaScript: ${(all / 1000).toFixed(0)} kB gzipped in ${files.length} files, of at most 900 kB`)
  if (all >= 900_000) process.exitCode = 1
}

async function accessibility(page, origin, run) {
  const paths = ['/library', '/dataset/million', '/new-run', '/runs', `/run/${run}`, `/run/${run}?tab=timings`]
  paths.push(`/compare?run=${run}`, '/explore/grid-1000', '/devices', '/settings')
  for (const theme of ['light', 'dark']) {
    await call(page, 'settings.set', { settings: { theme } })
    for (const path of paths) {
      await page.goto(`${origin}/#${path}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.waitForTimeout(1000)
      await page.evaluate(axe.source)
      const { violations } = await page.evaluate(() => window.axe.run(document))
      for (const { id, impact, nodes } of violations) {
        console.log(`axe, ${theme}, ${path}: ${impact} ${id}: ${nodes[0].html}`)
        process.exitCode = 1
      }
    }
  }
  console.log(`axe: ${paths.length} pages in two themes looked at`)
}

/** Starts of the program with a page that nothing is kept of, in a browser that runs: from the command to the library on the page. */
async function starts(browser) {
  const ready = []
  const shown = []
  for (let time = 0; time < STARTS; time++) {
    const serving = await startServe()
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' })
    const page = await context.newPage()
    const openMs = performance.now()
    await page.goto(serving.link.href, { waitUntil: 'commit' })
    await page.getByRole('heading', { level: 1 }).waitFor()
    ready.push(serving.readyMs)
    shown.push(performance.now() - openMs)
    await context.close()
    await serving.close()
  }
  const sums = ready.map((ms, i) => ms + shown[i])
  console.log(
    `start, median of ${STARTS}: serve answers after ${at(ready, 0.5).toFixed(0)} ms, the first page is shown ${at(shown, 0.5).toFixed(0)} ms later; together ${at(sums, 0.5).toFixed(0)} ms, at best ${at(sums, 0).toFixed(0)} ms, of at most 1000 ms`,
  )
}

console.log(`${availableParallelism()} cores, ${cpus()[0].model.trim()}; load ${loadavg()[0].toFixed(1)}`)
const browser = await startBrowser()
await starts(browser)
const serving = await startServe()
try {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' })
  const page = await context.newPage()
  await page.goto(serving.link.href)
  await page.getByRole('heading', { level: 1 }).waitFor()
  scripts()
  for (const grid of GRIDS) await explore(page, serving.link.origin, grid)
  await table(page, serving.link.origin)
  const { runs } = await call(page, 'runs.list', {})
  await accessibility(page, serving.link.origin, runs[0].id)
} finally {
  await browser.close()
  await serving.close()
}
