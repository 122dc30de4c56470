import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type Machine, machineAt } from '../../../workers/device/machine.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

/** A machine that holds these files and no others, and no program to run. */
export function machineWith(files: Readonly<Record<string, string>>, changes: Partial<Machine> = {}): Machine {
  const root = scratchFolder('machine')
  onTestFinished(() => rmSync(root, { recursive: true }))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return machineAt(root, { platform: 'linux', env: {}, output: () => null, ...changes })
}

/** /sys/class/drm/cardN as amdgpu, i915 and ast lay it out. */
export function drmCard(card: number, address: string, vendor: string, driver: string): Record<string, string> {
  const folder = `/sys/class/drm/card${card}/device`
  const id = `${vendor.slice(2).toUpperCase()}:744C`
  return {
    [`${folder}/vendor`]: `${vendor}\n`,
    [`${folder}/device`]: '0x744c\n',
    [`${folder}/uevent`]: `DRIVER=${driver}\nPCI_CLASS=30000\nPCI_ID=${id}\nPCI_SLOT_NAME=${address}\nMODALIAS=pci:v\n`,
  }
}

/** /proc/driver/nvidia/gpus/ADDRESS/information as driver 570 writes it. */
export function nvidiaProc(
  minor: number,
  address: string,
  changes: Record<string, string> = {},
): Record<string, string> {
  const fields = {
    Model: 'NVIDIA H200',
    IRQ: '310',
    'GPU UUID': 'GPU-00000000-0000-0000-0000-000000000000',
    'Video BIOS': '96.00.be.00.01',
    'Bus Type': 'PCIe',
    'DMA Size': '52 bits',
    'DMA Mask': '0xfffffffffffff',
    'Bus Location': address,
    'Device Minor': String(minor),
    'GPU Firmware': '570.86.15',
    'GPU Excluded': 'No',
    ...changes,
  }
  const lines = Object.entries(fields).map(([name, value]) => `${name}:${' '.repeat(3)}\t ${value}\n`)
  return { [`/proc/driver/nvidia/gpus/${address}/information`]: lines.join('') }
}

export const nvidiaVersion = {
  '/proc/driver/nvidia/version':
    'NVRM version: NVIDIA UNIX x86_64 Kernel Module  570.86.15  Thu Jan 23 03:57:49 UTC 2025\nGCC version:  gcc 12\n',
}

/** What nvidia-smi says of four GPUs, out of order as nothing promises one. */
export const fourGpus = [
  '0, NVIDIA H200, 00000000:19:00.0, 143771 MiB, 143155 MiB, 570.86.15',
  '2, NVIDIA H200, 00000000:4C:00.0, 143771 MiB, 143155 MiB, 570.86.15',
  '1, NVIDIA H200, 00000000:3B:00.0, 143771 MiB, [N/A], 570.86.15',
  '3, NVIDIA H200, 00010000:5D:00.0, 143771 MiB, 143155 MiB, 570.86.15',
  '',
].join('\n')

export const deviceSelectLayer = {
  '/usr/share/vulkan/implicit_layer.d/VkLayer_MESA_device_select.json': JSON.stringify({
    file_format_version: '1.0.0',
    layer: { name: 'VK_LAYER_MESA_device_select', library_path: 'libVkLayer_MESA_device_select.so' },
  }).replaceAll(':', ' : '),
}

export const deviceSelectLibrary = {
  '/usr/lib/x86_64-linux-gnu/libVkLayer_MESA_device_select.so':
    '\u007fELF\0DRI_PRIME\0MESA_VK_DEVICE_SELECT\0MESA_VK_DEVICE_SELECT_FORCE_DEFAULT_DEVICE\0',
}
