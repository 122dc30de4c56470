// The window as `anticlique serve` shows it: from its start to the first useful paint, the size of the page's JavaScript, and tasks longer
// than 50 ms while ten thousand rows are scrolled.
import Database from 'better-sqlite3'
import { mkdtempSync, readFileSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { call, root, startBrowser, startServe } from '../../test/support/serve-window.mjs'

const ROWS = 10_000
const LONG_MS = 50
const STEPS = 200
/** What a notch of a wheel scrolls. */
const WHEEL_PX = 100

/** kB (1000 bytes) of all JavaScript of the page, gzipped. */
function scriptSize() {
  const folder = join(root, 'out', 'renderer', 'assets')
  const scripts = readdirSync(folder).filter((name) => name.endsWith('.js'))
  const size = (name) => gzipSync(readFileSync(join(folder, name)), { level: 9 }).length / 1000
  return scripts.reduce((sum, name) => sum + size(name), 0)
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
  await context.close()
  await serving.close({ keep: true })
  return { usefulMs, readyMs: serving.readyMs, paintMs }
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

async function scrollRows(browser) {
  const serving = await startServe(await manyDatasets(browser))
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  await page.goto(serving.link.href)
  await page.locator('[role=row] >> nth=1').waitFor()
  await page.waitForLoadState('networkidle')
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const rows = []
  for (const stepPx of [WHEEL_PX, 1500]) {
    const { long, frames, stepMs } = await scrolling(page, session, stepPx)
    const what = `${ROWS} rows by ${stepPx} px a frame`
    rows.push(
      { what: `${what}: tasks over ${LONG_MS} ms in ${STEPS} steps`, value: long.length },
      { what: `${what}: frames, ms`, value: frames },
      { what: `${what}: processor time of a step, ms`, value: stepMs },
    )
  }
  await page.close()
  await serving.close()
  return rows
}

export async function measure(_program, { repeats }) {
  const browser = await startBrowser()
  try {
    const empty = mkdtempSync(join(tmpdir(), 'anticlique-window-'))
    // The first start of a machine reads the program from the disk; it is told apart.
    const first = await startOnce(browser, empty)
    const starts = []
    for (let i = 0; i < Number(repeats); i++) starts.push(await startOnce(browser, empty))
    const of = (figure) => starts.map((start) => start[figure])
    return [
      { what: 'JavaScript of the page, gzipped, kB', value: scriptSize() },
      { what: 'first start to the first useful paint, ms', value: first.usefulMs },
      { what: 'start to the first useful paint, ms', value: of('usefulMs') },
      { what: 'of it until the link is printed, ms', value: of('readyMs') },
      { what: 'of it from the link to the first paint, ms', value: of('paintMs') },
      ...(await scrollRows(browser)),
    ]
  } finally {
    await browser.close()
  }
}
