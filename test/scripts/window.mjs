// Starts the real window with a library of its own, builds the sample, computes a verified set of it, and closes the window. Electron's binary is fetched where
// it is missing; on Linux a display is needed (xvfb-run). After `npm run build`.
//   node test/scripts/window.mjs
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { _electron as electron } from 'playwright-core'

const root = fileURLToPath(new URL('../..', import.meta.url))
const library = mkdtempSync(join(tmpdir(), 'anticlique-window-'))
const install = spawnSync('npx', ['install-electron', '--no'], { cwd: root, stdio: 'inherit', shell: true })
if (install.status !== 0) throw new Error('Electron could not be installed.')

const app = await electron.launch({
  cwd: root,
  // Chromium's sandbox needs rights that containers of continuous integration lack.
  args: ['.', ...(process.platform === 'linux' ? ['--no-sandbox'] : [])],
  env: { ...process.env, ANTICLIQUE_LIBRARY: library },
})
try {
  const page = await app.firstWindow()
  await page.getByRole('heading', { level: 1 }).waitFor()
  const call = async (name, args) => {
    const reply = await page.evaluate(([asked, given]) => window.anticlique.call(asked, given), [name, args])
    if (!reply.ok) throw new Error(`${name}: ${reply.failure.what}`)
    return reply.result
  }
  const { dataset } = await call('datasets.sample', { sample: 'cities', radiusKm: 10 })
  const request = { dataset: dataset.name, algorithm: 'ecl-mis', device: 'cpu:0', verify: true }
  const { run } = await call('runs.start', { request })
  const ended = (await call('runs.wait', { run: run.id })).run
  if (ended.state !== 'done') throw new Error(`the run is ${ended.state}`)
  await page.goto('anticlique://app/help/index.html')
  await page.getByRole('heading', { level: 1, name: 'First steps' }).waitFor()
  console.log(`${dataset.vertices} vertices, set of ${ended.size}, and the documentation is there`)
} finally {
  await app.close()
  rmSync(library, { recursive: true, force: true })
}
