import { expect, test } from 'vitest'
import { explainAbsence } from '../../../workers/device/vulkan-loader.ts'
import { drmCard, machineWith } from './fake-machine.ts'

const loader = { '/usr/lib/x86_64-linux-gnu/libvulkan.so.1': '' }
const radeon = { ...drmCard(0, '0000:03:00.0', '0x1002', 'amdgpu'), '/dev/dri/renderD128': '' }
const driver = { '/usr/share/vulkan/icd.d/radeon_icd.x86_64.json': '{}' }

test.each([
  [
    'no loader',
    { ...radeon, ...driver },
    /amd GPU at 0000:03:00\.0 \(kernel driver amdgpu\).*libvulkan\.so\.1 is missing/,
  ],
  ['no driver', { ...radeon, ...loader }, /renderD128; no Vulkan driver is installed/],
  ['no GPU', { ...loader, ...driver }, /no GPU is seen.*no device file.*nothing to work with.*radeon_icd/],
  [
    'a driver that is too old',
    { ...radeon, ...loader, ...driver },
    /no installed Vulkan driver offers what WebGPU needs/,
  ],
])('%s', (_what, files, sentence) => {
  const told = explainAbsence(machineWith(files))
  expect(told).toMatch(sentence)
  expect(told).toMatch(/^no WebGPU adapter was found: .*The CPU device works/)
})

test('a device file that the user may not open', () => {
  const closed = machineWith({ ...radeon, ...loader, ...driver }, { isOpen: () => false })
  expect(explainAbsence(closed)).toMatch(/you may not open \/dev\/dri\/renderD128: join the group.*"render"/)
})

test('a driver named by the user that is not there', () => {
  const env = { VK_DRIVER_FILES: '/opt/none.json' }
  expect(explainAbsence(machineWith({ ...radeon, ...loader, ...driver }, { env }))).toMatch(
    /VK_DRIVER_FILES is set, but/,
  )
})

test('other systems are told in one sentence', () => {
  expect(explainAbsence(machineWith({}, { platform: 'win32' }))).toMatch(/update the graphics driver/)
})
