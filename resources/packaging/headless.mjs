// `npm run dist:headless`: the command line and `serve` with Node 24 and Dawn of this platform, without Electron, into dist/headless:
// a .tar.gz to unpack anywhere, on Linux a .deb, an Apptainer definition, and an npm package (.tgz) that takes the others from a registry.
//   --quick        from out/ as it is, without compression: to try the packages
//   --output DIR   instead of dist/headless
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  createReadStream,
  createWriteStream,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createGzip } from 'node:zlib'
import { billOfMaterials, nodePackages, noticesOf, runtimeFolders, shippedComponents } from './shipped.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const templates = fileURLToPath(new URL('linux', import.meta.url))
const platform = `${process.platform}-${process.arch}`
const { version, description } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
/** The time of all files in archives, so that one source gives the same bytes: seconds since 1970. */
const date = process.env.SOURCE_DATE_EPOCH ?? '1767225600'

function run(command, args, options = {}) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8', ...options })
  if (status === 0) return stdout
  throw new Error(`${command} ${args.join(' ')} failed: ${error?.message ?? `${stdout ?? ''}${stderr ?? ''}`}`)
}

/** A hard link where the disk allows one. */
function place(from, to) {
  mkdirSync(dirname(to), { recursive: true })
  try {
    linkSync(from, to)
  } catch {
    cpSync(from, to)
  }
}

/** Files that nothing loads, of any package and of those that have large ones. */
const neverLoaded =
  /\.(map|d\.[cm]?ts|[cm]?ts|gypi?|externs\.js)$|^((CHANGE|README|HISTORY|\.)[^/]*|(example|test)\.js)$|^(docs?|tests?)\//i
const unused = {
  'apache-arrow': /^(src|bin)\//,
  'better-sqlite3': /^(src|deps)\//,
  koffi: /^(doc|src|vendor)\//,
  webgpu: /^build\//,
  zod: /^src\//,
}

function isNeeded(name, path) {
  if (neverLoaded.test(path) || unused[name]?.test(path)) return false
  // Of native parts only those of this platform.
  if (name === 'webgpu' && path.startsWith('dist/'))
    return path.startsWith(process.platform === 'darwin' ? 'dist/darwin-' : `dist/${platform}/`)
  if (name === 'better-sqlite3' && path.startsWith('prebuilds/'))
    return path.includes(platform) || path.includes(platform.replace('linux', 'linuxmusl'))
  return true
}

/** Every file of a folder, from it, with slashes. */
const filesIn = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .map((path) => path.replaceAll('\\', '/'))

/** The program with all it needs. */
function stageProgram(lib) {
  for (const path of ['package.json', 'LICENSE', 'electron/launch.mjs']) place(join(root, path), join(lib, path))
  for (const part of ['main', 'renderer'])
    for (const path of filesIn(join(root, 'out', part)))
      // main.js is the window's.
      if (!(part === 'main' && path === 'main.js')) place(join(root, 'out', part, path), join(lib, 'out', part, path))
  for (const folder of runtimeFolders(root, platform)) {
    const nested = (path) => path.startsWith('node_modules/')
    for (const path of filesIn(join(root, folder)))
      if (!nested(path) && isNeeded(basename(folder), path)) place(join(root, folder, path), join(lib, folder, path))
  }
  const binary = process.platform === 'win32' ? 'bin/node.exe' : 'bin/node'
  place(join(root, 'node_modules', nodePackages[platform], binary), join(lib, binary))
  const components = shippedComponents(root, platform)
  writeFileSync(join(lib, 'THIRD-PARTY-NOTICES.txt'), noticesOf(components))
  writeFileSync(join(lib, 'sbom.cdx.json'), billOfMaterials('anticlique', version, components))
}

/** A template with its @NAMES@ filled in. */
function fill(name, to, names) {
  const text = readFileSync(join(templates, name), 'utf8')
  mkdirSync(dirname(to), { recursive: true })
  writeFileSync(
    to,
    text.replace(/@([A-Z]+)@/g, (_, key) => names[key]),
  )
}

/** Not what Python and its builds leave there. */
const isOwnPython = (path) => /^(?:pyproject\.toml|(?:anticlique\/)?\w+\.py|anticlique\/py\.typed)$/.test(path)

/** The package for Python, where there is one of 3.11 or newer to make it. */
function pythonWheel(output) {
  const python = process.platform === 'win32' ? 'python' : 'python3'
  const { status } = spawnSync(python, [join(root, 'resources/packaging/wheel.py'), output], { stdio: 'ignore' })
  if (status !== 0) console.log('no wheel: there is no Python 3.11 or newer')
}

