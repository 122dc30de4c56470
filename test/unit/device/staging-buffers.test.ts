import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { StagingRing } from '../../../workers/device/staging-buffers.ts'

const SLOT_BYTES = 16 << 20
afterEach(() => vi.unstubAllGlobals())

/** As far as staging needs one. */
function fakeDevice(): GPUDevice {
  vi.stubGlobal('GPUBufferUsage', { MAP_WRITE: 2, COPY_SRC: 4 })
  vi.stubGlobal('GPUMapMode', { WRITE: 2 })
  const buffer = {
    mapAsync: () => Promise.resolve(undefined),
    getMappedRange: (_: number, length: number) => new ArrayBuffer(length),
    unmap: () => {},
  }
  const encoder = { copyBufferToBuffer: () => {}, finish: () => ({}) }
  const device = { createBuffer: () => buffer, createCommandEncoder: () => encoder, queue: { submit: () => {} } }
  return device as unknown as GPUDevice
}

test('an upload that fails settles once no part of it is read', async () => {
  const ring = new StagingRing(fakeDevice())
  let reading = 0
  const read = async (_: Uint8Array, at: number): Promise<void> => {
    if (at > 0) throw new Error('the disk')
    reading++
    await pause(30)
    reading--
  }
  await expect(ring.upload({} as GPUBuffer, 2 * SLOT_BYTES, read, () => {})).rejects.toThrow('the disk')
  expect(reading).toBe(0)
})
