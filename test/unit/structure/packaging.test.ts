import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './source-files.ts'

interface Configuration {
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

/** electron-builder's own reader and schema; no network and no binary are needed. */
function reader(): ConfigurationReader {
  const fromProject = createRequire(join(root, 'package.json'))
  const fromBuilder = createRequire(fromProject.resolve('electron-builder/package.json'))
  return fromBuilder('app-builder-lib/out/util/config/config') as ConfigurationReader
}

const { getConfig, validateConfiguration } = reader()
const configuration = await getConfig(root, join(root, 'electron-builder.yml'), null)
const quiet = { isEnabled: false, add: () => {} } as const

test('the packaging configuration fits the schema', async () => {
  await validateConfiguration(configuration, quiet)
  await expect(validateConfiguration({ ...configuration, nonsense: 1 }, quiet)).rejects.toThrow(/nonsense/)
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
  expect(onNode.length).toBeGreaterThan(4)
  const files = onNode.map((name) => (name.endsWith('-worker') ? 'out/main/*-worker.js' : `out/main/${name}.js`))
  const needed = [...files, 'package.json', 'out/main/chunks/**', 'out/renderer/**', 'node_modules/**']
  return [...new Set(needed.filter((path) => !unpacked.includes(path)))]
}

test('what plain Node loads lies outside the archive', () => {
  const { asarUnpack } = configuration
  expect(hidden(asarUnpack)).toEqual([])
  for (const path of asarUnpack) expect(hidden(asarUnpack.filter((each) => each !== path))).toEqual([path])
})
