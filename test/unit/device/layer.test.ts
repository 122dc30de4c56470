import { expect, test } from 'vitest'
import { layerObstacle } from '../../../workers/device/vulkan-loader.ts'
import { deviceSelectLayer, deviceSelectLibrary, machineWith } from './fake-machine.ts'

const installed = { ...deviceSelectLayer, ...deviceSelectLibrary }

test('nothing stands in the way where the layer is installed and new enough', () => {
  expect(layerObstacle(machineWith(installed))).toBe(null)
})

test('other systems choose by name only', () => {
  expect(layerObstacle(machineWith(installed, { platform: 'win32' }))).toMatch(/by name only/)
})

test('the layer is missing', () => {
  expect(layerObstacle(machineWith(deviceSelectLibrary))).toMatch(/not installed/)
  expect(layerObstacle(machineWith(deviceSelectLayer))).toMatch(/library .* is missing/)
})

test('the layer is too old', () => {
  const [path] = Object.keys(deviceSelectLibrary)
  expect(layerObstacle(machineWith({ ...installed, [path!]: 'MESA_VK_DEVICE_SELECT' }))).toMatch(/too old/)
})

test('the user switched it off', () => {
  expect(layerObstacle(machineWith(installed, { env: { NODEVICE_SELECT: '1' } }))).toMatch(/NODEVICE_SELECT/)
})

test('a layer in the folder of the user is found, and its library by its full path', () => {
  const files = {
    '/home/me/.local/share/vulkan/implicit_layer.d/VkLayer_MESA_device_select.json':
      '{"layer": {"library_path": "/opt/mesa/layer.so"}}',
    '/opt/mesa/layer.so': Object.values(deviceSelectLibrary)[0]!,
  }
  expect(layerObstacle(machineWith(files, { env: { HOME: '/home/me' } }))).toBe(null)
})
