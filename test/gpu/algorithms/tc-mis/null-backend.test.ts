import { create, globals } from 'webgpu'
import { afterAll, describe, expect, it } from 'vitest'
import { tcCountsMatrix } from '../../../../kernels/tc-mis/tc-counts-matrix.ts'
import { tcCounts } from '../../../../kernels/tc-mis/tc-counts.ts'
import { countsKernel, hasTensorCores } from '../../../../workers/algorithms/tc-mis/tiles-on-device.ts'
import { cpuFacts } from '../../../../workers/device/cpu-device.ts'
import { kernelsOfTcMis } from '../../../support/kernels.ts'

Object.assign(globalThis, globals)
/** Held for the life of the process: Dawn crashes once it is collected. The null backend compiles for every feature and runs nothing. */
const instance = create(['backend=null', 'enable-dawn-features=allow_unsafe_apis'])

describe('the kernels of TC-MIS', async () => {
  const adapter = await instance.requestAdapter()
  const features = ['subgroups', 'chromium-experimental-subgroup-matrix'] as GPUFeatureName[]
  const device = await adapter!.requestDevice({ requiredFeatures: features })
  afterAll(() => device.destroy())

  it.each(kernelsOfTcMis.map((kernel) => [kernel.name, kernel] as const))(
    '%s compiles, tensor cores or not',
    async (_, kernel) => {
      device.pushErrorScope('validation')
      const module = device.createShaderModule({ code: kernel.wgsl })
      const { messages } = await module.getCompilationInfo()
      expect(messages.filter(({ type }) => type === 'error').map(({ message }) => message)).toEqual([])
      await device.createComputePipelineAsync({ layout: 'auto', compute: { module, entryPoint: 'main' } })
      expect(await device.popErrorScope()).toBeNull()
    },
  )
})

describe('the product of phase 2', () => {
  const byte = { component: 'u8', result: 'u32', m: 16, n: 16, k: 32 }
  const features = ['chromium-experimental-subgroup-matrix', 'subgroups']
  const facts = { ...cpuFacts('cpu:0'), features, subgroupMatrices: [byte] }

  it('runs on tensor cores where that is asked, on adapters that multiply bytes exactly in this shape', () => {
    expect(countsKernel(facts)).toBe(tcCounts)
    expect(countsKernel(facts, 'integer')).toBe(tcCounts)
    expect(countsKernel(facts, 'tensor')).toBe(tcCountsMatrix)
    expect(hasTensorCores({ ...facts, features: ['subgroups'] })).toBe(false)
    expect(hasTensorCores({ ...facts, subgroupMatrices: [{ ...byte, component: 'f16' }] })).toBe(false)
    expect(hasTensorCores({ ...facts, subgroupMatrices: [{ ...byte, k: 16 }] })).toBe(false)
    expect(() => countsKernel(cpuFacts('cpu:0'), 'tensor')).toThrow(/has no tensor cores/)
  })
})
