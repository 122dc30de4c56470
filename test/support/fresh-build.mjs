// Builds the program before tests that drive it, where a source is newer than what was built: none of them runs what is no longer there.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { projectNode } from './software-adapter.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const sources = ['electron', 'kernels', 'renderer', 'workers', 'electron.vite.config.ts', 'package.json']
const built = ['out/main/main.js', 'out/main/cli.js', 'out/main/engine.js', 'out/renderer/index.html']

/** Milliseconds since the epoch of the latest change of a file, or of any in a folder; a file that went changes its folder. */
function changedMs(path) {
  const stat = statSync(path)
  if (!stat.isDirectory()) return stat.mtimeMs
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => changedMs(join(path, name))))
}

export const isStale = (folder = root) =>
  built.some((file) => !existsSync(join(folder, file))) ||
  Math.max(...sources.map((source) => changedMs(join(folder, source)))) >
    Math.min(...built.map((file) => statSync(join(folder, file)).mtimeMs))

export function setup() {
  if (!isStale()) return
  const build = join(root, 'node_modules', 'electron-vite', 'bin', 'electron-vite.js')
  const site = join(root, 'resources', 'site', 'site.mjs')
  for (const words of [[build, 'build'], [site]]) {
    const { status, stdout, stderr } = spawnSync(projectNode(), words, { cwd: root, encoding: 'utf8' })
    if (status !== 0) throw new Error(`The program could not be built.\n${stdout}${stderr}`)
  }
}
