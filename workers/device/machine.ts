/**
 * The operating system as far as devices ask it: files under /sys and /proc, commands, environment; GPUs of the PCI bus with their memory, by
 * NVIDIA's own program or the drivers' files. All goes through one small interface, so that tests put a folder in its place. A question that is
 * slow is asked ahead, while a driver starts. vulkan-loader.ts and bind-gpu.ts ask; nothing here opens a device.
 */

import { execFile, spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { hostMemory } from '../base/host-resources.ts'
import type { DeviceMemory, DeviceMemoryArgs } from '../contract/jobs.ts'

/** The operating system, as far as it is asked. */
export interface Machine {
  readonly platform: NodeJS.Platform
  readonly env: Readonly<Record<string, string | undefined>>
  /** null for files that cannot be read. */
  text(path: string): string | null
  /** The names in a folder, sorted. */
  names(folder: string): readonly string[]
  exists(path: string): boolean
  /** Whether this user may read and write it. */
  isOpen(path: string): boolean
  /** null when it is missing, fails, or takes too long. */
  output(command: string, args: readonly string[], timeoutMs: number): string | null
}

/** @param root "/", or a folder that stands for it */
export function machineAt(root: string, changes: Partial<Machine> = {}): Machine {
  return {
    platform: process.platform,
    env: process.env,
    text: (path) => orElse(null, () => readFileSync(join(root, path), 'utf8')),
    names: (folder) => orElse([], () => readdirSync(join(root, folder)).sort()),
    exists: (path) => existsSync(join(root, path)),
    isOpen: (path) =>
      orElse(false, () => {
        accessSync(join(root, path), constants.R_OK | constants.W_OK)
        return true
      }),
    output: (command, args, timeout) => {
      const { status, stdout } = spawnSync(command, args, {
        timeout,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
        windowsHide: true,
      })
      return status === 0 ? stdout : null
    },
    ...changes,
  }
}

export const thisMachine: Machine = machineAt('/')

/** The answer to one command is known. */
export async function askedAhead(
  machine: Machine,
  command: string,
  args: readonly string[],
  timeout: number,
): Promise<Machine> {
  const asked = await new Promise<string | null>((resolve) =>
    execFile(command, args, { timeout, encoding: 'utf8', windowsHide: true }, (error, stdout) =>
      resolve(error === null ? stdout : null),
    ),
  )
  return withAnswer(machine, command, asked)
}

const withAnswer = (machine: Machine, command: string, answer: string | null): Machine => ({
  ...machine,
  output: (wanted, ...how) => (wanted === command ? answer : machine.output(wanted, ...how)),
})

function orElse<T>(otherwise: T, attempt: () => T): T {
  try {
    return attempt()
  } catch {
    return otherwise
  }
}

export type Vendor = 'nvidia' | 'amd' | 'intel' | 'other'

export interface PciGpu {
  /** Lower case. */
  readonly address: string
  readonly vendor: Vendor
  readonly name: string | null
  readonly driver: string | null
  readonly memoryBytes: number | null
  readonly memoryFreeBytes: number | null
}

const vendors: Readonly<Record<string, Vendor>> = { '10de': 'nvidia', '1002': 'amd', '8086': 'intel' }
const NVIDIA_SMI_TIMEOUT_MS = 2000
/** The first answer starts GPUs that are idle, which takes long on a busy machine; without it GPUs alike cannot be told apart. */
const FIRST_ANSWER_TIMEOUT_MS = 30_000
const NVIDIA_SMI = 'nvidia-smi'
const NVIDIA_SMI_FIELDS = 'index,name,pci.bus_id,memory.total,memory.free,driver_version'
const NVIDIA_SMI_ARGS = [`--query-gpu=${NVIDIA_SMI_FIELDS}`, '--format=csv,noheader']
const MEBIBYTE = 2 ** 20

/** The address in "00000000:19:00.0", too. */
export function pciAddress(text: string): string | null {
  const match = /^([0-9a-f]{4,8}):([0-9a-f]{2}):([0-9a-f]{2})\.([0-7])$/i.exec(text.trim())
  if (match === null) return null
  const domain = parseInt(match[1]!, 16).toString(16).padStart(4, '0')
  return `${domain}:${match[2]}:${match[3]}.${match[4]}`.toLowerCase()
}

/** NVIDIA's own program knows which GPUs a container was given; else the driver's files and device nodes. */
export function readPciGpus(machine: Machine): readonly PciGpu[] {
  const drm = machine.platform === 'linux' ? readDrm(machine) : []
  const nvidia = readNvidiaSmi(machine) ?? (machine.platform === 'linux' ? readNvidiaProc(machine) : [])
  const others = nvidia.length === 0 ? drm : drm.filter(({ vendor }) => vendor !== 'nvidia')
  return [...others, ...nvidia].sort(byAddress)
}

const byAddress = (a: PciGpu, b: PciGpu): number => {
  const [left, right] = [a, b].map(({ address }) => address.padStart(16, '0'))
  return left! < right! ? -1 : left! > right! ? 1 : 0
}

/** Connectors are called cardN-NAME. */
function readDrm(machine: Machine): PciGpu[] {
  const cards = machine.names('/sys/class/drm').filter((name) => /^card\d+$/.test(name))
  return cards.flatMap((card) => {
    const folder = `/sys/class/drm/${card}/device`
    const uevent = machine.text(`${folder}/uevent`) ?? ''
    const address = pciAddress(/^PCI_SLOT_NAME=(.*)$/m.exec(uevent)?.[1] ?? '')
    if (address === null) return []
    const number = machine.text(`${folder}/vendor`)?.trim().replace(/^0x/i, '').toLowerCase() ?? ''
    const total = decimal(machine.text(`${folder}/mem_info_vram_total`))
    const used = decimal(machine.text(`${folder}/mem_info_vram_used`))
    return {
      address,
      vendor: vendors[number] ?? 'other',
      name: null,
      driver: /^DRIVER=(.*)$/m.exec(uevent)?.[1]?.trim() ?? null,
      memoryBytes: total,
      memoryFreeBytes: total === null || used === null ? null : Math.max(0, total - used),
    }
  })
}

/** /proc/driver/nvidia/gpus/ADDRESS/information, "Key: value" on each line. */
function readNvidiaProc(machine: Machine): PciGpu[] {
  const version = /Kernel Module(?: for \S+)?\s+(\S+)/.exec(machine.text('/proc/driver/nvidia/version') ?? '')?.[1]
  return machine.names('/proc/driver/nvidia/gpus').flatMap((folder) => {
    const text = machine.text(`/proc/driver/nvidia/gpus/${folder}/information`) ?? ''
    const field = (name: string): string | undefined => new RegExp(`^${name}:\\s*(.+)$`, 'm').exec(text)?.[1]?.trim()
    const address = pciAddress(field('Bus Location') ?? folder)
    const minor = field('Device Minor')
    const given = minor === undefined || machine.exists(`/dev/nvidia${minor}`)
    if (address === null || !given || field('GPU Excluded') === 'Yes') return []
    const driver = ['nvidia', version].filter((word) => word !== undefined).join(' ')
    return { address, vendor: 'nvidia', name: field('Model') ?? null, driver, memoryBytes: null, memoryFreeBytes: null }
  })
}

/** The last answer of NVIDIA's own program. */
const lastAnswers = new WeakMap<Machine, string>()

/**
 * An instance of the driver starts meanwhile. Which GPUs there are does not depend on how busy the machine is: where the program does not answer
 * in time, its last answer stands, but for the memory that is free.
 */
export async function askNvidiaAhead(machine: Machine): Promise<Machine> {
  const isThere = ['/proc/driver/nvidia/version', '/dev/nvidiactl'].some((path) => machine.exists(path))
  if (!isThere) return machine
  const last = lastAnswers.get(machine)
  const timeoutMs = last === undefined ? FIRST_ANSWER_TIMEOUT_MS : NVIDIA_SMI_TIMEOUT_MS
  const asked = await askedAhead(machine, NVIDIA_SMI, NVIDIA_SMI_ARGS, timeoutMs)
  const answer = asked.output(NVIDIA_SMI, NVIDIA_SMI_ARGS, timeoutMs)
  if (answer !== null) lastAnswers.set(machine, answer)
  if (answer !== null || last === undefined) return asked
  return withAnswer(machine, NVIDIA_SMI, withoutFreeMemory(last))
}

const withoutFreeMemory = (text: string): string => text.replaceAll(/^((?:[^,\n]*,){4})[^,\n]*/gm, '$1 [N/A]')

function readNvidiaSmi(machine: Machine): PciGpu[] | null {
  const text = machine.output(NVIDIA_SMI, NVIDIA_SMI_ARGS, NVIDIA_SMI_TIMEOUT_MS)
  return text === null ? null : parseNvidiaSmi(text)
}

/** Figures may be "[N/A]". */
export function parseNvidiaSmi(text: string): PciGpu[] {
  return text.split('\n').flatMap((line) => {
    const [, name, bus, total, free, version] = line.split(',').map((field) => field.trim())
    const address = pciAddress(bus ?? '')
    if (address === null || name === undefined) return []
    return {
      address,
      vendor: 'nvidia',
      name,
      driver: version === undefined || version.startsWith('[') ? 'nvidia' : `nvidia ${version}`,
      memoryBytes: mebibytes(total),
      memoryFreeBytes: mebibytes(free),
    }
  })
}

function mebibytes(text: string | undefined): number | null {
  const match = /^(\d+) MiB$/.exec(text ?? '')
  return match === null ? null : Number(match[1]) * MEBIBYTE
}

function decimal(text: string | null): number | null {
  return text !== null && /^\d+\s*$/.test(text) ? Number(text) : null
}

/** Opens no device. */
export function liveMemory({ devices }: DeviceMemoryArgs): DeviceMemory {
  const gpus = devices.some(({ pciAddress }) => (pciAddress ?? null) !== null) ? readPciGpus(thisMachine) : []
  return {
    devices: devices.map(({ id, kind, software, pciAddress, memoryBytes }) => {
      if (kind === 'cpu' || software) return { id, ...hostMemory() }
      const gpu = gpus.find(({ address }) => address === pciAddress)
      return { id, memoryBytes: gpu?.memoryBytes ?? memoryBytes, memoryFreeBytes: gpu?.memoryFreeBytes ?? null }
    }),
  }
}
