// Measures the window as `anticlique serve` shows it: the time from its start to the first useful paint, the size of the page's
// JavaScript, and tasks longer than 50 ms while ten thousand rows are scrolled.
// Run after `npm run build`: node resources/scripts/bench-window.mjs [repeats]
import Database from 'better-sqlite3'
import { mkdtempSync, readFileSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { median } from './bench-figures.mjs'
import { call, root, startBrowser, startServe } from './serve-for-scripts.mjs'

const repeats = Number(process.argv[2] ?? 5)
const ROWS = 10_000
const LONG_MS = 50
const STEPS = 200
/** What a notch of a wheel scrolls. */
const WHEEL_PX = 100

const ms = (values) =>
  `${median(values).toFixed(0)} ms (${Math.min(...values).toFixed(0)} to ${Math.max(...values).toFixed(0)}, ${values.length} times)`

/** kB (1000 bytes) of all JavaScript of the page, gzipped; `first`: what the first page loads. */
function scriptSizes() {
  const folder = join(root, 'out', 'renderer', 'assets')
  const scripts = readdirSync(folder).filter((name) => name.endsWith('.js'))
  const sizes = scripts.map((name) => [name, gzipSync(readFileSync(join(folder, name)), { level: 9 }).length / 1000])
  return { all: sizes.reduce((sum, [, size]) => sum + size, 0), largest: sizes.sort((a, b) => b[1] - a[1]).slice(0, 5) }
}

/** Serve is started; the browser is there already, as it is on a person's desk. */
async function startOnce(browser, library) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  await context.addInitScript(watchInPage)
  const page = await context.newPage()
  const serving = await startServe(library)
  await page.goto(serving.link.href, { waitUntil: 'commit' })
  // The page itself looks at the clock: asking it from outside adds what the asking takes.
  const useful = await page.waitForFunction(() => window.usefulAtMs, undefined, { polling: 50 })
  const usefulMs = (await useful.jsonValue()) - (performance.timeOrigin + serving.startMs)
  const paintMs = await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0)
  const loaded = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter(({ name }) => name.endsWith('.js'))
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
  )
  await context.close()
  await serving.close({ keep: true })
  return { usefulMs, readyMs: serving.readyMs, paintMs, loaded }
}

/** Runs in the page. Useful: the library is read and drawn, so that its rows or its first steps can be clicked. */
function watchInPage() {
  const look = () => {
    const isThere =
      document.querySelectorAll('[role=row]').length > 1 || document.body?.innerText.includes('The library is empty')
    if (!isThere) return
    observer.disconnect()
    // The frame after the one in which it came.
    requestAnimationFrame(() => setTimeout(() => (window.usefulAtMs = performance.timeOrigin + performance.now())))
  }
  const observer = new MutationObserver(look)
  observer.observe(document, { childList: true, subtree: true })
}

/** A library of many datasets, each a copy of one row; their folders hold nothing. */
async function manyDatasets(browser) {
  const library = mkdtempSync(join(tmpdir(), 'anticlique-window-'))
  const serving = await startServe(library)
  const page = await browser.newPage()
  await page.goto(serving.link.href)
  await page.getByText('The library is empty').waitFor()
  await call(page, 'datasets.generate', { model: 'grid', rows: 30, columns: 40, seed: 1, name: 'grid' })
  await page.close()
  await serving.close({ keep: true })
  const database = new Database(join(library, 'library.sqlite'))
  const [row] = database.prepare('SELECT * FROM datasets').all()
  const columns = Object.keys(row).filter((name) => name !== 'id')
  const insert = database.prepare(`INSERT INTO datasets (${columns}) VALUES (${columns.map((name) => `@${name}`)})`)
  database.transaction(() => {
    for (let i = 1; i < ROWS; i++) insert.run({ ...row, name: `grid ${i}`, folder: `${row.folder}-${i}` })
  })()
  database.close()
  return library
}

/** Scrolls in steps of so many pixels, one a frame. Returns tasks over 50 ms, the frames, and the page's work for each step. */
async function scrolling(page, session, stepPx) {
  // Processor time of the page's main thread: other programs do not lengthen it.
  const workMs = async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    return 1000 * metrics.find(({ name }) => name === 'TaskDuration').value
  }
  const beforeMs = await workMs()
  const found = await page.evaluate(scrollInPage, [STEPS, stepPx, LONG_MS])
  return { ...found, stepMs: ((await workMs()) - beforeMs) / STEPS }
}

/** Runs in the page. */
async function scrollInPage([steps, stepPx, longMs]) {
  let box = document.querySelectorAll('[role=row]')[1]
  while (box && box.scrollHeight <= box.clientHeight + 100) box = box.parentElement
  if (!box) throw new Error('nothing scrolls')
  const long = []
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) if (duration > longMs) long.push(duration)
  })
  observer.observe({ entryTypes: ['longtask'] })
  box.scrollTop = 0
  await new Promise((next) => setTimeout(next, 500))
  long.length = 0
  const frames = []
  let last = performance.now()
  for (let i = 1; i <= steps; i++) {
    box.scrollTop = i * stepPx
    await new Promise((next) => requestAnimationFrame(next))
    frames.push(performance.now() - last)
    last = performance.now()
  }
  await new Promise((next) => setTimeout(next, 300))
  return { long, frames, height: box.scrollHeight }
}

async function measureScrolling(browser) {
  const serving = await startServe(await manyDatasets(browser))
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  await page.goto(serving.link.href)
  await page.locator('[role=row] >> nth=1').waitFor()
  await page.waitForLoadState('networkidle')
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  for (const stepPx of [WHEEL_PX, 1500]) {
    const { long, frames, stepMs } = await scrolling(page, session, stepPx)
    const most = frames.toSorted((a, b) => a - b)[Math.floor(0.99 * frames.length)]
    console.log(
      `scrolling ${ROWS} rows by ${stepPx} px a frame: ${long.length} tasks over ${LONG_MS} ms in ${STEPS} steps`,
    )
    console.log(`  frames: median ${median(frames).toFixed(1)} ms, 99 % within ${most.toFixed(1)} ms`)
    console.log(`  ${stepMs.toFixed(1)} ms of processor time of the page for each step`)
  }
  await page.close()
  await serving.close()
}

const browser = await startBrowser()
try {
  const { all, largest } = scriptSizes()
  console.log(`JavaScript of the page, gzipped: ${all.toFixed(0)} kB in all`)
  for (const [name, size] of largest) console.log(`  ${size.toFixed(0).padStart(5)} kB  ${name}`)
  const empty = mkdtempSync(join(tmpdir(), 'anticlique-window-'))
  // The first start of a machine reads the program from the disk; it is told apart.
  const first = await startOnce(browser, empty)
  console.log(`first start: ${first.usefulMs.toFixed(0)} ms to the first useful paint`)
  const starts = []
  for (let i = 0; i < repeats; i++) starts.push(await startOnce(browser, empty))
  console.log(`start to first useful paint: ${ms(starts.map(({ usefulMs }) => usefulMs))}`)
  console.log(`  of it until the link is printed: ${ms(starts.map(({ readyMs }) => readyMs))}`)
  console.log(`  of it from the link to the first paint: ${ms(starts.map(({ paintMs }) => paintMs))}`)
  await measureScrolling(browser)
} finally {
  await browser.close()
}
