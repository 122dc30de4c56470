import { describe, expect, test } from 'vitest'
import { parseNvidiaSmi, type PciGpu } from '../../../workers/device/machine.ts'
import { parseListedAdapters, planSlots } from '../../../workers/device/gpu-slots.ts'
import { variablesFor } from '../../../workers/device/bind-gpu.ts'
import { fourGpus } from './fake-machine.ts'

const named = (...names: string[]) => names.map((name) => ({ backend: 'vulkan', name }))
const h200s = [...parseNvidiaSmi(fourGpus)].sort((a, b) => a.address.length - b.address.length)
const pci = (address: string, vendor: PciGpu['vendor']): PciGpu => ({
  address,
  vendor,
  name: null,
  driver: null,
  memoryBytes: null,
  memoryFreeBytes: null,
})

test("Dawn's answer to a name that nothing has lists the adapters; other backends show the same ones again", () => {
  const text = [
    'Error: no suitable backends found',
    'Available adapters:',
    " * backend: 'vulkan', name: 'NVIDIA H200'",
    " * backend: 'vulkan', name: 'llvmpipe (LLVM 15.0.6, 256 bits)'",
    " * backend: 'opengl', name: 'NVIDIA H200'",
  ]
  expect(parseListedAdapters(text.join('\n'))).toEqual(named('NVIDIA H200', 'llvmpipe (LLVM 15.0.6, 256 bits)'))
  expect(parseListedAdapters('no suitable backends found')).toEqual([])
})

describe('four identical GPUs', () => {
  const listed = named(...Array<string>(4).fill('NVIDIA H200'), 'llvmpipe (LLVM 19, 256 bits)')

  test('are chosen by address where the layer is there; software comes last', () => {
    const { slots, note } = planSlots(listed, h200s, null)
    expect(note).toBe(null)
    expect(slots.map(({ id, choice, software }) => [id, choice, software])).toEqual([
      ['gpu:0', { by: 'address', address: '0000:19:00.0' }, false],
      ['gpu:1', { by: 'address', address: '0000:4c:00.0' }, false],
      ['gpu:2', { by: 'address', address: '0000:3b:00.0' }, false],
      ['gpu:3', { by: 'address', address: '10000:5d:00.0' }, false],
      ['gpu:4', { by: 'name', name: 'llvmpipe (LLVM 19, 256 bits)' }, true],
    ])
    expect(slots.map((slot) => slot.pci)).toEqual([...h200s, null])
  })

  test('are one where they cannot be told apart, and the note says so; whose memory it is nobody knows', () => {
    const { slots, note } = planSlots(listed, h200s, 'the layer is missing')
    expect(slots.map(({ id, pci, choice }) => [id, pci, choice.by])).toEqual([
      ['gpu:0', null, 'name'],
      ['gpu:1', null, 'name'],
    ])
    expect(note).toBe(
      '4 GPUs called NVIDIA H200 cannot be told apart, so only one of them is offered: the layer is missing',
    )
  })

  test('are one where the bus shows another number of them', () => {
    const { slots, note } = planSlots(listed, h200s.slice(0, 2), null)
    expect(slots.filter(({ software }) => !software)).toHaveLength(1)
    expect(note).toMatch(/disagree on the number/)
  })
})

describe('different GPUs', () => {
  const gpus = [pci('0000:00:02.0', 'intel'), pci('0000:06:00.0', 'other'), h200s[0]!]

  test('are told apart by name without the layer; a display chip without Vulkan falls away', () => {
    const { slots, note } = planSlots(named('NVIDIA H200', 'Intel(R) Graphics (RPL-S)'), gpus, 'not here')
    expect(note).toBe(null)
    expect(slots.map(({ id, name, pci, choice }) => [id, name, pci?.address, choice.by])).toEqual([
      ['gpu:0', 'Intel(R) Graphics (RPL-S)', '0000:00:02.0', 'name'],
      ['gpu:1', 'NVIDIA H200', '0000:19:00.0', 'name'],
    ])
  })

  test('of one vendor without names on the bus are chosen by address, and named when they are bound', () => {
    const two = [pci('0000:03:00.0', 'amd'), pci('0000:83:00.0', 'amd')]
    const listed = named('AMD Radeon RX 7900 XTX (RADV NAVI31)', 'AMD Radeon RX 6600 (RADV NAVI23)')
    expect(planSlots(listed, two, null).slots.map(({ name, choice }) => [name, choice.by])).toEqual([
      [null, 'address'],
      [null, 'address'],
    ])
    const byName = planSlots(listed, two, 'not here')
    expect(byName.slots.map(({ name, pci }) => [name, pci])).toEqual(listed.map(({ name }) => [name, null]))
    expect(byName.note).toBe(null)
  })
})

describe('one GPU', () => {
  test('alone is what Dawn prefers, and its memory is known', () => {
    const [slot] = planSlots(named('NVIDIA H200'), h200s.slice(0, 1), 'not here').slots
    expect(slot).toMatchObject({ id: 'gpu:0', choice: { by: 'preference' }, pci: { address: '0000:19:00.0' } })
  })

  test('shown of four has no known address: the user chose it by means of his own', () => {
    expect(planSlots(named('NVIDIA H200'), h200s, null)).toMatchObject({
      slots: [{ id: 'gpu:0', pci: null }],
      note: null,
    })
  })

  test('beside a software adapter is named, so that the other cannot come instead', () => {
    const { slots } = planSlots(named('llvmpipe (LLVM 19)', 'Apple M1'), [], null)
    expect(slots.map(({ choice }) => choice)).toEqual([
      { by: 'name', name: 'Apple M1' },
      { by: 'name', name: 'llvmpipe (LLVM 19)' },
    ])
  })
})

test('an address becomes what the device-select layer reads', () => {
  expect(variablesFor({ by: 'address', address: '0000:b3:00.0' })).toEqual({
    DRI_PRIME: 'pci-0000_b3_00_0',
    MESA_VK_DEVICE_SELECT: undefined,
    MESA_VK_DEVICE_SELECT_FORCE_DEFAULT_DEVICE: '1',
  })
  expect(variablesFor({ by: 'name', name: 'Apple M1' })).toEqual({})
})
