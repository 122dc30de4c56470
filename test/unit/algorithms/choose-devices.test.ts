import { describe, expect, it } from 'vitest'
import { autoCandidates, chooseDevices, planWork } from '../../../workers/jobs/plan.ts'
import { ordered } from '../../../workers/algorithms/ld-gpu/ld-gpu.ts'
import type { Algorithm } from '../../../workers/algorithms/algorithm.ts'
import { loadAlgorithm } from '../../../workers/algorithms/registry.ts'
import { type AlgorithmName, algorithmNames } from '../../../workers/contract/catalogue.ts'
import { cpuFacts } from '../../../workers/device/cpu-device.ts'
import { quietJob } from '../../../workers/base/job.ts'
import type { DeviceFacts, PlanLane } from '../../../workers/contract/jobs.ts'
import { gpuFacts } from '../../support/gpu-facts.ts'
import { randomSmallGraph } from '../../support/graphs.ts'
import { Folders } from '../../support/dataset-folders.ts'

const MIB = 2 ** 20
const gpus = (count: number, freeMib: number): DeviceFacts[] =>
  Array.from({ length: count }, (_, n) => gpuFacts(n, freeMib))
const graph = { vertices: 2 ** 20, arcs: 15 * 2 ** 20 }

/** What each of some devices would hold of a matching. */
function lanesOn(devices: readonly DeviceFacts[]): readonly PlanLane[] {
  const size = { ...graph, weighted: false, exact: true, basis: '', dataset: undefined, steps: [], hostBudget: 0 }
  const options = { algorithm: 'ld-gpu', device: '', priority: 'degree', seed: 0, weights: 'random3' } as const
  return ordered.estimate({ options, size, devices }).lanes
}

const severalGpus = Object.fromEntries(
  await Promise.all(algorithmNames.map(async (name) => [name, (await loadAlgorithm(name)).severalGpus] as const)),
) as Record<AlgorithmName, Algorithm['severalGpus']>

function choose(algorithm: AlgorithmName, candidates: readonly DeviceFacts[]) {
  const { devices, why } = chooseDevices(algorithm, severalGpus[algorithm], candidates, lanesOn)
  return { ids: devices.map(({ id }) => id).join(), why }
}

describe('what auto stands for', () => {
  it('is one GPU where it holds everything, whatever computes', () => {
    const { ids, why } = choose('ld-gpu', gpus(4, 1000))
    expect(ids).toBe('gpu:0')
    expect(why).toMatch(/^uses gpu:0 alone: its 800\.0 MiB hold the [\d.]+ MiB of the run; more GPUs would only wait/)
    expect(choose('ld-gpu', [gpuFacts(0, 50), gpuFacts(1, 1000)]).ids).toBe('gpu:1')
  })

  it('is every GPU where none holds everything that many passes need', () => {
    const { ids, why } = choose('b-suitor', gpus(4, 50))
    expect(ids).toBe('gpu:0,gpu:1,gpu:2,gpu:3')
    expect(why).toMatch(
      /^uses gpu:0, gpu:1, gpu:2, gpu:3: .*of the graph are more than the 40\.0 MiB that one GPU may use/,
    )
  })

  it('leaves out a GPU without memory for the vertices', () => {
    expect(choose('b-suitor', [gpuFacts(0, 50), gpuFacts(1, 4), gpuFacts(2, 45)]).ids).toBe('gpu:0,gpu:2')
    expect(choose('b-suitor', [gpuFacts(0, 50), gpuFacts(1, 40)]).ids).toBe('gpu:0,gpu:1')
    const { ids, why } = choose('b-suitor', [gpuFacts(0, 4), gpuFacts(1, 50)])
    expect(ids).toBe('gpu:1')
    expect(why).toContain('have not the memory')
  })

  it('is one GPU for a set or a matching, through which its lists pass', () => {
    for (const algorithm of ['ecl-mis', 'mg-mis', 'ld-gpu'] as const) {
      expect(choose(algorithm, gpus(4, 50))).toMatchObject({ ids: 'gpu:0', why: expect.stringContaining('as fast as') })
      expect(choose(algorithm, [gpuFacts(0, 4), gpuFacts(1, 50)]).ids).toBe('gpu:1')
    }
  })

  it('is the processor without a GPU, and the only GPU where there is one', () => {
    const software = { ...gpuFacts(0, 1000), software: true }
    expect(autoCandidates([cpuFacts('cpu:0'), software]).map(({ id }) => id)).toEqual(['cpu:0'])
    expect(choose('mg-mis', [cpuFacts('cpu:0')]).why).toContain('no GPU')
    expect(choose('mg-mis', gpus(1, 10)).why).toContain('the only GPU')
  })
})

describe('what each device of a plan holds', () => {
  it('is all of a matching where it fits, and never more than the device has', () => {
    const seen = new Set<string>()
    for (let mib = 40; mib < 1000; mib *= 1.4)
      for (let count = 1; count <= 4; count++)
        for (const { deviceBytes, availableBytes, holds, shareBytes } of lanesOn(gpus(count, mib))) {
          expect(deviceBytes).toBeLessThanOrEqual(availableBytes!)
          if (holds === 'share') expect(deviceBytes).toBeGreaterThan(shareBytes)
          seen.add(holds)
        }
    expect([...seen].sort()).toEqual(['nothing', 'share'])
  })

  it('is told for processors too, whose memory is divided unless each was given its own', async () => {
    const folders = new Folders()
    const made = folders.of(randomSmallGraph(18, 3000).graph)
    const request = { ...made, algorithm: 'mg-mis', priority: 'degree', seed: 0 } as const
    const target = { kind: 'dataset', ...made } as const
    const plan = (device: string, memoryBytes?: number) =>
      planWork({ ...request, target, device, memoryBytes }, quietJob)
    const one = await plan('cpu:0')
    const two = await plan('cpu:0,cpu:1')
    expect(two.device).toBe('cpu:0,cpu:1')
    expect(two.lanes.map(({ device }) => device)).toEqual(['cpu:0', 'cpu:1'])
    expect(two.lanes[0]!.availableBytes! / one.lanes[0]!.availableBytes!).toBeCloseTo(0.5, 1)
    const own = await plan('cpu:0,cpu:1', 10 * MIB)
    expect(own.lanes.map(({ availableBytes }) => availableBytes)).toEqual([10 * MIB, 10 * MIB])
  })
})
