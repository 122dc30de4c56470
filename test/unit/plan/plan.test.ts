import { statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { planOn, planWork } from '../../../workers/algorithms/plan.ts'
import { planRefusal } from '../../../workers/algorithms/plan-refusal.ts'
import { planRun } from '../../../workers/algorithms/plan-run.ts'
import { runAlgorithm } from '../../../workers/algorithms/run.ts'
import { CpuDevice, cpuFacts } from '../../../workers/device/cpu-device.ts'
import { Failure } from '../../../workers/failure.ts'
import { HEAD_WIDTH } from '../../../workers/graph/oriented-view.ts'
import { prepareView } from '../../../workers/graph/prepare-view.ts'
import { quietJob } from '../../../workers/job.ts'
import type { PlanArgs } from '../../../workers/jobs.ts'
import { randomSmallGraph } from '../../support/graphs.ts'
import { Folders } from '../../support/views.ts'

const folders = new Folders()
const options = { algorithm: 'ecl-mis', device: 'cpu:0', priority: 'degree', seed: 0 } as const

function argsFor(made: { folder: string; checksum: string }, more: Partial<PlanArgs> = {}): PlanArgs {
  return { ...options, target: { kind: 'dataset', ...made }, folder: made.folder, ...more }
}

describe('the plan of a dataset', () => {
  it('bounds what is really used from above, and by half as much again at most', () => {
    let graphs = 0
    for (let seed = 2; seed < 60; seed++) {
      const { graph } = randomSmallGraph(seed, 3000)
      if (graph.neighbours.flat().length < 200) continue
      const made = folders.of(graph)
      const plan = planOn(argsFor(made), [cpuFacts('cpu:0')])
      const prepared = prepareView({ ...made, ...options }, quietJob)
      const bytes = statSync(prepared.view.path).size
      const spared = 4 * (HEAD_WIDTH + 1) * prepared.view.header.front
      const { vertices } = graph
      const arcs = graph.neighbours.flat().length
      const device = new CpuDevice('cpu:0')
      const { plan: real } = planRun({}, { vertices, arcs }, prepared, [device.facts])
      prepared.view.close()
      const view = plan.steps.find(({ name }) => name === 'view')!
      expect(plan).toMatchObject({ vertices, arcs, exact: true, refusal: null })
      expect(view.diskBytes).toBeGreaterThanOrEqual(bytes)
      // Nobody knows before how many vertices stand at the front, of which nothing but a bit is kept.
      expect(view.diskBytes).toBeLessThanOrEqual(1.5 * (bytes + spared))
      expect(plan.needed.deviceBytes).toBeGreaterThanOrEqual(real.deviceBytes)
      expect(plan.needed.deviceBytes).toBeLessThanOrEqual(1.5 * real.deviceBytes)
      const prepares = planOn(argsFor(made), [cpuFacts('cpu:0')])
      expect(prepares.steps.map(({ name }) => name)).toEqual(['run'])
      expect(prepares.needed.deviceBytes).toBe(real.deviceBytes)
      graphs++
    }
    expect(graphs).toBeGreaterThan(30)
  })

  it('cuts batches that the run then makes, within a quarter', () => {
    const made = folders.of(randomSmallGraph(18, 3000).graph)
    const prepared = prepareView({ ...made, ...options }, quietJob)
    const whole = planOn(argsFor(made), [cpuFacts('cpu:0')]).needed.deviceBytes
    for (const share of [0.5, 0.7, 0.9]) {
      const memoryBytes = Math.floor(share * whole)
      const plan = planOn(argsFor(made, { memoryBytes }), [cpuFacts('cpu:0')])
      const { vertices, tailEntries } = prepared.view.header
      const { batches } = planRun({ memoryBytes }, { vertices, arcs: 2 * tailEntries }, prepared, [cpuFacts('cpu:0')])
      expect(batches.length).toBeGreaterThan(1)
      expect(Math.abs(plan.batches - batches.length)).toBeLessThanOrEqual(Math.ceil(batches.length / 4))
      expect(plan.needed.deviceBytes).toBe(memoryBytes)
      expect(plan.steps.at(-1)!.passes).toBe(2)
    }
    prepared.view.close()
  })

  it('that does not fit says so, and the run refuses with the same words', async () => {
    const made = folders.of(randomSmallGraph(18, 3000).graph)
    const { refusal } = await planWork(argsFor(made, { memoryBytes: 1000 }), quietJob)
    expect(refusal).toMatchObject({ code: 'usage' })
    expect(refusal!.what).toMatch(/states of \d+ vertices take \d+\.\d KiB .*1000 bytes may be used/)
    expect(refusal!.remedy).toMatch(/--memory/)
    const resultFile = join(made.folder, 'set.bits')
    const args = { ...made, ...options, memoryBytes: 1000, verify: false, resultFile }
    const failure: unknown = await runAlgorithm(args, quietJob).catch((error: unknown) => error)
    expect(failure instanceof Failure && failure.toValue()).toEqual(refusal)
  })

  it('names both figures where disk or memory is too small', () => {
    const target = { kind: 'file', source: 'x' } as const
    const needed = { hostBytes: 2 ** 34, deviceBytes: 0, scratchBytes: 0, diskBytes: 2 ** 35, peakDiskBytes: 2 ** 36 }
    const refusal = (hostBytes: number, diskBytes: number) =>
      planRefusal({ folder: '/data', target }, needed, { hostBytes, diskBytes, deviceBytes: null })
    expect(refusal(2 ** 40, 2 ** 40)).toBeNull()
    expect(refusal(2 ** 40, 2 ** 35)).toMatchObject({ code: 'storage', where: '/data' })
    expect(refusal(2 ** 40, 2 ** 35)!.what).toMatch(/64\.0 GiB of disk, and 32\.0 GiB are free/)
    expect(refusal(2 ** 34, 2 ** 40)).toMatchObject({ code: 'usage' })
    expect(refusal(2 ** 34, 2 ** 40)!.what).toMatch(/16\.0 GiB of memory, and the machine has 16\.0 GiB/)
  })

  it('knows no device that is not there', async () => {
    const made = folders.of(randomSmallGraph(12, 100).graph)
    await expect(planWork(argsFor(made, { device: 'gpu:99' }), quietJob)).rejects.toMatchObject({ code: 'device' })
  })
})
