import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { sizeOf } from '../../../../workers/contract/result.ts'
import type { RunArgs, RunOutcome } from '../../../../workers/contract/jobs.ts'
import { hasGpu } from '../../../support/devices-here.ts'
import { EngineGraphs } from '../../../support/engine-graphs.ts'

const models = {
  rmat: { model: 'rmat', scale: 16, edgeFactor: 16 },
  grid: { model: 'grid', rows: 90, columns: 101 },
} as const
/** A graph whose lists two GPUs share: one in software takes half a minute for the larger one. */
const shared = { model: 'rmat', scale: 14, edgeFactor: 16 } as const
const graphs = new EngineGraphs({ ...models, shared })
const run = (graph: string, extra: Partial<RunArgs>): Promise<RunOutcome> =>
  graphs.run(graph, { algorithm: 'ld-gpu', ...extra })

const ways: Partial<RunArgs>[] = [
  { partitions: 3, batches: 40 },
  { device: 'cpu:0,cpu:1', partitions: 8, memoryBytes: 64 << 20 },
  { memoryBytes: 4 << 20 },
  { partitions: 2, memoryBytes: 4 << 20, device: 'cpu:0,cpu:1' },
  { method: 'rescan' },
  { method: 'rescan', partitions: 4, batches: 9 },
  { method: 'rescan', memoryBytes: 4 << 20 },
]
/** On a small graph: a graphics processor in software takes a minute for the other. */
const gpuWays: Partial<RunArgs>[] = hasGpu
  ? [
      { device: 'gpu:0,cpu:0', partitions: 2, batches: 7 },
      { device: 'gpu:0', method: 'rescan', batches: 5 },
      { device: 'gpu:0', memoryBytes: 2 << 20, batches: 9 },
      { device: 'gpu:0', partitions: 2, memoryBytes: 4 << 20, batches: 40 },
    ]
  : []

describe.each(Object.keys(models))('several workers, methods and budgets on %s', (graph) => {
  it.each(['hash', 'degree', 'id'] as const)('make the same matching, ties by %s', async (ties) => {
    const choice = { ties, weights: 'random3' } as const
    const alone = await run(graph, choice)
    expect(sizeOf(alone.result)).toBeGreaterThan(4000)
    expect(alone.verification).toMatchObject({ verified: true })
    const onGpu = graph === 'grid' ? gpuWays : []
    // Where lists do not stay in memory, or several memories share the work, looks at lists are put off.
    const isExact = ({ memoryBytes, device, method }: Partial<RunArgs>): boolean =>
      method === 'rescan' || (memoryBytes !== 4 << 20 && device?.includes('gpu') !== true)
    // Another rule for ties changes no way: each of the two others meets half of the ways.
    const half = ways.filter((_, i) => i % 2 === (ties === 'id' ? 0 : 1))
    for (const way of ties === 'hash' ? [...ways, ...onGpu] : half) {
      const together = await run(graph, { ...choice, verify: false, ...way })
      const what = JSON.stringify(way)
      expect(together.result, what).toEqual(alone.result)
      if (isExact(way)) expect(together.rounds, what).toBe(alone.rounds)
      expect(together.counters['workers'], what).toBe(way.partitions ?? 1)
      if (way.memoryBytes !== undefined) expect(together.plan.deviceBytes).toBeLessThanOrEqual(way.memoryBytes)
      if (way.method === 'rescan' && way.partitions !== undefined)
        expect(together.bytes.exchanged, what).toBeGreaterThan(0)
    }
  })

  it('reads the graph twice at the most where its lists do not fit', async () => {
    const whole = await run(graph, { weights: 'random3' })
    expect(whole.passes).toBe(1)
    const outcome = await run(graph, { weights: 'random3', memoryBytes: 4 << 20 })
    expect(outcome.result).toEqual(whole.result)
    expect(outcome.passes).toBeLessThanOrEqual(2)
    expect(outcome.counters['readPercent']).toBeLessThan(220)
  })

  it('processors share one memory, and all take part', async () => {
    const outcome = await run(graph, { device: 'cpu:0,cpu:1' })
    expect(outcome.counters['workers']).toBe(2)
    expect(outcome.devices.map(({ id }) => id)).toEqual(['cpu:0', 'cpu:1'])
  })
})

it.runIf(hasGpu)('two GPUs scan and collect lists that one does not hold', async () => {
  const choice = { weights: 'random3', verify: false } as const
  const whole = await run('shared', choice)
  // Each of the two has half of it.
  const way = { device: 'gpu:0', partitions: 2, memoryBytes: 12 << 20, batches: 60 }
  const outcome = await run('shared', { ...choice, ...way })
  expect(outcome.result).toEqual(whole.result)
  expect(outcome.passes).toBe(2)
  expect(outcome.plan.deviceBytes).toBeLessThanOrEqual(6 << 20)
})

it.each([
  ['cpu:0', undefined],
  ['cpu:0,cpu:1', 4 << 20],
] as const)('lists that are damaged make no matching: %s with a budget of %s', async (device, memoryBytes) => {
  const choice = { device, memoryBytes, weights: 'random3' } as const
  const sound = await run('rmat', choice)
  const path = join(graphs.folder('rmat'), 'graph.gr')
  const bytes = readFileSync(path)
  const at = bytes.length - 100_001
  writeFileSync(path, bytes.with(at, bytes[at]! ^ 1))
  await expect(run('rmat', choice)).rejects.toMatchObject({ code: 'input', where: path })
  writeFileSync(path, bytes)
  expect((await run('rmat', choice)).result).toEqual(sound.result)
})
