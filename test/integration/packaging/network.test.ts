import { execFile, spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { filesOf, productFolders, readTree, root } from '../../unit/structure/source-files.ts'

const run = promisify(execFile)
const folder = scratchFolder('network')
const launcher = join(root, 'electron/launch.mjs')
const log = join(folder, 'attempts')
const attempts = (): string => (existsSync(log) ? readFileSync(log, 'utf8') : '')
const env = {
  ...process.env,
  NODE_OPTIONS: `--import=${pathToFileURL(join(root, 'test/support/no-network.mjs')).href}`,
  NETWORK_LOG: log,
  ANTICLIQUE_LIBRARY: join(folder, 'library'),
}
const node = (...words: string[]): Promise<{ stdout: string }> => run(process.execPath, words, { cwd: folder, env })

test('no command reaches for the network, neither do its engine and threads', async () => {
  writeFileSync(join(folder, 'graph.txt'), '1 2\n2 3\n3 1\n3 4\n')
  const commands = [
    ['devices'],
    ['import', 'graph.txt'],
    ['sample', 'cities', '--radius-km', '2'],
    ['run', 'graph', '--verify'],
    ['run', 'cities-2km', '--algorithm', 'ld-gpu', '--verify'],
    ['verify', 'latest'],
    ['export', 'latest', '--output', 'pairs.csv', '--format', 'csv'],
    ['rerun', 'latest'],
  ]
  for (const words of commands) expect((await node(launcher, '--json', ...words)).stdout).toContain('{')
  expect(attempts()).toBe('')
})

test('serve answers who asks, and asks for nothing itself', async () => {
  const child = spawn(process.execPath, [launcher, '--json', 'serve'], { env, stdio: ['ignore', 'pipe', 'ignore'] })
  const ended = new Promise((resolve) => child.once('close', resolve))
  const [text] = (await new Promise((resolve) => child.stdout.once('data', (...all) => resolve(all)))) as [Buffer]
  const answered = await fetch((JSON.parse(String(text)) as { url: string }).url)
  expect(await answered.text()).toContain('<div id="app">')
  child.kill('SIGTERM')
  await ended
  expect(attempts()).toBe('')
})

test.each([
  ['a fetch', "await fetch('http://127.0.0.1:49152/').catch(() => {})"],
  ['a name', "try { (await import('node:dns')).lookup('example.org', () => {}) } catch {}"],
  [
    'a thread',
    `const { Worker } = await import('node:worker_threads')
     await new Promise((done) => new Worker('./thread.mjs').once('error', done).once('exit', done))`,
  ],
])('%s would be noticed', async (_, code) => {
  writeFileSync(join(folder, 'thread.mjs'), "import net from 'node:net'\nnet.connect(49152, '127.0.0.1')\n")
  const before = attempts()
  writeFileSync(join(folder, 'main.mjs'), code)
  await node('main.mjs')
  expect(attempts().length).toBeGreaterThan(before.length)
})

test('sources import nothing that calls other machines', () => {
  const clients =
    /from '(?:node:)?(?:https|http2|tls|dgram|dns)(?:\/|')|\bhttp\.(?:get|request)\(|net\.connect\(|autoUpdater|electron-updater/
  const found = filesOf(readTree(), productFolders, ['.ts', '.mjs', '.vue']).filter(({ text }) => clients.test(text))
  expect(found.map(({ path }) => path)).toEqual([])
})
