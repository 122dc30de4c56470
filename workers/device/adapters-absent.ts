import type { Machine } from './adapters-machine.ts'
import { readPciGpus } from './adapters-pci.ts'
import { libraryFolders, vulkanFolders } from './bind-layer.ts'

const LOADER = 'libvulkan.so.1'
const END = 'The CPU device works without any of this'

/** Why WebGPU found no adapter: what there is of GPUs, device files, the Vulkan loader and its drivers, and what is missing. */
export function explainAbsence(machine: Machine): string {
  if (machine.platform !== 'linux') return `no WebGPU adapter was found: update the graphics driver. ${END}`
  const [hardware, remedy] = missingPart(machine)
  return `no WebGPU adapter was found: ${hardware}; ${remedy}. ${END}`
}

/** What was found of the hardware, and the first thing on the way from it to WebGPU that is missing. */
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

/** File names of the driver manifests that the loader reads, and the variable that replaces its own search. */
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
