import { describe, expect, it } from 'vitest'
import { sizeOf } from '../../../workers/jobs.ts'
import type { RunArgs, RunOutcome } from '../../../workers/jobs.ts'
import { EngineGraphs } from '../../support/engine-graphs.ts'

describe.skipIf(process.env['ANTICLIQUE_GPU_TESTS'] === 'absent')('a matching whose entries come to GPUs', () => {
  // Entries of more than 32 MiB, which threads read ahead for a device with memory of its own.
  const graphs = new EngineGraphs({ uniform: { model: 'uniform', vertices: 150_000, degree: 64 } })
  const run = (device: string, choice: Partial<RunArgs> = {}): Promise<RunOutcome> =>
    graphs.run('uniform', { algorithm: 'ld-gpu', weights: 'random3', device, verify: false, ...choice })

  it('is the same, and all of the view is read', async () => {
    const onCpu = await run('cpu:0', { verify: true })
    expect(onCpu.verification).toMatchObject({ verified: true })
    expect(sizeOf(onCpu.result)).toBeGreaterThan(50_000)
    expect(onCpu.plan.viewBytes).toBeGreaterThan(36 << 20)
    const onGpu = await run('gpu:0')
    expect(onGpu.result).toEqual(onCpu.result)
    expect(onGpu.bytes.read).toBeGreaterThan(0.9 * onCpu.plan.viewBytes)
    expect(onGpu.bytes.read).toBe(onCpu.bytes.read)
  })

  it.each([
    ['gpu:0', [2.8, 2]],
    ['gpu:0,gpu:0', [4, 3]],
  ] as const)('is the same where the devices have the heads, or nothing that stays: %s', async (device, memories) => {
    const whole = await run('cpu:0')
    const partitions = device.split(',').length
    const taken: number[] = []
    for (const memory of memories) {
      const memoryBytes = memory * 2 ** 20
      const found = await run(device, { partitions, memoryBytes })
      expect(found.result).toEqual(whole.result)
      expect(found.rounds).toBe(whole.rounds)
      expect(found.roundCounts).toEqual(whole.roundCounts)
      expect(found.counters['arcsTouched']).toBe(whole.counters['arcsTouched'])
      expect(found.plan.deviceBytes).toBeLessThanOrEqual(memoryBytes / partitions)
      taken.push(found.plan.deviceBytes)
      expect(found.counters['viewReadPercent']).toBeLessThan(70)
    }
    // Heads and the lists of those who move take some.
    expect(taken[0]).toBeGreaterThan(1.15 * taken[1]!)
  })
})
