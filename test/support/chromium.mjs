// Finds a Chromium for the tests that drive pages, and installs one where that is allowed.
// Plain JavaScript on purpose: it runs on the system's Node, before anything is built.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { aptInstall, isLinuxRoot } from './software-adapter.mjs'

/** The headless shell is Chromium without its own windows, which take a third of the processor time of what these tests do. */
export const CHROMIUM_PACKAGES = ['chromium-headless-shell']
const OTHER_PACKAGES = ['chromium']
const names = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'microsoft-edge',
]
const places = [
  '/opt/google/chrome/chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
]

/** The path of a Chromium that starts, or null. ANTICLIQUE_CHROMIUM names one, else it is looked for. */
export function findChromium() {
  const named = process.env.ANTICLIQUE_CHROMIUM
  const onPath = (process.env.PATH ?? '').split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)))
  const candidates = named ? [named] : [...onPath, ...places]
  return candidates.find((path) => existsSync(path) && starts(path)) ?? null
}

function starts(path) {
  if (process.platform === 'win32') return true
  return spawnSync(path, ['--version'], { encoding: 'utf8', timeout: 30_000 }).status === 0
}

/** Returns { path, required, reason }. required: the machine (Linux, root) must have one, and could not get it. */
export function prepareChromium({ install = false, log = () => {} } = {}) {
  let path = findChromium()
  const mayInstall = install && isLinuxRoot()
  for (const packages of [CHROMIUM_PACKAGES, OTHER_PACKAGES]) {
    if (path !== null || !mayInstall) break
    aptInstall(packages, log, 'no Chromium yet')
    path = findChromium()
  }
  const reason = 'no Chromium was found; install one, or name it in ANTICLIQUE_CHROMIUM'
  return { path, required: path === null && mayInstall, reason }
}
