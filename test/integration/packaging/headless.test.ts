import { execFile, spawn, spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { root } from '../../unit/structure/source-files.ts'

const run = promisify(execFile)
const onLinux = process.platform === 'linux'
const place = scratchFolder('packages')
const packages = join(place, 'packages')
const fileOf = (ending: string): string =>
  join(packages, readdirSync(packages).find((name) => name.endsWith(ending)) ?? `no ${ending}`)

/** A home without anything, and no path to another Node. */
const home = join(place, 'home')
const surroundings = { HOME: home, PATH: '/usr/bin:/bin', TMPDIR: join(place, 'tmp') }

/** The file tree under a folder, without the folders that dpkg keeps for itself. */
const filesUnder = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((path) => !path.startsWith('var/'))
    .sort()

async function answer(command: string, ...words: string[]): Promise<Record<string, never>> {
  const { stdout, stderr } = await run(command, ['--json', ...words], { env: surroundings, cwd: place })
  expect(stderr).toBe('')
  return JSON.parse(stdout) as Record<string, never>
}

/** `serve` of an installed command gives out its page to whoever has its link, and ends when it is asked to. */
async function answersBrowsers(command: string): Promise<void> {
  const child = spawn(command, ['--json', 'serve'], { env: surroundings, stdio: ['ignore', 'pipe', 'ignore'] })
  const ended = new Promise((resolve) => child.once('close', resolve))
  try {
    const link = await new Promise<string>((resolve, reject) => {
      child.once('close', () => reject(new Error('serve ended before it gave its link')))
      child.stdout.once('data', (text: Buffer) => resolve((JSON.parse(String(text)) as { url: string }).url))
    })
    const answered = await fetch(link)
    expect([answered.status, await answered.text()]).toEqual([200, expect.stringContaining('<div id="app">')])
  } finally {
    child.kill('SIGTERM')
  }
  expect(await ended).toBe(0)
}

/** A set of a small graph, computed, verified and written by an installed command; the same everywhere. */
async function works(command: string): Promise<void> {
  writeFileSync(join(place, 'path.txt'), '1 2\n2 3\n3 4\n')
  const { result, verified } = await answer(command, 'run', 'path.txt', '--output', 'set.txt', '--verify')
  expect([result, verified]).toEqual([expect.objectContaining({ size: 2 }), true])
  expect(readFileSync(join(place, 'set.txt'), 'utf8').trim().split('\n')).toHaveLength(2)
  for (const name of ['home', 'set.txt']) rmSync(join(place, name), { recursive: true })
  mkdirSync(home)
}

beforeAll(async () => {
  for (const folder of [home, surroundings.TMPDIR]) mkdirSync(folder)
  const script = join(root, 'resources/packaging/headless.mjs')
  await run(process.execPath, [script, '--quick', '--output', packages])
})

test('the sums of the packages are right', async () => {
  const sums = readFileSync(join(packages, 'SHA256SUMS'), 'utf8')
  expect(sums.trim().split('\n').length).toBe(readdirSync(packages).length - 1)
  if (onLinux) await run('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: packages })
})

describe('the archive', () => {
  let folder = ''
  beforeAll(async () => {
    await run('tar', ['-xzf', fileOf('.tar.gz'), '-C', place])
    folder = join(
      place,
      readdirSync(place).find((name) => name.startsWith('anticlique-'))!,
    )
  })

  test('works wherever it is unpacked, also through a link', async () => {
    const moved = join(place, 'a place with spaces')
    renameSync(folder, moved)
    folder = moved
    const command = join(place, 'anticlique')
    symlinkSync(join(moved, 'bin/anticlique'), command)
    await works(command)
    await answersBrowsers(command)
    rmSync(command)
  })

  test('holds every package that its program loads, and no other platform', async () => {
    const lib = join(folder, 'lib/anticlique')
    const { dependencies } = JSON.parse(readFileSync(join(lib, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>
    }
    expect(Object.keys(dependencies).length).toBeGreaterThan(10)
    const program = join(lib, 'loads.cjs')
    writeFileSync(program, `for (const name of ${JSON.stringify(Object.keys(dependencies))}) require(name)`)
    await run(join(lib, 'bin/node'), [program], { env: surroundings })
    rmSync(program)
    expect(readdirSync(join(lib, 'node_modules/webgpu/dist'))).toHaveLength(1)
    expect(filesUnder(lib).filter((path) => /electron\.|\.(map|d\.ts)$/.test(path))).toEqual([])
  })

  test('names everything of others, with licences', () => {
    const lib = join(folder, 'lib/anticlique')
    const notices = readFileSync(join(lib, 'THIRD-PARTY-NOTICES.txt'), 'utf8')
    const bill = JSON.parse(readFileSync(join(lib, 'sbom.cdx.json'), 'utf8')) as { components: { name: string }[] }
    const shipped = filesUnder(lib).flatMap(
      (path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\/package\.json$/.exec(path)?.[1] ?? [],
    )
    expect(shipped.length).toBeGreaterThan(20)
    const named = bill.components.map(({ name }) => name)
    expect(shipped.filter((name) => !named.includes(name))).toEqual([])
    expect(named.filter((name) => !notices.includes(`\n${name} `))).toEqual([])
    for (const bundled of ['@vue/runtime-core', 'echarts', 'sigma']) expect(named).toContain(bundled)
  })
})

test.runIf(onLinux && existsSync('/usr/bin/dpkg'))('the .deb installs, works, and goes without remains', async () => {
  const system = join(place, 'system')
  const state = join(system, 'var/lib/dpkg')
  for (const folder of ['info', 'updates', 'triggers']) mkdirSync(join(state, folder), { recursive: true })
  writeFileSync(join(state, 'status'), '')
  // Of an empty system, so that what it depends on is absent.
  const dpkg = (...words: string[]) =>
    run('dpkg', [`--root=${system}`, '--force-depends,not-root,script-chrootless', '--log=/dev/null', ...words])
  await dpkg('--install', fileOf('.deb'))
  const units = filesUnder(system).filter((path) => path.endsWith('.service'))
  expect(units).toEqual(['usr/lib/systemd/system/anticlique@.service', 'usr/lib/systemd/user/anticlique.service'])
  for (const unit of units)
    expect(readFileSync(join(system, unit), 'utf8')).toContain('\nExecStart=/usr/bin/anticlique serve')
  await works(join(system, 'usr/bin/anticlique'))
  await answersBrowsers(join(system, 'usr/bin/anticlique'))
  await dpkg('--purge', 'anticlique')
  expect(filesUnder(system)).toEqual([])
})

test('the npm package works beside the packages that npm brings', async () => {
  const prefix = join(place, 'prefix/lib/node_modules')
  mkdirSync(prefix, { recursive: true })
  await run('tar', ['-xzf', fileOf('.tgz'), '-C', prefix])
  renameSync(join(prefix, 'package'), join(prefix, 'anticlique'))
  symlinkSync(join(root, 'node_modules'), join(prefix, 'anticlique/node_modules'))
  const command = join(prefix, 'anticlique/electron/launch.mjs')
  const { stdout } = await run(process.execPath, [command, '--version'], { env: surroundings })
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  expect(stdout.trim().split(' ')[0]).toBe(version)
  expect(filesUnder(join(prefix, 'anticlique')).filter((path) => /^(test|workers|docs)\//.test(path))).toEqual([])
})

test.runIf(onLinux)('the container is made from the archive of the same name', () => {
  const definition = readFileSync(fileOf('.def'), 'utf8')
  expect(definition).not.toMatch(/@[A-Z]+@/)
  expect(definition.match(/\S+\.tar\.gz/)?.[0]).toBe(fileOf('.tar.gz').slice(packages.length + 1))
  const sections = [...definition.matchAll(/^%(\w+)/gm)].map(([, name]) => name)
  expect(sections).toEqual(['labels', 'files', 'post', 'runscript', 'test', 'help'])
  const post = /^%post\n((?: .*\n)+)/m.exec(definition)![1]!
  expect(spawnSync('sh', ['-n'], { input: post }).status).toBe(0)
})
