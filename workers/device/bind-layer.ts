import type { Machine } from './adapters-machine.ts'

const LAYER = 'VkLayer_MESA_device_select.json'
const LIBRARY_FOLDERS = [
  '/usr/lib/x86_64-linux-gnu',
  '/usr/lib/aarch64-linux-gnu',
  '/usr/lib64',
  '/usr/lib',
  '/usr/local/lib',
  '/lib64',
]

/** Folders below which the Vulkan loader looks for `vulkan/...`, most important first. */
export function vulkanFolders({ env }: Machine): readonly string[] {
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

/** Folders where shared libraries are found, those of LD_LIBRARY_PATH first. */
export function libraryFolders({ env }: Machine): readonly string[] {
  return [...(env['LD_LIBRARY_PATH'] ?? '').split(':').filter((folder) => folder.startsWith('/')), ...LIBRARY_FOLDERS]
}

/**
 * Why Mesa's device-select layer cannot choose among the GPUs of this machine; null when it can. The layer is what turns
 * DRI_PRIME into the only device that Vulkan shows; it works with the drivers of every vendor.
 */
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

/** Layers of old Mesa do not know the variables; where the library is not found, the loader may still find it. */
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
