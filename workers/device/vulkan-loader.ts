/**
 * What Vulkan needs of a process: variables that drivers and loaders read, changed under a lock that all threads and processes of the program
 * respect, and the sentence that says why no GPU is there: no driver file, no loader library, no rights to a device file, an old layer. It reads
 * manifests and libraries as the loader would. bind-gpu.ts starts instances with it; machine.ts reads files.
 */

import { closeSync, openSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isMainThread, threadId } from 'node:worker_threads'
import { type Machine, readPciGpus } from './machine.ts'

export type Variables = Readonly<Record<string, string | undefined>>

/** One thread at a time changes the environment, or starts Vulkan from it. */
const lockPath = join(tmpdir(), `anticlique-environment-${processMark()}`)
const RETRY_MS = 2
const ABANDONED_MS = 30_000

let earlier: Promise<unknown> = Promise.resolve()

/** undefined removes a variable. Drivers and loaders read it; threads change it only when they share it. */
export async function withEnvironment<T>(values: Variables, start: () => Promise<T>): Promise<T> {
  const work = async (): Promise<T> => {
    const before = setAll(values)
    try {
      return await start()
    } finally {
      setAll(before)
    }
  }
  const result = earlier.then(() => locked(work))
  earlier = result.catch(() => {})
  return result
}

/** Two threads of Node 24.21 were seen to hold one lock of `navigator`. A lock of a dead thread is taken over. */
async function locked<T>(work: () => Promise<T>): Promise<T> {
  while (!taken()) await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
  try {
    return await work()
  } finally {
    rmSync(lockPath, { force: true })
  }
}

function taken(): boolean {
  try {
    closeSync(openSync(lockPath, 'wx'))
    return true
  } catch (error) {
    // Without a folder there is no lock.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return true
  }
  const heldMs = Date.now() - (statSync(lockPath, { throwIfNoEntry: false })?.mtimeMs ?? Date.now())
  if (heldMs > ABANDONED_MS) rmSync(lockPath, { force: true })
  return false
}

/** Not of a later process of its number. */
function processMark(): string {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]!.split(' ')
    return `${process.pid}-${fields[19]}`
  } catch {
    return String(process.pid)
  }
}

function setAll(values: Variables): Variables {
  const before: Record<string, string | undefined> = {}
  for (const [name, value] of Object.entries(values)) {
    before[name] = process.env[name]
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
  }
  return before
}

/** The diagnostic report reads the environment as drivers do. */
export async function environmentIsReal(): Promise<boolean> {
  if (isMainThread) return true
  const mark = `ANTICLIQUE_MARK_${threadId}`
  return withEnvironment({ [mark]: 'seen' }, () => Promise.resolve(nativeVariable(mark) === 'seen'))
}

/** A report's network part may wait for name servers. */
interface Report {
  excludeNetwork?: boolean
  getReport(): unknown
}

function nativeVariable(name: string): string | undefined {
  const report = process.report as Report
  const before = report.excludeNetwork ?? false
  report.excludeNetwork = true
  try {
    return (report.getReport() as { environmentVariables?: Record<string, string> }).environmentVariables?.[name]
  } finally {
    report.excludeNetwork = before
  }
}

const LAYER = 'VkLayer_MESA_device_select.json'
const LIBRARY_FOLDERS = [
  '/usr/lib/x86_64-linux-gnu',
  '/usr/lib/aarch64-linux-gnu',
  '/usr/lib64',
  '/usr/lib',
  '/usr/local/lib',
  '/lib64',
]

/** Most important first. */
function vulkanFolders({ env }: Machine): readonly string[] {
  const home = env['HOME'] ?? ''
  const lists = [
    env['XDG_CONFIG_HOME'] ?? `${home}/.config`,
    env['XDG_CONFIG_DIRS'] ?? '/etc/xdg',
    '/etc:/usr/local/etc',
    env['XDG_DATA_HOME'] ?? `${home}/.local/share`,
    env['XDG_DATA_DIRS'] ?? '/usr/local/share:/usr/share',
    '/usr/share',
  ]
  return [...new Set(lists.flatMap((list) => list.split(':')).filter((folder) => folder.startsWith('/')))]
}

function libraryFolders({ env }: Machine): readonly string[] {
  return [...(env['LD_LIBRARY_PATH'] ?? '').split(':').filter((folder) => folder.startsWith('/')), ...LIBRARY_FOLDERS]
}

/** The layer makes DRI_PRIME the only device of Vulkan; null when it can. */
export function layerObstacle(machine: Machine): string | null {
  if (machine.platform !== 'linux') return 'WebGPU chooses by name only on this system'
  const off = ['NODEVICE_SELECT', 'VK_LOADER_LAYERS_DISABLE'].find((name) => (machine.env[name] ?? '') !== '')
  if (off !== undefined) return `${off} switches Mesa's device-select layer off`
  const manifest = layerManifests(machine).find((path) => machine.exists(path))
  if (manifest === undefined) return "Mesa's Vulkan device-select layer is not installed (package mesa-vulkan-drivers)"
  return libraryObstacle(machine, manifest)
}

