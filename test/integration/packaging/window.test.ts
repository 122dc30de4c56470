import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { build, Platform } from 'electron-builder'
import { beforeAll, describe, expect, test } from 'vitest'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { root } from '../../unit/structure/source-files.ts'

const run = promisify(execFile)
const place = scratchFolder('window-packages')
const program = join(place, 'dist', process.arch === 'x64' ? 'linux-unpacked' : `linux-${process.arch}-unpacked`)
const resources = join(program, 'resources')
const unpacked = join(resources, 'app.asar.unpacked')

/** What stands in front of the fuses: a version, their number, and a character for each. */
const SENTINEL = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'

/** A stand-in for Electron's Linux distribution: a script, followed by the fuses that are flipped in the binary. */
function standIn(): string {
  const folder = join(place, 'electron')
  mkdirSync(join(folder, 'resources'), { recursive: true })
  const fuses = Buffer.from(`${SENTINEL}\u0001\u0009101001111`, 'latin1')
  writeFileSync(join(folder, 'electron'), Buffer.concat([Buffer.from('#!/bin/sh\nexit 0\n'), fuses]), { mode: 0o755 })
  for (const name of ['LICENSE', 'LICENSES.chromium.html']) writeFileSync(join(folder, name), name)
  return folder
}

/** What electron-builder hands to the tools that make the packages, which it would fetch. */
const handed: { desktop?: string; arguments?: readonly string[] }[] = []

function keep(given: unknown): Promise<boolean> {
  if (!Array.isArray(given)) handed.push({ desktop: (given as { readonly desktop: string }).desktop })
  else {
    const [words, desktop] = given as [readonly string[], string]
    const contents = words.map((word) => (/^\/.*\.xml=/.test(word) ? readFileSync(word.split('=')[0]!, 'utf8') : word))
    handed.push({ desktop: readFileSync(desktop, 'utf8'), arguments: contents })
  }
  return Promise.resolve(true)
}

describe.runIf(process.platform === 'linux')('packages of the window, with a stand-in for Electron', () => {
  beforeAll(async () => {
    await build({
      projectDir: root,
      targets: Platform.LINUX.createTarget(['AppImage', 'deb', 'rpm']),
      publish: 'never',
      config: { electronDist: standIn(), directories: { output: join(place, 'dist') } },
      effectiveOptionComputed: keep,
    })
  })

  test('the command line of a package computes a verified set, with its own Node', async () => {
    writeFileSync(join(place, 'path.txt'), '1 2\n2 3\n3 4\n')
    const node = join(unpacked, `node_modules/node-linux-${process.arch}/bin/node`)
    const words = ['--json', 'run', 'path.txt', '--verify']
    const { stdout } = await run(node, [join(unpacked, 'electron/launch.mjs'), ...words], {
      cwd: place,
      env: { HOME: join(place, 'home'), PATH: '/usr/bin:/bin' },
    })
    expect(JSON.parse(stdout)).toMatchObject({ result: { size: 2 }, verified: true })
    expect(readdirSync(join(unpacked, 'node_modules/webgpu/dist'))).toEqual([`linux-${process.arch}`])
    expect(
      readdirSync(join(unpacked, 'node_modules')).filter((name) =>
        /^node-(bin|darwin|linux|win)-|electron|vite/.test(name),
      ),
    ).toEqual([`node-linux-${process.arch}`])
  })

  test("the binary's fuses are blown, and no feed of updates is named", () => {
    const binary = readFileSync(join(program, 'anticlique-workbench'), 'latin1')
    // Run as Node, cookies encrypted, NODE_OPTIONS, --inspect, the archive checked, no app beside it: '0' off, '1' on.
    expect(binary.split(SENTINEL)[1]!.slice(2, 8)).toBe('010011')
    expect(readdirSync(resources).filter((name) => /update/.test(name))).toEqual([])
  })

  test('licences and the list of everything shipped lie beside the program', () => {
    for (const name of ['LICENSE.electron.txt', 'LICENSES.chromium.html'])
      expect(existsSync(join(program, name)), name).toBe(true)
    const notices = readFileSync(join(resources, 'THIRD-PARTY-NOTICES.txt'), 'utf8')
    const bill = JSON.parse(readFileSync(join(resources, 'sbom.cdx.json'), 'utf8')) as {
      components: { name: string }[]
    }
    expect(bill.components.length).toBeGreaterThan(50)
    expect(bill.components.filter(({ name }) => !notices.includes(`\n${name} `))).toEqual([])
    expect(readFileSync(join(resources, 'LICENSE.txt'), 'utf8')).toBe(readFileSync(join(root, 'LICENSE'), 'utf8'))
  })

  test('desktop entries open graph files, in the category of science, in the sandbox', () => {
    expect(handed).toHaveLength(3)
    const kinds = ['x-galois-graph', 'x-ecl-graph', 'x-matrix-market', 'x-metis-graph']
    for (const { desktop } of handed) {
      expect(desktop).toContain(`\nMimeType=${kinds.map((kind) => `application/${kind};`).join('')}\n`)
      expect(desktop).toMatch(/\nExec=\S+ %U\n/)
      expect(desktop).toMatch(/\nCategories=Science;\n/)
      expect(desktop).not.toContain('--no-sandbox')
    }
    const packages = handed.flatMap((each) => (each.arguments === undefined ? [] : [each.arguments.join('\n')]))
    expect(packages).toHaveLength(2)
    for (const words of packages) {
      for (const end of ['gr', 'egr', 'mtx', 'graph']) expect(words).toContain(`<glob pattern="*.${end}"/>`)
      // The headless package has the name of the command.
      expect(words).toContain('--name\nanticlique-workbench\n')
      expect(words).toContain('=/usr/share/applications/anticlique-workbench.desktop')
      expect(words).toMatch(/icon\.png=\/usr\/share\/icons\/hicolor\/512x512\/apps\/anticlique-workbench\.png/)
    }
  })
})
