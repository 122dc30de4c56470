import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { sizeOf } from '../../../workers/jobs.ts'
import type { RunArgs, RunOutcome } from '../../../workers/jobs.ts'
import { EngineGraphs } from '../../support/engine-graphs.ts'

const hasGpu = process.env['ANTICLIQUE_GPU_TESTS'] !== 'absent'
const models = {
  rmat: { model: 'rmat', scale: 16, edgeFactor: 16 },
  grid: { model: 'grid', rows: 90, columns: 101 },
} as const
const graphs = new EngineGraphs(models)
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
    ]
  : []

describe.each(Object.keys(models))('several workers, methods and budgets on %s', (graph) => {
  it.each(['hash', 'degree', 'id'] as const)('make the same matching, ties by %s', async (ties) => {
    const choice = { ties, weights: 'random3' } as const
    const alone = await run(graph, choice)
    expect(sizeOf(alone.result)).toBeGreaterThan(4000)
    expect(alone.verification).toMatchObject({ verified: true })
    const onGpu = graph === 'grid' ? gpuWays : []
    for (const way of ties === 'hash' ? [...ways, ...onGpu] : ways.slice(0, 6)) {
      const together = await run(graph, { ...choice, verify: false, ...way })
      const what = JSON.stringify(way)
      expect(together.result, what).toEqual(alone.result)
      expect(together.rounds, what).toBe(alone.rounds)
      expect(together.counters['workers'], what).toBe(way.partitions ?? 1)
      if (way.memoryBytes !== undefined) expect(together.plan.deviceBytes).toBeLessThanOrEqual(way.memoryBytes)
      if (way.partitions === undefined) continue
      const series = (name: string): readonly number[] => together.series.find((each) => each.name === name)!.values
      const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0)
      expect(together.bytes.exchanged, what).toBeGreaterThan(0)
      if (way.method !== 'rescan')
        expect(sum(series('bytes exchanged')), what).toBeLessThan(sum(series('bytes of whole arrays')) / 2)
    }
  })

  it('reads a part of the view where little of it fits', async () => {
    const whole = await run(graph, { weights: 'random3' })
    // What holds the state of the vertices and a little more.
    const outcome = await run(graph, { weights: 'random3', memoryBytes: Math.max(2 << 20, whole.plan.viewBytes / 8) })
    expect(outcome.result).toEqual(whole.result)
    expect(outcome.counters['viewReadPercent']).toBeGreaterThan(5)
    expect(outcome.counters['viewReadPercent']).toBeLessThan(graph === 'rmat' ? 38 : 100)
  })

  it('one device that holds everything computes alone', async () => {
    const outcome = await run(graph, { device: 'cpu:0,cpu:1' })
    expect(outcome.counters['workers']).toBe(1)
    expect(outcome.options['workers']).toBe('1 of 2: one device holds everything')
  })
})

it.each(['cpu:0', 'cpu:0,cpu:1'])('entries that are damaged make no matching: %s', async (device) => {
  const choice = { device, partitions: device.split(',').length, weights: 'random3' } as const
  const sound = await run('rmat', choice)
  const views = join(graphs.folder('rmat'), 'views')
  const path = join(
    views,
    readdirSync(views).find((name) => name.startsWith('weight-ordered-random3-hash'))!,
  )
  const bytes = readFileSync(path)
  const { tails } = JSON.parse(bytes.toString('utf8', 0, 4096)) as { tails: { at: number } }
  const at = tails.at + 4 * 100_001
  writeFileSync(path, bytes.with(at, bytes[at]! ^ 1))
  await expect(run('rmat', choice)).rejects.toMatchObject({ code: 'input', where: path })
  writeFileSync(path, bytes)
  expect((await run('rmat', choice)).result).toEqual(sound.result)
})
