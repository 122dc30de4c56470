import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { askedAhead, askNvidiaAhead, parseNvidiaSmi, pciAddress, readPciGpus } from '../../../workers/device/machine.ts'
import { PATIENCE_MS } from '../../support/limits.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { drmCard, fourGpus, machineWith, nvidiaProc, nvidiaVersion } from './fake-machine.ts'

test.each([
  ['00000000:19:00.0', '0000:19:00.0'],
  ['0000:B3:00.0\n', '0000:b3:00.0'],
  ['00010000:5D:00.0', '10000:5d:00.0'],
  ['usb1', null],
  ['', null],
])('the address %j is %j', (text, address) => {
  expect(pciAddress(text)).toBe(address)
})

describe('nvidia-smi', () => {
  test('memory, driver and address of each GPU; what is not available is null', () => {
    expect(parseNvidiaSmi(fourGpus)[2]).toEqual({
      address: '0000:3b:00.0',
      vendor: 'nvidia',
      name: 'NVIDIA H200',
      driver: 'nvidia 570.86.15',
      memoryBytes: 143771 * 2 ** 20,
      memoryFreeBytes: null,
    })
  })

  test('is asked once where it was asked ahead, and its failure stands', async () => {
    const machine = machineWith({}, { output: () => 'other' })
    const answered = await askedAhead(machine, process.execPath, ['-e', 'process.stdout.write("two")'], PATIENCE_MS)
    expect(answered.output(process.execPath, [], 1)).toBe('two')
    expect(answered.output('elsewhere', [], 1)).toBe('other')
    const failed = await askedAhead(machine, process.execPath, ['-e', 'process.exit(9)'], PATIENCE_MS)
    expect(failed.output(process.execPath, [], 1)).toBeNull()
    expect(await askNvidiaAhead(machine)).toBe(machine)
  })

  test.skipIf(process.platform === 'win32')('which stops answering leaves the GPUs as they were', async () => {
    const folder = scratchFolder('answers')
    onTestFinished(() => rmSync(folder, { recursive: true }))
    writeFileSync(join(folder, 'gpus'), fourGpus)
    writeFileSync(join(folder, 'nvidia-smi'), `#!/bin/sh\nexec cat '${folder}/gpus'\n`, { mode: 0o755 })
    vi.stubEnv('PATH', `${folder}:${process.env.PATH ?? ''}`)
    onTestFinished(() => void vi.unstubAllEnvs())
    const machine = machineWith(nvidiaVersion)
    const first = readPciGpus(await askNvidiaAhead(machine))
    expect(first).toHaveLength(4)
    rmSync(join(folder, 'gpus'))
    const later = readPciGpus(await askNvidiaAhead(machine))
    expect(later).toEqual(first.map((gpu) => ({ ...gpu, memoryFreeBytes: null })))
    expect(readPciGpus(await askNvidiaAhead(machineWith(nvidiaVersion)))).toEqual([])
  })

  test('GPUs are in the order of their addresses, whatever its own order', () => {
    const gpus = readPciGpus(machineWith({}, { output: () => fourGpus }))
    expect(gpus.map(({ address }) => address)).toEqual([
      '0000:19:00.0',
      '0000:3b:00.0',
      '0000:4c:00.0',
      '10000:5d:00.0',
    ])
  })

  test('it is asked with a limit of two seconds', () => {
    const asked: unknown[] = []
    readPciGpus(machineWith({}, { output: (...call) => (asked.push(call), null) }))
    const query = '--query-gpu=index,name,pci.bus_id,memory.total,memory.free,driver_version'
    expect(asked).toEqual([['nvidia-smi', [query, '--format=csv,noheader'], 2000]])
  })

  test.each(['No devices were found\n', 'NVIDIA-SMI has failed\n', ''])('%j lists none', (text) => {
    expect(parseNvidiaSmi(text)).toEqual([])
  })
})

describe('the files of drivers', () => {
  test('an AMD card tells its memory, an Intel one does not', () => {
    const amd = drmCard(1, '0000:03:00.0', '0x1002', 'amdgpu')
    const memory = {
      '/sys/class/drm/card1/device/mem_info_vram_total': '25753026560\n',
      '/sys/class/drm/card1/device/mem_info_vram_used': '753026560\n',
    }
    const connector = { '/sys/class/drm/card1-DP-1/status': 'connected\n' }
    const intel = drmCard(0, '0000:00:02.0', '0x8086', 'i915')
    expect(readPciGpus(machineWith({ ...amd, ...memory, ...connector, ...intel }))).toEqual([
      {
        address: '0000:00:02.0',
        vendor: 'intel',
        name: null,
        driver: 'i915',
        memoryBytes: null,
        memoryFreeBytes: null,
      },
      {
        address: '0000:03:00.0',
        vendor: 'amd',
        name: null,
        driver: 'amdgpu',
        memoryBytes: 25753026560,
        memoryFreeBytes: 25000000000,
      },
    ])
  })

  test('without nvidia-smi /proc tells names and versions, and only GPUs with a device file are given', () => {
    const files = {
      ...nvidiaVersion,
      ...nvidiaProc(1, '0000:3b:00.0'),
      ...nvidiaProc(0, '0000:19:00.0'),
      ...nvidiaProc(2, '0000:4c:00.0'),
      ...nvidiaProc(3, '0000:5d:00.0', { 'GPU Excluded': 'Yes' }),
      '/dev/nvidia0': '',
      '/dev/nvidia1': '',
      '/dev/nvidia3': '',
    }
    const gpus = readPciGpus(machineWith(files))
    expect(gpus.map(({ address }) => address)).toEqual(['0000:19:00.0', '0000:3b:00.0'])
    expect(gpus[0]).toMatchObject({ name: 'NVIDIA H200', driver: 'nvidia 570.86.15', memoryBytes: null })
  })

  test('a GPU that nvidia-smi and the kernel both list is one', () => {
    const files = { ...drmCard(1, '0000:19:00.0', '0x10de', 'nvidia'), ...drmCard(0, '0000:06:00.0', '0x1a03', 'ast') }
    const gpus = readPciGpus(machineWith(files, { output: () => fourGpus.split('\n')[0]! }))
    expect(gpus.map(({ address, vendor }) => [address, vendor])).toEqual([
      ['0000:06:00.0', 'other'],
      ['0000:19:00.0', 'nvidia'],
    ])
  })

  test('a machine without any has none, and other systems are not searched', () => {
    expect(readPciGpus(machineWith({}))).toEqual([])
    const card = drmCard(0, '0000:03:00.0', '0x1002', 'amdgpu')
    expect(readPciGpus(machineWith(card, { platform: 'darwin' }))).toEqual([])
  })
})