/** What lies around the program: the command, units, manual. Relocatable, so units of an archive name no prefix. */
function stageAround(top, prefix) {
  const clients = join(root, 'resources/clients')
  place(join(clients, 'anticlique.R'), join(top, 'share/anticlique/anticlique.R'))
  for (const path of filesIn(join(clients, 'python')))
    if (isOwnPython(path)) place(join(clients, 'python', path), join(top, 'share/anticlique', path))
  if (process.platform === 'win32') {
    const command = '@"%~dp0..\\lib\\anticlique\\bin\\node.exe" "%~dp0..\\lib\\anticlique\\electron\\launch.mjs" %*\r\n'
    mkdirSync(join(top, 'bin'), { recursive: true })
    return writeFileSync(join(top, 'bin', 'anticlique.cmd'), command)
  }
  fill('anticlique', join(top, 'bin/anticlique'), {})
  chmodSync(join(top, 'bin/anticlique'), 0o755)
  fill('anticlique.1', join(top, 'share/man/man1/anticlique.1'), { VERSION: version })
  if (process.platform !== 'linux') return
  fill('anticlique.service', join(top, 'lib/systemd/user/anticlique.service'), { PREFIX: prefix })
  fill('anticlique@.service', join(top, 'lib/systemd/system/anticlique@.service'), { PREFIX: prefix })
}

/** A .tar.gz of one folder. GNU tar sorts and stamps; others keep the order of the disk. */
async function archive(folder, to, level) {
  const gnu = run('tar', ['--version']).includes('GNU')
  const stable = gnu ? ['--sort=name', `--mtime=@${date}`, '--owner=0', '--group=0', '--numeric-owner'] : []
  const plain = `${to}.partial`
  run('tar', [...stable, '-cf', plain, '-C', dirname(folder), basename(folder)])
  await pipeline(createReadStream(plain), createGzip({ level }), createWriteStream(to))
  rmSync(plain)
}

/** A package for Debian and Ubuntu, which has no scripts: what dpkg unpacks is all there is. */
function debianPackage(top, to, compression) {
  const bytes = filesIn(top).reduce((sum, path) => sum + statSync(join(top, path)).size, 0)
  const control = [
    'Package: anticlique',
    `Version: ${version}`,
    `Architecture: ${process.arch === 'x64' ? 'amd64' : process.arch}`,
    'Maintainer: The Anticlique authors <anticlique@users.noreply.github.com>',
    `Installed-Size: ${Math.ceil(bytes / 1024)}`,
    'Depends: libc6 (>= 2.28), libstdc++6',
    'Recommends: libvulkan1',
    'Suggests: mesa-vulkan-drivers',
    'Section: science',
    'Priority: optional',
    `Description: ${description}`,
    ' The command line and the workbench in a browser (anticlique serve), without Electron.',
    '',
  ].join('\n')
  mkdirSync(join(top, 'DEBIAN'))
  writeFileSync(join(top, 'DEBIAN/control'), control)
  run('dpkg-deb', ['--root-owner-group', `-Z${compression}`, '--build', top, to], {
    env: { ...process.env, SOURCE_DATE_EPOCH: date },
  })
}

/** The tree of the archive with another prefix, by links, and the places that Debian has for licences. */
function debianTree(from, to) {
  // Placed by stageAround.
  const isAround = (path) => /^(lib\/systemd|share\/anticlique)\//.test(path)
  for (const path of filesIn(from)) if (!isAround(path)) place(join(from, path), join(to, 'usr', path))
  stageAround(join(to, 'usr'), '/usr')
  const lib = join(to, 'usr/lib/anticlique')
  const doc = join(to, 'usr/share/doc/anticlique')
  place(join(lib, 'LICENSE'), join(doc, 'copyright'))
}

async function make({ quick, output }) {
  if (!(platform in nodePackages)) throw new Error(`There is no Node package for ${platform}.`)
  if (!quick) run('npm', ['run', 'build'], { cwd: root, shell: process.platform === 'win32' })
  rmSync(output, { recursive: true, force: true })
  const stage = join(output, 'stage')
  const name = `anticlique-${version}-${platform}`
  const top = join(stage, name)
  stageProgram(join(top, 'lib/anticlique'))
  stageAround(top, `/opt/${name}`)
  const file = `${name}.tar.gz`
  await archive(top, join(output, file), quick ? 0 : 9)
  if (process.platform === 'linux') {
    fill('anticlique.def', join(output, 'anticlique.def'), { VERSION: version, ARCHIVE: file, FOLDER: name })
    debianTree(top, join(stage, 'deb'))
    const architecture = process.arch === 'x64' ? 'amd64' : process.arch
    const compression = quick ? 'none' : 'xz'
    if (existsSync('/usr/bin/dpkg-deb'))
      debianPackage(join(stage, 'deb'), join(output, `anticlique_${version}_${architecture}.deb`), compression)
  }
  pythonWheel(output)
  const packed = run('npm', ['pack', '--silent', '--pack-destination', output], {
    cwd: root,
    shell: process.platform === 'win32',
  }).trim()
  renameSync(join(output, packed), join(output, `anticlique-${version}.tgz`))
  rmSync(stage, { recursive: true })
  writeSums(output)
}

/** Checksums that `sha256sum --check` reads, and a line for each file. */
function writeSums(output) {
  const lines = filesIn(output)
    .sort()
    .map((name) => {
      const bytes = readFileSync(join(output, name))
      console.log(`${name}  ${(bytes.length / 1e6).toFixed(1)} MB`)
      return `${createHash('sha256').update(bytes).digest('hex')}  ${name}\n`
    })
  writeFileSync(join(output, 'SHA256SUMS'), lines.join(''))
}

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false }, output: { type: 'string' } } })
await make({ quick: values.quick, output: resolve(values.output ?? join(root, 'dist/headless')) })
