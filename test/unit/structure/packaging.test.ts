import { readFileSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { nativePackages, nodePackages } from '../../../resources/packaging/shipped.mjs'
import { root } from './source-files.ts'

interface Configuration {
  readonly fileAssociations: readonly { readonly ext: string; readonly mimeType: string }[]
  readonly linux: { readonly files: readonly string[] }
  readonly win: { readonly files: readonly string[] }
  readonly mac: { readonly files: readonly string[] }
  readonly electronFuses: Readonly<Record<string, boolean>>
  readonly files: unknown
  readonly asarUnpack: readonly string[]
  readonly npmRebuild: boolean
  readonly publish: unknown
}

interface ConfigurationReader {
  getConfig(project: string, file: string, overrides: null): Promise<Configuration>
  validateConfiguration(configuration: unknown, log: { readonly isEnabled: false; add(): void }): Promise<void>
}

type Match = (path: string, pattern: string, options: { readonly dot: true }) => boolean

/** electron-builder's own reader, schema and patterns; no network and no binary are needed. */
const fromProject = createRequire(join(root, 'package.json'))
const fromBuilder = createRequire(fromProject.resolve('electron-builder/package.json'))
const fromLibrary = createRequire(fromBuilder.resolve('app-builder-lib/package.json'))
const { getConfig, validateConfiguration } = fromBuilder(
  'app-builder-lib/out/util/config/config',
) as ConfigurationReader
const { minimatch } = fromLibrary('minimatch') as { readonly minimatch: Match }
const configuration = await getConfig(root, join(root, 'electron-builder.yml'), null)
const quiet = { isEnabled: false, add: () => {} } as const

test('the packaging configuration fits the schema', async () => {
  await validateConfiguration(configuration, quiet)
  await expect(validateConfiguration({ ...configuration, nonsense: 1 }, quiet)).rejects.toThrow(/nonsense/)
})

/** All native parts there are, and those of one target: Node, MPI, SQLite, Dawn. */
const native = (platform: string): readonly string[] => [
  ...nativePackages(platform).map((name) => `node_modules/${name}/package.json`),
  `node_modules/better-sqlite3/prebuilds/${platform}.node`,
  `node_modules/webgpu/dist/${platform.startsWith('darwin') ? 'darwin-universal' : platform}/dawn.node`,
]
const targets = Object.keys(nodePackages)
const everything = [...new Set(targets.flatMap(native))]

/** What is left of them by a list of patterns, as for packages that npm brought. */
function packed(files: readonly string[], platform: string): readonly string[] {
  const arch = platform.slice(platform.indexOf('-') + 1)
  const excluded = files.filter((file) => file.startsWith('!')).map((file) => file.slice(1).replaceAll('${arch}', arch))
  return everything.filter((path) => !excluded.some((pattern) => minimatch(path, pattern, { dot: true })))
}

test('each target carries its own Node, Dawn and native parts, and no other', () => {
  const { linux, win, mac } = configuration
  const lists = { linux, win32: win, darwin: mac }
  expect(targets).toHaveLength(5)
  for (const platform of targets) {
    const { files } = lists[platform.split('-')[0] as keyof typeof lists]
    expect([platform, [...packed(files, platform)].sort()]).toEqual([platform, [...native(platform)].sort()])
    // No pattern is idle.
    for (const one of files.filter((file) => file.startsWith('!node_modules/')))
      expect(packed([one], platform).length, one).toBeLessThan(everything.length)
  }
})

test('every platform has its targets, and an update is looked for nowhere', () => {
  const arches = ['arm64', 'x64']
  expect(configuration).toMatchObject({
    publish: null,
    linux: { target: ['AppImage', 'deb', 'rpm', 'tar.gz'] },
    win: { target: ['nsis', 'zip'] },
    mac: {
      target: [
        { target: 'dmg', arch: arches },
        { target: 'zip', arch: arches },
      ],
    },
    // The assistant asks whether to install for one person or for all.
    nsis: { oneClick: false, perMachine: false, allowElevation: true },
  })
  expect(configuration.fileAssociations.map(({ ext }) => ext)).toEqual(['gr', 'egr', 'mtx', 'graph'])
  const workflow = readFileSync(join(root, '.github/workflows/ci.yml'), 'utf8')
  for (const ending of ['AppImage', 'deb', 'rpm', 'tar.gz', 'exe', 'zip', 'dmg'])
    expect(workflow).toContain(`dist/*.${ending}\n`)
})

/** Widths of the pictures in an .ico. */
function widthsOf(ico: Buffer): readonly number[] {
  return Array.from({ length: ico.readUInt16LE(4) }, (_, at) => ico[6 + 16 * at]! || 256)
}

test('icons have the sizes that systems ask for', () => {
  const icon = (end: string): Buffer => readFileSync(join(root, `resources/icons/icon.${end}`))
  expect(icon('png').readUInt32BE(16)).toBe(512)
  expect(widthsOf(icon('ico'))).toEqual(expect.arrayContaining([16, 32, 48, 256]))
  const icns = icon('icns')
  expect([icns.toString('latin1', 0, 4), icns.readUInt32BE(4)]).toEqual(['icns', icns.length])
  for (const type of ['ic07', 'ic08', 'ic09', 'ic10']) expect(icns.includes(type)).toBe(true)
})

test('nothing is compiled or published', () => {
  expect(configuration).toMatchObject({ npmRebuild: false, publish: null })
})

const shut = {
  runAsNode: false,
  enableCookieEncryption: true,
  enableNodeOptionsEnvironmentVariable: false,
  enableNodeCliInspectArguments: false,
  enableEmbeddedAsarIntegrityValidation: true,
  onlyLoadAppFromAsar: true,
} as const
const openDoors = (fuses: Configuration['electronFuses']): readonly string[] =>
  Object.entries(shut).flatMap(([fuse, wanted]) => (fuses[fuse] === wanted ? [] : [`${fuse} must be ${wanted}.`]))

test("Electron's back doors are shut", () => {
  expect(openDoors(configuration.electronFuses)).toEqual([])
  for (const [fuse, wanted] of Object.entries(shut))
    expect(openDoors({ ...configuration.electronFuses, [fuse]: !wanted })).toEqual([`${fuse} must be ${wanted}.`])
})

/** What plain Node loads, and the archive would hide from it. */
function hidden(unpacked: readonly string[]): readonly string[] {
  const configured = readFileSync(join(root, 'electron.vite.config.ts'), 'utf8')
  const entries = [...configured.matchAll(/^ +'?([a-z-]+)'?: at\('(?:electron|workers)\/[^']+'\)/gm)].map(
    (match) => match[1]!,
  )
  const onNode = entries.filter((name) => !['main', 'preload'].includes(name))
  expect(onNode.length).toBeGreaterThan(3)
  const needed = [
    ...onNode.map((name) => `out/main/${name}.js`),
    'package.json',
    'electron/launch.mjs',
    'out/main/chunks/**',
    'out/main/package.json',
    'out/renderer/**',
    'node_modules/**',
  ]
  return [...new Set(needed.filter((path) => !unpacked.includes(path)))]
}

test('what plain Node loads lies outside the archive', () => {
  const { asarUnpack } = configuration
  expect(hidden(asarUnpack)).toEqual([])
  for (const path of asarUnpack) expect(hidden(asarUnpack.filter((each) => each !== path))).toEqual([path])
})

test('each package is there once: nothing that is required is imported, too, and has classes of its own then', () => {
  const folder = join(root, 'out', 'main')
  const scripts = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.js'))
  const code = scripts.map((file) => readFileSync(join(folder, file), 'utf8')).join('\n')
  expect(code).toContain('require("apache-arrow")')
  expect(code.match(/import\("[a-z@][^"]*"\)/g)).toBeNull()
})
