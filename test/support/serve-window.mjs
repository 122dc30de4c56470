// What the scripts about the window share: `anticlique serve` on a library of their own, and a Chromium in front of it.
// Plain JavaScript, so that it runs right after `npm run build`.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { prepareChromium } from './chromium.mjs'

export const root = fileURLToPath(new URL('../..', import.meta.url))
const launcher = join(root, 'electron', 'launch.mjs')

/** Starts serve; returns its link, the milliseconds until it was printed, and how to end it. */
export async function startServe(library = mkdtempSync(join(tmpdir(), 'anticlique-window-'))) {
  const startMs = performance.now()
  const program = spawn(process.execPath, [launcher, '--json', '--library', library, 'serve'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const line = await new Promise((resolve, reject) => {
    let text = ''
    program.stdout.setEncoding('utf8').on('data', (part) => {
      text += part
      if (text.includes('\n')) resolve(text)
    })
    program.once('exit', (code) => reject(new Error(`serve ended with ${code}; was it built (npm run build)?`)))
  })
  const close = async ({ keep = false } = {}) => {
    const ended = new Promise((resolve) => program.once('exit', resolve))
    program.kill('SIGINT')
    await ended
    if (!keep) rmSync(library, { recursive: true, force: true })
  }
  return { link: new URL(JSON.parse(line).url), readyMs: performance.now() - startMs, startMs, library, close }
}

/** A headless Chromium with WebGL in software. */
export async function startBrowser() {
  const { path, reason } = prepareChromium()
  if (path === null) throw new Error(reason)
  const args = ['--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--no-sandbox']
  return chromium.launch({ executablePath: path, args })
}

/** Asks the program as the page does. */
export async function call(page, name, args) {
  const reply = await page.evaluate(([asked, given]) => window.anticlique.call(asked, given), [name, args])
  if (!reply.ok) throw new Error(`${name}: ${reply.failure.what}. ${reply.failure.remedy}`)
  return reply.result
}
