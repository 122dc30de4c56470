// Fetches lavapipe, Mesa's Vulkan driver in software, which runs our kernels three times as fast as SwiftShader does. Debian 12's own is too
// old for Dawn and that of its backports is not, so the packages that this machine lacks are downloaded by apt, and unpacked in
// node_modules/.cache: nothing is installed, and the machine's own packages and its list of sources stay as they are.
import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const home = fileURLToPath(new URL('../../node_modules/.cache/lavapipe', import.meta.url))
const PACKAGES = ['mesa-vulkan-drivers', 'libvulkan1']
/** A mirror that does not answer must not hold the tests up. */
const PATIENCE_MS = 180_000
const DRIVERS = 'usr/share/vulkan/icd.d'

/** The environment in which the fetched driver is found; null before it was fetched. */
export function fetchedLavapipe() {
  const file = join(home, 'lavapipe.json')
  if (!existsSync(file)) return null
  const before = process.env.LD_LIBRARY_PATH
  const libraries = readFileSync(join(home, 'libraries'), 'utf8')
  const LD_LIBRARY_PATH = before ? `${libraries}:${before}` : libraries
  // Each kernel is compiled once for all tests; lavapipe takes seconds for some, and hundreds of processes open a device.
  const MESA_SHADER_CACHE_DIR = process.env.MESA_SHADER_CACHE_DIR ?? join(home, 'shaders')
  return { VK_ICD_FILENAMES: file, VK_DRIVER_FILES: file, LD_LIBRARY_PATH, MESA_SHADER_CACHE_DIR }
}

/** Fetches it where apt can; nothing is left of an attempt that failed. */
export function fetchLavapipe(log) {
  const folder = mkdtempSync(join(tmpdir(), 'anticlique-lavapipe-'))
  try {
    log('Fetching lavapipe, a Vulkan driver in software, for these tests alone')
    const reason = downloaded(folder) ?? unpacked(folder)
    if (reason !== null) log(`lavapipe was not fetched: ${reason}`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Downloads what the machine lacks; returns why not, or null. */
function downloaded(folder) {
  for (const name of ['lists/partial', 'archives/partial']) mkdirSync(join(folder, name), { recursive: true })
  const settings = [
    ...backports(folder),
    `Dir::State::Lists=${join(folder, 'lists')}`,
    `Dir::Cache::archives=${join(folder, 'archives')}`,
    'Dir::Cache::pkgcache=',
    'Dir::Cache::srcpkgcache=',
    'Debug::NoLocking=1',
    'Acquire::Retries=1',
    'Acquire::http::Timeout=20',
    'Acquire::https::Timeout=20',
    'Acquire::Languages=none',
  ].flatMap((setting) => ['-o', setting])
  const install = ['install', '-y', '--download-only', '--reinstall', '--no-install-recommends', ...PACKAGES]
  for (const step of [['update'], install]) {
    const { status, error, stderr } = run('apt-get', ['-q', ...settings, ...step])
    if (error !== undefined || status !== 0) return `apt-get ${step[0]}: ${error?.message ?? stderr.trim()}`
  }
  return null
}

/** The settings that add Debian 12's backports, from the archive that this machine has Debian 12 from; none elsewhere. */
function backports(folder) {
  const format = '$(CODENAME)|$(COMPONENT)|deb $(REPO_URI)'
  const { stdout } = run('apt-get', ['indextargets', '--format', format, 'Created-By: Packages'])
  const line = (stdout ?? '').split('\n').find((text) => text.startsWith('bookworm|main|'))
  if (line === undefined) return []
  const sources = join(folder, 'sources.list')
  const suites = ['bookworm', 'bookworm-backports']
  writeFileSync(sources, suites.map((suite) => `${line.split('|')[2]} ${suite} main\n`).join(''))
  return [
    `Dir::Etc::SourceList=${sources}`,
    'Dir::Etc::SourceParts=/dev/null',
    'APT::Default-Release=bookworm-backports',
  ]
}

/** Unpacks the packages and says where the driver lies; returns why not, or null. */
function unpacked(folder) {
  const archives = join(folder, 'archives')
  const root = `${home}.new`
  rmSync(root, { recursive: true, force: true })
  mkdirSync(root, { recursive: true })
  for (const name of readdirSync(archives).filter((each) => each.endsWith('.deb'))) {
    const { status, stderr } = run('dpkg-deb', ['-x', join(archives, name), root])
    if (status !== 0) return `dpkg-deb: ${stderr}`
  }
  const drivers = join(root, DRIVERS)
  const driver = existsSync(drivers) && readdirSync(drivers).find((name) => /^lvp_icd.*\.json$/.test(name))
  if (!driver) return 'the packages have no such driver'
  const icd = JSON.parse(readFileSync(join(drivers, driver), 'utf8'))
  const place = libraryFolder(root)
  if (place === undefined) return 'the packages have no such library'
  const libraries = join(home, place)
  writeFileSync(
    join(root, 'lavapipe.json'),
    JSON.stringify({ ...icd, ICD: { ...icd.ICD, library_path: join(libraries, 'libvulkan_lvp.so') } }),
  )
  writeFileSync(join(root, 'libraries'), libraries)
  rmSync(home, { recursive: true, force: true })
  renameSync(root, home)
  return null
}

/** "usr/lib/x86_64-linux-gnu", or of another processor. */
const libraryFolder = (root) =>
  readdirSync(join(root, 'usr/lib'))
    .map((name) => `usr/lib/${name}`)
    .find((place) => existsSync(join(root, place, 'libvulkan_lvp.so')))

const run = (command, args) =>
  spawnSync(command, args, {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    encoding: 'utf8',
    timeout: PATIENCE_MS,
  })