function layerManifests(machine: Machine): readonly string[] {
  const own = [machine.env['VK_IMPLICIT_LAYER_PATH'], machine.env['VK_ADD_IMPLICIT_LAYER_PATH']]
  const named = own.flatMap((list) => (list ?? '').split(':')).filter((folder) => folder.startsWith('/'))
  const standard = vulkanFolders(machine).map((folder) => `${folder}/vulkan/implicit_layer.d`)
  return [...named, ...standard].map((folder) => `${folder}/${LAYER}`)
}

/** Old layers do not know the variables. */
function libraryObstacle(machine: Machine, manifest: string): string | null {
  const path = /"library_path"\s*:\s*"([^"]+)"/.exec(machine.text(manifest) ?? '')?.[1]
  if (path === undefined) return `${manifest} names no library`
  const places = path.startsWith('/') ? [path] : libraryFolders(machine).map((folder) => `${folder}/${path}`)
  const library = places.find((place) => machine.exists(place))
  if (library === undefined) return `the library of Mesa's device-select layer is missing (${path})`
  const code = machine.text(library) ?? ''
  const known = ['DRI_PRIME', 'MESA_VK_DEVICE_SELECT_FORCE_DEFAULT_DEVICE'].every((name) => code.includes(name))
  return known ? null : "Mesa's device-select layer is too old to choose a GPU; Mesa 23 or newer is needed"
}

const LOADER = 'libvulkan.so.1'
const END = 'The CPU device works without any of this'

export function explainAbsence(machine: Machine): string {
  if (machine.platform !== 'linux') return `no WebGPU adapter was found: update the graphics driver. ${END}`
  const [hardware, remedy] = missingPart(machine)
  return `no WebGPU adapter was found: ${hardware}; ${remedy}. ${END}`
}

function missingPart(machine: Machine): readonly [string, string] {
  const loader = libraryFolders(machine).some((folder) => machine.exists(`${folder}/${LOADER}`))
  const { drivers, forced } = vulkanDrivers(machine)
  const nodes = deviceFiles(machine)
  const closed = nodes.filter((path) => !machine.isOpen(path))
  const hardware = hardwareSentence(machine, nodes)
  const software = drivers.length === 0 ? '' : ` (Vulkan drivers installed: ${drivers.join(', ')})`
  if (!loader)
    return [hardware, `the Vulkan loader ${LOADER} is missing: install it (package libvulkan1 or vulkan-loader)`]
  if (forced !== null && drivers.length === 0)
    return [hardware, `${forced} is set, but none of the drivers it names exists`]
  if (nodes.length > 0 && closed.length === nodes.length)
    return [hardware, `you may not open ${closed.join(', ')}: join the group that owns them, often "render" or "video"`]
  if (drivers.length === 0) return [hardware, 'no Vulkan driver is installed: install the one for the GPU']
  if (nodes.length === 0) return [hardware, `without a GPU its drivers have nothing to work with${software}`]
  return [hardware, `no installed Vulkan driver offers what WebGPU needs: update them${software}`]
}

function hardwareSentence(machine: Machine, nodes: readonly string[]): string {
  const gpus = readPciGpus(machine).map(({ name, vendor, address, driver }) => {
    const words = driver === null ? 'no kernel driver' : `kernel driver ${driver}`
    return `${name ?? `${vendor} GPU`} at ${address} (${words})`
  })
  const seen = gpus.length === 0 ? 'no GPU is seen on the PCI bus' : `there is ${gpus.join(', ')}`
  const files = nodes.length === 0 ? 'there is no device file (/dev/dri/renderD*, /dev/nvidia*)' : nodes.join(', ')
  return `${seen}, ${nodes.length === 0 ? files : `with ${files}`}`
}

function deviceFiles(machine: Machine): readonly string[] {
  const render = machine.names('/dev/dri').filter((name) => /^renderD\d+$/.test(name))
  const nvidia = machine.names('/dev').filter((name) => /^nvidia\d+$/.test(name))
  return [...render.map((name) => `/dev/dri/${name}`), ...nvidia.map((name) => `/dev/${name}`)]
}

/** Drivers, and the variable that replaces the loader's search. */
function vulkanDrivers(machine: Machine): { drivers: readonly string[]; forced: string | null } {
  const forced = ['VK_DRIVER_FILES', 'VK_ICD_FILENAMES'].find((name) => (machine.env[name] ?? '') !== '') ?? null
  if (forced !== null) {
    const paths = machine.env[forced]!.split(':').filter((path) => machine.exists(path))
    return { drivers: paths.map((path) => path.split('/').at(-1)!), forced }
  }
  const folders = vulkanFolders(machine).map((folder) => `${folder}/vulkan/icd.d`)
  const drivers = folders.flatMap((folder) => machine.names(folder)).filter((name) => name.endsWith('.json'))
  return { drivers: [...new Set(drivers)], forced }
}
