import axe from 'axe-core'
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import type { CallArgs, CallName, CallResult } from '../../electron/contract/calls.ts'
import { findChromium } from '../support/chromium.mjs'
import { PATIENCE_MS } from '../support/limits.ts'

const launcher = join(import.meta.dirname, '../../electron/launch.mjs')
const builtPage = join(import.meta.dirname, '../../out/renderer/index.html')

declare global {
  interface Window {
    axe?: typeof axe
  }
}

/** `anticlique serve` with a library of its own, and a browser that has opened its link. */
export class DrivenWorkbench {
  readonly folder = mkdtempSync(join(tmpdir(), 'anticlique-e2e-'))
  /** Everything that a page complained about: errors on the console, exceptions, requests that failed. */
  readonly complaints: string[] = []
  readonly link: URL
  readonly page: Page
  readonly #program: ChildProcess
  readonly #browser: Browser
  readonly #context: BrowserContext

  private constructor(link: URL, program: ChildProcess, browser: Browser, context: BrowserContext, page: Page) {
    this.link = link
    this.#program = program
    this.#browser = browser
    this.#context = context
    this.page = page
    this.#watch(page)
  }

  static async open(): Promise<DrivenWorkbench> {
    const path = findChromium()
    if (path === null) throw new Error('These tests drive Chromium. Install it, or name it in ANTICLIQUE_CHROMIUM.')
    if (!existsSync(builtPage)) throw new Error('These tests drive the built pages. Run: npm run build')
    const library = mkdtempSync(join(tmpdir(), 'anticlique-e2e-library-'))
    const { link, program } = await startServe(library)
    // WebGL in software, and pages put together without it, which takes a ninth of the processor time; the sandbox of a container's
    // root user is refused by Chromium itself.
    const webgl = ['--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-gpu-compositing']
    const args = [...webgl, '--no-sandbox']
    const browser = await chromium.launch({ executablePath: path, args })
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' })
    context.setDefaultTimeout(PATIENCE_MS)
    const page = await context.newPage()
    const driven = new DrivenWorkbench(link, program, browser, context, page)
    await page.goto(link.href)
    return driven
  }

  /** Another tab of the same browser. */
  async newTab(): Promise<Page> {
    const page = await this.#context.newPage()
    this.#watch(page)
    return page
  }

  /** Opens a page by its link: "/runs". */
  async goTo(path: string, page = this.page): Promise<void> {
    await page.goto(`${this.link.origin}/#${path}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
  }

  /** What the page itself would ask. @throws Error with the failure's words */
  async call<N extends CallName>(name: N, args: CallArgs<N>): Promise<CallResult<N>> {
    const reply = (await this.page.evaluate(([asked, given]) => window.anticlique?.call(asked, given), [
      name,
      args,
    ] as const)) as { ok: boolean; result: CallResult<N>; failure?: { what: string } }
    if (!reply.ok) throw new Error(`${name}: ${reply.failure?.what}`)
    return reply.result
  }

  /** A file on the disk of the machine. */
  file(name: string, content: string): string {
    const path = join(this.folder, name)
    writeFileSync(path, content)
    return path
  }

  /** What axe-core finds serious or worse on the page as it is, by all rules or some: rule, and the first element that breaks it. */
  async accessibilityFaults(rules?: readonly string[]): Promise<string[]> {
    if (await this.page.evaluate(() => window.axe === undefined)) await this.page.evaluate(axe.source)
    return this.page.evaluate(async (chosen) => {
      // Violations alone: to tell every element that breaks no rule takes axe-core four times as long.
      const options = { resultTypes: ['violations' as const], selectors: false }
      const { violations } = await window.axe!.run(
        document,
        chosen === undefined ? options : { ...options, runOnly: [...chosen] },
      )
      return violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''} (${nodes.length})`)
    }, rules)
  }

  async close(): Promise<void> {
    await this.#browser.close()
    const ended = new Promise((resolve) => this.#program.once('exit', resolve))
    this.#program.kill('SIGINT')
    await ended
    rmSync(this.folder, { recursive: true, force: true })
  }

  #watch(page: Page): void {
    page.on('console', (message) => {
      if (message.type() === 'error') this.complaints.push(message.text())
    })
    page.on('pageerror', ({ message }) => this.complaints.push(message))
    page.on('requestfailed', (request) => {
      const reason = request.failure()?.errorText ?? ''
      // A download goes on beside the page; leaving a page ends what it still asked for.
      if (!reason.includes('ERR_ABORTED')) this.complaints.push(`${request.url()}: ${reason}`)
    })
  }
}

async function startServe(library: string): Promise<{ link: URL; program: ChildProcess }> {
  const words = [launcher, '--json', '--library', library, 'serve', '--port', '0']
  const program = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] })
  program.once('exit', () => rmSync(library, { recursive: true, force: true }))
  const line = await new Promise<string>((resolve, reject) => {
    let text = ''
    program.stdout.setEncoding('utf8').on('data', (part: string) => {
      text += part
      if (text.includes('\n')) resolve(text)
    })
    program.once('exit', (code) => reject(new Error(`serve ended with ${code}`)))
  })
  return { link: new URL((JSON.parse(line) as { url: string }).url), program }
}

/** A grid as an edge list: few rounds on any priority, and a matching of nearly all vertices. */
export function gridText(rows: number, columns: number): string {
  const lines: string[] = []
  for (let r = 0; r < rows; r++)
    for (let c = 0; c < columns; c++) {
      const v = r * columns + c
      if (c + 1 < columns) lines.push(`${v} ${v + 1}`)
      if (r + 1 < rows) lines.push(`${v} ${v + columns}`)
    }
  return `${lines.join('\n')}\n`
}
