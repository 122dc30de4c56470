import { describe, expect, it } from 'vitest'
import { bindGpu, listGpus } from '../../../workers/device/bind-gpu.ts'
import { listDevices, openDevice, surveyDevices } from '../../../workers/device/open-device.ts'
import { Failure } from '../../../workers/base/failure.ts'
import { quietJob } from '../../../workers/base/job.ts'
import { hasGpu } from '../../support/devices-here.ts'

describe.runIf(hasGpu)('the adapters of this machine', () => {
  it('are listed with limits and features, and memory is a figure or null', async () => {
    const { gpus, noGpu } = await listGpus()
    expect(noGpu).toBe(null)
    expect(gpus.length).toBeGreaterThan(0)
    for (const gpu of gpus) {
      expect(gpu.name).not.toBe('')
      expect(gpu.maxBindingBytes).toBeGreaterThanOrEqual(128 << 20)
      expect(gpu.maxBufferBytes).toBeGreaterThanOrEqual(gpu.maxBindingBytes!)
      expect(gpu.workgroupStorageBytes).toBeGreaterThanOrEqual(16384)
      expect(gpu.features).toContain('core-features-and-limits')
      expect(gpu.memoryFreeBytes ?? 0).toBeLessThanOrEqual(gpu.memoryBytes ?? Infinity)
      if (gpu.features.includes('chromium-experimental-subgroup-matrix')) expect(gpu.subgroupMatrices).not.toEqual([])
    }
    expect(gpus.map(({ id }) => id)).toEqual(gpus.map((_, index) => `gpu:${index}`))
  })

  it('may be bound twice at a time, each with a device of its own', async () => {
    const environment = { ...process.env }
    const [one, two] = await Promise.all([bindGpu('gpu:0'), bindGpu('gpu:0')])
    expect(one).not.toBe(two)
    const [first, second] = await Promise.all([one.requestDevice(), two.requestDevice()])
    first.destroy()
    const buffer = second.createBuffer({ size: 16, usage: GPUBufferUsage.COPY_DST })
    second.queue.writeBuffer(buffer, 0, new Uint32Array(4))
    await second.queue.onSubmittedWorkDone()
    second.destroy()
    expect({ ...process.env }).toEqual(environment)
  })

  it('that are not there are refused in words', async () => {
    const refusal = (attempt: Promise<unknown>): Promise<unknown> =>
      attempt.then(
        () => null,
        (error: unknown) => (error instanceof Failure ? error.toValue() : error),
      )
    const remedy: unknown = expect.stringContaining('gpu:0')
    expect(await refusal(bindGpu('gpu:99'))).toMatchObject({ code: 'device', where: 'gpu:99', remedy })
    expect(await refusal(openDevice('gpu:99'))).toMatchObject({ code: 'device', where: 'gpu:99' })
  })

  it('are proven or not by where memory is taken, and software adapters cannot be', async () => {
    const { proof, devices } = await surveyDevices({ prove: true }, quietJob)
    expect(proof!.map(({ id }) => id)).toEqual(devices.filter(({ kind }) => kind === 'gpu').map(({ id }) => id))
    for (const { id, proven, reason, pciAddress } of proof!) {
      const { software } = devices.find((device) => device.id === id)!
      if (software) expect({ proven, pciAddress }).toEqual({ proven: null, pciAddress: null })
      expect(proven === null).toBe(reason !== null)
    }
  })
})

describe('processors', () => {
  it('are any number of devices', async () => {
    expect((await openDevice('cpu:7')).facts).toMatchObject({ id: 'cpu:7', kind: 'cpu' })
  })

  it('share the memory of the machine', async () => {
    const { devices } = await listDevices()
    expect(devices[0]).toMatchObject({
      id: 'cpu:0',
      memoryBytes: expect.any(Number),
      memoryFreeBytes: expect.any(Number),
    })
  })
})
