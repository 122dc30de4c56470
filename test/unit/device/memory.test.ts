import { expect, test } from 'vitest'
import type { GpuSlot } from '../../../workers/device/gpu-slots.ts'
import { parseNvidiaSmi } from '../../../workers/device/machine.ts'
import { judge } from '../../../workers/device/bind-gpu.ts'
import { cpuFacts } from '../../../workers/device/cpu-device.ts'
import { hostMemory } from '../../../workers/base/host-resources.ts'
import { defaultBudgetBytes } from '../../../workers/device/device.ts'
import { fourGpus } from './fake-machine.ts'

const GIB = 2 ** 30
const MIB = 2 ** 20

test.each([
  [{ memoryBytes: 100, memoryFreeBytes: 50 }, 40],
  [{ memoryBytes: 100, memoryFreeBytes: 0 }, 0],
  [{ memoryBytes: 100, memoryFreeBytes: null }, 80],
  [{ memoryBytes: 100 }, 80],
  [{ memoryBytes: null, memoryFreeBytes: null }, null],
])('of %j the default budget is %j', (memory, budget) => {
  expect(defaultBudgetBytes({ ...cpuFacts('cpu:0'), ...memory })).toBe(budget)
})

test('the host has memory, and not more of it free than there is', () => {
  const { memoryBytes, memoryFreeBytes } = hostMemory()
  expect(memoryFreeBytes).toBeGreaterThan(0)
  expect(memoryBytes).toBeGreaterThanOrEqual(memoryFreeBytes)
})

const slot: GpuSlot = {
  id: 'gpu:0',
  name: 'NVIDIA H200',
  software: false,
  pci: parseNvidiaSmi(fourGpus)[0]!,
  choice: { by: 'preference' },
}
const before = [
  ['0000:19:00.0', 10 * GIB],
  ['0000:3b:00.0', 10 * GIB],
] as const

test.each([
  ['on the right GPU', 256, 0, true, ['0000:19:00.0']],
  ['on another GPU', 0, 256, false, ['0000:3b:00.0']],
  ['on two', 256, 200, false, ['0000:19:00.0', '0000:3b:00.0']],
  ['nowhere', 0, 0, false, []],
  ['on the right one while another program takes a little', 258, 60, true, ['0000:19:00.0']],
])('memory taken %s', (_where, first, second, proven, grew) => {
  const after = [
    ['0000:19:00.0', 10 * GIB - first * MIB],
    ['0000:3b:00.0', 10 * GIB - second * MIB],
  ] as const
  const proof = judge(slot, 'NVIDIA H200', 256 * MIB, before, after)
  expect(proof.proven).toBe(proven)
  expect(proof.grew.map(({ pciAddress }) => pciAddress)).toEqual(grew)
})

test('nothing is proven where nobody tells', () => {
  expect(judge({ ...slot, pci: null }, 'x', 256 * MIB, before, before)).toMatchObject({
    proven: null,
    reason: 'its PCI address is not known',
  })
  expect(judge(slot, 'x', 256 * MIB, [], [])).toMatchObject({
    proven: null,
    reason: expect.stringMatching(/does not tell/),
  })
})
