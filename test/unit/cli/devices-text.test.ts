import { expect, test } from 'vitest'
import { devicesText } from '../../../electron/cli/commands/devices.ts'
import type { BindingProof, DeviceFacts } from '../../../workers/contract/jobs.ts'

const h200: DeviceFacts = {
  id: 'gpu:0',
  kind: 'gpu',
  name: 'NVIDIA H200',
  driver: 'nvidia hopper',
  software: false,
  memoryBytes: 140 * 2 ** 30,
  memoryFreeBytes: 100 * 2 ** 30,
  maxBindingBytes: 2 ** 31 - 1,
  features: ['subgroups', 'timestamp-query', 'texture-compression-bc'],
  subgroupMatrices: [{ component: 'u8', result: 'u32', m: 16, n: 16, k: 32 }],
  pciAddress: '0000:19:00.0',
}
const old: DeviceFacts = {
  id: 'gpu:1',
  kind: 'gpu',
  name: 'llvmpipe',
  driver: 'mesa',
  software: true,
  memoryBytes: null,
  maxBindingBytes: null,
  features: [],
}
const proof = (changes: Partial<BindingProof>): BindingProof => ({
  id: 'gpu:0',
  name: 'NVIDIA H200',
  pciAddress: '0000:19:00.0',
  allocatedBytes: 256 << 20,
  grew: [],
  proven: false,
  reason: null,
  ...changes,
})

test('a line for each device; what is not known stays empty', () => {
  const [, first, second] = devicesText({ devices: [h200, old], noGpu: null }).split('\n')
  expect(first!.replace(/ {2,}/g, ' | ')).toBe(
    'gpu:0 | NVIDIA H200 | nvidia hopper | 140 GiB | 100 GiB | 2 GiB | 0000:19:00.0 | subgroups, timestamps, subgroup matrices: 1',
  )
  expect(second).toMatch(/^gpu:1 {3}llvmpipe \(software\) +mesa$/)
})

test('why there is no GPU, and which are left out', () => {
  expect(devicesText({ devices: [], noGpu: 'none is here', note: null })).toContain('\n\nNo GPU: none is here.')
  expect(devicesText({ devices: [], noGpu: null, note: '4 are one' })).toContain('\n\nNote: 4 are one.')
})

test('a proof says where memory was taken', () => {
  const place = { pciAddress: '0000:19:00.0', bytes: 258 << 20 }
  const text = devicesText({
    devices: [],
    noGpu: null,
    proof: [
      proof({ proven: true, grew: [place] }),
      proof({ grew: [{ ...place, pciAddress: '0000:3b:00.0' }] }),
      proof({ proven: null, reason: 'nobody tells' }),
    ],
  })
  expect(text).toContain('gpu:0: proven: 256 MiB allocated, taken on 0000:19:00.0 (258 MiB)')
  expect(text).toContain('gpu:0: NOT BOUND to 0000:19:00.0: 256 MiB allocated, taken on 0000:3b:00.0')
  expect(text).toContain('gpu:0: not provable: nobody tells')
})

test('speeds in decimal units, and a disk that was not read says so', () => {
  const spread = { median: 7.3e9, min: 6.9e9, max: 7.5e9 }
  const text = devicesText({
    devices: [],
    noGpu: null,
    benchmarks: [
      { id: 'gpu:0', bytes: 2 ** 28, repeats: 5, toDevice: spread, fromDevice: spread, kernel: spread, problem: null },
      { id: 'gpu:1', bytes: 0, repeats: 0, toDevice: null, fromDevice: null, kernel: null, problem: 'it is lost' },
    ],
    disk: { folder: '/library', bytes: 2 ** 30, repeats: 5, read: spread, cacheDropped: false, note: 'It is memory.' },
  })
  expect(text).toContain('7.30 GB/s (6.90 - 7.50)')
  expect(text).toContain('gpu:1: it is lost')
  expect(text).toContain('1 GiB, 5 times\nIt is memory.')
})
