import { describe, expect, it } from 'vitest'
import { ldGpu } from '../../../workers/algorithms/ld-gpu/ld-gpu.ts'
import { commonBudget } from '../../../workers/algorithms/plan-request.ts'
import { kCore } from '../../../workers/algorithms/others/k-core/k-core.ts'
import { workerFacts, planOn } from '../../../workers/algorithms/plan.ts'
import { hostMemory, shareMachine } from '../../../workers/base/host-resources.ts'
import { cpuFacts } from '../../../workers/device/cpu-device.ts'
import type { DeviceFacts, PlanArgs } from '../../../workers/contract/jobs.ts'
import { gpuFacts } from '../../support/gpu-facts.ts'

const MIB = 2 ** 20
const gpu = (n: number, freeMib: number): DeviceFacts => ({
  ...gpuFacts(n, freeMib),
  maxBindingBytes: freeMib * MIB,
  maxBufferBytes: freeMib * MIB,
})
const [large, small] = [gpu(0, 1000), gpu(1, 40)]
const unknown: DeviceFacts = { ...gpu(2, 0), memoryBytes: null, memoryFreeBytes: null }

describe('a run on devices of different memory', () => {
  it('may use on each what the least of them has, in whatever order they are named', () => {
    for (const devices of [
      [large, small],
      [small, large],
      [large, unknown, small],
    ]) {
      expect(commonBudget(devices, undefined)).toBe(32 * MIB)
      expect(commonBudget(devices, 50 * MIB)).toBe(50 * MIB)
    }
    expect(commonBudget([unknown, large], undefined)).toBe(800 * MIB)
    // Two workers on one divide what it has, and that alone.
    expect(commonBudget([large, small, small], undefined)).toBe(16 * MIB)
    expect(commonBudget([large, small, large], undefined)).toBe(32 * MIB)
    expect(commonBudget([small, cpuFacts('cpu:0'), cpuFacts('cpu:1')], undefined)).toBe(32 * MIB)
  })

  it('is planned alike for a matching whichever leads', () => {
    const vertices = 2 ** 20
    const size = {
      vertices,
      arcs: 32 * vertices,
      hostBudget: 2 ** 33,
      exact: true,
      basis: 'known',
      steps: [],
      weighted: false,
      dataset: undefined,
    }
    const target = { kind: 'size', vertices, arcs: size.arcs } as const
    const asked = {
      algorithm: 'ld-gpu',
      device: 'gpu:0,gpu:1',
      target,
      folder: '/',
      seed: 0,
      priority: 'degree',
      partitions: 2,
    } as const
    const planned = (devices: readonly DeviceFacts[]) =>
      ldGpu.plan({ options: asked as unknown as PlanArgs, size, devices })
    const [one, other] = [planned([large, small]), planned([small, large])]
    expect(one.refusal).toBeNull()
    expect(one.steps).toEqual(other.steps)
    expect(one.batches).toBe(other.batches)
    for (const { lanes } of [one, other]) {
      expect(new Set(lanes.map(({ holds, deviceBytes }) => `${holds} ${deviceBytes}`)).size).toBe(1)
      expect(lanes.map(({ availableBytes }) => availableBytes! / MIB).toSorted((a, b) => a - b)).toEqual([32, 800])
    }
    const needed = Math.max(...one.steps.map(({ deviceBytes }) => deviceBytes))
    expect(needed).toBeGreaterThan(10 * MIB)
    expect(needed).toBeLessThanOrEqual(32 * MIB)
  })

  it('lets processors that share the memory of the host stream what does not fit it', () => {
    const { memoryFreeBytes } = hostMemory()
    const devices = [cpuFacts('cpu:0'), cpuFacts('cpu:1')]
    const vertices = 2 ** 20
    const known = { vertices, arcs: memoryFreeBytes, weighted: false, exact: true, basis: 'known' } as const
    const size = { ...known, steps: [], dataset: undefined }
    const args = { algorithm: 'k-core', device: 'cpu:0,cpu:1', folder: '/', seed: 0, priority: 'degree' } as const
    const plan = planOn(kCore, { ...args, target: { kind: 'file', source: '' } }, devices, size)
    expect(plan.refusal).toBeNull()
    expect(plan.lanes.map(({ holds }) => holds)).toEqual(['nothing', 'nothing'])
    expect(plan.lanes.reduce((sum, { deviceBytes }) => sum + deviceBytes, 0)).toBeLessThan(memoryFreeBytes)
  })

  it('divides the memory of the host among ranks of one machine', () => {
    const alone = commonBudget([cpuFacts('cpu:0')], undefined)
    shareMachine(4)
    const shared = commonBudget([cpuFacts('cpu:0')], undefined)
    shareMachine(1)
    // Others use the memory meanwhile.
    expect(shared / alone).toBeGreaterThan(1 / 6)
    expect(shared / alone).toBeLessThan(1 / 3)
  })

  it('knows a processor beside a GPU, and a GPU that a processor leads', async () => {
    const besides = await workerFacts(['gpu:0', 'cpu:1', 'gpu:7'], large, 10 * MIB)
    expect(besides.map(({ id, kind }) => `${id} ${kind}`)).toEqual(['gpu:0 gpu', 'cpu:1 cpu', 'gpu:7 gpu'])
    const led = await workerFacts(['cpu:0', 'gpu:7'], cpuFacts('cpu:0'), 10 * MIB)
    expect(led[1]).toMatchObject({ id: 'gpu:7', kind: 'gpu', memoryBytes: null })
  })
})
